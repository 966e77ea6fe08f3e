import { type State, stateOcdid } from '../states.ts';
import type { ContestFacts } from './contest-facts.ts';
import { placeInText, placeOfVotes } from './contest-places.ts';
import {
  branchOf,
  countyOffice,
  houseOffice,
  isCountyOffice,
  legislativeOffice,
  type Office,
  office,
  presidentOffice,
  statewideOffice,
} from './offices.ts';
import { countyOcdid, countyPlace, namedPlace, type Place, placeWithin, slug, statePlace } from './places.ts';
import { titleCase } from './title-case.ts';

/** The office that a contest fills, and the seat if several seats of the office are elected separately. */
export interface ContestOffice {
  readonly office: Office;
  readonly position?: string;
}

/** Marks a contest for the U.S. Senate: only the database shows which seat a special election fills. */
export const SENATE_SEAT = 'the seat of the Senate';

const SEAT =
  /,? ?\b(SEAT|POSITION|POS|DEPARTMENT|DEPT|DIVISION|DIV|PLACE|COURT|NUMBER|NO|NUM)\b\.? ?#?([A-Z]|\d+[A-Z]?(?:-[A-Z])?)$|,? ?#(\d+)$/;
const OF_JUDGES = /\b(JUDGES?|JUSTICES?|COURTS?|MAGISTRATES?|JUDICIAL)\b/;
const OF_APPEALS = /\b(SUPREME|APPEALS?|APPELLATE)\b/;
const PROSECUTES = /\b(DISTRICT|PROSECUTING|COMMONWEALTH'?S|STATE'?S) ATTORNEY\b/;

/**
 * Returns the office of a contest: its name as the source writes it, in the district that the text, the district column
 * or the areas with votes determine; the reason if the district cannot be determined.
 */
export function officeOfContest(facts: ContestFacts): ContestOffice | typeof SENATE_SEAT | string {
  return federalOffice(facts) ?? legislature(facts) ?? stateOffice(facts) ?? localOffice(facts);
}

function federalOffice({
  state,
  office: name,
  district,
}: ContestFacts): ContestOffice | typeof SENATE_SEAT | string | undefined {
  const plain = name.replaceAll('.', '').replace(/^UNITED STATES\b/, 'US');
  if (/^(US )?PRESIDENT\b(?!.*\b(COUNCIL|BOARD|BOROUGH|COMMISSION)\b)/.test(plain))
    return { office: presidentOffice() };
  if (/^US SENAT(E|OR)\b/.test(plain)) return SENATE_SEAT;
  if (!/^US (HOUSE|REPRESENTATIVE|CONGRESS)/.test(plain)) return undefined;
  const number = /^\d*$/.test(district) ? Number(district) : Number.NaN;
  return Number.isInteger(number) ? { office: houseOffice(state, number) } : `the district ${district} is not a number`;
}

/** Returns a seat of the state legislature: a state office whose name contains a chamber, with a district. */
function legislature({
  state,
  office: name,
  district,
  ofState,
  counties,
}: ContestFacts): ContestOffice | string | undefined {
  const isUpper = /\bSENAT(E|OR)\b/.test(name);
  const isLower = /\b(HOUSE|REPRESENTATIVES?|ASSEMBLY(MAN|MEMBER|WOMAN)?|DELEGATES?)\b/.test(name);
  const isStandard =
    /^(STATE (HOUSE|SENATE|SENATOR|REPRESENTATIVE|ASSEMBLY)|HOUSE OF (DELEGATES|REPRESENTATIVES))/.test(name);
  if ((!isUpper && !isLower) || (ofState !== true && !isStandard)) return undefined;
  if (district === '') return isStandard ? 'the source does not name the district' : undefined;
  const chamber = isUpper ? 'Upper' : 'Lower';
  const code = legislativeCode(state, chamber, district, counties.length === 1 ? counties[0]?.name : undefined);
  return code ? { office: legislativeOffice(state, chamber, code) } : `the district ${district} is not known`;
}

function stateOffice(facts: ContestFacts): ContestOffice | undefined {
  const { state, office: name, district, ofState, everywhere } = facts;
  if (ofState === false && !everywhere) return undefined;
  const { title, position } = splitSeat(name);
  const [, whole, rest = ''] = /^(STATEWIDE)?,? ?(.*)$/.exec(district) ?? [];
  const seat = positionOf(rest) ?? position;
  if (whole || everywhere || (ofState && OF_APPEALS.test(name))) {
    const of = statewideOffice(state, title) ?? office(statePlace(state), officeTitle(title), 'State', branchOf(title));
    return { office: of, ...(seat ? { position: seat } : {}) };
  }
  if (!ofState || rest === '') return undefined;
  const [, number, more = ''] = /^(\d+[A-Z]?|[A-Z])(?:, ?(.+))?$/.exec(rest) ?? [];
  if (number === undefined) return undefined;
  const within = stateDivision(state, title, number.toLowerCase());
  const named = positionOf(more) ?? position;
  return {
    office: office(within, officeTitle(title), 'State', branchOf(title)),
    ...(named ? { position: named } : {}),
  };
}

/** Returns the numbered district of a state office. */
function stateDivision(state: State, title: string, number: string): Place {
  const shown = number.toUpperCase();
  const court = /\b(DISTRICT|CIRCUIT|SUPERIOR) COURT\b/.exec(title)?.[1]?.toLowerCase();
  if (court === 'district')
    return placeWithin(
      `${stateOcdid(state)}/district_court:${number}`,
      'Judicial District',
      `Judicial District ${shown}`,
      state,
    );
  if (court) {
    const name = `${titleCase(`${court} COURT`.toUpperCase())} District ${shown}`;
    return placeWithin(`${stateOcdid(state)}/${court}_court:${number}`, 'Judicial District', name, state);
  }
  if (PROSECUTES.test(title)) return namedPlace(state, 'Judicial District', `Prosecutorial District ${shown}`);
  if (OF_JUDGES.test(title)) return namedPlace(state, 'Judicial District', `${officeTitle(title)} District ${shown}`);
  return namedPlace(state, 'State subdivision', `${officeTitle(title)} District ${shown}`);
}

function localOffice(facts: ContestFacts): ContestOffice | string {
  const { state, office: name, district, ofState, counties } = facts;
  const level = ofState ? 'State' : 'Local';
  const { title, position } = splitSeat(name);
  if (PROSECUTES.test(title) && /^\d+[A-Z]?$/.test(district))
    return {
      office: office(stateDivision(state, title, district.toLowerCase()), officeTitle(title), level, 'Executive'),
    };
  const stated = OF_JUDGES.test(title) ? /\bDISTRICT (\d+)\b/.exec(title)?.[1] : undefined;
  const number = stated ?? (facts.isNumberOfState && OF_JUDGES.test(title) ? district : undefined);
  if (number) {
    const of = office(stateDivision(state, title, number.toLowerCase()), officeTitle(title), level, branchOf(title));
    return { office: of, ...(position ? { position } : {}) };
  }
  const found = placeInText({ ...facts, office: title });
  const place =
    found?.place ?? placeOfCountyOffice(facts, title) ?? placeOfVotes(facts) ?? placeOfCounties(facts, title);
  if (!place) return 'the source does not name the district';
  const text = found?.office ?? title;
  const { within, seat } = divisionOf(facts, place, text);
  const known = isOfCounty(within ?? place) ? countyOffice(within ?? place, text) : undefined;
  const of = known ?? office(within ?? place, officeTitle(text), level, branchOf(text));
  const named = [seat, position].filter(Boolean).join(', ');
  if (!found && counties.length === 0 && ofState === false) return 'the source does not name the district';
  return { office: of, ...(named ? { position: named } : {}) };
}

/** Returns the county of an office whose name is that of a county office, even if only one of its towns has votes. */
function placeOfCountyOffice({ state, counties }: ContestFacts, title: string): Place | undefined {
  const [county] = counties;
  if (!county || counties.length > 1 || !(/\bCOUNTY\b/.test(title) || isCountyOffice(title))) return undefined;
  return countyPlace(state, county.name, county.fips);
}

/** Returns the district of several counties that vote together on an office whose text names no district. */
function placeOfCounties({ state, counties }: ContestFacts, title: string): Place | undefined {
  if (counties.length < 2) return undefined;
  const names = counties.map(({ name }) => titleCase(name)).sort();
  const [shown, rest] = names.length > 6 ? [names.slice(0, 5), names.length - 5] : [names, 0];
  const listed = rest > 0 ? `${shown.join(', ')} and ${rest} other counties` : `${shown.join(', ')}`;
  const type = OF_JUDGES.test(title) ? 'Judicial District' : 'State subdivision';
  return namedPlace(state, type, `${officeTitle(title.replace(/ - \d+ +YEAR TERM$/, ''))} District (${listed})`);
}

/** Returns the part of a place, or the seat, that the district column names. */
function divisionOf(
  { state, district, counties }: ContestFacts,
  place: Place,
  text: string,
): { readonly within?: Place; readonly seat?: string } {
  const placeName = String(place.row.values.name ?? '');
  if (district === '' || isNameOf(district, placeName)) return {};
  if (/^(COUNTY|CITY|TOWN)?-? ?AT[- ]LARGE$/.test(district)) return { seat: 'At-large' };
  if (/^STATEWIDE$/.test(district)) return {};
  const [, number = district, more] = /^(\d+[A-Z]?|[A-Z]|[IVX]+)(?:, ?(.+))?$/.exec(district) ?? [];
  const numbered = /^(\d+[A-Z]?|[A-Z])$/.test(number);
  if (SEAT.test(district) && !numbered) return { seat: officeTitle(district) };
  const seat = more === undefined ? undefined : positionOf(more);
  const within = partOf(state, place, text, number, counties[0]?.name);
  return { within, ...(seat ? { seat } : {}) };
}

const HALVES: Readonly<Record<string, string>> = { N: 'Northern', NORTH: 'Northern', S: 'Southern', SOUTH: 'Southern' };

function partOf(state: State, place: Place, text: string, number: string, county: string | undefined): Place {
  const { type, name } = place.row.values;
  const shown = /^\d|^.$/.test(number) ? `District ${number}` : titleCase(number);
  const title = officeTitle(text);
  if (/ TOWNSHIP$/.test(number)) return namedPlace(state, 'County subdivision', titleCase(number));
  if (type === 'County') {
    const half = /\bDEEDS$/.test(text) ? HALVES[number] : undefined;
    if (half) return namedPlace(state, 'County subdivision', `${name} ${half} Registry District`);
    const committee = /\b((?:FINANCE|BUDGET) COMMITTEE)$/.exec(text)?.[1];
    if (committee) return namedPlace(state, 'County subdivision', `${name} ${titleCase(committee)} ${shown}`);
    if (
      /\bCOMMISSION|\bCOUNCIL|\bSUPERVISORS?\b(?!.*\bSOIL\b)/.test(text) &&
      !/\bSOIL|PARK|WATER\b/.test(text) &&
      /^\w+$/.test(number) &&
      county
    )
      return placeWithin(
        `${countyOcdid(state, county)}/council_district:${slug(number)}`,
        'County subdivision',
        `${name} ${/\bCOUNCIL/.test(text) ? 'Council' : 'Commissioner'} ${shown}`,
        state,
      );
    return namedPlace(state, 'County subdivision', `${name} ${title} ${shown}`);
  }
  if (type === 'City-town' && place.id.scheme === 'ocdid' && /\bCOUNCIL|\bALDERM/.test(text) && /^\w+$/.test(number))
    return placeWithin(
      `${place.id.value}/council_district:${slug(number)}`,
      'City-town subdivision',
      `${name} City Council ${shown}`,
      state,
    );
  const named = `${name} ${title.includes(String(name)) ? '' : title} ${shown}`.replace(/\s+/g, ' ');
  if (type === 'School District') return namedPlace(state, 'School district subdivision', `${name}, ${shown}`);
  if (type === 'Special District') return namedPlace(state, 'Special district subdivision', `${name}, ${shown}`);
  if (type === 'State') return namedPlace(state, 'State subdivision', `${title} ${shown}`);
  return namedPlace(state, type === 'Judicial District' ? 'Judicial District' : 'City-town subdivision', named);
}

/** Returns the name of an office in title case, given its name in capitals. */
export function officeTitle(text: string): string {
  return titleCase(text.replace(/\s*\((?:VOTE FOR|ELECT) .*\)$/, '').replace(/^[\s,:-]+|[\s,:-]+$/g, ''));
}

/** Splits `SUPREME COURT JUSTICE, SEAT A` into the office and its seat. */
function splitSeat(name: string): { readonly title: string; readonly position?: string } {
  const found = SEAT.exec(name);
  const title = found ? name.slice(0, found.index).replace(/[\s,:-]+$/, '') : name;
  if (!found || !/[A-Z]{4}/.test(title) || /\b(SCHOOL DISTRICT|SERVICE UNIT|DISTRICT|UNIT)$/.test(title))
    return { title: name };
  const kind = {
    POS: 'Position',
    DEPT: 'Department',
    DIV: 'Division',
    NO: 'Position',
    NUM: 'Position',
    NUMBER: 'Position',
  }[found[1] ?? 'NO'];
  return {
    title,
    position: `${kind ?? titleCase(found[1] ?? '')} ${/^\d+$/.test(found[2] ?? found[3] ?? '') ? Number(found[2] ?? found[3]) : (found[2] ?? found[3])}`,
  };
}

/** Returns the seat that the district column names: `001` is `Position 1`, `COURT 6` stays as written. */
export function positionOf(text: string): string | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  if (/^\d+$/.test(plain)) return `Position ${Number(plain)}`;
  if (/^[A-Z]$/.test(plain)) return `Seat ${plain}`;
  return officeTitle(plain.replace(/\b0+(?=\d)/g, ''));
}

function isOfCounty({ row }: Place): boolean {
  return row.values.type === 'County' || row.values.type === 'County subdivision';
}

function isNameOf(district: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/\b(CITY|TOWN|VILLAGE|TOWNSHIP|COUNTY)\b/g, '')
      .replace(/[^A-Z0-9]/g, '');
  return plain(district) === plain(name) || (plain(district).length > 3 && plain(name).startsWith(plain(district)));
}

/** The abbreviations of counties in the names of Vermont's districts, in the two forms that results use. */
const VERMONT_COUNTIES: Readonly<Record<string, string>> = {
  CHT: 'chittenden',
  ESS: 'essex',
  FRK: 'franklin',
  GRI: 'grand_isle',
  ORG: 'orange',
  WHM: 'windham',
  WND: 'windsor',
  ADD: 'addison',
  BEN: 'bennington',
  CAL: 'caledonia',
  CHI: 'chittenden',
  ESX: 'essex',
  FRA: 'franklin',
  GI: 'grand_isle',
  LAM: 'lamoille',
  ORA: 'orange',
  ORL: 'orleans',
  RUT: 'rutland',
  WAS: 'washington',
  WDH: 'windham',
  WDR: 'windsor',
  CT: 'central',
  N: 'north',
  SE: 'southeast',
};

/**
 * Returns the code of a legislative district in its OCD id. New Hampshire's House numbers its districts within their
 * county; Vermont names districts after counties.
 */
function legislativeCode(
  state: State,
  chamber: 'Upper' | 'Lower',
  district: string,
  county: string | undefined,
): string | undefined {
  if (state.postal === 'NH' && chamber === 'Lower')
    return county ? `${slug(county)}_${district.toLowerCase()}` : undefined;
  if (state.postal !== 'VT') return slug(district);
  const words = district.split(/[ -]/).map((word) => VERMONT_COUNTIES[word] ?? (/^\d+$/.test(word) ? word : undefined));
  if (words.includes(undefined)) return undefined;
  // The file of 2022 numbers Senate districts that have no number.
  return (chamber === 'Upper' ? words.filter((word) => !/^\d+$/.test(word ?? '')) : words).join('-');
}
