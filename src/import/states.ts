import { districtGeoid, type ImportRow } from './import-rows.ts';

/** A state, the District of Columbia or a territory, with its codes of the Census and the Postal Service. */
export interface State {
  /** Two digits (ANSI INCITS 38). */
  readonly fips: string;
  readonly postal: string;
  readonly name: string;
  readonly kind: 'state' | 'district' | 'territory';
}

const CODES = `
01 AL Alabama|02 AK Alaska|04 AZ Arizona|05 AR Arkansas|06 CA California|08 CO Colorado|09 CT Connecticut|10 DE Delaware
11 DC District of Columbia|12 FL Florida|13 GA Georgia|15 HI Hawaii|16 ID Idaho|17 IL Illinois|18 IN Indiana|19 IA Iowa
20 KS Kansas|21 KY Kentucky|22 LA Louisiana|23 ME Maine|24 MD Maryland|25 MA Massachusetts|26 MI Michigan
27 MN Minnesota|28 MS Mississippi|29 MO Missouri|30 MT Montana|31 NE Nebraska|32 NV Nevada|33 NH New Hampshire
34 NJ New Jersey|35 NM New Mexico|36 NY New York|37 NC North Carolina|38 ND North Dakota|39 OH Ohio|40 OK Oklahoma
41 OR Oregon|42 PA Pennsylvania|44 RI Rhode Island|45 SC South Carolina|46 SD South Dakota|47 TN Tennessee|48 TX Texas
49 UT Utah|50 VT Vermont|51 VA Virginia|53 WA Washington|54 WV West Virginia|55 WI Wisconsin|56 WY Wyoming
60 AS American Samoa|66 GU Guam|69 MP Northern Mariana Islands|72 PR Puerto Rico
78 VI U.S. Virgin Islands`;

/** The 50 states, the District of Columbia and the five inhabited territories, by FIPS code. */
export const STATES: readonly State[] = CODES.trim()
  .split(/[|\n]/)
  .map((entry) => {
    const [fips = '', postal = '', ...name] = entry.split(' ');
    const kind = postal === 'DC' ? 'district' : fips >= '60' ? 'territory' : 'state';
    return { fips, postal, name: name.join(' '), kind };
  });

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

/** Returns the state of an OCD id below `country:us`; undefined if there is none. */
export function stateOfOcdid(ocdid: string): State | undefined {
  const postal = /^ocd-division\/country:us\/(?:state|district|territory):([a-z]{2})(?:\/|$)/.exec(ocdid)?.[1];
  return postal ? stateByPostal(postal) : undefined;
}
