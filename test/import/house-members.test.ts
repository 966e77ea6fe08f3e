import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();

/** The members of districts of lower houses that may have several, as editions of a day show them. */
const MEMBERS = [
  { state: 'MD', district: '1', day: '2020-06-01', members: 3 },
  { state: 'MD', district: '2', day: '2010-06-01', members: 3 },
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

const NAMES = ['Ann Roe', 'Bo Doe', 'Cy Poe', 'Di Loe'];

/** Returns the number of seats of a contest in a source without a magnitude. */
async function seatsOf(state: string, district: string, office = 'State House') {
  const rows = NAMES.map((name, index) => `1,${office},${district},,${name},${90 - index}\n`).join('');
  const { races } = await importFiles(database, 'openelections', {
    [`20191105__${state.toLowerCase()}__general__precinct.csv`]: `precinct,office,district,party,candidate,votes\n${rows}`,
  });
  return races.find(({ candidates }) => 'Ann Roe' in candidates)?.seats;
}

describe('a district of a lower house, in a source without a magnitude, elects', () => {
  test('the number of members that an edition of the term after the election shows', async () => {
    expect(await seatsOf('MD', '1')).toBe(3);
  });

  test('an unknown number where no edition of that term shows it', async () => {
    expect(await seatsOf('MD', '2')).toBeNull();
    expect(await seatsOf('MD', '9')).toBeNull();
  });

  test('the number that a row of law states, and one where no row says that districts may have several', async () => {
    expect(await seatsOf('NJ', '4')).toBe(2);
    expect(await seatsOf('KS', '4')).toBe(1);
  });

  test('an unknown number where each member has a seat of its own and the source does not name it', async () => {
    expect(await seatsOf('WA', '1')).toBeNull();
    expect(await seatsOf('WA', '1', 'State House Position 1')).toBe(1);
  });
});
