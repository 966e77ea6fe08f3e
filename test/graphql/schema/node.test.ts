import { hash } from 'node:crypto';
import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute, type Execute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { globalId } from '../../../src/graph/builder/global-id.ts';
import { locationId } from '../../../src/graph/districts/location-id.ts';
import { schema } from '../../../src/graph/schema.ts';
import { everyField } from '../../resilience/support/every-field.ts';
import { useDatabase } from '../../support/database.ts';
import { electionKey, setKnownSecret } from '../../support/election-key.ts';
import { ALL_GRANTS, contextOf, type ExecuteOptions, prepare } from '../../support/graph.ts';
import { createRichWorld } from '../../support/rich-world.ts';
import { recordStatements } from '../../support/statements.ts';
import { insert, POINTS, WORLD } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createRichWorld(database.db);
  await insert(database.db, 'newer_maps', [
    { state: 'AA', type: 'Judicial District', start_date: '2025-01-01', citation: 'A court' },
  ]);
});

const types = Object.values(schema.getTypeMap()).filter(isObjectType);
const nodeTypes = types.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;
const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);

async function run(source: string, options: ExecuteOptions = {}, execute: Execute = resolved) {
  const contextValue = contextOf(database.db, options);
  const result = await execute({ prepared: prepare(source), variableValues: options.variables ?? {}, contextValue });
  return JSON.parse(JSON.stringify(result)) as { data: Record<string, unknown>; errors?: { message: string }[] };
}

/** The leaves of a type that need no argument. */
function leavesOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
    .map(({ name }) => name);
}

const leaves = (name: string) => leavesOf(typeOf(name)).join(' ');

/**
 * Ways to the same objects that the documents of `everyField` do not take: other days, and the edges. Fields with
 * arguments have the alias `on_…`, as their values depend on these.
 */
const OTHER_WAYS = Object.values(POINTS).flatMap(({ latitude, longitude }) =>
  ['2022-11-08', '2024-11-05', '2026-11-03', '2022-06-01'].map(
    (day) => `{ location(latitude: ${latitude}, longitude: ${longitude}) { ${leaves('Location')}
      on_districts: districts(on: "${day}") { ${leaves('District')} boundary { ${leaves('Boundary')} }
        offices { ${leaves('Office')} on_officeholders: officeholders(on: "${day}") { ${leaves('Officeholder')} } } }
      on_districtsWithBoundary: districtsWithBoundary(on: "${day}") { ${leaves('LocationDistrict')} boundary { ${leaves('Boundary')} }
        district { ${leaves('District')} boundary { ${leaves('Boundary')} } } }
      on_elections: elections(from: "2000-01-01", to: "2030-01-01") { ${leaves('Election')} }
      on_ballot: ballot(electionDate: "${day}") { ${leaves('Ballot')} elections { ${leaves('Election')} }
        districts { ${leaves('BallotDistrict')} boundary { ${leaves('Boundary')} }
          district { ${leaves('District')} boundary { ${leaves('Boundary')} } }
          races { ${leaves('Race')} boundary { ${leaves('RaceBoundary')} } candidates { ${leaves('Candidate')} } } } } } }`,
  ),
);

/** The values of an object by field, each as JSON with the path on which it was first found. */
type Values = Map<string, readonly [json: string, path: string]>;

/** Collects the values of all objects in a result by type and id. An object with an id stands for all of its fields. */
function collect(data: unknown, found: Map<string, Values>, conflicts: string[]): void {
  const query = schema.getQueryType() as GraphQLObjectType;
  objectValue(data as object, query, '');

  function objectValue(object: object, type: GraphQLObjectType, path: string): unknown {
    const id = 'id' in object && type.name !== 'BulkQuery' ? String(object.id) : undefined;
    const key = `${type.name} ${id}`;
    const values = found.get(key) ?? new Map<string, readonly [string, string]>();
    if (id !== undefined) found.set(key, values);
    const members = Object.entries(object).map(([name, member]) => {
      const here = `${path}.${name}`;
      const inner = getNamedType(typeOf(type.name).getFields()[name.replace(/^on_/, '')]?.type);
      const value = isObjectType(inner) ? plainValue(member, inner, here) : member;
      const json = JSON.stringify(value);
      const known = values.get(name);
      if (known && known[0] !== json) conflicts.push(`${key}: ${known[1]} is ${known[0]}, ${here} is ${json}`);
      // Lists of objects with and without id differ by how deep a document selects them.
      const isRecorded = !name.startsWith('on_') && (!isObjectType(inner) || isWhole(member));
      if (id !== undefined && isRecorded) values.set(name, known ?? [json, here]);
      return [name, value];
    });
    return id ?? Object.fromEntries(members);
  }

  function plainValue(value: unknown, type: GraphQLObjectType, path: string): unknown {
    if (Array.isArray(value)) return value.map((each, index) => plainValue(each, type, `${path}.${index}`));
    return value === null ? null : objectValue(value as object, type, path);
  }

  /** Whether objects are identified by their ids, so that it does not matter which of their fields are selected. */
  function isWhole(value: unknown): boolean {
    return [value].flat().every((each) => each === null || (typeof each === 'object' && each !== null && 'id' in each));
  }
}

/** All objects of the world with an id, by type and id. */
async function allObjects(execute: Execute) {
  const found = new Map<string, Values>();
  const conflicts: string[] = [];
  for (const document of [...everyField().documents, ...OTHER_WAYS]) {
    const { data } = await run(document, {}, execute);
    collect(data, found, conflicts);
  }
  return { found, conflicts };
}

describe('the ids of objects', () => {
  it('are those of `Node` for every type with a number in the database, and for points', () => {
    const records = types.filter((type) => 'databaseId' in type.getFields());
    expect(nodeTypes.map(({ name }) => name).sort()).toEqual([...records.map(({ name }) => name), 'Location'].sort());
    expect(nodeTypes.length).toBeGreaterThan(10);
  });

  it.each([
    ['resolvers', resolved],
    ['the query planner', planned],
  ])('identify one type and one set of values, on whichever path, with %s', async (_, execute) => {
    const { found, conflicts } = await allObjects(execute);
    expect(conflicts).toEqual([]);
    const ids = [...found.keys()].map((key) => key.split(' ')[1]);
    expect(new Set(ids).size).toBe(ids.length);
    const seen = new Set([...found.keys()].map((key) => key.split(' ')[0]));
    const withId = types.filter((type) => 'id' in type.getFields() && type.name !== 'BulkQuery');
    expect(withId.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it('return the same records through `nodes`', async () => {
    const { found } = await allObjects(resolved);
    let count = 0;
    for (const { name } of nodeTypes) {
      const known = [...found].filter(([key]) => key.startsWith(`${name} `));
      const ids = known.map(([key]) => key.slice(name.length + 1));
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ${name} { ${leaves(name)} } } }`;
      const { data, errors } = await run(query, { variables: { ids: ids.slice(0, 100) } });
      expect(errors).toBeUndefined();
      for (const [index, node] of (data.nodes as Record<string, unknown>[]).entries()) {
        expect(node).toMatchObject({ __typename: name, id: ids[index] });
        const values = known[index]?.[1];
        for (const [field, value] of Object.entries(node)) {
          const before = values?.get(field);
          if (before) expect(`${field}: ${JSON.stringify(value)}`).toBe(`${field}: ${before[0]}`);
        }
        count++;
      }
    }
    expect(count).toBeGreaterThan(80);
  });
});

describe('a district with two maps', () => {
  const MAPS = `query ($latitude: Latitude!, $longitude: Longitude!) {
    before: location(latitude: $latitude, longitude: $longitude) {
      districtsWithBoundary(on: "2022-06-01", types: [CONGRESS]) {
        boundary { startDate } district { id boundary { startDate } } } }
    now: location(latitude: $latitude, longitude: $longitude) {
      districtsWithBoundary(types: [CONGRESS]) { boundary { startDate } district { id boundary { startDate } } } }
    ballot: location(latitude: $latitude, longitude: $longitude) {
      ballot(electionDate: "2022-11-08") { districts { boundary { startDate } district { type boundary { startDate } } } } }
    district(databaseId: ${WORLD.alphaFirst}) { id boundary { startDate } before: boundary(on: "2022-06-01") { startDate } }
  }`;

  it.each([
    ['resolvers', resolved],
    ['the query planner', planned],
  ])('has one boundary of its own, and the matching one on the edges, with %s', async (_, execute) => {
    const { data } = await run(MAPS, { variables: POINTS.southEast }, execute);
    const { id } = data.district as { id: string };
    const [older, newer] = [{ startDate: '2013-01-03' }, { startDate: WORLD.redrawn }];
    const district = { id, boundary: newer };
    const next = { id: globalId('District', WORLD.alphaSecond), boundary: newer };
    expect(data.before).toEqual({ districtsWithBoundary: [{ boundary: older, district }] });
    expect(data.now).toEqual({ districtsWithBoundary: [{ boundary: newer, district: next }] });
    expect(data.district).toEqual({ ...district, before: older });
    const { districts } = (data.ballot as { ballot: { districts: { district: { type: string } }[] } }).ballot;
    const onBallot = districts.filter((each) => each.district.type === 'CONGRESS');
    expect(onBallot).toEqual(
      [older, newer].map((boundary) => ({ boundary, district: { type: 'CONGRESS', boundary: newer } })),
    );
  });
});

describe('node and nodes', () => {
  const district = globalId('District', WORLD.alpha);
  const office = globalId('Office', WORLD.governor);

  it('keep the order, repeat, and are null for each id without an object', async () => {
    const ids = [office, district, globalId('District', 99_999), 'none', '', district, globalId('Query', 1)];
    const { data, errors } = await run('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      variables: { ids },
    });
    expect(errors).toBeUndefined();
    const found = [office, district, null, null, null, district, null];
    const nameOf = (id: string) => (id === office ? 'Office' : 'District');
    expect(data.nodes).toEqual(found.map((id) => id && { __typename: nameOf(id), id }));
  });

  it('are null for ids that no object can have', async () => {
    const keys = ['010', '+10', '1e1', '10 ', 'x', '9999999999999', '-10', '10:', '\0', '\ud800'];
    for (const key of keys) {
      for (const type of ['District', 'Election', 'Location']) {
        const { data, errors } = await run('query ($id: ID!) { node(id: $id) { id } }', {
          variables: { id: globalId(type, key) },
        });
        expect([data, errors]).toEqual([{ node: null }, undefined]);
      }
    }
  });

  it.each<[string, string | number, 'error' | 'null']>([
    ['a number', '10', 'error'],
    ['a number without quotes', 10, 'error'],
    ['a negative number', '-1', 'error'],
    ['an empty text', '', 'null'],
    ['any text', 'bogus', 'null'],
    ['NUL', '\0', 'null'],
    ['half a character', '\ud800', 'null'],
    ['a very long text', 'x'.repeat(5_000), 'null'],
    ['a padded id', `${globalId('District', WORLD.alpha)}=`, 'null'],
    ['an id with a blank', `${globalId('District', WORLD.alpha)} `, 'null'],
    ['a type that does not exist', globalId('Nothing', 1), 'null'],
    ['a type that is no node', globalId('Contact', 1), 'null'],
    ['a name of every object', globalId('__proto__', 1), 'null'],
    ['no key', globalId('District', ''), 'null'],
    ['a record that does not exist', globalId('Person', 99_999), 'null'],
    ...nodeTypes.flatMap(({ name }) =>
      ['', 'x', '\0', '010', '1e1', '99999999999', '1:1', 'NaN:NaN', '91:181', 'x'.repeat(2_000)].map(
        (key) => [`${name} with the key ${key.slice(0, 12)}`, globalId(name, key), 'null'] as [string, string, 'null'],
      ),
    ),
  ])('find the others where one id is wrong: %s', async (_, id, expected) => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    for (const execute of [resolved, planned]) {
      const { data, errors } = await run(query, { variables: { ids: [district, id, office] } }, execute);
      expect(data.nodes).toEqual([{ id: district }, null, { id: office }]);
      if (expected === 'null') expect(errors).toBeUndefined();
      else
        expect(errors).toMatchObject([
          { message: expect.stringMatching(/^id must be a global ID; for the number/), path: ['nodes', 1] },
        ]);
    }
  });

  it('return a point for its id', async () => {
    const point = { latitude: 44.123456789, longitude: -1e-7 };
    const query = 'query ($id: ID!) { node(id: $id) { id ... on Location { latitude longitude } } }';
    const id = locationId(point);
    expect((await run(query, { variables: { id } })).data.node).toEqual({ id, ...point });
    expect(locationId({ latitude: -0, longitude: 0 })).toBe(locationId({ latitude: 0, longitude: -0 }));
  });

  it('read all objects of a type in one statement', async () => {
    const statementsOf = async (...ids: number[]) => {
      const recorded = recordStatements(database);
      const variables = { ids: ids.map((id) => globalId('Person', id)) };
      const prepared = prepare('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Person { name } } }');
      await resolved({ prepared, variableValues: variables, contextValue: contextOf(recorded.db) });
      return recorded.take().length;
    };
    expect(await statementsOf(1)).toBe(1);
    expect(await statementsOf(1, 2, 3, 4, 5, 98, 99)).toBe(1);
  });

  it.each([
    'ballotMeasures',
    'candidates',
    'districts',
    'elections',
    'officeholders',
    'offices',
    'parties',
    'people',
    'races',
  ])('find one of the %s by the argument `by`, as a literal and as a variable, and by nothing else', async (list) => {
    const { data } = await run(`{ ${list}(first: 1) { nodes { __typename id databaseId } } }`);
    const [node] = (data[list] as { nodes: { __typename: string; id: string; databaseId: number }[] }).nodes;
    const { __typename: name, id, databaseId } = node ?? expect.fail();
    const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    const variable = `query ($by: ${name === 'District' ? name : 'Record'}By!) { ${field}(by: $by) { id databaseId } }`;
    for (const execute of [resolved, planned]) {
      const expected = { data: { [field]: { id, databaseId } } };
      expect(await run(`{ ${field}(by: { id: "${id}" }) { id databaseId } }`, {}, execute)).toEqual(expected);
      expect(await run(variable, { variables: { by: { databaseId } } }, execute)).toEqual(expected);
      const both = await run(variable, { variables: { by: { id, databaseId } } }, execute);
      expect(both.errors?.[0]?.message).toMatch(/exactly one/i);
    }
  });

  it('do not distinguish objects that the package does not include from those that do not exist', async () => {
    const { found } = await allObjects(resolved);
    const keys = [...found.keys()].map((key) => key.split(' ') as [string, string]);
    const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    for (const hidden of [['elections', 'election_dates'], ['officeholders'], ['districts']] as const) {
      const grants = ALL_GRANTS.filter((grant) => !hidden.some((each) => each === grant));
      for (const { name } of nodeTypes.filter(({ name }) => name !== 'Location')) {
        const [, id] = keys.find(([type]) => type === name) ?? [];
        const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
        const root = await run(`query ($id: ID!) { node: ${field}(id: $id) { __typename id } }`, {
          variables: { id },
          grants,
        });
        expect(await run(query, { variables: { id }, grants }), `${name} without ${hidden}`).toEqual(root);
      }
    }
  });

  it.each([
    ['{ node(id: 10) { id } }', /^id must be a global ID; .* district\(databaseId: 10\)\.$/],
    ['{ nodes(ids: ["10"]) { id } }', /^id must be a global ID/],
    ['{ district(id: 10) { id } }', /^id must be a global ID, as the field id of District .* 10 is a databaseId\.$/],
    ['{ race(id: "x") { id } }', /^id must be a global ID, as the field id of Race returns it\.$/],
    [`{ race(id: "${district}") { id } }`, /^id must be the global ID of .* the type Race, .* the type District\.$/],
    [`{ office(id: "${office}", databaseId: 1) { id } }`, /^office takes exactly one of by, id and databaseId\.$/],
    [
      `{ office(by: { id: "${office}" }, databaseId: 1) { id } }`,
      /^office takes exactly one of by, id and databaseId\.$/,
    ],
    ['{ person { id } }', /^person takes exactly one of by, id and databaseId\.$/],
    [`{ nodes(ids: [${`"${district}" `.repeat(101)}]) { id } }`, /^nodes takes at most 100 ids at once, not 101\.$/],
  ])('reject a wrong argument: %s', async (query, message) => {
    const { errors } = await run(query);
    expect(errors?.[0]?.message).toMatch(message);
  });
});

describe('the id of an election', () => {
  const query = '{ elections { edges { node { id databaseId } } } election(databaseId: 500) { id databaseId } }';

  it('does not contain its number, which needs the grant election_ids on every path', async () => {
    const grants = ALL_GRANTS.filter((grant) => grant !== 'election_ids');
    const [all, few] = [await run(query), await run(query, { grants })];
    const idsOf = ({ data }: typeof all) => JSON.stringify(data).match(/"id":"\w+"/g);
    expect(idsOf(few)).toEqual(idsOf(all));
    expect(JSON.stringify(all.data)).toContain('"databaseId":500');
    expect(JSON.stringify(few.data)).not.toMatch(/"databaseId":\d/);
    for (const id of idsOf(few) ?? [])
      expect(Buffer.from(id.slice(6, -1), 'base64url').toString()).not.toMatch(/:50\d$/);
  });

  it('is the number, encrypted with the secret of the database', async () => {
    const numbers = [500, 505, 0, -1, 2 ** 31 - 1, -(2 ** 31)];
    const keysOf = async () => {
      const { rows } = await sql<{ key: string; number: number }>`
        select election_key(n) as key, election_number(election_key(n)) as number
        from unnest(${numbers}::int[]) with ordinality numbers(n, ordinal) order by ordinal`.execute(database.db);
      expect(rows.map(({ number }) => number)).toEqual(numbers);
      return rows.map(({ key }) => key);
    };
    const before = await keysOf();
    await setKnownSecret(database.db);
    expect(await keysOf()).toEqual(numbers.map(electionKey));
    expect(before.filter((key) => numbers.map(electionKey).includes(key))).toEqual([]);
    const idOf = (key: string) => globalId('Election', key);
    const key = electionKey(500);
    const others = [
      before[0],
      electionKey(99_999),
      hash('md5', 'election 500'),
      `0${key.slice(1)}`,
      `${key.slice(0, -1)}0`,
      key.toUpperCase(),
      '500',
    ];
    const ids = [key, ...others.filter((other) => other !== key)].map((each) => idOf(String(each)));
    const found = await run('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Election { databaseId } } }', {
      variables: { ids },
    });
    expect(found.data.nodes).toEqual([{ databaseId: 500 }, ...ids.slice(1).map(() => null)]);
  });
});
