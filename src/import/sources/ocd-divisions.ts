import { congressDistrictRow, congressNumber } from '../congress-districts.ts';
import { districtName, subdivisionName } from '../district-names.ts';
import { legislativePlace } from '../elections/places.ts';
import { districtGeoid, type ExternalId, type ImportRow } from '../import-rows.ts';
import { COUNTRY_ROW, type State, stateByPostal, stateOfOcdid, stateRow } from '../states.ts';

/** The data of the files about a division. */
export interface Division {
  readonly ocdid: string;
  /** File and line, for a report. */
  readonly place: string;
  readonly name: string;
  /** The Census GEOID: 5 digits for a county, 7 for a place or a school district, 10 for a county subdivision. */
  readonly geoid: string;
  /** True if the GEOID is also the id of the National Center for Education Statistics, as for school districts. */
  readonly isNces: boolean;
  /** The last day of a division that no longer exists. */
  readonly validThrough: string;
}

const COUNTY_KINDS = ['county', 'parish', 'borough', 'census_area'];

/** District types of divisions within another division of a state, by the kinds of both. */
const TYPES: Readonly<Record<string, string>> = {
  school_district: 'School District',
  district_court: 'Judicial District',
  circuit_court: 'Judicial District',
  court_of_appeals: 'Judicial District',
  superior_court: 'Judicial District',
  supreme_court: 'Judicial District',
  chancery_court: 'Judicial District',
  board_of_education: 'State subdivision',
  public_service_commission: 'State subdivision',
  ward: 'City-town subdivision',
};

/**
 * Returns the district of a division, or the reason why there is none.
 * @param nameIsUnique true if no other division of the state has the name, so that it identifies the district.
 */
export function divisionRow(division: Division, nameIsUnique: boolean): ImportRow | string {
  const { ocdid, place } = division;
  const parts = ocdid.split('/').slice(2);
  const [[kind = '', code = ''] = []] = [parts.at(-1)?.split(':') ?? []];
  if (parts.length === 0) return { ...COUNTRY_ROW, record: place };
  const state = stateOfOcdid(ocdid);
  if (!state) {
    if (kind !== 'court_of_appeals' && kind !== 'district_court') return 'lies in no state of today';
    return plainRow(division, 'Judicial District', undefined);
  }
  if (parts.length === 1) return { ...stateRow(state), record: place };
  if (kind === 'cd') {
    const number = congressNumber(code === 'at-large' ? 'AL' : code);
    return number === undefined
      ? 'is not the number of a Congress district'
      : congressDistrictRow(state, number, division.geoid && `5001800US${division.geoid}`, place);
  }
  if (kind === 'sldl' || kind === 'sldu') {
    return { ...legislativePlace(state, kind === 'sldu' ? 'Upper' : 'Lower', code).row, record: place };
  }
  if (COUNTY_KINDS.includes(kind) && parts.length === 2) return countyRow(division, state);
  if (kind === 'place' && parts.length === 2) return placeRow(division, state);
  if (kind === 'council_district') {
    const isOfPlace = ['place', 'borough'].includes(parts.at(-2)?.split(':')[0] ?? '');
    return plainRow(division, isOfPlace ? 'City-town subdivision' : 'County subdivision', state);
  }
  const type = TYPES[kind];
  if (!type) return `divisions of the kind ${kind} have no district type`;
  return type === 'School District' ? schoolRow(division, state, nameIsUnique) : plainRow(division, type, state);
}

function countyRow(division: Division, state: State): ImportRow | string {
  const row = plainRow(division, 'County', state);
  if (typeof row === 'string' || !/^\d{5}$/.test(division.geoid)) return row;
  const geo_id = `0500000US${division.geoid}`;
  return withGeoid(row, 'County', geo_id);
}

function placeRow(division: Division, state: State): ImportRow | string {
  const { geoid, name } = division;
  if (geoid.length !== 10) {
    const row = plainRow(division, 'City-town', state);
    return typeof row === 'string' || geoid.length !== 7 ? row : withGeoid(row, 'City-town', `1600000US${geoid}`);
  }
  const row = plainRow(division, 'County subdivision', state);
  if (typeof row === 'string') return row;
  return withGeoid(row, 'County subdivision', `0600000US${geoid}`, [subdivisionName(geoid.slice(0, 5), name)]);
}

function schoolRow(division: Division, state: State, nameIsUnique: boolean): ImportRow | string {
  const { geoid, name, isNces } = division;
  const type = 'School District';
  const shown = name.replace(/(^|[\s(/-])\p{Ll}/gu, (letter) => letter.toUpperCase());
  const row = plainRow({ ...division, name: shown }, type, state);
  if (typeof row === 'string') return row;
  const named = nameIsUnique ? [districtName(state, type, name)] : [];
  if (!/^\d{7}$/.test(geoid)) return { ...row, ids: [...(row.ids ?? []), ...named] };
  const known = withGeoid(row, type, geoid, named);
  return isNces ? { ...known, values: { ...known.values, nces_id: geoid } } : known;
}

function withGeoid(row: ImportRow, type: string, geo_id: string, others: readonly ExternalId[] = []): ImportRow {
  return {
    ...row,
    ids: [...(row.ids ?? []), districtGeoid(type, geo_id), ...others],
    values: { ...row.values, geo_id },
  };
}

function plainRow({ ocdid, place, name }: Division, type: string, state: State | undefined): ImportRow | string {
  if (!name) return 'has no name';
  const values = { type, name, state: (state ?? stateByPostal('US'))?.postal ?? 'US', ocdid };
  return { table: 'districts', record: `${place} (${ocdid})`, ids: [{ scheme: 'ocdid', value: ocdid }], values };
}
