import { dictionary } from '../../../base/dictionary.ts';
import { fitsGeoidLevel, shortGeoid, storedGeoid } from '../../../base/words/geoids.ts';
import { type State, stateByFips, stateByPostal, stateOfOcdid } from '../../../base/words/states.ts';
import { districtGeoid, type ExternalId, type ImportRow } from '../../exchange/import-rows.ts';
import { congressDistrictRow, congressNumber } from '../../facts/congress-districts.ts';
import { districtName, nameInCounty, subdivisionName } from '../../facts/district-names.ts';
import { fullDistrictName } from '../../facts/full-names.ts';
import { legislativePlace } from '../../facts/places.ts';
import { censusDistrict } from './census-districts.ts';

/** The names of the properties that describe a district. */
export interface PropertyNames {
  readonly name?: string;
  readonly geoid?: string;
  readonly ocdid?: string;
  readonly state?: string;
  /** The code of the county that contains a county subdivision, without the state. */
  readonly county?: string;
}

type Properties = Readonly<Record<string, unknown>>;
interface Options {
  readonly type?: string;
  readonly properties?: PropertyNames;
  /** The state, if no property states it. */
  readonly state?: string;
}

/** The reason why an area of a file is not a district and is skipped. */
export class NotADistrict {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Returns the row of the district that a Feature describes, or the reason why it cannot be read. Known formats are
 * those of unitedstates/districts (`cds`: `Code`; `states`: `ocdid`) and of the Census (TIGER and cartographic files:
 * `GEOID…`, of any edition); other formats need the names of their properties.
 */
export function describeDistrict(
  properties: Properties,
  record: string,
  options: Options,
): ImportRow | NotADistrict | string {
  const { properties: names } = options;
  if (names) return byNames(properties, record, names, options);
  if (typeof properties.Code === 'string') return byCode(properties.Code, record);
  const session = Object.keys(properties).find((name) => /^CD\d+FP$/.test(name));
  if (session) return byCongress(properties, session, record);
  if (typeof properties.ocdid === 'string') return byOcdid(properties, properties.ocdid, record, options.type);
  const geoid = geoidColumn(properties);
  if (geoid) return byGeoid(properties, geoid, record, options.type);
  return 'the format of its properties is unknown; set their names with --properties';
}

/**
 * Returns the column with the GEOID in a file of the Census, the short one if it has both: `GEOID` and `GEOIDFQ`, from 2014 to 2022
 * `AFFGEOID`, in 2010 `GEO_ID`, each also with the year of the census: `GEOID20`.
 */
function geoidColumn(properties: Properties): string | undefined {
  const columns = Object.keys(properties).filter((name) => /^(AFFGEOID|GEOIDFQ|GEOID|GEO_ID)(\d\d)?$/.test(name));
  return columns.find((name) => /^GEOID(\d\d)?$/.test(name)) ?? columns[0];
}

/** Returns a Congress district by a code such as `AL-01`, `NC-1` or `AK-AL`. */
function byCode(code: string, record: string): ImportRow | string {
  const [, postal = '', digits = ''] = /^([A-Z]{2})-(AL|\d{1,2})$/.exec(code) ?? [];
  const state = stateByPostal(postal);
  const number = congressNumber(digits);
  if (!state || number === undefined) return `Code ${code} is not that of a Congress district`;
  return congressDistrictRow(state, number, undefined, `${record} (${code})`);
}

/** Returns a Congress district of the Census; `ZZ` means waters without a defined district or representative. */
function byCongress(properties: Properties, session: string, record: string): ImportRow | NotADistrict | string {
  const code = text(properties[session]);
  const geoid = text(properties[geoidColumn(properties) ?? '']);
  const short = shortGeoid(geoid);
  const state = stateByFips(short.slice(0, 2));
  if (!state || short.length !== 4 || !fitsGeoidLevel('Congress', geoid))
    return `GEOID ${geoid} is not that of a Congress district`;
  const number = congressNumber(code);
  if (code === 'ZZ') return new NotADistrict(`${code} means waters without a congressional district`);
  if (number === undefined) return `${session} ${code} is not the number of a Congress district`;
  const long = `500${session.slice(-4, -2)}00US${short}`;
  return congressDistrictRow(state, number, long, `${record} (${short})`);
}

/** Chambers by the kind of an OCD id. */
const CHAMBERS: Readonly<Record<string, 'Upper' | 'Lower'>> = dictionary({ sldl: 'Lower', sldu: 'Upper' });

function byOcdid(
  properties: Properties,
  ocdid: string,
  record: string,
  givenType: string | undefined,
): ImportRow | string {
  const state = stateOfOcdid(ocdid);
  if (!state) return `${ocdid} is not the OCD id of a division of a state`;
  const [, division = '', code = ''] = /\/([a-z_]+):([^/:]+)$/.exec(ocdid) ?? [];
  if (division === 'cd') {
    const number = congressNumber(code === 'at-large' ? 'AL' : code);
    if (number !== undefined) return congressDistrictRow(state, number, undefined, `${record} (${ocdid})`);
  }
  const chamber = CHAMBERS[division];
  const type = givenType ?? (chamber && `State Legislative (${chamber})`);
  if (!type) return `the type of the district cannot be derived from ${ocdid}; set it with --type`;
  if (chamber && type === `State Legislative (${chamber})`)
    return { ...legislativePlace(state, chamber, code).row, record: `${record} (${ocdid})` };
  return {
    table: 'districts',
    record: `${record} (${ocdid})`,
    ids: [{ scheme: 'ocdid', value: ocdid }],
    values: {
      type,
      name: fullDistrictName(state, type, corrected(text(properties.name)) || code),
      state: state.postal,
      ocdid,
    },
  };
}

/** Returns the name of a district without the mistake of sources that capitalise by rule: `Warren'S Gore`. */
function corrected(name: string): string {
  return name.replace(/(?<=\p{Ll}['’])S\b/gu, 's');
}

function title(name: string): string {
  return name.replace(/(^|[-\s])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** The functional status of an area that the Census defines for statistics (codes of TIGER/Line, FUNCSTAT). */
const STATISTICAL = 'S';

function byGeoid(
  properties: Properties,
  member: string,
  record: string,
  type: string | undefined,
): ImportRow | NotADistrict | string {
  if (!type) return 'the type of the district is unknown; set it with --type';
  const geoid = text(properties[member]);
  const suffix = /\d*$/.exec(member)?.[0] ?? '';
  if (type === 'City-town' && text(properties[`FUNCSTAT${suffix}`]) === STATISTICAL)
    return new NotADistrict('is a census-designated place: a statistical area without an elected government');
  if (type.startsWith('State Legislative') && geoid.endsWith('ZZZ'))
    return new NotADistrict('ZZZ means waters without a legislative district');
  const name = text(properties[`NAMELSAD${suffix}`]) || text(properties[`NAME${suffix}`]) || text(properties.NAME);
  return describe({ type, geoid, name, record });
}

function byNames(
  properties: Properties,
  record: string,
  names: PropertyNames,
  { type, state }: Options,
): ImportRow | string {
  if (!type) return 'the type of the district is unknown; set it with --type';
  const of = (name: string | undefined) =>
    name !== undefined && Object.hasOwn(properties, name) ? text(properties[name]) : '';
  return describe({
    type,
    record,
    geoid: of(names.geoid),
    name: of(names.name),
    ocdid: of(names.ocdid),
    state: of(names.state) || state,
    county: of(names.county),
  });
}

/** The types whose districts some sources know only by name. */
const MATCHED_BY_NAME = ['City-town', 'School District'];

interface Described {
  readonly type: string;
  readonly record: string;
  readonly geoid: string;
  readonly name: string;
  readonly ocdid?: string;
  readonly state?: string;
  readonly county?: string;
}

function describe(described: Described): ImportRow | string {
  const { type, record, geoid, ocdid, state: given, county } = described;
  const name = corrected(described.name);
  if (!geoid && !ocdid && !(name && given)) return 'has neither a GEOID nor an OCD id, nor a name within a state';
  const short = shortGeoid(geoid);
  const state =
    stateByPostal(given ?? '') ??
    stateByFips(given ?? '') ??
    stateOfOcdid(ocdid ?? '') ??
    stateByFips(short.slice(0, 2));
  if (!state) return `its state is not known (${[geoid, ocdid, given || name].filter(Boolean).join(', ')})`;
  if (ocdid && (type === 'Congress' || type.startsWith('State Legislative'))) {
    const known = byOcdid({ name }, ocdid, record, type);
    if (typeof known !== 'string') return known;
  }
  const known = geoid && censusDistrict(state, type, geoid, name, `${record} (${geoid})`);
  if (known) return known;
  const ids: ExternalId[] = [];
  if (ocdid) ids.push({ scheme: 'ocdid', value: ocdid });
  if (geoid) ids.push(districtGeoid(type, geoid));
  if (ids.length === 0) return byName(type, name, state, county, record);
  const geo_id = geoid && storedGeoid(type, geoid);
  return {
    table: 'districts',
    record: `${record} (${ocdid || geoid})`,
    ids,
    values: { type, name: fullDistrictName(state, type, name), state: state.postal, ocdid, geo_id },
    match: name && MATCHED_BY_NAME.includes(type) ? { by: 'district' } : undefined,
  };
}

/** Returns a district that is identified only by name and type, within its state or county. */
function byName(
  type: string,
  given: string,
  state: State,
  county: string | undefined,
  record: string,
): ImportRow | string {
  // The name of a precinct is often its number: `2A`.
  const name = type !== 'Precinct' && given === given.toUpperCase() ? title(given.toLowerCase()) : given;
  const place = `${record} (${name})`;
  const values = { type, name: fullDistrictName(state, type, name), state: state.postal };
  if (!county)
    return {
      table: 'districts',
      record: place,
      ids: [districtName(state, type, name)],
      values,
      match: { by: 'district' },
    };
  const fips = `${state.fips}${county.padStart(3, '0')}`;
  const id = type === 'County subdivision' ? subdivisionName(fips, name) : nameInCounty(state, type, fips, name);
  return { table: 'districts', record: place, ids: [id], values };
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
