import type { State } from '../../base/words/states.ts';
import { districtGeoid } from '../exchange/import-rows.ts';
import type { Area, ContestFacts } from './contest-facts.ts';
import { cityPlace, countyPlace, namedPlace, type Place, statePlace } from './places.ts';
import { titleCase } from './title-case.ts';

/** A district that the text of a contest names, and the text without its name. */
export interface FoundPlace {
  readonly place: Place;
  /** The office without the name of the district, in capitals. */
  readonly office: string;
  /** The part of the district, if the district column names both; empty if it names only the district. */
  readonly part?: string;
  /** True if the text names only the kind of district, and its place is that of the votes: `SCHOOL BOARD`. */
  readonly isAssumed?: boolean;
}

/** Nouns of offices and questions, which mark the end of a place name in a text. */
const NOUN =
  /\b(MAYOR|(?:CITY |TOWN |VILLAGE |COMMON |COMMUNITY )?COUNCIL\w*|ASSEMBLY\w*|ALDER[MPW]\w+|COMMISSION\w*|CLERK|TREASURER|RECORDER|AUDITOR|ASSESSOR|COLLECTOR|CONSTABLE|BOARD|BOE|TRUSTEES?|SELECT(?:MAN|MEN|MEMBER\w*|BOARD)|SUPERVISORS?|DIRECTORS?|MEMBERS?|ATTORNEY|PROSECUT\w+|SOLICITOR|SHERIFF|CORONER|SURVEYOR|MODERATOR|SERGEANT|JUDGES?|JUSTICES?|MAGISTRATES?|COURT|COMMITTEE|PRESIDENT|ADMINISTRATOR|CONTROLLER|COMPTROLLER|BONDS?|LEVY|LEVIES|TAX(?:ES)?|MILL|CHARTER|BALLOT|QUESTION|ADVISORY|REFERENDUM|INITIATIVE|MEASURE|PROPOSITION|PROPOSAL|ORDINANCE|RESOLUTION|AMENDMENTS?|ELECTION|LOCAL|REVENUE|OVERRIDE|GENERAL|SPECIAL|FORM|PROPOSED|RENEWAL|REPLACEMENT|SHALL|BE|TO|FOR|ISSUE|DISTRICT|WARD|PRECINCT|SEAT|POSITION|AT[- ]LARGE|REPRESENTATIVE|MEETING|NON|NONPARTISAN|PARTISAN|UNEXPIRED|\d+[- ]Y(?:EA)?R|TERM|MALT|MIXED|UNFORTIFIED|BEVERAGE|LIQUOR|ALCOHOL|STREET|PUBLIC|TRANSPORTATION|WASTEWATER|WATER|SEWER|STORM|FIRE|POLICE|LIBRARY|PARKS|(?<![A-Z.'] )PARK|PARK(?= (?:BONDS?|LEVY|TAX|IMPROVEMENTS?|MAINTENANCE|DISTRICT|SYSTEM|AND|&))|ROADS?|LAW|NO|NUM|IN)\b|[,:;(]| - |#|\d+(?:ST|ND|RD|TH)\b|\d/;
/** The same, from its `lastIndex` on. */
const NEXT_NOUN = new RegExp(NOUN, 'g');

/** Offices and questions of cities and towns. */
const MUNICIPAL =
  /\b(MAYOR|CITY|TOWN|VILLAGE|BOROUGH|MUNICIPAL|ALDER[MPW]\w+|SELECT(MAN|MEN|MEMBER\w*|BOARD)|COUNCIL(MAN|MEN|MEMBERS?|OR|WOMAN|[ -]AT[ -]LARGE)?)\b/;
const OF_SCHOOLS = /\b(SCHOOLS?|[CU]?ISD|BOARD OF EDUCATION|BOE)\b/;
/** Kinds of special districts by their initials. */
const ACRONYMS = 'MUD|WCID|FWSD|NRD|PUD|SWCD|CDD|ESD|RFPD';
/** Special districts by the noun with which their names end. */
const SPECIAL_NAME = new RegExp(
  String.raw`^(.*?\b(?:DISTRICT(?! (?:COURT|ATTORNEY|JUDGE|CLERK|LEADER|\d|[A-Z]\b))|DIST(?=\.)|AUTHORITY|(?:COMMUNITY |TECHNICAL |JUNIOR |CITY )?COLLEGE(?: OF [A-Z]+(?: [A-Z]+)?)?(?! DISTRICT)|SERVICE UNIT(?: (?:NO\.? ?|#)?\d+)?|TURNPIKE|PORT OF [A-Z]+|(?:WATERSHED|HOSPITAL|LIBRARY|CEMETERY)(?! (?:[A-Z]+ )?DISTRICT)|${ACRONYMS}))(?: NO\.? ?[\dIVX]+)?`,
);
/** What a part of a text must have to name a special district. */
const SPECIAL_NOUN = new RegExp(String.raw`\b(DISTRICT|AUTHORITY|UNIT|COLLEGE|PORT OF|${ACRONYMS})\b`);
/** Texts of questions about what an authority may do, which is no district. */
const NO_AUTHORITY =
  /\b(MUNICIPAL|LOCAL|LEGAL|TAXING|TAX|BORROWING|BONDING|BOND|LICENSING|STATE) AUTHORITY$|^\d+[.)] |;/;
/** Words for what a special district does, and other words of its name that are no name. */
export const PURPOSE =
  /\b(FIRE|WATER|SEWER|SEWERAGE|SANITARY|LAW|ENFORCEMENT|EMERGENCY|COMMUNICATIONS|GRAVITY|EXTENSION|FOREST|PRESERVE|SOLID|WASTE|SANITATION|SOIL|CONSERVATION|IRRIGATION|DRAINAGE|WATERSHED|HOSPITAL|HEALTH|LIBRARY|CEMETERY|PARKS?|RECREATION|POWER|UTILITY|COMMUNITY DEVELOPMENT|MUNICIPAL|CONTROL|TAX|TAXING|NAVIGATION|MANAGEMENT|MEMORIAL|CARE|MEDICAL|LIGHT|IMPROVEMENT|LIGHTING|ROAD|HIGHWAY|TRANSIT|AIRPORT|PORT|FLOOD|LEVEE|MOSQUITO|WEED|AMBULANCE|RESCUE|TV|TELEVISION|RESOURCES?|COLLEGE|SERVICE|REGIONAL|METROPOLITAN|GENERAL|SPECIAL|PUBLIC|RURAL|PROTECTION|AND|&|BOARD|COMMISSIONER|SUPERVISOR|DIRECTOR|TRUSTEE|MEMBER|OF|THE|COUNTY|DISTRICT|AUTHORITY)\b/g;

/** What the text of a contest and the areas with votes say about its district. */
type PlaceFacts = Pick<ContestFacts, 'state' | 'office' | 'district' | 'acronyms' | 'counties' | 'towns'>;

/** Returns the district that the text of a contest, or its district column, names; undefined if it names none. */
export function placeInText(facts: PlaceFacts, isQuestion = false): FoundPlace | undefined {
  const office = facts.office
    .replace(/\s+/g, ' ')
    .replace(
      /\b(SCHOOL|FIRE|WATER|SEWER|HOSPITAL|CEMETERY|PARK|PORT|LIBRARY|UTILITY|PROTECTION) DIST\b(?!\.)/g,
      '$1 DISTRICT',
    )
    .trim();
  return (
    ofKind(facts, office) ??
    schoolDistrict(facts, office, isQuestion) ??
    specialDistrict(facts, office) ??
    namedArea(facts, office, isQuestion)
  );
}

/** Returns whether a text names a city, a school or a special district, in whatever county. */
export function namesDistrict(state: State, office: string, district: string): boolean {
  const facts = { state, office, district, acronyms: [], counties: [], towns: [] };
  const found = placeInText(facts);
  const type = String(found?.place.row.values.type);
  return found?.isAssumed !== true && ['City-town', 'School District', 'Special District'].includes(type);
}

/** `TOWN OF HOPE MILLS CHARTER AMENDMENT` */
function ofKind(facts: PlaceFacts, office: string): FoundPlace | undefined {
  const { state } = facts;
  const county = /\b(COUNTY|PARISH) OF ([A-Z][A-Z.' -]*)/.exec(office);
  const ofCounty = county && areaOf(facts.counties, nameBefore(county[2] ?? ''));
  if (ofCounty)
    return {
      place: countyPlace(state, ofCounty.name, ofCounty.fips),
      office: without(office, `${county?.[1]} OF ${ofCounty.name.toUpperCase()}`),
    };
  if (OF_SCHOOLS.test(office)) return undefined;
  const found = /\b(CITY|TOWN|VILLAGE|BOROUGH|TOWNSHIP) OF ([A-Z][A-Z.' -]*)/.exec(office);
  const before = nameBefore(found?.[2] ?? '');
  // `TOWN OF AMHERST TOWN JUSTICE`, but `CITY OF KANSAS CITY MAYOR`
  const name = found?.[1] === 'CITY' ? before : before.replace(/(?<=.) (TOWN|VILLAGE|BOROUGH|TOWNSHIP)$/, '');
  if (!found || name === '') return undefined;
  return { place: townPlace(facts, name), office: without(office, `${found[1]} OF ${name}`) };
}

function schoolDistrict(facts: PlaceFacts, written: string, isQuestion: boolean): FoundPlace | undefined {
  // A number at the end that the district column has too is that of a part: `PIUTE COUNTY SCHOOL DISTRICT 2` in the district 2.
  const [, body = written, number] = /^(.* SCHOOL DISTRICT) (?:NO\.? ?|#)?0*(\d+)$/.exec(written) ?? [];
  const office = number === facts.district ? body : written;
  const [, inColumn, part = ''] =
    /^(.*\b(?:SCHOOL DISTRICT|SCHOOLS|[CU]?ISD|UNIFIED|REGIONAL)(?: NO\.? ?\d+)?)(?:,? (?:DISTRICT|AREA|ZONE|WARD) (\w+))?$/.exec(
      facts.district,
    ) ?? [];
  if (inColumn && (OF_SCHOOLS.test(office) || /\bGOVERNING BOARD\b/.test(office))) {
    const full = /\b(UNIFIED|REGIONAL)$/.test(inColumn) ? `${inColumn} SCHOOL DISTRICT` : inColumn;
    return { place: namedPlace(facts.state, 'School District', titleCase(full)), office, part };
  }
  if (!OF_SCHOOLS.test(office) || /\b(?:SUPERINTENDENT|SUPT|SUPER)\b|COUNTY SCHOOLS?$/.test(office)) return undefined;
  const { state } = facts;
  const place = (name: string) => namedPlace(state, 'School District', name);
  // `SCHOOL DISTRICT 147 - OTHELLO DIRECTOR`
  const [, code, own, rank = ''] =
    /^SCHOOL DISTRICT (?:NO\.? ?|#)?([A-Z]{0,2}-?\d+[A-Z]?) - ([A-Z][A-Z.' -]*?)(?: (DIRECTORS?|(?:BOARD )?MEMBERS?|TRUSTEES?)\b.*)?$/.exec(
      office,
    ) ?? [];
  if (code && own && !NOUN.test(own))
    return { place: place(titleCase(`${own} SCHOOL DISTRICT ${code}`)), office: `SCHOOL ${rank || 'DIRECTOR'}` };
  // `METROPOLITAN SCHOOL DISTRICT OF WARREN TOWNSHIP`, `MSD OF WARREN TOWNSHIP`, `SCHOOL DISTRICT OF BELOIT`
  const [, kind = '', behind = ''] =
    /\b((?:METROPOLITAN |CONSOLIDATED |UNIFIED |PUBLIC )?SCHOOL DISTRICT|MSD) OF (?:THE )?([A-Z].*)$/.exec(office) ??
    [];
  const of = nameBefore(behind.replace(/ (?:SCHOOLS?|GOVERNING|BOARD|TRUSTEES?|DIRECTORS?|MEMBERS?)\b.*$/, ''));
  if (of !== '' && !/^(CITY|TOWN|VILLAGE|COUNTY|EDUCATION|TRUSTEES|DIRECTORS)\b/.test(of))
    return {
      place: place(titleCase(`${kind.replace('MSD', 'METROPOLITAN SCHOOL DISTRICT')} OF ${of}`)),
      office: without(office, `${kind} OF ${of}`),
    };
  const full =
    /(?:^|, | - |: |\bTHE |\bOF )([A-Z][A-Z0-9.&' -]*? (?:SCHOOL (?:DISTRICT|CORPORATION)|SCHOOLS(?: COMMUNITY DISTRICT)?|[CU]?ISD)(?: (?:NO\.? ?|#|- )?(?:(?:[A-Z]|[A-Z]{1,2}-)?\d+[A-Z]*|ONE|TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE)\b)?)(?![A-Z\d])/.exec(
      withoutRank(office),
    )?.[1];
  if (full && !/^(COUNTY|CITY|PUBLIC|REGIONAL|TOWN) SCHOOL/.test(full)) {
    const name = full
      .replace(/^(?:ISSUE|MEASURE|QUESTION|PROPOSITION|PROPOSAL) (?:\w+ - |\d+ )/, '')
      .replace(/ (?:#|- )(?=[A-Z]?\d)/, ' ');
    return { place: place(titleCase(name)), office };
  }
  const [head = '', ...rest] = office.split(/ - /);
  const tail = rest.join(' - ').split(',')[0]?.trim() ?? '';
  const near = tail !== '' && !/\b(SCHOOL|BOARD|DISTRICT|SEAT|AREA)\b/.test(tail) ? tail : undefined;
  if (near)
    return {
      place: place(titleCase(`${near} School District`.toUpperCase())),
      office: rest.join(' - ') === near ? head : office,
    };
  const named = /^(?:TRUSTEE, )?([A-Z][A-Z.' -]*? (?:COUNTY|CITY))\b(?= .*(?:SCHOOL|EDUCATION))/.exec(office)?.[1];
  if (named) return { place: place(`${titleCase(named)} School District`), office };
  // `SCHOOL BOARD MEMBER (ISD #1)`
  const [, initial, ofInitial] = /\b([IS])SD (?:NO\.? ?|# ?)(\d+)\b/.exec(office) ?? [];
  if (initial)
    return { place: place(`${initial === 'I' ? 'Independent' : 'Special'} School District ${ofInitial}`), office };
  // `SCHOOL DIRECTOR FORT LEBOEUF REGION A`
  const bare = isQuestion ? undefined : bareSchoolName(office, facts);
  if (bare)
    return {
      place: place(titleCase(`${bare.name} SCHOOL DISTRICT`)),
      office: without(office, bare.name),
      part: bare.part,
    };
  const area = facts.towns.length === 1 ? facts.towns[0] : undefined;
  if (area) return { place: place(`${titleCase(area.name)} School District`), office, isAssumed: true };
  const county = facts.counties.length === 1 ? facts.counties[0] : undefined;
  if (!county) return undefined;
  const shown = countyPlace(state, county.name, county.fips).row.values.name;
  return { place: place(`${shown} School District`), office, isAssumed: true };
}

/** Words of the offices of a school district, and of its parts, which are not in its name. */
const OF_SCHOOL_OFFICE =
  /\b(?:(?:REGION|ZONE|AREA|WARD|SUB-?DISTRICT|DISTRICT|DIVISION|SEAT|POSITION|POS|PLACE|POST|TERM|NO|NUMBER)\b\.? ?#?(?:[A-Z]|[IVX]+|\d+[A-Z]?)\b|\d+(?:ST|ND|RD|TH) (?:REGION|ZONE|AREA|WARD|DISTRICT|DIVISION)\b|AT[- ]LARGE|(?:VOTE|ELECT|CHOOSE)\b.*|(?:FULL|UNEXPIRED|PARTIAL|SHORT|LONG)\b|\d+[- ]?(?:YEARS?|YRS?)\b|[#(][^)]*\)?|(?:SCHOOLS?|BOARD|BD|DIRECTORS?|MEMBERS?|MEM|COMMITTEE\w*|COMMISSION\w*|TRUSTEES?|PRESIDENT|CHAIR\w*|OF|FOR|THE|TO|IN|AND|AT|LARGE|EDUCATION|BOE|EDUC?|COUNTY|CO|CITY|TOWN|PUBLIC|LOCAL|STATE|DISTRICT|DIST|REGION|TERM|YEARS?|SEATS?|NON-?PARTISAN|NONPARTISAN|PARTISAN|SPECIAL|GENERAL|ELECTION|INSTRUCTION|CHARTER|INDEPENDENT|SUPERINTENDENT|EACH|WARD|ZONE|AREA|DIVISION|INSIDE|OUTSIDE|BROAD|VACANCY|FILLING)\b|[^A-Z]\d+\b)/g;

/** Returns the name of a school district that a text has without a noun: the words that are not those of the office. */
function bareSchoolName(
  office: string,
  { counties, towns }: PlaceFacts,
): { readonly name: string; readonly part?: string } | undefined {
  const words = office.replace(OF_SCHOOL_OFFICE, '|');
  const names = words.split(/[|,:;()/]| - /).map((each) => each.replace(/^[\s.-]+|[\s.-]+$/g, ''));
  const [name, ...others] = names.filter((each) => /[A-Z]{3}/.test(each));
  if (!name || others.length > 0 || !/^[A-Z][A-Z.' -]+$/.test(name) || !office.includes(name)) return undefined;
  if (areaOf(counties, name) || areaOf(towns, name) || name.split(' ').length > 4) return undefined;
  const part = /\b(REGION [A-Z\d]+)$/.exec(office)?.[1];
  return part ? { name, part } : { name };
}

/** Returns a text without the words for a member of a body at its beginning: `BOARD MEMBER`, `GOVERNING BOARD MEMBER OF THE`. */
function withoutRank(text: string): string {
  const rest = text.replace(
    /^(?:(?:(?:GOVERNING |SCHOOL )?BOARD (?:OF (?:TRUSTEES|DIRECTORS|EDUCATION) )?(?:MEMBERS?|TRUSTEES?|DIRECTORS?)|(?:MEMBERS?|TRUSTEES?|DIRECTORS?)(?: (?:OF|FOR)(?: THE)? (?:GOVERNING )?BOARD(?: OF (?:TRUSTEES|DIRECTORS|EDUCATION))?)?)(?:,| OF| FOR)?(?: THE)? )+/,
    '',
  );
  return /[A-Z]{3}/.test(rest.replace(PURPOSE, '').replace(/\bSCHOOLS?\b/g, '')) ? rest : text;
}

const OF_DIRECTOR =
  /^(?:DIRECTORS?(?:,| -| OF)? (?:THE )?(?<of>[A-Z][A-Z&' -]*?)|(?<body>[A-Z][A-Z&' -]*?) (?:BOARD (?:OF )?)?DIRECTORS?)(?:,? (?<part>(?:WARD|DISTRICT|ZONE|AREA|DIVISION) \w+))?$/;

/** A purpose, a title and the name of a district: `SOIL AND WATER CONSERVATION DIRECTOR - LAKE PLAINS DISTRICT`. */
const OF_PURPOSE =
  /^([A-Z &]+?) (?:DIRECTORS?|SUPERVISORS?|COMMISSIONERS?|TRUSTEES?|BOARD MEMBERS?),? (?:- )?([A-Z][A-Z .'-]+) DISTRICT$/;

function specialDistrict(facts: PlaceFacts, office: string): FoundPlace | undefined {
  const { state, district, counties } = facts;
  // `FIRE PROTECTION DISTRICT 5 COMMISSIONER`
  const numbered =
    /^(?:[A-Z'.&]+ )*?(?:FIRE|WATER|SEWER|SANITARY|HOSPITAL|PARKS?|CEMETERY|DRAINAGE|IRRIGATION|UTILITY|LIBRARY|PORT)(?: [A-Z&]+)* DISTRICT(?: NO\.?)? ?#?\d+\b/.exec(
      office,
    )?.[0];
  if (numbered) {
    const isNamed = numbered.replace(PURPOSE, '').replace(/[\d#. ]+|\bNO\b/g, '') !== '';
    const shown = titleCase(`${isNamed ? '' : (counties[0]?.name ?? '')} ${numbered}`.trim().toUpperCase());
    return { place: namedPlace(state, 'Special District', shown), office };
  }
  // `BART DIRECTOR`, `DIRECTOR, AC TRANSIT WARD 4`: districts of several counties that are named by initials, or for transit
  const ofBody = OF_DIRECTOR.exec(office)?.groups;
  const body = ofBody?.of ?? ofBody?.body;
  if (body && (/.\bTRANSIT(?: (?:AGENCY|AUTHORITY|SYSTEM))?$/.test(body) || facts.acronyms.includes(body)))
    return {
      place: namedPlace(state, 'Special District', titleCase(body)),
      office: ofBody?.part ? office.slice(0, office.length - ofBody.part.length).replace(/[\s,-]+$/, '') : office,
      ...(ofBody?.part ? { part: ofBody.part } : {}),
    };
  // `OTHELLO PARK AND RECREATION 1 COMMISSIONER`
  const parks = /^((?:[A-Z.']+ )+?)PARKS? (?:AND|&) REC(?:REATION)? (?:NO\.? ?|#)?(\d+)\b/.exec(office);
  if (parks)
    return {
      place: namedPlace(state, 'Special District', titleCase(`${parks[1]}PARK AND RECREATION DISTRICT ${parks[2]}`)),
      office,
    };
  const texts = office.split(/ - |, (?=[A-Z])/);
  const text = OF_PURPOSE.test(office)
    ? office
    : texts.find((part) => SPECIAL_NAME.test(part) && SPECIAL_NOUN.test(part));
  const name = text && SPECIAL_NAME.exec(withoutRank(text).replace(/^(?:ISSUE|MEASURE|QUESTION) \d+ /, ''))?.[0];
  if (
    !name ||
    /^(DISTRICT|AUTHORITY|COLLEGE|UNIT|(DISTRICT )?LIBRARY|HOSPITAL|CEMETERY)$/.test(name) ||
    NO_AUTHORITY.test(name) ||
    isNamedPart(name) ||
    /^((?:NORTH|SOUTH|EAST|WEST)(?:ERN)?|CENTRAL|MIDDLE) DISTRICT$/.test(name) ||
    /\b(COUNTY (?:COMMISSION|COUNCIL)\w* DISTRICT|(?:COUNCIL|COMMISSION\w*|CLERK OF THE|JUDICIAL|LEGISLATIVE|CONGRESSIONAL|SENATE|HOUSE) DISTRICT)$/.test(
      name,
    )
  )
    return undefined;
  const [, purpose, place] = OF_PURPOSE.exec(name) ?? [];
  if (purpose && place && purpose.replace(PURPOSE, '').trim() === '')
    return { place: namedPlace(state, 'Special District', titleCase(`${place} ${purpose} DISTRICT`)), office };
  const own = name.replace(PURPOSE, '').trim() !== '';
  const where = own ? '' : /^[A-Z .'-]+$/.test(district) && district.length > 2 ? district : (counties[0]?.name ?? '');
  const shown = titleCase(`${where} ${name}`.trim().toUpperCase());
  return { place: namedPlace(state, 'Special District', shown), office, ...(own ? {} : { isAssumed: true }) };
}

/** Returns whether a text is an office of a county and the name of its district: `COUNTY COMMISSIONER CHARLES TOWN DISTRICT`. */
function isNamedPart(text: string): boolean {
  const [, name, second] =
    /^(?:COUNTY )?(?:COMMISSIONER|SUPERVISOR|MAGISTRATE|CONSTABLE|JUDGE|ASSESSOR) ([A-Z]+( [A-Z]+)?) DISTRICT$/.exec(
      text,
    ) ?? [];
  return name !== undefined && (second === undefined || name.search(PURPOSE) < 0);
}

/** `MAYOR - ARCHDALE`, `SCHOOL COMMITTEE - BARRINGTON`, `MAYOR CHARLESTON`, `RENO CITY ATTORNEY`, `KAUAI: TERM LIMITS` */
function namedArea(facts: PlaceFacts, office: string, isQuestion: boolean): FoundPlace | undefined {
  const { state, counties, towns, district } = facts;
  // A text that lists several of the counties with votes names none of them alone.
  const isOnly = (one: Area) =>
    counties.every((each) => each === one || !new RegExp(`\\b${escaped(each.name.toUpperCase())}\\b`).test(office));
  const parts = office.split(/ - |, |: |[()]/).map((part) => part.trim());
  for (const part of parts) {
    const town = areaOf(towns, part.replace(/ (CITY|TOWN)$/, ''));
    if (town) return { place: townPlace(facts, town.name), office: without(office, part) };
    const county = areaOf(counties, part.replace(/ (COUNTY|CO\.?)$/, ''));
    if (county && isOnly(county) && (/ (COUNTY|CO\.?)$/.test(part) || !MUNICIPAL.test(office)))
      return { place: countyPlace(state, county.name, county.fips), office: without(office, part) };
  }
  const township = isQuestion ? undefined : townshipIn(parts, office, district, counties);
  if (township)
    return {
      place: namedPlace(state, 'County subdivision', township.name),
      office: township.text ? without(office, township.text) : office,
      ...(township.part === undefined ? {} : { part: township.part }),
    };
  // `CITY QUESTION 1 (BLOOMINGTON)`
  const inParentheses = isQuestion
    ? /^(?:CITY|TOWN|VILLAGE)\b[^()]*\(([A-Z][A-Z.' -]+)\)$/.exec(office)?.[1]
    : undefined;
  if (inParentheses && !NOUN.test(inParentheses)) return { place: townPlace(facts, inParentheses), office };
  if (!isQuestion && MUNICIPAL.test(office) && !/\b(COUNTY|PARISH|MUNICIPIO)\b/.test(office)) {
    const last = parts.at(-1) ?? '';
    if (parts.length > 1 && last !== '' && !NOUN.test(last))
      return { place: townPlace(facts, last), office: without(office, last) };
    const left = plainName(
      office
        .replace(new RegExp(NOUN, 'g'), ' | ')
        .split('|')
        .find((each) => plainName(each) !== '') ?? '',
    );
    if (left !== '' && towns.length !== 1) return { place: townPlace(facts, left), office: without(office, left) };
    if (/^[A-Z][A-Z .'-]{2,}$/.test(district) && !NOUN.test(district))
      return { place: townPlace(facts, plainName(district) || district), office };
  }
  const county = counties.find(
    ({ name }) => office.includes(`${name} CO`) && new RegExp(`\\b${escaped(name)} (COUNTY|CO\\.)`).test(office),
  );
  return county && { place: countyPlace(state, county.name, county.fips), office };
}

const OF_TOWNSHIP =
  '(?:SUPERVISORS?|AUDITORS?|ASSESSOR|CLERK|TREASURER|COLLECTOR|CONSTABLE|COMMISSIONERS?|TRUSTEES?|BOARD(?: MEMBERS?)?|FISCAL OFFICER)';
const TOWNSHIP = String.raw`([A-Z][A-Z.' -]*? (?:TOWNSHIP|TWP))\b`;
/** `SUPERVISOR MILLCREEK TOWNSHIP` */
const TOWNSHIP_AFTER_OFFICE = new RegExp(String.raw`\b${OF_TOWNSHIP},? ${TOWNSHIP}`);
/** `MILLCREEK TOWNSHIP SUPERVISOR` */
const TOWNSHIP_BEFORE_OFFICE = new RegExp(String.raw`^${TOWNSHIP} ${OF_TOWNSHIP}\b`);
/** `TOWNSHIP TRUSTEE WASHINGTON` */
const NAME_AFTER_OFFICE = new RegExp(`^TOWNSHIP ${OF_TOWNSHIP} ([A-Z][A-Z.' -]+)$`);

/**
 * Returns the township that a text names, with its county, because many counties have one of the name: `TAX COLLECTOR, PENN
 * TOWNSHIP`, `TOWNSHIP SUPERVISOR - PENN`.
 */
function townshipIn(
  parts: readonly string[],
  office: string,
  district: string,
  counties: readonly Area[],
): { readonly name: string; readonly text: string; readonly part?: string } | undefined {
  const [county] = counties;
  if (!county || counties.length > 1) return undefined;
  const named = parts
    .slice(1)
    .find((part) => /^[A-Z][A-Z .'-]* (TOWNSHIP|TWP\.?)$/.test(part) && !NOUN.test(part.replace(CHARTER, ' ')));
  const last = parts.at(-1) ?? '';
  const isName = /^[A-Z][A-Z .'-]+$/.test(district) && !NOUN.test(district);
  if (isName && (/ TOWNSHIP$/.test(district) || /^TOWNSHIP\b/.test(office)) && !/\bMAYOR\b/.test(office))
    return { name: townshipName(district, county.name), text: '', part: '' };
  const within = (TOWNSHIP_AFTER_OFFICE.exec(office) ?? TOWNSHIP_BEFORE_OFFICE.exec(office))?.[1];
  if (within && !NOUN.test(within.replace(CHARTER, ' ')) && !/^(THE|A|OF|CIVIL|CHARTER) /.test(within))
    return { name: townshipName(within, county.name), text: within };
  const after = NAME_AFTER_OFFICE.exec(office)?.[1];
  const text =
    named ??
    (after && !NOUN.test(after) ? after : undefined) ??
    (/^TOWNSHIP\b/.test(office) && parts.length > 1 && last !== '' && !NOUN.test(last) ? last : undefined);
  if (!text) return undefined;
  return { name: townshipName(text, county.name), text };
}

/** A word of the kind of a township, which not all sources write: `GAINES CHARTER TOWNSHIP`. */
const CHARTER = / CHARTER(?= (?:TOWNSHIP|TWP))/;

function townshipName(text: string, county: string): string {
  const own = titleCase(text.replace(CHARTER, '').replace(/ (TOWNSHIP|TWP\.?)$/, ''));
  return `${own} Township, ${titleCase(county.toUpperCase().replace(/ COUNTY$/, ''))} County`;
}

/** Returns the place of a contest whose text does not name one: the only town or county with votes, or the state. */
export function placeOfVotes({
  state,
  counties,
  towns,
  everywhere,
  ofState,
  district,
}: ContestFacts): Place | undefined {
  const area = areaOf(counties, district.replace(/ COUNTY$/, ''));
  if (area) return countyPlace(state, area.name, area.fips);
  if (everywhere || (counties.length === 0 && ofState !== false)) return statePlace(state);
  const [town] = towns;
  const [county] = counties;
  if (town && towns.length === 1) return townArea(state, town);
  return county && counties.length === 1 ? countyPlace(state, county.name, county.fips) : undefined;
}

/** Returns the Census town if the results have its GEOID, otherwise the city of that name. */
function townPlace({ state, towns }: PlaceFacts, name: string): Place {
  const town = areaOf(towns, name);
  return town ? townArea(state, town) : cityPlace(state, titleCase(name));
}

function townArea(state: ContestFacts['state'], { name, fips }: Area): Place {
  if (!/^\d{10}$/.test(fips)) return namedPlace(state, 'County subdivision', titleCase(name));
  const geoid = districtGeoid('County subdivision', fips);
  const { id, row } = namedPlace(state, 'County subdivision', titleCase(name));
  const values = { ...row.values, geo_id: `0600000US${fips}` };
  return { id: geoid, row: { ...row, ids: [geoid, id], values } };
}

function areaOf(areas: readonly Area[], name: string): Area | undefined {
  const plain = (text: string) => text.toUpperCase().replace(/[^A-Z]/g, '');
  const wanted = plain(name);
  return wanted === '' ? undefined : areas.find((area) => plain(area.name) === wanted);
}

/** Returns the name at the beginning of a text, before the first noun: `COUNCIL BLUFFS` of `COUNCIL BLUFFS MAYOR`. */
function nameBefore(text: string): string {
  const [first = ''] = /^[A-Z.'-]+/.exec(text) ?? [];
  NEXT_NOUN.lastIndex = first.length;
  const end = NEXT_NOUN.exec(text)?.index ?? text.length;
  return text
    .slice(0, end)
    .replace(/\b(AND|THE|OF|A)\s*$/, '')
    .replace(/[\s.,-]+$/, '')
    .trim();
}

function plainName(text: string): string {
  return text
    .replace(/\b(CITY|TOWN|VILLAGE|BOROUGH|MUNICIPAL|METRO|METROPOLITAN|OF|THE|AND|FOR|A)\b/g, ' ')
    .replace(/[^A-Z.' -]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ -]+|[ -]+$/g, '');
}

/** Returns a text without a place name and its separators; the whole text if nothing else is in it. */
function without(text: string, name: string): string {
  const rest = text
    .replace(name, ' ')
    .replace(/\(\s*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:-]+|[\s,:-]+$/g, '')
    .replace(/ (OF|FOR|IN)( THE)?$/, '')
    .replace(/ - ?- /g, ' - ');
  return /[A-Z]{3}/.test(rest) ? rest : text;
}

/** Returns a name as a part of a pattern. `RegExp.escape` needs Node 24, and the service runs on 22 too. */
export function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
