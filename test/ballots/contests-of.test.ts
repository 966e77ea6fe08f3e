import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute } from '../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../src/graph/schema.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, contextOf, type ExecuteOptions, prepare } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createElectionWorld(database.db);
  await sql`
    insert into districts (id, type, name, state) select n, 'City-town', 'City ' || n, 'AA' from generate_series(2001, 2100) n;
    insert into offices (id, district_id, name, level, branch)
      select n, n, 'Mayor', 'Local', 'Executive' from generate_series(2001, 2100) n;
    insert into officeholders (id, office_id, person_id, status, start_date)
      select n, n, 1, 'Current', '2024-12-01' from generate_series(2001, 2100) n;
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
      select n, ${sql.raw(String(VOTE.alpha2024))}, n, 2024, 'Regular', 'General', 1 from generate_series(2001, 2100) n;
    insert into candidates (id, race_id, person_id, cand_status) select n, n, 1, 'Won' from generate_series(2001, 2100) n;
    insert into ballot_measures (id, election_id, district_id, name)
      select n, ${sql.raw(String(VOTE.alpha2024))}, n, 'Question' from generate_series(2001, 2100) n;
  `.execute(database.db);
});

const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);

/** Executes a document with and without the query planner, and expects the same result. */
async function ask(source: string, options: ExecuteOptions = {}) {
  const prepared = prepare(source);
  const run = async (execute: typeof planned) =>
    JSON.parse(JSON.stringify(await execute({ prepared, contextValue: contextOf(database.db, options) })));
  const { data, errors } = await run(resolved);
  expect(await run(planned)).toEqual({ data, ...(errors && { errors }) });
  return { data, errors };
}

const district = (id: number, selection: string) => `{ district(databaseId: ${id}) { ${selection} } }`;
const withoutGrant = (...grants: string[]) => ({ grants: ALL_GRANTS.filter((grant) => !grants.includes(grant)) });

describe('a district leads to', () => {
  it.each([
    ['', [VOTE.primaryFirst, VOTE.specialFirst, VOTE.regularFirst]],
    ['(from: "2023-01-01")', [VOTE.primaryFirst]],
    ['(to: "2023-01-01", stages: ["general"])', [VOTE.specialFirst, VOTE.regularFirst]],
    ['(stages: [])', []],
    ['(from: "2022-11-08", to: "2022-11-08", stages: ["Primary"])', []],
  ])('its races%s, latest first', async (args, expected) => {
    const { data } = await ask(district(WORLD.alphaFirst, `races${args} { databaseId }`));
    expect(data.district.races).toEqual(expected.map((databaseId) => ({ databaseId })));
  });

  it('its ballot measures', async () => {
    const of = async (args: string) =>
      (await ask(district(WORLD.county, `ballotMeasures${args} { databaseId }`))).data.district.ballotMeasures;
    const all = [{ databaseId: VOTE.parks }, { databaseId: VOTE.roads }];
    expect((await of('')).sort()).toEqual(all);
    expect(await of('(to: "2023-01-01")')).toEqual([{ databaseId: VOTE.roads }]);
  });

  it.each([
    ['', [505]],
    ['(from: "2022-01-01")', [500, 502, 503, 505]],
    ['(from: "2024-03-06", to: "2025-01-01")', [503]],
  ])('its elections%s', async (args, expected) => {
    const { data } = await ask(district(WORLD.alpha, `elections${args} { databaseId }`));
    expect(data.district.elections).toEqual(expected.map((databaseId) => ({ databaseId })));
  });

  it.each(['races', 'ballotMeasures', 'elections', 'offices { races'])(
    'no %s in a range without a day',
    async (field) => {
      const end = field.includes('{') ? '}' : '';
      const range = '(from: "2024-12-31", to: "2022-01-01")';
      const { errors } = await ask(district(WORLD.alphaFirst, `${field}${range} { databaseId } ${end}`));
      expect(errors).not.toHaveLength(0);
      for (const { message, path } of errors) {
        expect(message).toBe('from must not be after to: 2024-12-31 is after 2022-01-01.');
        expect(path.at(-1)).toBe(field.split(' ').at(-1));
      }
    },
  );

  it('the elections that it votes in and does not hold, and only these without the grant election_districts', async () => {
    const source = district(WORLD.alphaFirst, 'elections(from: "2022-01-01") { databaseId }');
    expect((await ask(source)).data.district.elections).toEqual([{ databaseId: 500 }, { databaseId: 502 }]);
    // Alpha's governor is elected in 500 and 503; it holds 502 and 505, too.
    const hidden = await ask(
      district(WORLD.alpha, 'elections(from: "2022-01-01") { databaseId }'),
      withoutGrant('election_districts'),
    );
    expect(hidden.data.district.elections).toEqual([{ databaseId: 500 }, { databaseId: 503 }]);
  });

  it('its officeholders on a day', async () => {
    const of = async (args: string) =>
      (await ask(district(WORLD.alphaFirst, `officeholders${args} { databaseId status }`))).data.district.officeholders;
    expect(await of('')).toEqual([{ databaseId: 4, status: 'Current' }]);
    expect(await of('(on: "2022-06-01")')).toEqual([{ databaseId: 3, status: 'Former' }]);
  });

  it('and a boundary leads to its district', async () => {
    const { data } = await ask(district(WORLD.county, 'boundary { district { databaseId } }'));
    expect(data.district.boundary.district.databaseId).toBe(WORLD.county);
  });
});

describe('an office leads to', () => {
  it('its races and its terms', async () => {
    const { data } = await ask(
      `{ office(databaseId: ${WORLD.firstSeat}) { races(stages: ["General"]) { databaseId } terms { databaseId status } } }`,
    );
    expect(data.office).toEqual({
      races: [{ databaseId: VOTE.specialFirst }, { databaseId: VOTE.regularFirst }],
      terms: [
        { databaseId: 4, status: 'Current' },
        { databaseId: 3, status: 'Former' },
      ],
    });
  });
});

describe('the race by which a term began', () => {
  const term = (id: number) => `{ officeholder(databaseId: ${id}) { electedIn { databaseId } } }`;

  it('is the latest race that the person won before the first day', async () => {
    expect((await ask(term(4))).data.officeholder.electedIn).toEqual({ databaseId: VOTE.regularFirst });
    expect((await ask(term(2001))).data.officeholder.electedIn).toEqual({ databaseId: 2001 });
  });

  it('is not known for a term without a race that the person won, or without its first day', async () => {
    for (const id of [1, 2, 3, 5]) expect((await ask(term(id))).data.officeholder.electedIn).toBeNull();
  });

  it('leads back to the term', async () => {
    const of = async (id: number) =>
      (await ask(`{ race(databaseId: ${id}) { electedOfficeholders { databaseId } } }`)).data.race.electedOfficeholders;
    expect(await of(VOTE.regularFirst)).toEqual([{ databaseId: 4 }]);
    expect(await of(VOTE.specialFirst)).toEqual([]);
    expect(await of(2001)).toEqual([{ databaseId: 2001 }]);
  });

  it('is hidden from packages without results, elections or officeholders', async () => {
    const race = `{ race(databaseId: ${VOTE.regularFirst}) { electedOfficeholders { databaseId } } }`;
    expect((await ask(term(4), withoutGrant('results'))).data.officeholder.electedIn).toBeNull();
    expect((await ask(term(4), withoutGrant('elections'))).data.officeholder.electedIn).toBeNull();
    expect((await ask(race, withoutGrant('results'))).data.race.electedOfficeholders).toBeNull();
    expect((await ask(race, withoutGrant('officeholders'))).data.race.electedOfficeholders).toEqual([]);
  });
});

it.each([
  [
    '{ location(latitude: 42, longitude: -98) { elections(first: 101) { date } } }',
    'first must be from 0 to 100, not 101.',
  ],
  ['{ location(latitude: 42, longitude: -98) { elections(first: -1) { date } } }', 'first must be from 0 to 100'],
])('rejects %s', async (source, message) => {
  const { errors } = await ask(source);
  expect(errors[0].message).toContain(message);
});

it('finds the next elections of a point', async () => {
  const dates = async (args: string) =>
    (await ask(`{ location(latitude: 42, longitude: -98) { elections(${args}) { date } } }`)).data.location.elections;
  const all = await dates('from: "2022-01-01"');
  expect(all.length).toBeGreaterThan(3);
  expect(await dates('from: "2022-01-01", first: 3')).toEqual(all.slice(0, 3));
  expect(await dates('from: "2022-11-09", first: 1')).toEqual([{ date: VOTE.primary2024 }]);
});

it.each([
  ['planned', planned],
  ['resolved', resolved],
])('runs the same statements for 1, 10 and 100 districts (%s)', async (_, execute) => {
  const statements = async (first: number) => {
    const prepared = prepare(`{ districts(types: [CITY_TOWN], first: ${first}) { edges { node {
      elections(from: "2020-01-01") { date } ballotMeasures { name } officeholders { electedIn { year } }
      races { candidates { person { name } } electedOfficeholders { startDate } }
      offices { terms { startDate } races { year } }
    } } } }`);
    const recorded = recordStatements(database);
    const { data, errors } = await execute({ prepared, contextValue: contextOf(recorded.db) });
    expect(errors).toBeUndefined();
    expect((data as { districts: { edges: unknown[] } }).districts.edges).toHaveLength(first);
    return recorded.take().sort();
  };
  const one = await statements(1);
  expect(one.length).toBeLessThan(14);
  expect(await statements(10)).toEqual(one);
  expect(await statements(100)).toEqual(one);
});
