import { type State, stateOcdid } from '../../base/words/states.ts';
import type { ImportRow } from '../exchange/import-rows.ts';
import { congressGeoid } from './census-geoids.ts';
import { congressDistrictName } from './full-names.ts';

/**
 * Returns the OCD id of a district of the House of Representatives. Number 0 is an at-large state, or the district of a
 * delegate or resident commissioner.
 */
export function congressOcdid(state: State, number: number): string {
  return `${stateOcdid(state)}/cd:${number === 0 ? 'at-large' : number}`;
}

/**
 * Returns the row of a district, the same for all maps: the districts of 2016 and of 2024 are one district with two
 * boundaries.
 * @param geoId the GEOID of the source, which is stored only for a district that the 118th Congress did not have.
 */
export function congressDistrictRow(
  state: State,
  number: number,
  geoId: string | undefined,
  record: string,
): ImportRow {
  const ocdid = congressOcdid(state, number);
  return {
    table: 'districts',
    record,
    ids: [{ scheme: 'ocdid', value: ocdid }],
    values: {
      type: 'Congress',
      name: congressDistrictName(state, number),
      state: state.postal,
      ocdid,
      geo_id: congressGeoid(state, number) ?? geoId,
    },
  };
}

/**
 * Returns the district number of a two-digit code: `00`, `98` (delegates) and `AL` are at large; undefined for other
 * codes.
 */
export function congressNumber(code: string): number | undefined {
  if (code === 'AL' || code === '98') return 0;
  return /^\d{1,2}$/.test(code) ? Number(code) : undefined;
}
