import { dictionary } from '../../../base/dictionary.ts';
import { type State, stateOfOcdid } from '../../../base/words/states.ts';
import { districtGeoid, type ExternalId, type ImportRow } from '../../exchange/import-rows.ts';
import { congressDistrictRow, congressNumber } from '../../facts/congress-districts.ts';
import { districtName, subdivisionName } from '../../facts/district-names.ts';
import { fullDistrictName } from '../../facts/full-names.ts';
import { legislativePlace } from '../../facts/places.ts';
import { COUNTRY_ROW, stateRow } from '../../facts/state-rows.ts';

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
const STATE_KINDS = ['state', 'district', 'territory'];

/** District types by kinds of divisions that determine them regardless of the parent division. */
const TYPES: Readonly<Record<string, string>> = dictionary({
  place: 'City-town',
  school_district: 'School District',
  school_board_district: 'School district subdivision',
  ward: 'City-town subdivision',
});

const isCourt = (kind: string) => /(^|_)courts?(_|$)/.test(kind);

/** Kinds of divisions that a government uses to elect its members or count votes, as opposed to own districts. */
const isPartOfGovernment = (kind: string) =>
  /^(council|commission|commissioner|supervisor|precinct|ward|district|township)(_|$)/.test(kind);

/**
 * Returns the district type of a division by its kind and that of its parent division: a part of a school district,
 * court or special district is a subdivision; other kinds within a state are parts of a state board if they are named
 * like one, otherwise special districts.
 */
function typeOf(kind: string, parent: string): string {
  const known = TYPES[kind];
  if (known) return known;
  if (isCourt(parent)) return 'Judicial district subdivision';
  if (isCourt(kind)) return 'Judicial District';
  if (parent === 'school_district') return 'School district subdivision';
  if (/(^|_)(boards?|commission|council)(_|$)/.test(kind) && STATE_KINDS.includes(parent)) return 'State subdivision';
  if (parent === 'place') return isPartOfGovernment(kind) ? 'City-town subdivision' : 'Special District';
  if (COUNTY_KINDS.includes(parent)) return isPartOfGovernment(kind) ? 'County subdivision' : 'Special District';
  return STATE_KINDS.includes(parent) ? 'Special District' : 'Special district subdivision';
}

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
    if (kind !== 'court_of_appeals' && kind !== 'district_court') return 'is not in a current state';
    return plainRow(division, 'Judicial District', undefined);
  }
  if (parts.length === 1) return { ...stateRow(state), record: place };
  if (kind === 'cd') {
    const number = congressNumber(code === 'at-large' ? 'AL' : code);
    return number === undefined
      ? 'is not the number of a Congress district'
      : congressDistrictRow(state, number, division.geoid || undefined, place);
  }
  const isWardOfCouncil = kind === 'ward' && parts.length === 2 && state.kind === 'district';
  if (kind === 'sldl' || kind === 'sldu' || isWardOfCouncil) {
    return { ...legislativePlace(state, kind === 'sldl' ? 'Lower' : 'Upper', code).row, record: place };
  }
  if (COUNTY_KINDS.includes(kind) && parts.length === 2) return countyRow(division, state);
  if (kind === 'place' && parts.length === 2) return byName(placeRow(division, state), nameIsUnique);
  if (kind === 'council_district') {
    const isOfPlace = ['place', 'borough'].includes(parts.at(-2)?.split(':')[0] ?? '');
    return plainRow(division, isOfPlace ? 'City-town subdivision' : 'County subdivision', state);
  }
  const type = typeOf(kind, parts.at(-2)?.split(':')[0] ?? '');
  if (type !== 'School District') return plainRow(division, type, state);
  return byName(schoolRow(division, state, nameIsUnique), nameIsUnique);
}

/** Adds the rule that matches the district by name, if the name is unique in its state. */
function byName(row: ImportRow | string, nameIsUnique: boolean): ImportRow | string {
  return typeof row === 'string' || !nameIsUnique ? row : { ...row, match: { by: 'district' } };
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
  const values = {
    type,
    name: state ? fullDistrictName(state, type, name) : name,
    state: state?.postal ?? 'US',
    ocdid,
  };
  return { table: 'districts', record: `${place} (${ocdid})`, ids: [{ scheme: 'ocdid', value: ocdid }], values };
}
