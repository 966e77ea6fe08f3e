import { shortGeoid, storedGeoid } from '../../../base/words/geoids.ts';
import type { State } from '../../../base/words/states.ts';
import { districtGeoid, type ImportRow } from '../../exchange/import-rows.ts';
import { congressDistrictRow, congressNumber } from '../../facts/congress-districts.ts';
import { legislativeDistrictName } from '../../facts/full-names.ts';
import { hasNamedDistricts, legislativeDistrict } from '../../facts/legislative-codes.ts';
import { legislativePlace } from '../../facts/places.ts';

/** What the Census appends to the number or name of a legislative district, which differs between states. */
const DESCRIPTION =
  /\b(state|senate|senatorial|house|assembly|general|legislative|legislature|representative|delegate|delegates|of|district)\b/gi;

/**
 * Returns the row of a district of Congress or of a state legislature by its GEOID, with the OCD id where it follows from
 * the GEOID. Undefined for other types.
 */
export function censusDistrict(
  state: State,
  type: string,
  geoid: string,
  name: string,
  record: string,
): ImportRow | undefined {
  const code = shortGeoid(geoid).slice(2);
  if (type === 'Congress') {
    const number = congressNumber(code);
    return number === undefined ? undefined : congressDistrictRow(state, number, geoid, record);
  }
  const chamber = /^State Legislative \((Upper|Lower)\)$/.exec(type)?.[1] as 'Upper' | 'Lower' | undefined;
  if (!chamber) return undefined;
  const short = code.replace(/^0+(?=.)/, '').toLowerCase();
  // The numbers of the Census do not follow from names.
  const isNamed = hasNamedDistricts(state, chamber);
  if (!isNamed && /^(\d+[a-z]?|[a-z])$/.test(short)) return { ...legislativePlace(state, chamber, short).row, record };
  const geo_id = storedGeoid(type, geoid);
  const shown = name.replace(DESCRIPTION, ' ').replace(/\s+/g, ' ').trim();
  const id = districtGeoid(type, geo_id);
  if (isNamed && shown) {
    const { row } = legislativePlace(state, chamber, legislativeDistrict(state, chamber, shown).code, shown);
    return { ...row, record, ids: [...(row.ids ?? []), id], values: { ...row.values, geo_id } };
  }
  const values = { type, name: legislativeDistrictName(state, chamber, shown || short.toUpperCase()), geo_id };
  return { table: 'districts', record, ids: [id], values: { ...values, state: state.postal } };
}
