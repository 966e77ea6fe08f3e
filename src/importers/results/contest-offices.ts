import { normalName } from '../../base/words/normal-name.ts';
import { type State, stateByPostal, stateOcdid } from '../../base/words/states.ts';
import type { ScopeBasis } from '../../store/sql/tables.ts';
import type { Reason } from '../exchange/report-kinds.ts';
import { chamberName } from '../facts/chambers.ts';
import { houseSeats } from '../facts/house-seats.ts';
import type { Area, ContestFacts } from './contest-facts.ts';
import { divisionOf } from './contest-parts.ts';
import { placeInText, placeOfVotes } from './contest-places.ts';
import { contradictionOf } from './contradictions.ts';
import { legislativeCode, seatOfDistrict } from './legislative-codes.ts';
import { officeTitle, positionOf, splitSeat } from './office-titles.ts';
import {
  branchOf,
  countyOffice,
  houseOffice,
  isCountyOffice,
  isHigherCourt,
  isOfEachCounty,
  isStatewideName,
  JUDGES,
  legislativeOffice,
  type Office,
  office,
  presidentOffice,
  statewideOffice,
} from './offices.ts';
import { countyPlace, legislativePlace, namedPlace, type Place, placeWithin, statePlace } from './places.ts';
import { separateDistrict } from './stated-districts.ts';
import { titleCase } from './title-case.ts';

/** The office that a contest fills, and the seat if several seats of the office are elected separately. */
export interface ContestOffice {
  readonly office: Office;
  readonly position?: string;
  /** What shows that the district of the office votes on the contest. */
  readonly basis: ScopeBasis;
  /** How the district column contradicts the text of the office; undefined for most. */
  readonly contradiction?: string;
}

/** Marks a contest for the U.S. Senate: only the database shows which seat a special election fills. */
export const SENATE_SEAT = 'the seat of the Senate';

const OF_JUDGES = new RegExp(String.raw`\b(${JUDGES}|(?<!\b(?:QUORUM|LEVY|FISCAL) )COURTS?|JUDICIAL)\b`);
const OF_APPEALS = /\b(SUPREME|APPEALS?|APPELLATE)\b/;
/** An office of a part of a state, whichever it is. */
const OF_PART = /\b(BOROUGH|CITY|TOWN|TOWNSHIP|VILLAGE|COUNTY|PARISH|PRECINCT|WARD)\b/;
/** `NORTHERN`, `BERKSHIRE DISTRICT` */
const NAMED_DISTRICT =
  /^(?:(?:NORTH|SOUTH|EAST|WEST)(?:ERN)?|CENTRAL|MIDDLE)$|^(?!.*\b(?:COUNTY|SCHOOL|FIRE|WATER)\b)[A-Z][A-Z &'-]* (?:DISTRICT|CIRCUIT|DIVISION)$/;
/** `10`, `10, DEPT 3`, `JUDICIAL DISTRICT 10` */
const COURT_DISTRICT =
  /^(?:(?:JUDICIAL |APPELLATE |SUPREME COURT |CONGRESSIONAL )?(?:DISTRICT|DEPARTMENT|CIRCUIT|DIST\.?|JD) ?0*)?(\d+(?:[A-Z]|-\d+)?)(?:, ?(.+))?$/;
const PROSECUTES = /\b(DISTRICT|PROSECUTING|COMMONWEALTH'?S|STATE(?:'?S)?) ATTORNEY\b/;

/**
 * Returns the office of a contest: its name as the source writes it, in the district that the text, the district column
 * or the areas with votes determine; the reason if the district cannot be determined.
 */
export function officeOfContest(stated: ContestFacts): ContestOffice | typeof SENATE_SEAT | Reason | string {
  if (stated.office.trim() === '') return 'the source does not name the office';
  if (stated.ofState === null && /^(SENATOR|REPRESENTATIVE)$/.test(stated.office) && /^\d*$/.test(stated.district))
    return 'the source does not say whether the office is in Congress or in the legislature of the state';
  const facts = separateDistrict(stated);
  if (mayBeSeat(stated, facts)) return 'the source does not say whether the number is that of a district or of a seat';
  if (mayBeOfState(facts)) return 'the source does not say whether the state or the county elects it';
  const found =
    federalOffice(facts) ?? legislature(facts) ?? judicialDistrict(facts) ?? stateOffice(facts) ?? localOffice(facts);
  if (typeof found === 'string' || 'reason' in found) return found;
  const contradiction = found.contradiction ?? contradictionOf(stated);
  const of = contradiction ? { ...found, contradiction } : found;
  if (!facts.isNumberRepeated || !isNumberedByState(of.office)) return of;
  return { ...of, office: inCounties(of.office, facts.counties), basis: 'Same candidates' };
}

/** Returns whether an office is of a district with a number that a state assigns, not a county. */
function isNumberedByState({ place, values }: Office): boolean {
  const { type, name } = place.row.values;
  const isOfPart = type === 'Judicial District' || type === 'State subdivision';
  return isOfPart && values.chamber === undefined && / \d+[A-Z]?$/.test(String(name)) && !String(name).includes('(');
}

/** Returns the office of a district that shares its number with others, told apart by its counties. */
function inCounties(of: Office, counties: readonly Area[]): Office {
  const { type, name, state: postal } = of.place.row.values;
  const state = stateByPostal(String(postal));
  if (!state || counties.length === 0) return of;
  const place = namedPlace(
    state,
    type === 'Judicial District' ? type : 'State subdivision',
    `${name} (${listOf(counties)})`,
  );
  return { ...of, id: { ...of.id, value: `${place.id.value} ${normalName(String(of.values.name))}` }, place };
}

/** Returns the names of counties in order, the first ones of many. */
function listOf(counties: readonly Area[]): string {
  const names = counties.map(({ name }) => titleCase(name)).sort();
  return names.length > 6 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} other counties` : names.join(', ');
}

const HIGHEST =
  'the district column names a part of the state, and the office is of the highest court: a judge of the part is stored';

/** Returns the judge of a judicial district that the district column names, whatever court of the whole state the text names. */
function judicialDistrict(facts: ContestFacts): ContestOffice | undefined {
  const { state, office: name, district } = facts;
  const { title } = splitSeat(name);
  if (!/ JUDICIAL (DISTRICT|CIRCUIT)$/.test(district) || !/\bSUPREME COURT\b/.test(title) || state.postal === 'NY')
    return undefined;
  const shown = titleCase(district);
  const place = namedPlace(state, 'Judicial District', shown);
  const of = office(place, `Judge of the ${shown}`, 'State', 'Judicial');
  return { office: of, basis: 'Stated', contradiction: HIGHEST };
}

/** Returns whether the number of a judge of a highest court, in the files of some counties, may be that of a seat. */
function mayBeSeat({ district, office: name, isPartial, ofState, isSeatNumber }: ContestFacts, facts: ContestFacts) {
  const isUnchanged = facts.district === district && facts.office === name;
  const isOfHighest = /\b(SUPREME COURT|COURT OF CRIMINAL APPEALS?)\b/.test(name) && isHigherCourt(name, facts.state);
  return isPartial && ofState === null && /^\d+$/.test(district) && isUnchanged && isOfHighest && !isSeatNumber;
}

/** Titles that both a state and a county may have. */
const OF_STATE_OR_COUNTY =
  /^(TREASURER|AUDITOR|CONTROLLER|COMPTROLLER|(SUPERINTENDENT OF )?PUBLIC INSTRUCTION|SUPERINTENDENT|LAND COMMISSIONER|(CHIEF|ASSOCIATE) JUSTICE|COMMISSIONER OF (?!(THE )?REVENUE|ROADS)[A-Z &]+)$/;

/**
 * Returns whether the title alone does not show if the state or the county elects an office, in the files of some counties: the
 * state elects its officers too, and the other offices in the files do not show it.
 */
function mayBeOfState({ state, office: name, district, isPartial, ofState, plainTitles }: ContestFacts): boolean {
  const { title } = splitSeat(name);
  const isAmbiguous = isPartial && ofState === null && district === '' && OF_STATE_OR_COUNTY.test(title);
  return isAmbiguous && plainTitles === 'unknown' && !isStatewideName(title, state);
}

function federalOffice({
  state,
  office: name,
  district,
  date,
  special,
}: ContestFacts): ContestOffice | typeof SENATE_SEAT | Reason | string | undefined {
  const plain = name.replaceAll('.', '').replace(/^UNITED STATES\b/, 'US');
  if (/^(US )?PRESIDENT\b(?!.*\b(COUNCIL|BOARD|BOROUGH|COMMISSION)\b)/.test(plain))
    return { office: presidentOffice(), basis: 'Law' };
  const isState = state.kind === 'state';
  if (isState && /^US SENAT(E|OR)\b/.test(plain)) return SENATE_SEAT;
  // The District of Columbia also elects a senator and a representative without a seat in Congress.
  const isHouse = isState ? /^US (HOUSE|REPRESENTATIVE|CONGRESS)/ : /^US (HOUSE|CONGRESS)|^(DELEGATE TO|RESIDENT COMM)/;
  if (!isHouse.test(plain)) return undefined;
  const number = /^(\d*|STATEWIDE|AT[- ]LARGE)$/.test(district) ? Number(/^\d*/.exec(district)?.[0]) : Number.NaN;
  if (!Number.isInteger(number)) return `the district ${district} is not a number`;
  const seats = isState ? seatsAfter(state, date, special) : 1;
  if (seats === 1 && number <= 1) return { office: houseOffice(state, 0), basis: 'Law' };
  if (seats !== undefined && number === 0) return 'the source does not name the district';
  if (seats !== undefined && number > seats)
    return {
      kind: 'districts-without-a-seat',
      reason: `the state has ${seats} districts of Congress, but no district ${number}`,
    };
  return { office: houseOffice(state, number), basis: number === 0 ? 'Law' : 'Stated' };
}

/** Returns the number of seats of a state in the Congress that an election fills; undefined if it is not known. */
function seatsAfter({ postal }: State, date: string, special: boolean): number | undefined {
  return houseSeats(postal, special ? date : `${Number(date.slice(0, 4)) + 1}-01-03`);
}

/** The names of seats of legislatures, which no local office has. */
export const STANDARD_NAME =
  /^(MEMBER,? (OF )?(THE )?)?(STATE (HOUSE|SENATE|SENATOR|REPRESENTATIVE|DELEGATE|ASSEMBLY)|HOUSE OF (DELEGATES|REPRESENTATIVES)|SENATE OF|GENERAL ASSEMBLY|(REPRESENTATIVE|SENATOR) IN (THE )?GENERAL (ASSEMBLY|COURT))|^MEMBER,? OF (THE )?(ASSEMBLY|SENATE)$|^(HOUSE|SENATE)$/;

function hasAssembly(state: State): boolean {
  return chamberName(state, 'Lower').endsWith('Assembly');
}

/** Returns a seat of the state legislature: a state office whose name contains a chamber, with a district. */
function legislature({
  state,
  office: name,
  district,
  ofState,
  counties,
}: ContestFacts): ContestOffice | string | undefined {
  if (state.kind === 'district') return councilOfDistrict(state, name, district);
  const isSingle = chamberName(state, 'Upper') === 'Legislature' && /\bLEGISLAT(URE|OR)\b/.test(name);
  const isUpper = isSingle || /\bSENAT(E|OR)\b/.test(name);
  const isLower = /\b(HOUSE|REPRESENTATIVES?|ASSEMBLY(MAN|MEMBER|WOMAN)?|DELEGATES?)\b/.test(name);
  const isStandard = isSingle || STANDARD_NAME.test(name) || (/^ASSEMBLY\b/.test(name) && hasAssembly(state));
  if ((!isUpper && !isLower) || (ofState !== true && !isStandard)) return undefined;
  if (district === '') return isStandard ? 'the source does not name the district' : undefined;
  const chamber = isUpper ? 'Upper' : 'Lower';
  // `33 - Position 2`
  const [, of = district, seat] = /^(\d+[A-Z]?) ?[-,] ?((?:POSITION|POS\.?|SEAT) \w+)$/.exec(district) ?? [];
  const found = legislativeCode(state, chamber, of, counties.length === 1 ? counties[0]?.name : undefined);
  if (!found) return `the district ${district} is not known`;
  const stated = splitSeat(seat ? `${name}, ${seat}` : name).position;
  const { code, position = stated } = seatOfDistrict(state, chamber, found);
  return { office: legislativeOffice(state, chamber, code, of), ...(position ? { position } : {}), basis: 'Stated' };
}

const WARDS = 'ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT'.split(' ');

/** Returns a seat of the Council, or of the Board of Education, of the District of Columbia that a ward elects. */
function councilOfDistrict(state: State, name: string, district: string): ContestOffice | undefined {
  const [, text = ''] = /\bWARD 0*(\w+)\b/.exec(`${name} ${/^\d+$/.test(district) ? 'WARD ' : ''}${district}`) ?? [];
  const ward = /^\d+$/.test(text) ? text : String(WARDS.indexOf(text) + 1);
  if (ward === '0') return undefined;
  if (/\bCOUNCIL\b/.test(name)) return { office: legislativeOffice(state, 'Upper', ward), basis: 'Stated' };
  if (!/\bBOARD OF EDUCATION\b/.test(name)) return undefined;
  const title = name.replace(/\bWARD \w+\b/, ' ').trim();
  const of = office(legislativePlace(state, 'Upper', ward), officeTitle(title), 'State', 'Executive');
  return { office: of, basis: 'Stated' };
}

function stateOffice(facts: ContestFacts): ContestOffice | undefined {
  const { state, office: name, district, ofState, everywhere, counties } = facts;
  if (ofState === false && !everywhere && state.kind !== 'district') return undefined;
  const { title, position } = splitSeat(name);
  const isBare = facts.isPartial && facts.plainTitles === 'state' && OF_STATE_OR_COUNTY.test(title);
  const isNamed = (ofState === null && isBare) || (ofState !== false && isStatewideName(title, state));
  const isOfWholeDistrict = state.kind === 'district' && !/\d|\bWARD\b/.test(`${name} ${district}`);
  const [, whole, rest = ''] = /^(STATEWIDE)?,? ?(.*)$/.exec(district) ?? [];
  const seat = positionOf(rest) ?? position;
  // A court of the whole state may elect its judges by district: only some counties vote.
  const isByDistrict = counties.length > 0 && COURT_DISTRICT.test(rest);
  if (
    whole ||
    everywhere ||
    (isNamed && rest === '') ||
    isOfWholeDistrict ||
    (ofState && OF_APPEALS.test(name) && !isByDistrict) ||
    (ofState === null && isHigherCourt(title, state) && (rest === '' || isSeat(rest) || facts.isSeatNumber))
  ) {
    const of =
      statewideOffice(state, title) ??
      office(statePlace(state), officeTitle(title), 'State', stateBranch(state, title));
    const isByLaw = isNamed || isOfWholeDistrict || isHigherCourt(title, state);
    const basis = isByLaw ? 'Law' : whole || ofState ? 'Stated' : 'Same candidates';
    return { office: of, ...(seat ? { position: seat } : {}), basis };
  }
  // A source without levels of offices: a numbered district of several counties is one of the state.
  const spansCounties = ofState === null && counties.length > 1 && !placeInText({ ...facts, office: title });
  if (!(ofState || isNamed || spansCounties) || rest === '') return undefined;
  const byName = NAMED_DISTRICT.test(rest) ? namedDivision(facts, title, rest) : undefined;
  if (byName)
    return { office: office(byName, officeTitle(title), 'State', stateBranch(state, title)), basis: 'Stated' };
  const [, number, more = ''] = COURT_DISTRICT.exec(rest) ?? /^([A-Z])(?:, ?(.+))?$/.exec(rest) ?? [];
  if (number === undefined) return undefined;
  const within = stateDivision(state, title, number.toLowerCase());
  const named = positionOf(more) ?? position;
  return {
    office: office(within, officeTitle(title), 'State', stateBranch(state, title)),
    ...(named ? { position: named } : {}),
    basis: 'Stated',
  };
}

/** Returns whether a text is only a seat: `PLACE 6`. */
function isSeat(text: string): boolean {
  return /^(PLACE|SEAT|POSITION|POS|POST|DEPARTMENT|GROUP|DIVISION) (NO\.? ?)?\w+$/.test(text);
}

/**
 * Returns the branch of an office of a state: only its legislature is legislative, while boards and commissions of a state
 * execute laws. The Council of the District of Columbia is its legislature.
 */
function stateBranch(state: State, title: string): ReturnType<typeof branchOf> {
  const branch = branchOf(title);
  return branch === 'Legislative' && state.kind !== 'district' ? 'Executive' : branch;
}

/** Returns the district with a name of a state office; undefined for one that is in a county. */
function namedDivision({ state, counties }: ContestFacts, title: string, name: string): Place | undefined {
  if (counties.length === 1 && !PROSECUTES.test(title) && !isStatewideName(title, state)) return undefined;
  const type = PROSECUTES.test(title) || OF_JUDGES.test(title) ? 'Judicial District' : 'State subdivision';
  const shown = titleCase(/\b(DISTRICT|CIRCUIT|DIVISION)$/.test(name) ? name : `${name} DISTRICT`);
  return namedPlace(state, type, `${officeTitle(title)} ${shown}`);
}

/** Returns the numbered district of a state office. */
function stateDivision(state: State, title: string, number: string): Place {
  const shown = number.toUpperCase();
  const court = /\b(DISTRICT|CIRCUIT|SUPERIOR) (?:COURT(?! OF APPEAL)|JUDGE)\b/.exec(title)?.[1]?.toLowerCase();
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
  const appeals = /\bCOURT OF APPEALS?\b/.exec(title)?.[0];
  if (appeals) return namedPlace(state, 'Judicial District', `${titleCase(appeals)} District ${shown}`);
  if (PROSECUTES.test(title)) return namedPlace(state, 'Judicial District', `Prosecutorial District ${shown}`);
  // As retentions of its judges name it: `JUSTICE OF THE SUPREME COURT`, `SUPREME COURT JUSTICE`
  const named = /\b(?:SUPREME|APPELLATE|CHANCERY|COUNTY|CRIMINAL|FAMILY|JUVENILE|PROBATE) COURT\b|\bPROBATE\b/.exec(
    title,
  )?.[0];
  if (named) return namedPlace(state, 'Judicial District', `${titleCase(named)} District ${shown}`);
  if (OF_JUDGES.test(title) || /\b(DEFENDER|SOLICITOR)\b/.test(title))
    return namedPlace(state, 'Judicial District', `${officeTitle(title)} District ${shown}`);
  return namedPlace(state, 'State subdivision', `${officeTitle(title)} District ${shown}`);
}

function localOffice(facts: ContestFacts): ContestOffice | string {
  const { state, office: name, district, ofState, counties } = facts;
  const level = ofState ? 'State' : 'Local';
  const { title, position } = splitSeat(name);
  if (PROSECUTES.test(title) && /^\d+[A-Z]?$/.test(district))
    return {
      office: office(stateDivision(state, title, district.toLowerCase()), officeTitle(title), level, 'Executive'),
      basis: 'Stated',
    };
  const ofProsecutor =
    PROSECUTES.test(title) && NAMED_DISTRICT.test(district) ? namedDivision(facts, title, district) : undefined;
  if (ofProsecutor) return { office: office(ofProsecutor, officeTitle(title), level, 'Executive'), basis: 'Stated' };
  // Each county numbers the districts of its justices of the peace.
  const isOfCourts = OF_JUDGES.test(title) && !/\bPEACE\b|\bJUSTICE COURT\b(?! OF\b)/.test(title);
  const stated = isOfCourts ? /\bDISTRICT (\d+)\b/.exec(title)?.[1] : undefined;
  const isOfState = isOfCourts || /\bDEFENDER\b/.test(title);
  const isNumber = facts.isNumberOfState && isOfState && !/\b(COUNTY|CITY|TOWN|PARISH)\b/.test(title);
  const [, ofColumn, more = ''] = (isNumber ? COURT_DISTRICT.exec(district) : undefined) ?? [];
  const number = stated ?? ofColumn;
  if (number) {
    const place = stateDivision(state, title, number.toLowerCase());
    // A source that does not tell states from counties may list the judges of a state by district.
    const of = office(place, officeTitle(title), ofState === false ? 'Local' : 'State', branchOf(title));
    const named = positionOf(more) ?? position;
    return { office: of, ...(named ? { position: named } : {}), basis: 'Stated' };
  }
  const magisterial =
    /^MAGISTERIAL DISTRICT (\d+-[\d-]+)$/.exec(district)?.[1] ??
    (/\bMAGISTERIAL\b/.test(title) ? /^(\d+-\d+(?:-\d+)?)$/.exec(district)?.[1] : undefined);
  if (magisterial) {
    const place = namedPlace(state, 'Judicial District', `Magisterial District ${magisterial}`);
    return { office: office(place, officeTitle(title), level, 'Judicial'), basis: 'Stated' };
  }
  const found = placeInText({ ...facts, office: title });
  const place =
    found?.place ?? placeOfCountyOffice(facts, title) ?? placeOfVotes(facts) ?? placeOfCounties(facts, title);
  if (!place) return 'the source does not name the district';
  // The number of a district or seat may be beside the name of the place: `SCHOOL BOARD MEMBER FRANKLIN TOWNSHIP DISTRICT 2`.
  const left =
    found && found.part === undefined && district === '' && position === undefined && found.office !== title
      ? separateDistrict({ ...facts, office: found.office })
      : { office: found?.office ?? title, district: found?.part ?? district };
  const { title: text, position: seatOfText } = found?.office === title ? { title } : splitSeat(left.office);
  const { within, seat } = divisionOf({ ...facts, district: left.district }, place, text);
  const known = isOfCounty(within ?? place) ? countyOffice(within ?? place, text) : undefined;
  const of = known ?? office(within ?? place, officeTitle(text), level, branchOf(text));
  const named = [...new Set([seat, position ?? seatOfText])].filter(Boolean).join(', ');
  const isOfPart = ofState === false || OF_PART.test(title);
  if (!found && counties.length === 0 && isOfPart) return 'the source does not name the district';
  const isNamed = found !== undefined && found.isAssumed !== true;
  return { office: of, ...(named ? { position: named } : {}), basis: basisOf(facts, of, text, isNamed) };
}

/** Returns what shows the district of a local office; `isNamed` is true if the text or the district column names it. */
function basisOf(facts: ContestFacts, { place }: Office, title: string, isNamed: boolean): ScopeBasis {
  const { counties, towns, district, everywhere, ofState } = facts;
  const { type, name } = place.row.values;
  if (isNamed || (district !== '' && normalName(String(name)).startsWith(normalName(district)))) return 'Stated';
  if (type === 'State') return ofState ? 'Stated' : everywhere || counties.length > 1 ? 'Same candidates' : 'Law';
  if (isOfEachCounty(title) && counties.length === 1 && (type === 'County' || type === 'County subdivision'))
    return district === '' ? 'Law' : 'Stated';
  if (counties.length > 1) return 'Same candidates';
  // The source lists the votes of towns: those of one town are on an office of it.
  return towns.length === 1 && type !== 'County' ? 'Stated' : 'County';
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
  const listed = listOf(counties);
  const type = OF_JUDGES.test(title) || PROSECUTES.test(title) ? 'Judicial District' : 'State subdivision';
  return namedPlace(state, type, `${officeTitle(title.replace(/ - \d+ +YEAR TERM$/, ''))} District (${listed})`);
}

function isOfCounty({ row }: Place): boolean {
  return row.values.type === 'County' || row.values.type === 'County subdivision';
}
