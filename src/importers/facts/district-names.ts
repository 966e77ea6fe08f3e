import { normalName } from '../../base/words/normal-name.ts';
import type { State } from '../../base/words/states.ts';
import type { ExternalId } from '../exchange/import-rows.ts';

/** Returns the external id of a district that is identified by its name, type and state. */
export function districtName({ postal }: State, type: string, name: string): ExternalId {
  return { scheme: 'district-name', value: `${postal} ${type} ${normalName(name)}` };
}

/**
 * Returns the external id of a county subdivision, identified by its name within its county (five digits): `Canaan` and
 * `Canaan town` are the same.
 */
export function subdivisionName(county: string, name: string): ExternalId {
  return { scheme: 'county-subdivision', value: `${county} ${normalName(name).replace(/ town$/, '')}` };
}

/** Returns the external id of another district that is identified by its name within its county (five digits): precincts of two counties may have one name. */
export function nameInCounty({ postal }: State, type: string, county: string, name: string): ExternalId {
  return { scheme: 'county-district', value: `${postal} ${type} ${county} ${normalName(name)}` };
}
