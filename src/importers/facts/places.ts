import { normalName } from '../../base/words/normal-name.ts';
import { type State, stateOcdid } from '../../base/words/states.ts';
import type { DISTRICT_TYPES } from '../exchange/format.ts';
import { districtGeoid, type ExternalId, type ImportRow } from '../exchange/import-rows.ts';
import { legislativeGeoid } from './census-geoids.ts';
import { congressDistrictRow } from './congress-districts.ts';
import type { County } from './counties.ts';
import { fullDistrictName, legislativeDistrictName } from './full-names.ts';
import { displayName } from './names.ts';
import { titleCase } from './title-case.ts';

/** A district as an election source names it: the id that identifies it, and its row in case it does not exist yet. */
export interface Place {
  readonly id: ExternalId;
  readonly row: Omit<ImportRow, 'record'>;
}

type DistrictType = (typeof DISTRICT_TYPES)[number];

function byOcdid(ocdid: string, values: ImportRow['values'], others: readonly ExternalId[] = []): Place {
  const id = { scheme: 'ocdid', value: ocdid };
  return {
    id,
    row: { table: 'districts', ids: [id, ...others], values: { ...values, ocdid }, match: { by: 'district' } },
  };
}

export function statePlace(state: State): Place {
  const { fips, postal, name } = state;
  return byOcdid(stateOcdid(state), { type: 'State', name, state: postal, geo_id: `0400000US${fips}` });
}

/** Returns a district of the House of Representatives; 0 is an at-large state. */
export function congressPlace(state: State, number: number): Place {
  const { record: _, ...row } = congressDistrictRow(state, number, undefined, '');
  return { id: row.ids?.[0] ?? { scheme: 'ocdid', value: '' }, row };
}

/** Returns a name with commas after the words after which another text has them: `Berkshire, Hampden and Franklin`. */
function withCommas(name: string, written: string): string {
  const before = new Set([...written.matchAll(/([\p{L}\p{N}]+),/gu)].map(([, word = '']) => word.toLowerCase()));
  return name
    .split(' ')
    .map((word) => (before.has(word.toLowerCase()) ? `${word},` : word))
    .join(' ');
}

/** Returns the kind of a legislative district in OCD ids; the Council of the District of Columbia has wards. */
function legislativeKind({ postal }: State, chamber: 'Upper' | 'Lower'): string {
  if (chamber === 'Lower') return 'sldl';
  return postal === 'DC' ? 'ward' : 'sldu';
}

const ROMAN = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII'];

/**
 * Returns a district of a state legislature by its code in OCD ids: `1`, `a`, `addison-1`. Codes have no commas: its name has those
 * of `written`. The Senate of Puerto Rico numbers its districts in Roman numerals, and their OCD ids and GEOIDs in digits.
 */
export function legislativePlace(state: State, chamber: 'Upper' | 'Lower', given: string, written?: string): Place {
  const isRoman = state.postal === 'PR' && chamber === 'Upper';
  const code = isRoman && ROMAN.includes(given.toUpperCase()) ? String(ROMAN.indexOf(given.toUpperCase()) + 1) : given;
  const plain = titleCase(code.replaceAll('_', ' ').toUpperCase());
  const shown = isRoman ? (ROMAN[Number(code) - 1] ?? plain) : written ? withCommas(plain, written) : plain;
  const type = `State Legislative (${chamber})`;
  const name = legislativeDistrictName(state, chamber, shown);
  const geo_id = legislativeGeoid(state, chamber, code);
  const values = { type, name, state: state.postal, geo_id };
  const ocdid = `${stateOcdid(state)}/${legislativeKind(state, chamber)}:${code}`;
  return byOcdid(ocdid, values, geo_id ? [districtGeoid(type, geo_id)] : []);
}

/** Returns a county of the closed list. */
export function countyPlace({ postal }: State, { geoid, name, ocdId }: County): Place {
  const values = { type: 'County', name, state: postal, geo_id: `0500000US${geoid}` };
  return byOcdid(ocdId, values, [districtGeoid('County', geoid)]);
}

export function cityPlace(state: State, name: string): Place {
  const values = { type: 'City-town', name: displayName(name.toUpperCase()), state: state.postal };
  return byOcdid(`${stateOcdid(state)}/place:${slug(name)}`, values);
}

/** Returns a district with an OCD id below that of another district. */
export function placeWithin(ocdid: string, type: DistrictType, name: string, state: State): Place {
  return byOcdid(ocdid, { type, name: fullDistrictName(state, type, name), state: state.postal });
}

/** Returns a district that is identified only by its name, type and state. */
export function namedPlace(state: State, type: DistrictType, name: string): Place {
  const id = { scheme: 'district-name', value: `${state.postal} ${type} ${normalName(name)}` };
  return {
    id,
    row: {
      table: 'districts',
      ids: [id],
      values: { type, name: fullDistrictName(state, type, name), state: state.postal },
      match: { by: 'district' },
    },
  };
}

export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_~-]/gu, '')
    .replace(/\s+/g, '_');
}
