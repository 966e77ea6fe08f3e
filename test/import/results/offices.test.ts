import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { stateByPostal } from '../../../src/base/words/states.ts';
import { countyNamed } from '../../../src/importers/facts/counties.ts';
import { KnownDistricts } from '../../../src/importers/results/known-districts.ts';
import { nameContest } from '../../../src/importers/results/name-contest.ts';
import { DECLARED_OFFICES, readOfficeRows } from '../../../src/importers/results/office-rows.ts';
import { placeContest } from '../../../src/importers/results/place-contest.ts';
import { folderOf } from '../folders.ts';

/**
 * The texts of contests, as publishers write them, and what they elect by `offices.csv`: its scope, the name of the office, the end of
 * the id of its district, the seat, and whether it is to the rest of a term; `unplaced` if no row declares it, or its place is not there.
 */
type Row = Record<
  'state' | 'office' | 'district' | 'county' | 'scope' | 'name' | 'place' | 'position' | 'special',
  string
>;

const ROWS: Row[] = parse(readFileSync(new URL('offices.csv', import.meta.url)), { columns: true });
const DATE = '2022-11-08';
const known = new KnownDistricts();

function meaningOf({ state: postal, office, district, county: countyText }: Row): string {
  const state = stateByPostal(postal);
  if (!state) throw new Error(`${postal} is not a state`);
  const named = nameContest(DECLARED_OFFICES, state, { office, district });
  if (!named) return 'unplaced';
  const { row, isSpecial } = named;
  const county = countyNamed(postal, countyText, DATE);
  const from = { state, date: DATE, isSpecial, county, countyText, town: '', townFips: '' };
  const placed = placeContest(named, from, known);
  if (typeof placed === 'string' || 'reason' in placed) return 'unplaced';
  const scope = [row.scope, row.kind].filter(Boolean).join(' ');
  const place = placed.place.id.value.replace(/^ocd-division\/country:us(\/(state|district|territory):\w\w)?\/?/, '');
  return [scope, row.name, place, placed.position ?? '', isSpecial ? 'special' : ''].join(',');
}

test.each(ROWS.map((row) => [[row.state, row.office, row.district, row.county].filter(Boolean).join(' | '), row]))(
  '%s',
  (_, row) => {
    const { scope, name, place, position, special } = row as Row;
    const expected = scope === 'unplaced' ? scope : [scope, name, place, position, special].join(',');
    expect(meaningOf(row as Row)).toBe(expected);
  },
);

test('no text is there twice', () => {
  const keys = ROWS.map(({ state, office, district, county }) => [state, office, district, county].join('|'));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

describe('a file of --office-map', () => {
  const HEADER = 'scope,kind,text,states,name,seats,division,ocdid,source';
  const CITY = 'ocd-division/country:us/state:ny/place:new_york';

  test.each([
    [`${HEADER},remark\n`, '1: the column remark is not known; there are scope, kind, text'],
    ['scope,text,source\n', '1: the column states is missing'],
    [`${HEADER}\ncity,,MAYOR,NY,Mayor,1,,,law\n`, '2: scope: Invalid option: expected one of "president"|'],
    [`${HEADER}\ncounty,,,NY,Sheriff,1,,,law\n`, '2: text: is missing'],
    [`${HEADER}\ncounty part,,{n} SEAT {n},NY,Sheriff,1,Ward,,law\n`, '2: text: has {n} twice'],
    [`${HEADER}\ncounty,,SHERIFF {x},NY,Sheriff,1,,,law\n`, '2: text: {x} is no placeholder: these are {n}, {seat}'],
    [`${HEADER}\ncounty,,SHERIFF {n,NY,Sheriff,1,,,law\n`, '2: text: has a brace that is no part of a placeholder'],
    [`${HEADER}\ncounty,,- {rest},NY,Sheriff,1,,,law\n`, '2: text: has no word'],
    [`${HEADER}\ncounty,,SHERIFF,NY XX,Sheriff,1,,,law\n`, '2: states: has to be postal codes'],
    [`${HEADER}\ncounty,,SHERIFF,NY,Sheriff,0,,,law\n`, '2: seats: is not a number of seats'],
    [`${HEADER}\ncounty,,SHERIFF,NY,,1,,,law\n`, '2: name: is missing'],
    [`${HEADER}\ncounty part,,ALDERMAN,NY,Alderman,1,,,law\n`, '2: division: is missing'],
    [`${HEADER}\ncounty,,SHERIFF,NY,Sheriff,1,,,\n`, '2: source: is missing'],
    [`${HEADER}\ndistrict,,MAYOR,NY,Mayor,1,,,law\n`, '2: ocdid: is missing'],
    [`${HEADER}\ncounty,,MAYOR,NY,Mayor,1,,${CITY},law\n`, '2: ocdid: is only for the scope district'],
    [`${HEADER}\ndistrict,,MAYOR,NY,Mayor,1,,New York,law\n`, '2: ocdid: has to be the OCD id of a district'],
    [`${HEADER}\ndistrict,,MAYOR,CA,Mayor,1,,${CITY},law\n`, '2: states: has to be NY or empty'],
  ])('%j is refused with line and reason', async (content, message) => {
    const path = join(folderOf({ 'rows.csv': content }), 'rows.csv');
    await expect(readOfficeRows(path)).rejects.toThrow(expect.toSatisfy((e: Error) => e.name === 'ImportError'));
    await expect(readOfficeRows(path)).rejects.toThrow(`rows.csv:${message}`);
  });

  test('has rows that come first', async () => {
    const path = join(
      folderOf({ 'rows.csv': `${HEADER}\ndistrict,,COMPTROLLER,NY,Comptroller,1,,${CITY},law\n` }),
      'rows.csv',
    );
    const rows = await readOfficeRows(path);
    const state = stateByPostal('NY');
    expect(state && rows.find(state, 'Comptroller', () => true)?.row.ocdid).toBe(CITY);
  });
});
