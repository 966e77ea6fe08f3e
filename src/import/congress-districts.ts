import type { ImportRow } from './import-rows.ts';
import { type State, stateOcdid } from './states.ts';

/**
 * A district of the House of Representatives. Number 0 is a state at large, or the district of a delegate or resident
 * commissioner.
 */
export function congressOcdid(state: State, number: number): string {
  return `${stateOcdid(state)}/cd:${number === 0 ? 'at-large' : number}`;
}

/** One row for all maps: the district of 2016 and that of 2024 are the same, with two boundaries. */
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
      name: number === 0 ? 'Congressional District (at Large)' : `Congressional District ${number}`,
      state: state.postal,
      ocdid,
      geo_id: geoId,
    },
  };
}

/** The number of a district in a two-digit code: `00`, `98` (delegates) and `AL` are at large; undefined for others. */
export function congressNumber(code: string): number | undefined {
  if (code === 'AL' || code === '98') return 0;
  return /^\d{1,2}$/.test(code) ? Number(code) : undefined;
}
