import { readTable } from './read-table.ts';

/** A state, the District of Columbia or a territory, with its codes of the Census and the Postal Service. */
export interface State {
  /** Two digits (ANSI INCITS 38). */
  readonly fips: string;
  readonly postal: string;
  readonly name: string;
  readonly kind: 'state' | 'district' | 'territory';
}

/** The 50 states, the District of Columbia and the five inhabited territories, by FIPS code. */
export const STATES: readonly State[] = readTable<'fips' | 'postal' | 'name'>('states', import.meta.url).map(
  (state) => {
    const kind = state.postal === 'DC' ? 'district' : state.fips >= '60' ? 'territory' : 'state';
    return { ...state, kind };
  },
);

/** The time zone of each state in which its day ends last, by its postal abbreviation. `tz` is the IANA time zone database, at 907241e5. */
export const LAST_TIME_ZONES: ReadonlyMap<string, string> = new Map(
  readTable<'zone' | 'states' | 'source'>('last-time-zones', import.meta.url).flatMap(({ zone, states }) =>
    states.split(' ').map((state) => [state, zone] as const),
  ),
);

const byFips = new Map(STATES.map((state) => [state.fips, state]));
const byPostal = new Map(STATES.map((state) => [state.postal, state]));

export function stateByFips(fips: string): State | undefined {
  return byFips.get(fips);
}

export function stateByPostal(postal: string): State | undefined {
  return byPostal.get(postal.toUpperCase());
}

/** Returns the OCD id of a state: `ocd-division/country:us/state:vt`, `…/district:dc`, `…/territory:pr`. */
export function stateOcdid({ kind, postal }: State): string {
  return `ocd-division/country:us/${kind}:${postal.toLowerCase()}`;
}

/** Returns the state of an OCD id below `country:us`; undefined if there is none. */
export function stateOfOcdid(ocdid: string): State | undefined {
  const postal = /^ocd-division\/country:us\/(?:state|district|territory):([a-z]{2})(?:\/|$)/.exec(ocdid)?.[1];
  return postal ? stateByPostal(postal) : undefined;
}
