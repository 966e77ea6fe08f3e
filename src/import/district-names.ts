import type { ExternalId } from './import-rows.ts';
import { normalName } from './matching.ts';
import type { State } from './states.ts';

/** A district by its name within its state and type. */
export function districtName({ postal }: State, type: string, name: string): ExternalId {
  return { scheme: 'district-name', value: `${postal} ${type} ${normalName(name)}` };
}

/** A county subdivision by its name within its county (five digits): `Canaan`, as well as `Canaan town`. */
export function subdivisionName(county: string, name: string): ExternalId {
  return { scheme: 'county-subdivision', value: `${county} ${normalName(name).replace(/ town$/, '')}` };
}
