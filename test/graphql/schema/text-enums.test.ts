import { getNamedType, isEnumType, isObjectType } from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/graph/schema.ts';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';

const database = useDatabase();
const CONFIGURATIONS = {
  'the planner': useApp(database, { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '0' }),
  'the resolvers': useApp(database, { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '0' }),
};

beforeAll(async () => {
  await createElectionWorld(database.db);
  // Some texts of each column are not in its enum.
  await sql`update candidates set cand_status = 'Conceded' where id = (select min(id) from candidates)`.execute(
    database.db,
  );
  await sql`update offices set is_partisan = 'Partisan for primary' where id = (select min(id) from offices)`.execute(
    database.db,
  );
  await sql`update offices set is_partisan = 'Nonpartisan all' where id <> (select min(id) from offices)`.execute(
    database.db,
  );
  await sql`update contacts set contact_type = 'Pager' where id = (select min(id) from contacts)`.execute(database.db);
  await sql`update races set stage_type = 'general' where id = (select min(id) from races)`.execute(database.db);
});

/** Each text with its enum: type, field of the text, field of the enum. */
const PAIRS = [
  ['Election', 'type', 'typeCode'],
  ['Race', 'type', 'typeCode'],
  ['Race', 'stageType', 'stageCode'],
  ['Candidate', 'status', 'statusCode'],
  ['BallotMeasure', 'status', 'statusCode'],
  ['RankedChoiceRound', 'status', 'statusCode'],
  ['Office', 'partisanship', 'isPartisan'],
  ['Officeholder', 'status', 'statusCode'],
  ['Contact', 'type', 'typeCode'],
] as const;

function nameOf(typeName: string, field: string, text: unknown): string | null {
  const type = schema.getType(typeName);
  const found = isObjectType(type) ? type.getFields()[field] : undefined;
  const enumType = found && getNamedType(found.type);
  if (!isEnumType(enumType)) throw new Error(`${typeName}.${field} is no enum`);
  return enumType.getValues().find(({ value }) => value === text)?.name ?? null;
}

const QUERY = `query ($date: Date!) {
  stateBallot(state: "AA", electionDate: $date) { edges { node {
    ballotMeasures { __typename status statusCode election { __typename type typeCode } }
    races { __typename type typeCode stageType stageCode
      office { __typename partisanship isPartisan officeholders { __typename status statusCode contacts { __typename type typeCode } } }
      candidates { __typename status statusCode rankedChoiceRounds { __typename status statusCode } } } } } } }`;

interface Found {
  readonly __typename?: string;
  readonly [field: string]: unknown;
}

function* objectsIn(value: unknown): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Found;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe.each(Object.entries(CONFIGURATIONS))('with %s', (_, service) => {
  it.each(['full', 'no-results'])('each enum has the value of its text for the package %s', async (packageName) => {
    const seen = new Set<string>();
    for (const date of ['2022-11-08', '2024-11-05']) {
      const headers = { 'x-api-key': service.key(packageName) };
      const payload = { query: QUERY, variables: { date } };
      const { data, errors } = (await service.app.inject({ method: 'POST', url: '/graphql', headers, payload })).json();
      expect(errors).toBeUndefined();
      for (const found of objectsIn(data)) {
        for (const [type, text, code] of PAIRS) {
          if (found.__typename !== type) continue;
          expect(found[code], `${type}.${code} of ${found[text]}`).toBe(nameOf(type, code, found[text]));
          seen.add(`${type}.${code} ${found[code] === null ? 'null' : 'value'}`);
        }
      }
    }
    const expected = PAIRS.map(([type, , code]) => `${type}.${code} value`).filter(
      (each) => packageName === 'full' || !each.startsWith('RankedChoiceRound'),
    );
    expect([...seen]).toEqual(expect.arrayContaining(expected));
    expect([...seen]).toEqual(expect.arrayContaining(['Candidate.statusCode null', 'Race.stageCode null']));
  });
});
