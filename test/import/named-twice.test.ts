import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runImport } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/world.ts';
import { folderOf } from './folders.ts';

const database = useDatabase();

const HEADER =
  'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';

/** Returns a file of one contest of each of two towns of a county, with three candidates, the first of whom has a majority. */
const file = (office: string, fips: readonly [string, string], date: string) => {
  const line = (town: string, jurisdictionFips: string, name: string, votes: number) =>
    `${town} 1,${office} ${town},,TOTAL,${votes},BRISTOL,44001,${town},${jurisdictionFips},${name},,1,LOCAL,GEN,FALSE,FALSE,RI,${date}`;
  return [
    HEADER,
    ...['ADA ABLE', 'BEN BAKER', 'CLEO COLE'].map((name, index) =>
      line('BARRINGTON', fips[0], name, index === 0 ? 50 : 20 - index),
    ),
    ...['DAN DOE', 'EVE EAST', 'FAY FOX'].map((name, index) =>
      line('BRISTOL', fips[1], name, index === 0 ? 50 : 20 - index),
    ),
    '',
  ].join('\n');
};

test('offices of a town that a source names in two ways are one record', async () => {
  const town = {
    type: 'County subdivision' as const,
    name: 'Barrington town',
    state: 'RI',
    geo_id: '0600000US4400105140',
  };
  await insert(database.db, 'districts', [{ id: 1, ...town }]);
  const folder = folderOf({
    '2018.csv': file('TOWN COUNCIL -', ['44001', '44001'], '2018-11-06'),
    '2022.csv': file('TOWN COUNCIL TOWN OF', ['4400105140', '4400109280'], '2022-11-08'),
  });
  await sql`insert into sources (name) values ('a map')`.execute(database.db);
  await sql`insert into record_sources (kind, record_id, source_id) select 'district', 1, id from sources`.execute(
    database.db,
  );
  await sql`insert into external_identifiers (kind, scheme, value, record_id)
    values ('district', 'district-name', 'RI County subdivision barrington', 1)`.execute(database.db);

  const { report } = await runImport(database.db, 'medsl', [folder]);
  expect(report).toEqual([]);
  const { rows } = await sql<{ name: string; district_id: number; dates: string[] }>`
    select o.name, o.district_id, array_agg(e.date::text order by e.date) as dates from offices as o
    join races as r on r.office_id = o.id join elections as e on e.id = r.election_id
    join districts as d on d.id = o.district_id where d.name like 'Barrington%' group by o.id`.execute(database.db);
  expect(rows).toEqual([{ name: 'Town Council', district_id: 1, dates: ['2018-11-06', '2022-11-08'] }]);
  const persons = await sql<{ name: string }>`select name from persons order by name`.execute(database.db);
  expect(persons.rows.map(({ name }) => name)).toEqual([
    'Ada Able',
    'Ben Baker',
    'Cleo Cole',
    'Dan Doe',
    'Eve East',
    'Fay Fox',
  ]);

  const again = await runImport(database.db, 'medsl', [folder]);
  expect(again.files.map(({ inserted, updated, removed }) => inserted + updated + removed)).toEqual(
    again.files.map(() => 0),
  );
});
