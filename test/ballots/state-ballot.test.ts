import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { insert, WORLD } from '../support/world.ts';

const database = useDatabase();

/** A clerk and a board of the county, in an election that Beta holds. */
const CLERK = 620;
const BOARD = 623;

beforeAll(async () => {
  await createElectionWorld(database.db);
  await insert(database.db, 'offices', [
    { id: 120, district_id: WORLD.county, name: 'Clerk', level: 'Local', branch: 'Judicial' },
    { id: 123, district_id: WORLD.county, name: 'Board', level: 'Local', branch: 'Legislative' },
    { id: 121, district_id: WORLD.alpha, name: 'Auditor', level: 'State', branch: 'Executive', seat: 'B' },
    { id: 122, district_id: WORLD.alpha, name: 'Auditor', level: 'State', branch: 'Executive' },
  ]);
  const row = { year: 2024, type: 'Regular', stage_type: 'General', number_of_seats: 1 };
  await insert(database.db, 'races', [
    { ...row, id: CLERK, election_id: VOTE.beta2024, office_id: 120 },
    { ...row, id: 621, election_id: VOTE.alpha2024, office_id: 121 },
    { ...row, id: 622, election_id: VOTE.alpha2024, office_id: 122 },
    { ...row, id: BOARD, election_id: VOTE.beta2024, office_id: 123 },
    // This race has no candidates, and the district has no other contest.
    { ...row, id: 624, election_id: VOTE.alpha2024, office_id: WORLD.secondSeat },
  ]);
  await insert(database.db, 'candidates', [
    { id: 820, race_id: CLERK, person_id: 2 },
    { id: 821, race_id: 621, person_id: 2 },
    { id: 822, race_id: 622, person_id: 2 },
    { id: 823, race_id: BOARD, person_id: 2 },
  ]);
});

interface StateBallot {
  totalCount: number;
  edges: {
    cursor: string;
    node: {
      district: { id: number; boundary: { startDate: string } | null };
      races: { id: number }[];
      ballotMeasures: { id: number }[];
    };
  }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

async function ballotOf(args: string): Promise<StateBallot> {
  const query = `{ stateBallot(${args}) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { cursor node { district { id: databaseId boundary { startDate } } races { id: databaseId } ballotMeasures { id: databaseId } } }
  } }`;
  const { data, errors } = await request(database.db, query);
  expect(errors).toBeUndefined();
  return (data as { stateBallot: StateBallot }).stateBallot;
}

/** Districts with the ids of their races and of their measures. */
const contestsOf = ({ edges }: StateBallot) =>
  edges.map(({ node }) => [node.district.id, node.races.map(({ id }) => id), node.ballotMeasures.map(({ id }) => id)]);

const IN_2022 = `electionDate: "${VOTE.date2022}"`;
const IN_2024 = `electionDate: "${VOTE.date2024}"`;

const COUNTRY = [WORLD.country, [VOTE.alphaPresident], []];
const ALPHA = [WORLD.alpha, [VOTE.governor2024, 622, 621], [VOTE.schools]];
const COUNTY = [WORLD.county, [], [VOTE.parks]];
/** The measure of the state without its races: filters on offices do not apply to measures. */
const SCHOOLS = [WORLD.alpha, [], [VOTE.schools]];

describe('the ballot of a state', () => {
  it('contains all its districts by id, on any map, without races that have no candidates', async () => {
    expect(contestsOf(await ballotOf(`state: "AA", ${IN_2022}`))).toEqual([
      [WORLD.alpha, [VOTE.governor2022], [VOTE.water]],
      [WORLD.alphaFirst, [VOTE.specialFirst, VOTE.regularFirst], []],
      [WORLD.alphaSecond, [VOTE.regularSecond], []],
    ]);
  });

  it('contains the races and measures of its elections in districts without a state, and nothing else of those districts', async () => {
    expect(contestsOf(await ballotOf(`state: "AA", ${IN_2024}`))).toEqual([COUNTRY, ALPHA, COUNTY]);
    expect(contestsOf(await ballotOf(`state: "BB", ${IN_2024}`))).toEqual([
      [WORLD.beta, [VOTE.betaGovernor], []],
      [WORLD.county, [CLERK, BOARD], []],
    ]);
    expect(contestsOf(await ballotOf(`state: "US", ${IN_2024}`))).toEqual([COUNTRY]);
  });

  it.each([
    ['officeLevels: [STATE]', [ALPHA, COUNTY]],
    ['officeLevels: [FEDERAL, STATE]', [COUNTRY, ALPHA, COUNTY]],
    ['officeLevels: [LOCAL]', [SCHOOLS, COUNTY]],
    ['officeLevels: []', [SCHOOLS, COUNTY]],
    ['officeBranches: [EXECUTIVE]', [COUNTRY, ALPHA, COUNTY]],
    ['officeBranches: [JUDICIAL]', [SCHOOLS, COUNTY]],
    ['officeLevels: [FEDERAL], officeBranches: [EXECUTIVE, LEGISLATIVE]', [COUNTRY, SCHOOLS, COUNTY]],
    ['officeLevels: [LOCAL], officeBranches: [EXECUTIVE]', [SCHOOLS, COUNTY]],
    ['districtTypes: [COUNTY]', [COUNTY]],
    ['districtTypes: [STATE, COUNTRY]', [COUNTRY, ALPHA]],
    ['districtTypes: [JUDICIAL_DISTRICT]', []],
    ['districtTypes: [STATE], officeLevels: [FEDERAL]', [SCHOOLS]],
    ['officeLevels: null, officeBranches: null, districtTypes: null', [COUNTRY, ALPHA, COUNTY]],
  ])('matches the filters %s', async (filters, expected) => {
    const ballot = await ballotOf(`state: "aa", ${IN_2024}, ${filters}`);
    expect([contestsOf(ballot), ballot.totalCount]).toEqual([expected, expected.length]);
  });

  it('filters races within a district too', async () => {
    const ballot = await ballotOf(`state: "BB", ${IN_2024}, officeBranches: [JUDICIAL]`);
    expect(contestsOf(ballot)).toEqual([[WORLD.county, [CLERK], []]]);
  });

  it.each([1, 2, 3, 4])('is paged by district in pages of %i, by cursor and by number', async (first) => {
    const seen: unknown[] = [];
    let after = '';
    for (let page = 1; ; page += 1) {
      const next = await ballotOf(`state: "AA", ${IN_2024}, first: ${first}${after}`);
      expect(await ballotOf(`state: "AA", ${IN_2024}, first: ${first}, page: ${page}`)).toEqual(next);
      seen.push(...contestsOf(next));
      if (!next.pageInfo.hasNextPage) break;
      after = `, after: "${next.pageInfo.endCursor}"`;
    }
    expect(seen).toEqual([COUNTRY, ALPHA, COUNTY]);
  });

  it.each([1, 2, 3, 4])('is paged backwards in pages of %i', async (last) => {
    const seen: unknown[] = [];
    for (let before = ''; ; ) {
      const page = await ballotOf(`state: "AA", ${IN_2024}, last: ${last}${before}`);
      expect(page.totalCount).toBe(3);
      seen.unshift(...contestsOf(page));
      if (!page.pageInfo.hasPreviousPage) break;
      before = `, before: "${page.pageInfo.startCursor}"`;
    }
    expect(seen).toEqual([COUNTRY, ALPHA, COUNTY]);
  });

  it('neither repeats nor omits a district that an import puts before the next page', async () => {
    const one = await ballotOf(`state: "AA", ${IN_2024}, first: 2`);
    const row = { election_id: VOTE.alpha2024, year: 2024, type: 'Regular', stage_type: 'General', number_of_seats: 1 };
    await insert(database.db, 'districts', [{ id: 5, type: 'County', name: 'New County', state: 'AA' }]);
    await insert(database.db, 'offices', [
      { id: 130, district_id: 5, name: 'Clerk', level: 'Local', branch: 'Executive' },
    ]);
    await insert(database.db, 'races', [{ ...row, id: 630, office_id: 130 }]);
    await insert(database.db, 'candidates', [{ id: 830, race_id: 630, person_id: 2 }]);
    const next = await ballotOf(`state: "AA", ${IN_2024}, after: "${one.pageInfo.endCursor}"`);
    expect([contestsOf(next), next.totalCount]).toEqual([[COUNTY], 4]);
    const all = await ballotOf(`state: "AA", ${IN_2024}`);
    const between = `after: "${all.pageInfo.startCursor}", before: "${all.pageInfo.endCursor}"`;
    expect(contestsOf(await ballotOf(`state: "AA", ${IN_2024}, ${between}`))).toEqual([[5, [630], []], ALPHA]);
    for (const table of ['candidates', 'races', 'offices', 'districts'] as const) {
      const id = { candidates: 830, races: 630, offices: 130, districts: 5 }[table];
      await database.db.deleteFrom(table).where('id', '=', id).execute();
    }
  });

  it('is empty past the last page, on other days and in other states', async () => {
    for (const args of [
      `state: "AA", ${IN_2024}, page: 2`,
      `state: "AA", ${IN_2024}, page: 1000000`,
      'state: "AA", electionDate: "2024-11-04"',
      `state: "AA", electionDate: "${VOTE.date2026}"`,
      `state: "ZZ", ${IN_2024}`,
    ]) {
      expect(await ballotOf(args)).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    }
  });

  it.each([
    [`state: "Alpha", ${IN_2024}`, 'state must be a two-letter abbreviation'],
    [`state: "", ${IN_2024}`, 'state must be'],
    [`state: "A1", ${IN_2024}`, 'state must be'],
    [`state: "AA", ${IN_2024}, page: 0`, 'page must be from 1 to'],
    [`state: "AA", ${IN_2024}, first: 101`, 'first must be from 0 to'],
    [`state: "AA", ${IN_2024}, after: "x"`, 'after must be a cursor'],
    [`state: "AA", ${IN_2024}, before: "WzEsMl0"`, 'before must be a cursor'],
    [`state: "AA", ${IN_2024}, last: 1, page: 1`, 'Give last or page, not both.'],
  ])('rejects %s', async (args, message) => {
    const { errors } = await request(database.db, `{ stateBallot(${args}) { totalCount } }`);
    expect(errors?.[0]?.message).toContain(message);
  });
});
