import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();

/** The members of districts of lower houses, as editions of a day show them. */
const MEMBERS = [
  { state: 'NJ', district: '1', day: '2020-06-01', members: 2 },
  { state: 'NJ', district: '2', day: '2010-06-01', members: 2 },
  { state: 'NJ', district: '3', day: '2020-06-01', members: 1 },
  { state: 'WA', district: '1', day: '2020-06-01', members: 2 },
];

beforeAll(async () => {
  for (const { state, district, day, members } of MEMBERS)
    await sql`
      with district as (
          insert into districts (type, name, state, ocdid)
          values ('State Legislative (Lower)', ${`${state} House District ${district}`}, ${state},
            ${`ocd-division/country:us/state:${state.toLowerCase()}/sldl:${district}`}) returning id),
        office as (
          insert into offices (district_id, name, type, level, branch, chamber)
          select id, 'State Representative', 'Representative', 'State', 'Legislative', 'Lower' from district returning id),
        people as (
          insert into persons (name) select 'Member ' || n from generate_series(1, ${members}::integer) as n returning id),
        terms as (
          insert into officeholders (office_id, person_id, status, start_date)
          select office.id, people.id, 'Current', ${day}::date - 100 from office, people returning id),
        edition as (
          insert into sources (name, as_of) values (${`people ${state} ${district}`}, ${day}::date) returning id)
      insert into record_sources (kind, record_id, source_id) select 'officeholder', terms.id, edition.id from terms, edition
    `.execute(database.db);
});

const FILE = 'precinct,office,district,party,candidate,votes\n';
const NAMES = ['Ann Roe', 'Bo Doe', 'Cy Poe'];

/** Imports a contest with votes for three candidates, and of a governor on whose ballots it is. */
async function winners(state: string, district: string, ballots: number | undefined, office = 'State House') {
  const governor = ballots === undefined ? '' : `1,Governor,,,Gov Loe,${ballots}\n`;
  const votes = [90, 80, 20];
  const rows = NAMES.map((name, index) => `1,${office},${district},,${name},${votes[index]}\n`).join('');
  const { races, reasons } = await importFiles(database, 'openelections', {
    [`20191105__${state.toLowerCase()}__general__precinct.csv`]: `${FILE}${governor}${rows}`,
  });
  const race = races.find(({ candidates }) => 'Ann Roe' in candidates);
  return { seats: race?.seats, won: race?.won.toSorted(), reasons };
}

describe('a district of a lower house, in a source without a magnitude, elects', () => {
  test('the number of members that an edition after the election shows', async () => {
    expect(await winners('NJ', '1', undefined)).toMatchObject({ seats: 2, won: ['Ann Roe', 'Bo Doe'] });
    expect(await winners('NJ', '1', 100)).toMatchObject({ seats: 2, won: ['Ann Roe', 'Bo Doe'] });
  });

  test('nobody that is certain, if an edition shows more members than the votes per ballot', async () => {
    expect((await winners('NJ', '1', 200)).won).toEqual([]);
  });

  test('the number of members that an edition of another day shows, if the votes per ballot show it too', async () => {
    expect(await winners('NJ', '2', 100)).toMatchObject({ seats: 2, won: ['Ann Roe', 'Bo Doe'] });
    const { won, reasons } = await winners('NJ', '2', undefined);
    expect(won).toEqual([]);
    expect(reasons).toContain('the district may have several members');
  });

  test('one member, if the editions show one and the votes do not show several, or the districts of the state have one', async () => {
    expect(await winners('NJ', '3', undefined)).toMatchObject({ seats: 1, won: ['Ann Roe'] });
    expect(await winners('NJ', '4', 200)).toMatchObject({ seats: null, won: [] });
    expect(await winners('KS', '4', 200)).toMatchObject({ seats: 1, won: ['Ann Roe'] });
    expect(await winners('NJ', '3', 100)).toMatchObject({ seats: null, won: [] });
  });

  test('nobody that is certain, where each member has a seat of its own and the source does not name it', async () => {
    expect((await winners('WA', '1', 200)).won).toEqual([]);
    expect((await winners('WA', '1', 200, 'State House Position 1')).won).toEqual(['Ann Roe']);
  });
});
