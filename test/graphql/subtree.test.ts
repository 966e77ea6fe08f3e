import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isListType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RowsInSql } from '../../src/graphql/in-sql.ts';
import { wordJson } from '../../src/graphql/json-text.ts';
import { createPlainRunner, createPlannedRunner, type RunOperation } from '../../src/graphql/run-operation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { Caches } from '../../src/observe/caches.ts';
import type { AccessGrant } from '../../src/store/tables.ts';
import { VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, contextOf } from '../support/graph.ts';
import { createOddWorld, ODD_TEXT } from '../support/rich-world.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { useStore } from '../support/store.ts';
import { POINTS } from '../support/world.ts';

const store = useStore();

beforeAll(() => createOddWorld(store.db));

type Field = GraphQLField<unknown, unknown>;

const objectOf = ({ type }: Pick<Field, 'type'>) => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
const isInSql = (field: Field) =>
  field.extensions.inSql !== undefined ||
  (field.extensions.pothosExposedField !== undefined && !objectOf(field) && !isListType(field.type));
const fieldsInSql = (type: GraphQLObjectType) => Object.values(type.getFields()).filter(isInSql);

const rowsOf = (field: Field) => field.extensions.inSql as Partial<RowsInSql> | undefined;

/**
 * All that the store can answer of a type, and what it is; of what is above it already, the id.
 * @param given the columns that its rows are given.
 */
function everythingOf(type: GraphQLObjectType, given: readonly string[], above: readonly string[] = []): string {
  const path = [...above, type.name];
  const isHere = (field: Field) => {
    const { isGiven = false, by = '' } = rowsOf(field) ?? {};
    return !isGiven || (typeof by === 'string' ? [by] : Object.keys(by)).every((name) => given.includes(name));
  };
  const fields = fieldsInSql(type)
    .filter(isHere)
    .map((field) => {
      const object = objectOf(field);
      if (!object) return field.name;
      const isAbove = path.includes(object.name);
      return `${field.name} { ${isAbove ? 'id' : everythingOf(object, rowsOf(field)?.gives ?? [], path)} }`;
    });
  return `__typename ${fields.join(' ')}`;
}

const of = (name: string, ...given: string[]) => everythingOf(schema.getType(name) as GraphQLObjectType, given);

const HOLDERS = `query ($points: [PointInput!]!, $day: Date, $social: Boolean = true) { locations(points: $points) {
  districts { id offices { ${of('Office')} } again: offices { then: officeholders(on: $day) { id person { name } }
    once: officeholders(on: "2022-12-01") { ...Person } now: officeholders { status ...Person
      socialLinks @include(if: $social) { at: url } socialLinks @include(if: $social) { url network } } } } } }
  fragment Person on Officeholder { who: person { n: name n2: name ... on Person { contacts { contact } } } id }`;
/** The same point twice, and the country of all: worded once. */
const DISTRICTS = `query ($points: [PointInput!]!, $day: Date, $types: [DistrictType!]) { locations(points: $points) {
  latitude districts(on: $day, types: $types) { ${of('District', 'boundary_id').replace('boundary {', 'found: boundary {')} offices { name } } } }`;
const PARTS = `query ($points: [PointInput!]!) { locations(points: $points) { districts {
  name boundary(on: "2022-06-01") { id } offices { name officeholders { person { name } } } } } }`;
const BALLOT = `query ($points: [PointInput!]!, $day: Date!, $measures: Boolean = true) { locations(points: $points) { ballot(electionDate: $day) {
  ${of('Ballot')} are: candidateListsComplete again: districts { at: district { boundary { id } offices { name } } races { id }
    ballotMeasures @include(if: $measures) { url district { id n: name } } } } } }`;
const VOTES = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) {
  ballot(electionDate: $day) { districts { races { ${of('Race')} } some: races { boundary { reason } candidates { id parties { name } } } few: races { id name: url } } } } }`;

const FEW: readonly AccessGrant[] = ['districts', 'officeholders', 'elections'];
/** One of them twice, and the 180th meridian by both its names. */
const everywhere = [
  ...Object.values(POINTS),
  POINTS.southWest,
  { latitude: 52, longitude: 180 },
  { latitude: 52, longitude: -180 },
];

const runPlanned = createPlannedRunner(schema);
const runPlainly = createPlainRunner(schema);

/** Runs a document in the three ways. */
async function runAll(source: string, variableValues: Record<string, unknown>, grants = ALL_GRANTS) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const recorded = recordStatements(store);
  const run = async (runner: typeof runPlanned, asText: boolean) => {
    const contextValue = contextOf(recorded.db, { grants });
    const result = await runner({ document, variableValues, contextValue, asText });
    // Those of one level end in any order.
    return { worded: wordJson(result), result, statements: recorded.take().sort() };
  };
  return {
    text: await run(runPlanned, true),
    objects: await run(runPlanned, false),
    plain: await run(runPlainly, true),
  };
}

const namesOf = (statements: readonly string[]) => statements.map(nameOf).sort();

describe.each([
  ['all grants', ALL_GRANTS],
  ['few grants', FEW],
  ['results alone beside the few', [...FEW, 'results' as const]],
])('a subtree in SQL, with %s', (_, grants) => {
  it.each([
    ['officeholders today', HOLDERS, {}, ['Location.districts']],
    ['officeholders on a day that two terms share', HOLDERS, { day: '2023-01-03' }, ['Location.districts']],
    ['without what is left out', HOLDERS, { day: null, social: false }, ['Location.districts']],
    ['districts that a resolver answers in part', PARTS, {}, ['District.offices', 'districts.coveringBoundaries']],
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
    ['candidates of 2022', VOTES, { day: VOTE.date2022 }, ['BallotDistrict.races', 'Race.candidates']],
    ['candidates of a ranked choice', VOTES, { day: VOTE.date2024 }, ['BallotDistrict.races', 'Race.candidates']],
  ])('%s: is answered as graphql-js answers, to the byte', async (__, source, variables, names) => {
    const { text, objects, plain } = await runAll(source, { points: everywhere, ...variables }, grants);
    expect(plain.result.errors).toBeUndefined();
    expect(text.worded).toBe(plain.worded);
    expect(objects.worded).toBe(plain.worded);
    expect(JSON.parse(JSON.stringify(text.result))).toEqual(JSON.parse(plain.worded));
    expect(namesOf(text.statements)).toEqual(expect.arrayContaining(names));
    expect(namesOf(text.statements).filter((name) => /^(officials|.*andidates?Of)/.test(name))).toEqual([]);
  });
});

it('has texts of every kind', async () => {
  const { text } = await runAll(HOLDERS, { points: everywhere });
  expect(text.worded).toContain(JSON.stringify(ODD_TEXT));
  expect(text.worded).toContain('"contact":"One\\nTwo"');
  const votes = await runAll(VOTES, { points: everywhere, day: VOTE.date2024 });
  const rounds = (JSON.parse(votes.text.worded).data.locations as { ballot: { districts: { races: unknown[] }[] } }[])
    .flatMap(({ ballot }) => ballot.districts.flatMap(({ races }) => races))
    .flatMap(
      (race) => (race as { candidates: { id: number; rankedChoiceRounds: { runningTotal: number }[] }[] }).candidates,
    )
    .find(({ id }) => id === 890)?.rankedChoiceRounds;
  expect(rounds?.map(({ runningTotal }) => runningTotal)).toEqual([7, null, null]);
});

it('reads nothing that may not be seen', async () => {
  const { text } = await runAll(HOLDERS, { points: [POINTS.southWest] }, FEW);
  expect(text.statements.filter((statement) => statement.includes('contacts '))).toEqual([]);
  const votes = await runAll(VOTES, { points: [POINTS.southWest], day: VOTE.date2022 }, FEW);
  expect(votes.text.statements.filter((statement) => /votes_for_cand|ranked_choice_rounds/.test(statement))).toEqual(
    [],
  );
});

it('takes as many statements for 100 points as for one', async () => {
  const points = Array.from({ length: 100 }, (_, index) => ({ ...POINTS.southWest, latitude: 40 + index / 10 }));
  const day = VOTE.date2024;
  for (const source of [HOLDERS, BALLOT]) {
    const one = await runAll(source, { points: points.slice(0, 1), day });
    const many = await runAll(source, { points, day });
    expect(one.text.statements).toHaveLength(1);
    expect(many.text.statements).toEqual(one.text.statements);
  }
});

it('asks by a statement like this', async () => {
  const { text } = await runAll(HOLDERS, { points: [POINTS.southWest] });
  expect(text.statements).toMatchSnapshot();
});

it('asks for nothing where there is nothing', async () => {
  const { text, plain } = await runAll(HOLDERS, { points: [POINTS.sea] });
  expect(text.worded).toBe(plain.worded);
  expect(namesOf(text.statements)).toEqual(['Location.districts']);
  const votes = `query ($day: Date!) { stateBallot(state: "AA", electionDate: $day) { edges { node {
    district { id } races { id } ballotMeasures { id } } } } }`;
  const onlyMeasures = await runAll(votes, { day: VOTE.date2024 });
  expect(onlyMeasures.text.worded).toBe(onlyMeasures.plain.worded);
  expect(onlyMeasures.text.worded).toContain('"races":[]');
});

it('is left to the levels where something below it is for its resolver alone', async () => {
  const source = `query ($points: [PointInput!]!) { locations(points: $points) { districts { offices {
    name officeholders { person { name } office { id } } } } } }`;
  const { text, plain } = await runAll(source, { points: everywhere });
  expect(text.worded).toBe(plain.worded);
  expect(namesOf(text.statements)).toContain('officials.officeholdersOnDays');
});

it.each(['elections { id }', 'elections { date sources { name } }', 'date elections { district { name } }'])(
  'is left to the resolvers where its parent is theirs: a ballot with %s',
  async (others) => {
    const source = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) { ballot(electionDate: $day) {
      ${others} districts { district { id boundary { id } } races { id candidates { id } } ballotMeasures { name } } } } }`;
    for (const day of [VOTE.date2022, VOTE.date2024]) {
      const { text, objects, plain } = await runAll(source, { points: everywhere, day });
      expect(plain.worded).toContain('"candidates":[{');
      expect(text.worded).toBe(plain.worded);
      expect(objects.worded).toBe(plain.worded);
    }
  },
);

it('asks for no object of which nothing but the id is asked for', async () => {
  const source = `query ($points: [PointInput!]!, $day: Date!) { locations(points: $points) { ballot(electionDate: $day) {
    districts { races { margin office { again: district { id } } candidates { race { id } } }
      ballotMeasures { yesShare district { id __typename } } } } } }`;
  const { text, plain } = await runAll(source, { points: everywhere, day: VOTE.date2024 });
  expect(text.worded).toBe(plain.worded);
  expect(namesOf(plain.statements)).toContain('districts');
  expect(namesOf(text.statements)).not.toContain('districts');
});

describe('the compiled statements', () => {
  const runShape = async (run: RunOperation, shape: number, grants = ALL_GRANTS) => {
    const recorded = recordStatements(store);
    const document = parse(`query ($points: [PointInput!]!) { locations(points: $points) { districts { offices {
      a${shape}: name officeholders { person { name } } } } } }`);
    const contextValue = contextOf(recorded.db, { grants });
    const result = await run({ document, variableValues: { points: [POINTS.beta] }, contextValue });
    expect(JSON.stringify(result)).toContain(`"a${shape}":"President"`);
    expect(namesOf(recorded.take())).toEqual(['Location.districts']);
  };

  it('are bounded, and a new shape is compiled however many there were before', async () => {
    const caches = new Caches();
    const run = createPlannedRunner(schema, { caches });
    for (let shape = 0; shape < 520; shape++) await runShape(run, shape);
    await runShape(run, 0);
    const [, statements] = [...caches].find(([name]) => name === 'statements') ?? [];
    expect(statements?.entries).toBe(500);
    expect(statements?.evictions).toBe(21);
  });

  it('are the same for callers with the same grants, and compiled once for them', async () => {
    const caches = new Caches();
    const run = createPlannedRunner(schema, { caches });
    const document = parse(`query ($points: [PointInput!]!) { locations(points: $points) { districts { offices {
      name officeholders { contacts { contact } } } } } }`);
    const runFor = (grants: readonly AccessGrant[]) =>
      run({ document, variableValues: { points: [POINTS.beta] }, contextValue: contextOf(store.db, { grants }) });
    for (let turn = 0; turn < 3; turn++) {
      await runFor(ALL_GRANTS);
      await runFor([...ALL_GRANTS].reverse());
    }
    const [, statements] = [...caches].find(([name]) => name === 'statements') ?? [];
    expect(statements).toMatchObject({ entries: 1, misses: 1, hits: 5 });
    await runFor(FEW);
    expect(statements).toMatchObject({ entries: 2, misses: 2 });
  });
});

it('has no column that may be null for a field that may not', async () => {
  const tables = {
    District: 'districts',
    Boundary: 'boundaries',
    Office: 'offices',
    Officeholder: 'officeholders',
    Person: 'persons',
    Party: 'parties',
    Race: 'races',
    Election: 'elections',
    Contact: 'contacts',
    SocialLink: 'contacts',
    Candidate: 'candidates',
    RankedChoiceRound: 'ranked_choice_rounds',
    BallotMeasure: 'ballot_measures',
  };
  // By a foreign key that may not be null.
  const certainOtherwise = ['BallotMeasure.electionDate'];
  // Rows of no table, whose statement is held to graphql-js above.
  const seen = new Set(['Ballot', 'BallotDistrict']);
  for (const [name, table] of Object.entries(tables)) {
    const { rows } = await sql<{ column: string }>`
      select attname as "column" from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attnotnull`.execute(store.db);
    const certain = new Set(rows.map(({ column }) => column));
    for (const field of fieldsInSql(schema.getType(name) as GraphQLObjectType)) {
      seen.add(name);
      const column = field.extensions.pothosExposedField as string | undefined;
      if (certainOtherwise.includes(`${name}.${field.name}`)) continue;
      if (!objectOf(field) && String(field.type).endsWith('!'))
        expect(certain, `${name}.${field.name}`).toContain(column);
    }
  }
  expect([...seen].sort()).toEqual([...typesInSql()].sort());
});

/** The types of whose rows the store answers fields. */
function typesInSql(): Set<string> {
  const found = new Set<string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const object = field.extensions.inSql === undefined ? undefined : objectOf(field);
      if (object) found.add(object.name);
    }
  }
  return found;
}
