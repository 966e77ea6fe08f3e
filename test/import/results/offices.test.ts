import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { stateByPostal } from '../../../src/base/words/states.ts';
import { countyNamed } from '../../../src/importers/facts/counties.ts';
import { KnownDistricts } from '../../../src/importers/results/known-districts.ts';
import { nameContest } from '../../../src/importers/results/name-contest.ts';
import { DECLARED_OFFICES } from '../../../src/importers/results/office-rows.ts';
import { placeContest } from '../../../src/importers/results/place-contest.ts';

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
