import { type State, stateOcdid } from '../../base/words/states.ts';
import { districtGeoid, type ImportRow } from '../exchange/import-rows.ts';

/** The country as a district. */
export const COUNTRY_ROW: ImportRow = {
  table: 'districts',
  record: 'the country',
  ids: [{ scheme: 'ocdid', value: 'ocd-division/country:us' }, districtGeoid('Country', '0100000US')],
  values: {
    type: 'Country',
    name: 'United States',
    state: 'US',
    ocdid: 'ocd-division/country:us',
    geo_id: '0100000US',
  },
};

/** Returns a state as a district: the same row whichever source supplies it first. */
export function stateRow(state: State): ImportRow {
  const [ocdid, geo_id] = [stateOcdid(state), `0400000US${state.fips}`];
  return {
    table: 'districts',
    record: `state ${state.fips}`,
    ids: [{ scheme: 'ocdid', value: ocdid }, districtGeoid('State', geo_id)],
    values: { type: 'State', name: state.name, state: state.postal, ocdid, geo_id },
  };
}
