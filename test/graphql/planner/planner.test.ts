import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isListType,
  isObjectType,
  validate,
} from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { Caches } from '../../../src/base/lru-caches.ts';
import { createExecute, type Execute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { jsonOf, type PlannedLeaf } from '../../../src/graph/builder/leaf.ts';
import { stringifyJson } from '../../../src/graph/builder/raw-json.ts';
import { schema } from '../../../src/graph/schema.ts';
import type { AccessGrant } from '../../../src/store/sql/tables.ts';
import { useDatabase } from '../../support/database.ts';
import { VOTE } from '../../support/election-world.ts';
import { ALL_GRANTS, contextOf, prepare } from '../../support/graph.ts';
import { createOddWorld, ODD_TEXT } from '../../support/rich-world.ts';
import { nameOf, recordStatements } from '../../support/statements.ts';
import { POINTS } from '../../support/world.ts';

const database = useDatabase();

beforeAll(() => createOddWorld(database.db));

type Field = GraphQLField<unknown, unknown>;

const objectOf = ({ type }: Pick<Field, 'type'>) => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
const isInSql = (field: Field) => {
  const { leaf, relation, pothosExposedField, isWhole } = field.extensions;
  const type = getNamedType(field.type);
  if (!isLeafType(type)) return relation !== undefined;
  return (
    jsonOf(type, isWhole === true) !== undefined &&
    (leaf ?? pothosExposedField) !== undefined &&
    !isListType(field.type)
  );
};
const fieldsInSql = (type: GraphQLObjectType) => Object.values(type.getFields()).filter(isInSql);

/**
 * Returns a selection of all fields of a type that SQL can compute. Objects of a type that was selected before have
 * their id only.
 */
function everythingOf(type: GraphQLObjectType, seen = new Set<string>()): string {
  seen.add(type.name);
  const fields = fieldsInSql(type).map((field) => {
    const object = objectOf(field);
    if (!object) return field.name;
    const few = 'id' in object.getFields() ? 'id' : '__typename';
    return `${field.name} { ${seen.has(object.name) ? few : everythingOf(object, seen)} }`;
  });
  return `__typename ${fields.join(' ')}`;
}

const of = (name: string) => everythingOf(schema.getType(name) as GraphQLObjectType);

const HOLDERS = `query ($points: [PointInput!]!, $day: Date, $social: Boolean = true) { locations(points: $points) {
  districts { id: databaseId offices { ${of('Office')} } again: offices { then: officeholders(on: $day) { id: databaseId person { name } }
    once: officeholders(on: "2022-12-01") { ...Person } now: officeholders { status ...Person
      socialLinks @include(if: $social) { at: url } socialLinks @include(if: $social) { url network } } } } } }
  fragment Person on Officeholder { who: person { n: name n2: name ... on Person { contacts { value } } } id: databaseId }`;
/** The same point twice, and the country of all: serialised once. */
const DISTRICTS = `query ($points: [PointInput!]!, $day: Date, $types: [DistrictType!]) { locations(points: $points) {
  latitude districts(on: $day, types: $types) { ${of('District').replace('boundary {', 'found: boundary {')} offices { name } } } }`;
const PARTS = `query ($points: [PointInput!]!) { locations(points: $points) { districts {
  name boundary(on: "2022-06-01") { id: databaseId } offices { name officeholders { person { name } } } } } }`;
const BALLOT = `query ($points: [PointInput!]!, $day: Date!, $measures: Boolean = true) { locations(points: $points) { ballot(electionDate: $day) {
  ${of('Ballot')} are: candidateListsComplete again: districts { at: district { boundary { id: databaseId } offices { name } } races { id: databaseId }
    ballotMeasures @include(if: $measures) { url district { id: databaseId n: name } } } } } }`;
const VOTES = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) {
  ballot(electionDate: $day) { districts { races { ${of('Race')} } some: races { boundary { reason } candidates { id: databaseId parties { name } } } few: races { id: databaseId name: url }
    counted: races { candidates { databaseId rankedChoiceRounds { runningTotal } } } } } } }`;

const ELECTIONS = `query ($points: [PointInput!]!, $day: Date) { locations(points: $points) {
  elections(from: $day, to: "2024-12-31") { ${of('Election')} } } }`;

const FEW: readonly AccessGrant[] = ['districts', 'officeholders', 'elections'];
/** One of the points twice, and both longitudes of the 180th meridian. */
const everywhere = [
  ...Object.values(POINTS),
  POINTS.southWest,
  { latitude: 52, longitude: 180 },
  { latitude: 52, longitude: -180 },
];

const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);

/** Executes a document with the planner, serialised and as objects, and by resolvers alone. */
async function runAll(source: string, variableValues: Record<string, unknown>, grants = ALL_GRANTS) {
  const prepared = prepare(source);
  expect(validate(schema, prepared.document)).toEqual([]);
  const recorded = recordStatements(database);
  const run = async (execute: Execute, asText: boolean) => {
    const contextValue = contextOf(recorded.db, { grants });
    const result = await execute({ prepared, variableValues, contextValue, asText });
    // Statements of one level complete in any order.
    return { json: stringifyJson(result), result, statements: recorded.take().sort() };
  };
  return {
    text: await run(planned, true),
    objects: await run(planned, false),
    plain: await run(resolved, true),
  };
}

const namesOf = (statements: readonly string[]) => statements.map(nameOf).sort();

describe.each([
  ['all grants', ALL_GRANTS],
  ['few grants', FEW],
  ['results in addition to the few', [...FEW, 'results' as const]],
])('a subtree in SQL, with %s', (_, grants) => {
  it.each([
    ['officeholders today', HOLDERS, {}, ['Location.districts']],
    ['officeholders on a day that two terms share', HOLDERS, { day: '2023-01-03' }, ['Location.districts']],
    ['without skipped fields', HOLDERS, { day: null, social: false }, ['Location.districts']],
    ['districts with the boundary of another day', PARTS, {}, ['Location.districts']],
    ...['2022-06-01', '2023-01-03', '2024-06-01', '1999-12-31'].map((day): [string, string, object, string[]] => [
      `districts of some types on ${day}`,
      DISTRICTS,
      { day, types: ['CONGRESS', 'STATE'] },
      ['Location.districts'],
    ]),
    ['districts of no type', DISTRICTS, { types: [] }, ['Location.districts']],
    ...['2022-06-01', VOTE.date2022, VOTE.date2024, '1999-12-31'].map((day): [string, string, object, string[]] => [
      `the ballot of ${day}`,
      BALLOT,
      { day },
      ['Location.ballot'],
    ]),
    ['a ballot without its measures', BALLOT, { day: VOTE.date2024, measures: false }, ['Location.ballot']],
    ['candidates of 2022', VOTES, { day: VOTE.date2022 }, ['Location.ballot']],
    ['candidates of a ranked choice', VOTES, { day: VOTE.date2024 }, ['Location.ballot']],
  ])('%s: has the same bytes as with graphql-js', async (__, source, variables, names) => {
    const { text, objects, plain } = await runAll(source, { points: everywhere, ...variables }, grants);
    expect(plain.result.errors).toBeUndefined();
    expect(text.json).toBe(plain.json);
    expect(objects.json).toBe(plain.json);
    expect(JSON.parse(JSON.stringify(text.result))).toEqual(JSON.parse(plain.json));
    expect(namesOf(text.statements)).toEqual(expect.arrayContaining(names));
    expect(namesOf(text.statements).filter((name) => /^(officials|.*andidates?Of)/.test(name))).toEqual([]);
  });
});

it('returns the elections of a point, with and without their ids', async () => {
  for (const grants of [ALL_GRANTS, ['election_dates', 'election_districts'] as const]) {
    const { text, plain } = await runAll(ELECTIONS, { points: everywhere, day: '2022-11-08' }, grants);
    expect(plain.json).toContain('"elections":[{');
    expect(text.json).toBe(plain.json);
    expect(namesOf(text.statements)).toEqual(['Location.elections']);
  }
});

it('has texts of every kind', async () => {
  const { text } = await runAll(HOLDERS, { points: everywhere });
  expect(text.json).toContain(JSON.stringify(ODD_TEXT));
  expect(text.json).toContain('"value":"One\\nTwo"');
  const votes = await runAll(VOTES, { points: everywhere, day: VOTE.date2024 });
  const rounds = (JSON.parse(votes.text.json).data.locations as { ballot: { districts: { counted: unknown[] }[] } }[])
    .flatMap(({ ballot }) => ballot.districts.flatMap(({ counted }) => counted))
    .flatMap(
      (race) =>
        (race as { candidates: { databaseId: number; rankedChoiceRounds: { runningTotal: number }[] }[] }).candidates,
    )
    .find(({ databaseId }) => databaseId === 890)?.rankedChoiceRounds;
  expect(rounds?.map(({ runningTotal }) => runningTotal)).toEqual([7, null, null]);
});

it('reads nothing without a grant', async () => {
  const { text } = await runAll(HOLDERS, { points: [POINTS.southWest] }, FEW);
  expect(text.statements.filter((statement) => statement.includes('contacts '))).toEqual([]);
  const votes = await runAll(VOTES, { points: [POINTS.southWest], day: VOTE.date2022 }, FEW);
  expect(votes.text.statements.filter((statement) => /votes_for_cand|ranked_choice_rounds/.test(statement))).toEqual(
    [],
  );
});

it('runs as many statements for 100 points as for one', async () => {
  const points = Array.from({ length: 100 }, (_, index) => ({ ...POINTS.southWest, latitude: 40 + index / 10 }));
  const day = VOTE.date2024;
  for (const source of [HOLDERS, BALLOT]) {
    const one = await runAll(source, { points: points.slice(0, 1), day });
    const many = await runAll(source, { points, day });
    expect(one.text.statements).toHaveLength(1);
    expect(many.text.statements).toEqual(one.text.statements);
  }
});

it('reads nothing for an empty list', async () => {
  const { text, plain } = await runAll(HOLDERS, { points: [POINTS.sea] });
  expect(text.json).toBe(plain.json);
  expect(namesOf(text.statements)).toEqual(['Location.districts']);
  const votes = `query ($day: Date!) { stateBallot(state: "AA", electionDate: $day) { edges { node {
    district { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId } } } } }`;
  const onlyMeasures = await runAll(votes, { day: VOTE.date2024 });
  expect(onlyMeasures.text.json).toBe(onlyMeasures.plain.json);
  expect(onlyMeasures.text.json).toContain('"races":[]');
});

it('is partial if a field can only be resolved', async () => {
  const source = `query ($points: [PointInput!]!) { locations(points: $points) { districts { boundary { area } offices {
    name officeholders { person { name } } } } } }`;
  const { text, plain } = await runAll(source, { points: everywhere });
  expect(text.json).toBe(plain.json);
  expect(namesOf(text.statements)).toContain('districts.districtsOfPoint');
  expect(namesOf(text.statements)).toContain('District.offices');
});

it.each([
  'elections { id: databaseId }',
  'elections { date sources { name } }',
  'date elections { district { name } }',
])('is resolved if its parent is resolved: a ballot with %s', async (others) => {
  const source = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) { ballot(electionDate: $day) {
      ${others} districts { district { id: databaseId boundary { id: databaseId } } races { id: databaseId candidates { id: databaseId } } ballotMeasures { name } } } } }`;
  for (const day of [VOTE.date2022, VOTE.date2024]) {
    const { text, objects, plain } = await runAll(source, { points: everywhere, day });
    expect(plain.json).toContain('"candidates":[{');
    expect(text.json).toBe(plain.json);
    expect(objects.json).toBe(plain.json);
  }
});

it('returns the elections of a ballot next to its districts', async () => {
  const source = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) { ballot(electionDate: $day) {
    elections { id: databaseId } districts { district { id: databaseId } races { id: databaseId } ballotMeasures { id: databaseId } } } } }`;
  const { text, plain } = await runAll(source, { points: everywhere, day: VOTE.date2024 });
  expect(plain.json).toContain('"races":[{');
  expect(text.json).toBe(plain.json);
});

it('leaves a condition that is null to the executor, which rejects it', async () => {
  const prepared = prepare(`query ($latitude: Latitude!, $longitude: Longitude!, $if: Boolean = false) {
    location(latitude: $latitude, longitude: $longitude) { districts { id: databaseId name @skip(if: $if) offices { id: databaseId } } } }`);
  const run = (execute: Execute) =>
    execute({ prepared, variableValues: { ...POINTS.southWest, if: null }, contextValue: contextOf(database.db) });
  const expected = await run(resolved);
  expect(expected.errors).toBeDefined();
  expect(JSON.stringify(await run(planned))).toBe(JSON.stringify(expected));
});

describe('an operation with errors below a point', () => {
  const RACES = `query ($points: [PointInput!]!, $from: Date = "2024-06-01", $to: Date) { locations(points: $points) {
    districts { name races(from: $from, to: $to) { id } offices { name } } } }`;

  it.each([
    [RACES, { to: '2024-05-31' }],
    [RACES, { from: '2025-01-01', to: '2024-12-31' }],
    [RACES.replaceAll('$to)', '"2001-01-01")').replace(', $to: Date', ''), {}],
    [RACES.replace('races(', 'ballotMeasures('), { to: '2024-05-31' }],
    [RACES.replace('races(', 'elections('), { to: '2024-05-31' }],
  ])('has those of the executor for a range without a day: %s with %j', async (source, range) => {
    const { text, objects, plain } = await runAll(source, { points: everywhere, ...range });
    const { errors = [] } = plain.result;
    expect(errors[0]?.message).toMatch(/^from must not be after to/);
    expect(errors[0]?.path).toEqual(['locations', 0, 'districts', 0, expect.any(String)]);
    expect(text.json).toBe(plain.json);
    expect(objects.json).toBe(plain.json);
  });

  it.each([{}, { to: null }, { from: null, to: '2024-05-31' }, { to: '2024-06-01' }])(
    'has none for a range with a day: %j',
    async (range) => {
      const { text, plain } = await runAll(RACES, { points: everywhere, ...range });
      expect(plain.result.errors).toBeUndefined();
      expect(text.json).toBe(plain.json);
    },
  );

  it('has the location of a field in a fragment once, although merged fields spread the fragment', async () => {
    const { text, objects, plain } = await runAll(
      `query ($points: [PointInput!]!) { locations(points: $points) { districtsWithBoundary { boundary {
        district { ...Containing } district { offices { name } ...Containing } } } } }
      fragment Containing on District { contains(before: "WzJd") { edges { areaShare } } }`,
      { points: [POINTS.beta] },
    );
    expect(plain.result.errors?.[0]?.locations).toHaveLength(1);
    expect(text.json).toBe(plain.json);
    expect(objects.json).toBe(plain.json);
  });
});

describe('the rewritten documents', () => {
  const plansOf = (caches: Caches) => [...caches].find(([name]) => name === 'plans')?.[1];

  it('are bounded, and a new one is compiled after any number of others', async () => {
    const caches = new Caches();
    const execute = createExecute(schema, createPlanner(schema, { caches }));
    for (let shape = 0; shape <= 520; shape++) {
      const recorded = recordStatements(database);
      const prepared = prepare(`query ($points: [PointInput!]!) { locations(points: $points) { districts { offices {
        a${shape % 520}: name officeholders { person { name } } } } } }`);
      const contextValue = contextOf(recorded.db);
      const result = await execute({ prepared, variableValues: { points: [POINTS.beta] }, contextValue });
      expect(JSON.stringify(result)).toContain(`"a${shape % 520}":"President"`);
      expect(namesOf(recorded.take())).toEqual(['Location.districts']);
    }
    // The half of 500 that one key may have.
    expect(plansOf(caches)).toMatchObject({ entries: 250, evictions: 271 });
  });

  it('are the same for callers with the same grants, and compiled once for them', async () => {
    const caches = new Caches();
    const execute = createExecute(schema, createPlanner(schema, { caches }));
    const prepared = prepare(`query ($points: [PointInput!]!) { locations(points: $points) { districts { offices {
      name officeholders { contacts { value } } } } } }`);
    const runFor = (grants: readonly AccessGrant[]) =>
      execute({
        prepared,
        variableValues: { points: [POINTS.beta] },
        contextValue: contextOf(database.db, { grants }),
      });
    for (let turn = 0; turn < 3; turn++) {
      await runFor(ALL_GRANTS);
      await runFor([...ALL_GRANTS].reverse());
    }
    expect(plansOf(caches)).toMatchObject({ entries: 1, misses: 1, hits: 5 });
    await runFor(FEW);
    expect(plansOf(caches)).toMatchObject({ entries: 2, misses: 2 });
  });

  it('do not include those with a point or an address', async () => {
    const caches = new Caches();
    const execute = createExecute(schema, createPlanner(schema, { caches }));
    const { latitude, longitude } = POINTS.beta;
    for (const at of [`(latitude: ${latitude}, longitude: ${longitude})`, '(address: "1 Main St")']) {
      const prepared = prepare(
        `{ location${at} { districts { offices { name officeholders { person { name } } } } } }`,
      );
      for (let turn = 0; turn < 2; turn++) await execute({ prepared, contextValue: contextOf(database.db) });
    }
    expect(plansOf(caches)).toMatchObject({ entries: 0, misses: 4 });
  });

  it('do not include operations that do not exist, nor conditions that are not Boolean', async () => {
    const caches = new Caches();
    const execute = createExecute(schema, createPlanner(schema, { caches }));
    const prepared = prepare('query Named($if: Boolean!) { parties { name @include(if: $if) } }');
    const contextValue = contextOf(database.db);
    for (let index = 0; index < 20; index++) {
      const named = { prepared, operationName: `Unknown${index}`, variableValues: { if: true }, contextValue };
      expect((await execute(named)).errors).toBeDefined();
      expect((await execute({ prepared, variableValues: { if: index }, contextValue })).errors).toBeDefined();
    }
    expect(plansOf(caches)).toMatchObject({ entries: 0 });
  });
});

it('has no nullable column for a non-null field', async () => {
  const tables = {
    District: 'districts',
    Boundary: 'boundaries',
    Office: 'offices',
    Officeholder: 'officeholders',
    Person: 'persons',
    Party: 'parties',
    Race: 'races',
    Election: 'elections',
    ElectionOffice: 'election_offices',
    Contact: 'contacts',
    SocialLink: 'contacts',
    Candidate: 'candidates',
    RankedChoiceRound: 'ranked_choice_rounds',
    BallotMeasure: 'ballot_measures',
    Source: 'sources',
    Identifier: 'external_identifiers',
    VotingPlace: 'voting_places',
    PrecinctResult: 'precinct_results',
  };
  // Expressions over columns that may not be null.
  const certainOtherwise = [
    'BallotMeasure.electionDate',
    'Election.id',
    'ElectionOffice.id',
    // Names are composed of columns that are never null.
    'Candidate.name',
    'Election.name',
    'Office.fullName',
    'Officeholder.name',
    'Race.name',
    'Source.loadedAt',
    'Source.id',
  ];
  // These rows belong to no table; a test above compares their statement with graphql-js.
  const seen = new Set([
    'Ballot',
    'BallotDistrict',
    'BoundingBox',
    // Of the arrays of a precinct.
    'CandidateVotes',
    'Deadline',
    'LocationDistrict',
    'LocationVotingPlace',
    'MapDay',
    'MissingMap',
    'NewerMap',
    'RaceBoundary',
  ]);
  for (const [name, table] of Object.entries(tables)) {
    const { rows } = await sql<{ column: string }>`
      select attname as "column" from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull`.execute(database.db);
    const certain = new Set(rows.map(({ column }) => column));
    for (const field of fieldsInSql(schema.getType(name) as GraphQLObjectType)) {
      seen.add(name);
      const leaf = field.extensions.leaf as PlannedLeaf | undefined;
      const column = (field.extensions.pothosExposedField as string | undefined) ?? leaf?.column;
      if (certainOtherwise.includes(`${name}.${field.name}`)) continue;
      if (!objectOf(field) && String(field.type).endsWith('!'))
        expect(certain, `${name}.${field.name}`).toContain(column);
    }
  }
  expect([...seen].sort()).toEqual([...typesInSql()].sort());
});

/** Returns the types for whose rows SQL computes fields. */
function typesInSql(): Set<string> {
  const found = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const object = field.extensions.relation === undefined ? undefined : objectOf(field);
      if (object) found.add(object.name);
    }
  }
  return found;
}
