import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { electionKey, setKnownSecret } from '../support/election-key.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, request } from '../support/graph.ts';
import { insert, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createElectionWorld(database.db);
  await setKnownSecret(database.db);
  // The country votes on a day on which Alpha does too, with a lower id.
  const row = { date: VOTE.date2024, district_id: WORLD.country, candidate_lists_complete: false };
  await insert(database.db, 'elections', [
    { ...row, id: 400, type: 'General Runoff', description: 'https://page.example' },
  ]);
});

const cursorOf = (...position: readonly unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url');
const ALL = [500, 501, 502, 400, 503, 504, 505];

interface ElectionPage {
  totalCount: number;
  edges: { cursor: string; node: Record<string, unknown> & { id: number | null } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
}

async function list(args = '', grants: readonly AccessGrant[] = ALL_GRANTS): Promise<ElectionPage> {
  const { data, errors } = await request(
    database.db,
    `{ elections${args} {
      totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
      edges { cursor node { id: databaseId date type description candidateListsComplete state district { id: databaseId name type } } }
    } }`,
    { grants },
  );
  expect(errors).toBeUndefined();
  return (data as { elections: ElectionPage }).elections;
}

const idsOf = ({ edges }: ElectionPage) => edges.map(({ node }) => node.id);

describe('elections', () => {
  it('are listed by date, then by id, with all fields', async () => {
    const page = await list();
    expect(idsOf(page)).toEqual(ALL);
    expect(page).toMatchObject({ totalCount: 7, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
    expect(page.edges[1]?.node).toEqual({
      id: VOTE.county2022,
      date: VOTE.date2022,
      type: 'Special',
      description: 'Roads only',
      candidateListsComplete: false,
      state: null,
      district: { id: WORLD.county, name: 'First County', type: 'COUNTY' },
    });
    expect(page.edges[3]?.node).toMatchObject({ state: 'US', description: 'https://page.example' });
  });

  it.each([
    ['{ state: "aa" }', [500, 502, 503, 505]],
    ['{ state: "US" }', [400]],
    ['{ state: "ZZ" }', []],
    ['{ types: ["General"] }', [500, 503, 504, 505]],
    ['{ types: ["general runoff", "PRIMARY"] }', [502, 400]],
    ['{ types: ["Recall"] }', []],
    ['{ types: [] }', []],
    ['{ year: 2024 }', [502, 400, 503, 504]],
    ['{ year: 2018 }', []],
    ['{ year: 9999 }', []],
    [`{ date: "${VOTE.date2022}" }`, [500, 501]],
    ['{ date: "2022-11-09" }', []],
    [`{ state: "AA", types: ["General"], year: 2024, date: "${VOTE.date2024}" }`, [503]],
    [`{ year: 2022, date: "${VOTE.date2024}" }`, []],
    ['{ state: null, types: null, year: null, date: null }', ALL],
    ['{}', ALL],
    ['{ from: "2024-03-05", to: "2024-11-05" }', [502, 400, 503, 504]],
    ['{ to: "2022-11-08" }', [500, 501]],
  ])('match the filter %s', async (filter, expected) => {
    const page = await list(`(filter: ${filter})`);
    expect([idsOf(page), page.totalCount]).toEqual([expected, expected.length]);
  });

  it.each([
    ['(filter: { state: "Vermont" })', 'state must be a two-letter abbreviation, for example VT.'],
    ['(filter: { state: "" })', 'state must be'],
    ['(filter: { types: ["General", ""] })', 'types must be'],
    ['(filter: { types: ["General\\u0000"] })', 'types must be'],
    [`(filter: { types: [${'"General",'.repeat(33)}] })`, 'types must be at most 32'],
    ['(filter: { year: 0 })', 'year must be a year from 1 to 9999'],
    ['(filter: { year: 20245 })', 'year must be'],
    ['(filter: { year: -1 })', 'year must be'],
    ['(filter: { from: "2024-01-02", to: "2024-01-01" })', 'from must not be after to'],
    ['(first: -1)', 'first must be from 0 to 100'],
    ['(first: 101)', 'first must be from 0 to 100'],
    ['(page: 0)', 'page must be from 1 to 1000000'],
    ['(page: 1000001)', 'page must be'],
    ['(after: "WzFd", page: 2)', 'Give after or page, not both.'],
    ['(before: "WzFd", page: 2)', 'Give before or page, not both.'],
    ['(last: 2, page: 1)', 'Give last or page, not both.'],
    ['(last: -1)', 'last must be from 0 to 100'],
    ['(first: 1, last: 1)', 'Give first or last, not both.'],
    ...[
      ['2024-11-05', 503],
      ['2024-11-05', electionKey(503).toUpperCase()],
      ['2024-02-30', electionKey(503)],
      [electionKey(503)],
    ].map((position) => [`(after: "${cursorOf(...position)}")`, 'after must be a cursor']),
    ['(after: "no")', 'after must be a cursor'],
    ['(after: "Wy0xXQ")', 'after must be a cursor'],
    ['(after: "WzEuNV0")', 'after must be a cursor'],
  ])('reject %s', async (args, message) => {
    const { data, errors } = await request(database.db, `{ elections${args} { edges { cursor } } }`);
    expect(data).toEqual({ elections: null });
    expect(errors?.[0]?.message).toContain(message);
  });

  it.each(['2023-02-30', '2024-2-3', 'today', 'infinity', '20240203', '0000-01-01', '2024-11-05T00:00'])(
    'reject the date %s',
    async (date) => {
      const source = 'query ($date: Date) { elections(filter: { date: $date }) { edges { cursor } } }';
      expect((await request(database.db, source, { variables: { date } })).errors?.[0]?.message).toContain(
        'existing day',
      );
    },
  );

  it('are listed from the last to the first by DATE_DESCENDING, also by pages', async () => {
    const { edges, pageInfo } = await list('(orderBy: DATE_DESCENDING, first: 3)');
    const rest = await list(`(orderBy: DATE_DESCENDING, after: "${pageInfo.endCursor}")`);
    expect([...edges, ...rest.edges].map(({ node }) => node.id)).toEqual([...ALL].reverse());
    expect(idsOf(await list('(orderBy: DATE)'))).toEqual(ALL);
  });

  it.each([1, 2, 3, 7, 8])('are returned once each in pages of %i, by cursor and by number', async (first) => {
    const byCursor: unknown[] = [];
    const byNumber: unknown[] = [];
    let after: string | null = null;
    for (let page = 1; ; page += 1) {
      const next: ElectionPage = await list(`(first: ${first}${after === null ? '' : `, after: "${after}"`})`);
      const same = await list(`(first: ${first}, page: ${page})`);
      byCursor.push(...idsOf(next));
      byNumber.push(...idsOf(same));
      expect(same).toEqual(next);
      expect(next.pageInfo.hasPreviousPage).toBe(page > 1);
      if (!next.pageInfo.hasNextPage) break;
      after = next.pageInfo.endCursor;
    }
    expect([byCursor, byNumber]).toEqual([ALL, ALL]);
  });

  it('are returned once each backwards', async () => {
    for (const last of [1, 2, 3, 7]) {
      const found: unknown[] = [];
      for (let before = ''; ; ) {
        const page = await list(`(last: ${last}${before})`);
        found.unshift(...idsOf(page));
        if (!page.pageInfo.hasPreviousPage) break;
        before = `, before: "${page.edges[0]?.cursor}"`;
      }
      expect(found).toEqual(ALL);
    }
  });

  it.each([false, true])(
    'are neither repeated nor omitted over an import between two pages (backward: %s)',
    async (isBackward) => {
      const row = { type: 'Special', district_id: WORLD.county, candidate_lists_complete: false };
      const [edge, bound] = isBackward ? ['last', 'before'] : ['first', 'after'];
      // The page ends at an election of a day with others, and this election is removed.
      const one = await list(`(${edge}: 4)`);
      const cursor = (isBackward ? one.edges[0] : one.edges.at(-1))?.cursor;
      const end = isBackward ? idsOf(one)[0] : idsOf(one).at(-1);
      const removed = await database.db
        .selectFrom('elections')
        .selectAll()
        .where('id', '=', 400)
        .executeTakeFirstOrThrow();
      expect(end).toBe(400);
      await database.db.deleteFrom('elections').where('id', '=', 400).execute();
      await insert(database.db, 'elections', [
        { ...row, id: 390, date: VOTE.date2024, description: 'First' },
        { ...row, id: 410, date: VOTE.date2024, description: 'Second' },
        { ...row, id: 391, date: VOTE.date2022 },
        { ...row, id: 411, date: '2030-01-01' },
      ]);
      const rest = await list(`(${edge}: 100, ${bound}: "${cursor}")`);
      expect(idsOf(rest)).toEqual(isBackward ? [391, 500, 501, 502, 390] : [410, 503, 504, 505, 411]);
      await database.db.deleteFrom('elections').where('id', 'in', [390, 410, 391, 411]).execute();
      await insert(database.db, 'elections', [removed]);
      expect(idsOf(await list())).toEqual(ALL);
    },
  );

  it('are refused after a cursor with a key that the database did not issue: rows of its day would be missing', async () => {
    for (const bound of ['after', 'before']) {
      const cursor = cursorOf(VOTE.date2024, 'f'.repeat(32));
      const { data, errors } = await request(database.db, `{ elections(${bound}: "${cursor}") { edges { cursor } } }`);
      expect(data).toEqual({ elections: null });
      expect(errors).toMatchObject([{ message: 'the cursor has the key of no election' }]);
    }
  });

  it('are empty on any page past the last one, and still counted', async () => {
    for (const page of [2, 1_000_000]) {
      expect(await list(`(first: 25, page: ${page})`)).toMatchObject({
        edges: [],
        totalCount: 7,
        pageInfo: { hasNextPage: false, endCursor: null },
      });
    }
  });

  it('are found by id', async () => {
    const query =
      '{ election(databaseId: 503) { date districts { district { id: databaseId } } } none: election(databaseId: 1) { date } }';
    expect((await request(database.db, query)).data).toEqual({
      election: {
        date: VOTE.date2024,
        districts: [
          { district: { id: WORLD.country } },
          { district: { id: WORLD.alpha } },
          { district: { id: WORLD.county } },
        ],
      },
      none: null,
    });
  });
});

describe('the package', () => {
  const without = (...hidden: AccessGrant[]) => ALL_GRANTS.filter((grant) => !hidden.includes(grant));

  it('can read the list with election_dates', async () => {
    const query =
      '{ elections { edges { cursor } } location(latitude: 42, longitude: -98) { elections { id: databaseId } } }';
    const hidden = { elections: null, location: { elections: null } };
    expect((await request(database.db, query, { grants: without('election_dates') })).data).toEqual(hidden);
  });

  it('hides the ids of the list without election_ids, in cursors too', async () => {
    const page = await list('', without('election_ids'));
    expect(new Set(idsOf(page))).toEqual(new Set([null]));
    expect(page.edges.every(({ node }) => node.district !== null && node.state !== undefined)).toBe(true);
    const cursors = page.edges.map(({ cursor }) => JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    expect(cursors).toEqual(page.edges.map(({ node }, index) => [node.date, electionKey(ALL[index] as number)]));
  });

  it('hides the number of an election on every path, and no id', async () => {
    const query = `{
      elections(first: 1) { edges { node { districts { races { election { databaseId } } } } } }
      location(latitude: 42, longitude: -98) {
        elections(from: "${VOTE.date2022}", to: "${VOTE.date2022}") { databaseId }
        ballot(electionDate: "${VOTE.date2022}") { elections { databaseId } }
      }
      election(databaseId: 500) { databaseId id }
    }`;
    const shown = JSON.stringify((await request(database.db, query)).data);
    expect(shown.match(/"databaseId":\d/g)?.length).toBeGreaterThan(5);
    const hidden = JSON.stringify((await request(database.db, query, { grants: without('election_ids') })).data);
    expect(hidden).toBe(shown.replaceAll(/"databaseId":\d+/g, '"databaseId":null'));
  });

  it('hides name and type of the district without election_districts, and keeps the state', async () => {
    const page = await list('', without('election_districts'));
    expect(new Set(page.edges.map(({ node }) => node.district))).toEqual(new Set([null]));
    expect(page.edges.map(({ node }) => node.state)).toEqual(['AA', null, 'AA', 'US', 'AA', 'BB', 'AA']);
  });

  it('can read races and everything below with elections', async () => {
    const query = `{
      election(databaseId: 500) { date districts { district { id: databaseId } } }
      race(databaseId: 600) { id: databaseId } candidate(databaseId: 800) { id: databaseId } ballotMeasure(databaseId: 700) { id: databaseId }
      person(databaseId: 3) { name candidacies { id: databaseId } }
      stateBallot(state: "AA", electionDate: "2022-11-08") { totalCount }
      location(latitude: 42, longitude: -98) { ballot(electionDate: "2022-11-08") { date } }
    }`;
    const { data, errors } = await request(database.db, query, { grants: without('elections') });
    expect([errors, data]).toEqual([
      undefined,
      {
        election: { date: VOTE.date2022, districts: null },
        race: null,
        candidate: null,
        ballotMeasure: null,
        person: { name: 'Cleo Charlie', candidacies: null },
        stateBallot: null,
        location: { ballot: null },
      },
    ]);
    expect(
      (await request(database.db, '{ election(databaseId: 500) { date } }', { grants: ['districts'] })).data,
    ).toEqual({
      election: null,
    });
  });
});
