import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseQueryFile } from '../../src/gateway/exports/query-file.ts';
import { useDatabase } from '../support/database.ts';
import { insertPrecincts } from '../support/precincts.ts';
import { CONTEST, insertUnplaced } from '../support/unplaced.ts';
import { createVotingWorld } from '../support/voting-world.ts';
import { boundary, insert, WORLD } from '../support/world.ts';
import { fileText, sourceOf } from './support.ts';

const FOLDER = fileURLToPath(new URL('../../db/queries', import.meta.url));
const queries = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => parseQueryFile(name.slice(0, -4), readFileSync(join(FOLDER, name), 'utf8')))
  .sort((one, other) => Math.sign(one.position - other.position) || (one.id < other.id ? -1 : 1));

const database = useDatabase();
beforeAll(async () => {
  await createVotingWorld(database.db);
  await insert(database.db, 'sources', [
    { name: 'Old', as_of: '2022-01-01' },
    { name: 'New', license: 'CC0-1.0' },
  ]);
  await insertUnplaced(database.db, 1, [CONTEST, { ...CONTEST, date: '2027-11-02', reason: 'no such district' }]);
  await insertPrecincts(database.db, 1);
  await insert(database.db, 'record_sources', [
    { kind: 'district', record_id: WORLD.alpha, source_id: 1 },
    { kind: 'district', record_id: WORLD.alpha, source_id: 2 },
    { kind: 'district', record_id: WORLD.beta, source_id: 2 },
    { kind: 'election', record_id: 500, source_id: 1 },
    { kind: 'candidate', record_id: 803, source_id: 1 },
    { kind: 'candidate', record_id: 810, source_id: 1 },
    { kind: 'ballot_measure', record_id: 702, source_id: 1 },
  ]);
  await insert(database.db, 'external_identifiers', [
    { kind: 'district', scheme: 'wikidata', value: 'Q1', record_id: WORLD.alpha },
    { kind: 'district', scheme: 'fips', value: '91', record_id: WORLD.alpha },
  ]);
  await insert(database.db, 'contacts', [
    { officeholder_id: 1, collection: 'contact', contact_type: 'Phone', contact: '202-555-0102' },
    { officeholder_id: 1, collection: 'contact', contact_type: 'Fax', contact: '202-555-0103' },
  ]);
});

type Row = Record<string, unknown>;
async function rowsOf(id: string, today = '2026-07-01'): Promise<Row[]> {
  const query = queries.find((one) => one.id === id);
  if (!query) throw new Error(`There is no query ${id}`);
  return JSON.parse(await fileText(sourceOf(database), query.sql, 'json', { today }));
}
const pick = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));

describe('the stored queries of the project', () => {
  it('are complete', () => {
    expect(queries.map(({ id, grants }) => [id, grants.join(' ')])).toEqual([
      // Existing clients request the first query of the list.
      ['race-results', 'elections results'],
      ['ballot-measures', 'elections results'],
      ['candidates-of-date', 'elections'],
      ['coverage', 'districts officeholders election_dates elections contact social boundaries'],
      ['coverage-by-state', 'districts officeholders election_dates elections results'],
      ['coverage-of-voting', 'voting election_dates election_ids election_districts districts'],
      ['current-officeholders', 'officeholders contact'],
      ['deadlines', 'voting election_dates'],
      ['district-boundaries', 'districts boundaries'],
      ['districts', 'districts'],
      ['map-changes', 'districts'],
      ['precinct-results', 'elections results'],
      ['precincts', 'districts boundaries'],
      ['ranked-choice-rounds', 'elections results'],
      ['unplaced-contests', 'elections results'],
      ['upcoming-elections', 'election_dates election_ids election_districts elections'],
      ['voting-places', 'voting election_dates'],
    ]);
  });

  it.each(queries)('$id: as many rows as select count(*), the same in csv and json', async (query) => {
    await sql`select set_config('ballotgraph.today', '2026-07-01', false)`.execute(database.db);
    const counted = await sql<{ n: number }>`select count(*) as n from (${sql.raw(query.sql)}
      ) as q`.execute(database.db);
    const json = JSON.parse(await fileText(sourceOf(database), query.sql, 'json'));
    const csv: Record<string, string>[] = parse(await fileText(sourceOf(database), query.sql, 'csv'), {
      columns: true,
    });
    expect(json.length).toBe(counted.rows[0]?.n);
    expect(json.length).toBeGreaterThan(0);
    expect(csv).toHaveLength(json.length);
    for (const [index, row] of json.entries()) {
      const { geometry, loaded_at, percent, yes_percent, ...plain } = row;
      const texts = Object.entries(plain).map(([name, value]) => [name, value === null ? '' : String(value)]);
      expect(csv[index]).toMatchObject(Object.fromEntries(texts));
      expect(Number(csv[index]?.percent ?? csv[index]?.yes_percent ?? 0)).toBe(percent ?? yes_percent ?? 0);
    }
  });
});

describe('the results of the stored queries', () => {
  it('current-officeholders: officeholders of today with all contacts', async () => {
    const rows = await rowsOf('current-officeholders');
    expect(pick(rows, 'state', 'district', 'office', 'seat', 'name', 'party')).toEqual([
      ['US', 'Country', 'President', null, 'Ada Able', 'Democratic'],
      ['AA', 'Congressional District 1', 'U.S. Representative', null, 'Dan Dog', 'Independent'],
      ['AA', 'Congressional District 2', 'U.S. Representative', 'A', 'Cleo Charlie', 'Republican'],
      ['AA', 'Alpha', 'Governor', null, 'Ben Baker', null],
    ]);
    expect(rows[0]).toMatchObject({
      phone: '202-555-0101; 202-555-0102',
      website: 'https://office.example',
      email: 'ada@able.example',
      other_contacts: 'Fax: 202-555-0103',
      image_url: 'https://pictures.example/ada.jpg',
      start_date: '2025-01-20',
      end_date: '2029-01-20',
    });
    expect(JSON.stringify(rows)).not.toContain('social.example');
  });

  it('current-officeholders: the newer of two terms that share a day', async () => {
    const names = async (today: string) =>
      (await rowsOf('current-officeholders', today))
        .filter((row) => row.office_id === WORLD.firstSeat)
        .map((row) => row.name);
    expect(await names('2023-01-02')).toEqual(['Cleo Charlie']);
    expect(await names(WORLD.redrawn)).toEqual(['Dan Dog']);
    expect(await names('2027-01-03')).toEqual(['Dan Dog']);
    expect(await names('2027-01-04')).toEqual([]);
  });

  it('upcoming-elections: from today on, today too', async () => {
    const dates = async (today: string) => pick(await rowsOf('upcoming-elections', today), 'date', 'election_id');
    expect(await dates('2026-07-01')).toEqual([['2026-11-03', 505]]);
    expect(await dates('2024-11-05')).toEqual([
      ['2024-11-05', 503],
      ['2024-11-05', 504],
      ['2026-11-03', 505],
    ]);
    expect(await dates('2026-11-04')).toEqual([]);
    expect((await rowsOf('upcoming-elections', '2024-11-05'))[0]).toMatchObject({ races: 2, ballot_measures: 2 });
  });

  it('candidates-of-date: candidates of the next date that has any, otherwise of the last', async () => {
    const dates = async (today: string) =>
      new Set((await rowsOf('candidates-of-date', today)).map((row) => row.election_date));
    expect(await dates('2020-01-01')).toEqual(new Set(['2022-11-08']));
    expect(await dates('2022-11-08')).toEqual(new Set(['2022-11-08']));
    expect(await dates('2022-11-09')).toEqual(new Set(['2024-03-05']));
    expect(await dates('2026-07-01')).toEqual(new Set(['2024-11-05']));
    const rows = await rowsOf('candidates-of-date', '2022-11-08');
    expect(
      pick(
        rows.filter((row) => row.race_id === 601),
        'candidate',
        'parties',
        'fec_id',
      ),
    ).toEqual([
      ['Cleo Charlie', 'Republican', null],
      ['Dan Dog', 'Independent; Democratic', 'H0AA01001'],
      ['Fay Fox', null, null],
    ]);
    // Only packages with the grant `results` may see the outcome.
    expect(Object.keys(rows[0] ?? {})).not.toContain('status');
    expect(JSON.stringify(rows)).not.toMatch(/Won|Lost|1200/);
  });

  it('unplaced-contests: as the source wrote them; coverage-by-state: their number up to today', async () => {
    const rows = await rowsOf('unplaced-contests');
    expect(rows[0]).toEqual({
      ...{ state: 'AA', election_date: '2022-11-08', stage: 'General', is_special: false, party: '' },
      ...{ office: 'DRAIN COMMISSIONER', district: '', county: 'GAMMA', reason: null, votes: 3_000_000_020 },
      ...{ names: 'ANN ROE (REPUBLICAN) 3000000000; BO "B" LEE, JR. 20', source: 'Old' },
    });
    expect(pick(rows, 'election_date', 'reason')[1]).toEqual(['2027-11-02', 'no such district']);
    const layers = (await rowsOf('coverage-by-state')).filter(({ state }) => state === 'AA');
    const counts = pick(layers, 'layer', 'unplaced', 'unplaced_votes');
    expect(counts).toContainEqual(['results', 1, 3_000_000_020]);
    expect(counts).toContainEqual(['elections', null, null]);
  });

  it('race-results: votes, shares and outcomes of past races, without shares for ranked choice', async () => {
    const rows = await rowsOf('race-results');
    const of = (race: number) =>
      pick(
        rows.filter((row) => row.race_id === race),
        'candidate',
        'votes',
        'percent',
        'status',
      );
    expect(of(601)).toEqual([
      ['Dan Dog', 600, 60, 'Won'],
      ['Cleo Charlie', 400, 40, 'Lost'],
      ['Fay Fox', null, null, 'Withdrew'],
    ]);
    expect(of(606).map(([, , percent]) => percent)).toEqual([null, null, null]);
    expect(of(607)).toEqual([['Ada Able', null, null, 'On the Ballot']]);
    expect(await rowsOf('race-results', '2022-11-08')).toEqual([]);
  });

  it('ballot-measures: with the share of yes if both sides are known', async () => {
    expect(pick(await rowsOf('ballot-measures'), 'name', 'status', 'yes_votes_total', 'yes_percent')).toEqual([
      ['Question 1: Water', 'Approved', 750, 75],
      ['Roads', 'Defeated', 0, null],
      ['Schools', 'Qualified for the ballot', null, null],
      ['Parks', 'Too close to call', null, null],
    ]);
  });

  it('map-changes: the newest maps of Congress, whose shares add up to 1', async () => {
    const rows = await rowsOf('map-changes');
    expect(pick(rows, 'state', 'first_day', 'old_district_id', 'new_district_id')).toEqual(
      [
        [WORLD.alphaFirst, WORLD.alphaFirst],
        [WORLD.alphaFirst, WORLD.alphaSecond],
        [WORLD.alphaSecond, WORLD.alphaFirst],
        [WORLD.alphaSecond, WORLD.alphaSecond],
      ].map((ids) => ['AA', WORLD.redrawn, ...ids]),
    );
    for (const row of rows) expect(row.share_of_old).toBe(0.5);
    const ofFirst = rows.filter((row) => row.new_district_id === WORLD.alphaFirst);
    expect(ofFirst.reduce((sum, row) => sum + Number(row.share_of_new), 0)).toBeCloseTo(1, 7);
    // Before the newer map, there is none to compare the older one with.
    expect(await rowsOf('map-changes', '2020-01-01')).toEqual([]);
  });

  it('map-changes: a district that has nothing in common with the other map is in none of its districts', async () => {
    const { db } = database;
    const [kept, gone, added] = [9_001, 9_002, 9_003];
    const districts = [kept, gone, added].map((id) => ({ id, type: 'Congress' as const, name: `${id}`, state: 'CC' }));
    await insert(db, 'districts', districts);
    await boundary(db, kept, ['2013-01-03', WORLD.redrawn], [-79, 41, -78, 42]);
    await boundary(db, gone, ['2013-01-03', WORLD.redrawn], [-77, 41, -76, 42]);
    await boundary(db, kept, [WORLD.redrawn, null], [-79, 41, -78, 42]);
    await boundary(db, added, [WORLD.redrawn, null], [-75, 41, -74, 42]);
    try {
      const rows = (await rowsOf('map-changes')).filter(({ state }) => state === 'CC');
      expect(pick(rows, 'old_district_id', 'new_district_id', 'share_of_old', 'share_of_new')).toEqual([
        [kept, kept, 1, 1],
        [gone, null, 1, null],
        [null, added, null, 1],
      ]);
    } finally {
      await db.deleteFrom('districts').where('id', 'in', [kept, gone, added]).execute();
    }
  });

  it('precinct-results: the votes of each candidate in each precinct', async () => {
    const rows = await rowsOf('precinct-results');
    expect(pick(rows, 'county', 'town', 'precinct', 'candidate_id', 'votes', 'votes_in_race')).toEqual([
      ['GAMMA', null, '01', 803, 350, 600],
      ['GAMMA', null, '01', 802, 150, 400],
      ['GAMMA', null, '02', 803, 240, 600],
      ['GAMMA', null, '02', 802, null, 400],
    ]);
    expect(await rowsOf('precinct-results', '2022-11-08')).toEqual([]);
  });

  it('ranked-choice-rounds: votes of each candidate after each round', async () => {
    const rows = await rowsOf('ranked-choice-rounds');
    expect(pick(rows, 'round', 'candidate', 'votes_gained', 'votes_held', 'status')).toEqual([
      [1, 'Ada Able', 450, 450, 'Advanced'],
      [1, 'Ben Baker', 400, 400, 'Advanced'],
      [1, 'Fay Fox', 150, 150, 'Lost'],
      [2, 'Ben Baker', 120, 520, 'Won'],
      [2, 'Ada Able', 30, 480, 'Lost'],
    ]);
  });

  it('districts: with every identifier, and the boundary of the day', async () => {
    const rows = await rowsOf('districts');
    expect(rows.find((row) => row.district_id === WORLD.alpha)).toMatchObject({
      type: 'State',
      ocdid: 'ocd-division/country:us/state:aa',
      other_identifiers: 'fips:91; wikidata:Q1',
      boundary_start_date: '2000-01-01',
      precise_boundary: true,
    });
    const start = async (today: string) =>
      (await rowsOf('districts', today)).find((row) => row.district_id === WORLD.alphaFirst)?.boundary_start_date;
    expect(await start('2023-01-02')).toBe('2013-01-03');
    expect(await start(WORLD.redrawn)).toBe(WORLD.redrawn);
    expect(await start('2000-01-01')).toBeNull();
  });

  it('district-boundaries: one outline for each district that has one on the day', async () => {
    expect(pick(await rowsOf('district-boundaries'), 'district_id')).toEqual(
      [[1], [10], [11], [20], [21], [30]].sort((a, b) => order(a) - order(b)),
    );
    expect(pick(await rowsOf('district-boundaries', '2001-01-01'), 'district_id')).toHaveLength(4);
    expect((await rowsOf('district-boundaries'))[0]?.geometry).toMatchObject({ type: 'MultiPolygon' });
  });

  it('deadlines: days by rule of each election that the state holds, and stated ones in their place', async () => {
    const rows = await rowsOf('deadlines');
    expect(
      pick(rows, 'election_date', 'kind', 'day', 'basis').filter(([, kind]) => kind === 'Register online'),
    ).toEqual([
      ['2022-11-08', 'Register online', '2022-10-20', 'Stated'],
      ['2024-03-05', 'Register online', '2024-02-19', 'Rule'],
      ['2024-11-05', 'Register online', '2024-10-21', 'Rule'],
      ['2026-11-03', 'Register online', '2026-10-19', 'Rule'],
    ]);
  });

  it('coverage-of-voting: places by kind, precincts with one of those with an outline, and deadlines of each election', async () => {
    const rows = await rowsOf('coverage-of-voting');
    const counts = ['places', 'election_day_places', 'early_voting_places', 'drop_boxes', 'vote_centers'] as const;
    const of = (...columns: string[]) => pick(rows, 'election_date', ...columns).filter(([, places]) => places !== 0);
    expect(of(...counts)).toEqual([
      ['2022-11-08', 1, 1, 0, 0, 0],
      ['2024-11-05', 4, 2, 1, 1, 0],
    ]);
    expect(of('places', 'precincts_with_place', 'precincts_with_outline', 'places_without_districts')).toEqual([
      ['2022-11-08', 1, 1, 2, 0],
      ['2024-11-05', 4, 2, 2, 1],
    ]);
    expect(of('places', 'stated_deadlines', 'rules')).toEqual([
      ['2022-11-08', 1, 1, 4],
      ['2024-11-05', 4, 0, 4],
    ]);
  });

  it('coverage: records by data set and kind, with the dates of elections', async () => {
    expect(pick(await rowsOf('coverage'), 'data_set', 'kind', 'records', 'first_election', 'last_election')).toEqual([
      ['New', 'district', 2, null, null],
      ['Old', 'district', 1, null, null],
      ['Old', 'election', 1, '2022-11-08', '2022-11-08'],
      ['Old', 'candidate', 2, '2022-11-08', '2024-11-05'],
      ['Old', 'ballot_measure', 1, '2024-11-05', '2024-11-05'],
    ]);
  });
});

/** From the country down: country, Congress, states, county. */
function order([id = 0]: number[]): number {
  return [1, 20, 21, 10, 11, 30].indexOf(id);
}
