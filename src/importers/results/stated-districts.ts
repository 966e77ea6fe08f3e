import type { ContestFacts } from './contest-facts.ts';
import { PURPOSE } from './contest-places.ts';
import { ordinalsInDigits } from './legislative-codes.ts';
import { isStatewideName, JUDGES } from './offices.ts';

/** Words before the noun of a numbered district: `LEGISLATIVE DISTRICT 5`. */
const KIND =
  '(?:(?:LEGISLATIVE|SENATORIAL|CONGRESSIONAL|JUDICIAL|COUNCILMANIC|MAGISTERIAL|APPELLATE|SUPERVISORIAL|ELECTION|JUSTICE|TRUSTEE) )?';
/** Words that also are the end of an office in front of a district: `STATE SENATE DISTRICT 5`, but `5TH SENATE DISTRICT`. */
const KIND_AFTER_NUMBER = `(?:${KIND}|(?:REPRESENTATIVE|SENATE|HOUSE|ASSEMBLY|COUNCIL|COMMISSIONER|SUPREME COURT) )`;
const UNIT = String.raw`(?:(?:SUB-?)?DISTRICT|DIST\.?|CIRCUIT|PRECINCT|PCT\.?|WARD|ZONE|AREA)`;
/** `7TH DISTRICT`, `11TH JUDICIAL CIRCUIT` */
const BEFORE = new RegExp(
  String.raw`\b0*(?<number>\d+)(?:ST|ND|RD|TH) (?<unit>${KIND_AFTER_NUMBER}${UNIT})(?![A-Z])`,
  'g',
);
/** `DISTRICT 7`, `PRECINCT NO. 2`, `CIRCUIT 21` */
const AFTER = new RegExp(
  String.raw`\b(?<unit>${KIND}${UNIT}) ?(?:NO\.? ?|NUMBER |# ?)?0*(?<number>\d+[A-Z]?|(?:[A-Z]|[IVX]{2,5})(?=$|,))(?![\dA-Z-]|ST |ND |RD |TH )`,
  'g',
);
/** `14TH COURT OF APPEALS DISTRICT`, `2ND DISTRICT COURT OF APPEAL` */
const OF_COURT = /\b(?<number>\d+)(?:ST|ND|RD|TH) (?:DISTRICT )?(?<court>COURT OF APPEALS?)(?: DISTRICT)?/;
/** `MAGISTERIAL DISTRICT JUDGE 31-1-02` */
const HYPHENED = /^(?<unit>[A-Z]+ DISTRICT) (?<office>JUDGE|JUSTICE) (?<number>\d+(?:-\d+)+)/;
/** Words of offices before the number of their district. A number after other words is part of a name: `FIRE DISTRICT 5`. */
const OF_OFFICE =
  /(?:^|[,:(–-]|\b(?:COMMISSION\w*|SUPERVISORS?|COUNCIL\w*|BOARD|MEMBERS?|TRUSTEES?|DIRECTORS?|REPRESENTATIVES?|SENATORS?|SENATE|HOUSE|ASSEMBLY\w*|DELEGATES?|JUDGES?|JUSTICES?|CHANCELLORS?|PROBATE|COURT|ATTORNEY(?: GENERAL)?|DEFENDER|CONSTABLE|PEACE|REGENTS?|EDUCATION|BOARD OF [A-Z]+|ALDER[MPW]\w+|LEGISLATORS?|FREEHOLDERS?|COMMITTEE\w*|EQUALIZATION|APPEALS?|JUROR|ASSESSOR|CLERK|MAGISTRATES?|CONGRESS|LEGISLATURE|MARSHAL|SURVEYOR|ELECTIONS?))\s*$/;
const OF_JUDGES = new RegExp(
  String.raw`\b(${JUDGES}|ATTORNEY|DEFENDER)\b|\bCOURT OF APPEALS?\b|^(SUPREME|CIRCUIT|CHANCERY|DISTRICT|SUPERIOR|APPELLATE) COURT\b(?!.*\bCLERK\b)`,
);
/** Offices of a chamber with districts named after places: `STATE REPRESENTATIVE, 4TH BERKSHIRE DISTRICT`. */
const NAMED =
  /^(?<office>STATE (?:REPRESENTATIVE|SENATOR)|SENATOR|REPRESENTATIVE)(?: IN (?:THE )?GENERAL COURT)?(?:, | - |: )(?<district>[A-Z0-9][A-Z0-9 ,&-]*?) DISTRICT$/;

/** An office of a part of a state that is named after its direction. */
const PART_OF_STATE =
  /^(?<office>[A-Z .']+?)(?:,| -|:)? \(?(?<district>(?:NORTH|SOUTH|EAST|WEST)(?:ERN)?|CENTRAL|MIDDLE)(?: DISTRICT)?\)?$/;

/** A district of a county that has a name: `MEMBER BOARD OF SUPERVISORS - MASON DISTRICT`. */
const NAMED_PART =
  /^(?<office>(?:MEMBER,? (?:OF )?(?:THE )?)?(?:COUNTY )?(?:(?<supervisors>BOARD OF (?:COUNTY )?SUPERVISORS|SUPERVISOR)|(?:SCHOOL BOARD|BOARD OF EDUCATION))(?: MEMBER)?)(?:,| -|:)? \(?(?<name>[A-Z][A-Z .'-]*) DISTRICT\)?$/;

/** Words before `DISTRICT` in names of school districts. */
const OF_SCHOOL_DISTRICT = /\b(SCHOOLS?|UNIFIED|UNION|CONSOLIDATED|COMMUNITY|INDEPENDENT|ELEMENTARY|HIGH|CITY|TOWN)\b/;

/** The end of a text that only says that the term is the rest of one: the race is a special one. */
const UNEXPIRED =
  /(?<=[A-Z]{4}.*?)(?:[\s,:–-]*\(?\bUNEXP(?:IRED|\.)?(?: \d+[- ]YEAR)?(?: TERM)?\)?|[\s,:–-]*\(?\bTO FILL (?:AN? |THE )?VACANCY\)?|\s*(?:[-–,:]\s*|\()SPECIAL\)?)$/;

/** A court of a numbered district of a state, whose number may have that of a part after it. */
const OF_NUMBERED_COURT =
  /^(?:(?:CHANCERY|CIRCUIT)(?: COURT)? DISTRICT )?(?<office>(?:CHANCERY|CIRCUIT) COURT(?: JUDGE)?) 0*(?<number>\d+(?:-\d+)?)(?:, (?<seat>(?:PLACE|SEAT|POST|DIVISION) \w+))?$/;

const ORDINALS =
  'FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH ELEVENTH TWELFTH THIRTEENTH FOURTEENTH'.split(' ');

/**
 * Returns a contest whose text names a numbered district, with the district in its own column and the office without it:
 * `COUNTY COMMISSIONER, PRECINCT 2`. Other contests are returned as they are.
 */
export function separateDistrict(stated: ContestFacts): ContestFacts {
  const facts = {
    ...stated,
    office: ordinalsInDigits(stated.office.replace(UNEXPIRED, '')),
    district: ordinalsInDigits(stated.district),
  };
  const { office, district } = facts;
  // `CHANCERY DISTRICT CHANCERY COURT JUDGE 5-1`, `CHANCERY COURT 6` with `6, PLACE 1` in the column of the district
  const ofCourt = OF_NUMBERED_COURT.exec(office)?.groups;
  if (ofCourt?.office && ofCourt.number) {
    const seat = /^\w+(?:-\d+)?,? (.+)$/.exec(district)?.[1] ?? ofCourt.seat;
    const stated = seat ? `${ofCourt.number}, ${seat}` : ofCourt.number;
    return { ...facts, office: ofCourt.office, district: stated, isNumberOfState: true, isSeatNumber: false };
  }
  const stateDistrict =
    /^0*(\d+)(?:ST|ND|RD|TH) (?:(?:JUDICIAL|APPELLATE|COURT) )?(?:DISTRICT|CIRCUIT|DEPARTMENT)(?:,? (?:(\d+)(?:ST|ND|RD|TH) (DIVISION|DEPARTMENT|PLACE|BRANCH|PART|SEAT)|(.+)))?$/.exec(
      district,
    );
  // `3RD APPELLATE DISTRICT 2ND DIVISION`: all voters of the district vote on each of its divisions.
  const [, inState = '', division, kind = '', more] = stateDistrict ?? [];
  const seat = division ? `${kind} ${division}` : more;
  if (stateDistrict)
    return {
      ...facts,
      district: seat ? `${inState}, ${seat}` : inState,
      isNumberOfState: facts.isNumberOfState || OF_JUDGES.test(office),
    };
  const ordinal = ORDINALS.indexOf(district.replace(/ DISTRICT$/, ''));
  if (ordinal >= 0) return { ...facts, district: String(ordinal + 1) };
  const named = district === '' ? NAMED.exec(office)?.groups : undefined;
  if (named?.office && named.district && !/^\d+(ST|ND|RD|TH)?$|LEGISLATIVE|SENATORIAL/.test(named.district))
    return { ...facts, office: named.office, district: named.district };
  // `PUBLIC SERVICE COMMISSIONER - NORTHERN DISTRICT`
  const ofState = district === '' ? PART_OF_STATE.exec(office)?.groups : undefined;
  if (ofState?.office && ofState.district && isStatewideName(ofState.office, facts.state))
    return { ...facts, office: ofState.office, district: `${ofState.district} DISTRICT` };
  const part = district === '' && facts.ofState !== true ? NAMED_PART.exec(office)?.groups : undefined;
  if (part?.office && part.name && part.name.search(PURPOSE) < 0 && !OF_SCHOOL_DISTRICT.test(part.name))
    return { ...facts, office: part.office, district: part.supervisors ? part.name : `${part.name} DISTRICT` };
  const found = numberedIn(office, facts.ofState === true);
  if (!found) return facts;
  const { number, unit, rest } = found;
  const isOfJudges = OF_JUDGES.test(rest) && /JUDICIAL|CIRCUIT|COURT|APPELLATE|DISTRICT/.test(unit);
  if (district !== '' && district !== found.number) {
    // `3RD COURT OF APPEALS` with `2` or `PLACE 2` in the column: the text names the district, the column a seat of it.
    const isSeat = /^((PLACE|SEAT|POSITION|POS|POST|DIVISION|GROUP|DEPARTMENT) )?\w{1,3}$/.test(district);
    return isOfJudges && isSeat && !/\bPEACE\b|\bMAGISTRATES?\b|^MAGISTERIAL/.test(rest)
      ? { ...facts, office: rest, district: `${number}, ${district}`, isNumberOfState: true, isSeatNumber: false }
      : facts;
  }
  const isPlain = /(DISTRICT|DIST\.?)$/.test(unit) && !/MAGISTERIAL|^SUB/.test(unit);
  const isOfPeace = /\bPEACE\b|\bJUSTICE COURT\b(?! OF\b)|\bMAGISTRATES?\b|^MAGISTERIAL/.test(rest);
  return {
    ...facts,
    office: ofUnit(rest, unit),
    district: isPlain || (isOfJudges && !isOfPeace) ? number : `${unit} ${number}`,
    isNumberOfState: facts.isNumberOfState || (isOfJudges && !isOfPeace),
  };
}

/** Returns the office of a judge with the court that only the district names: `JUDGE, 11TH JUDICIAL DISTRICT`. */
function ofUnit(office: string, unit: string): string {
  const court = /^JUDICIAL (DISTRICT|CIRCUIT)$/.exec(unit)?.[1];
  if (!court || /\bCOURT\b/.test(office)) return office;
  return office.replace(/^(?=JUDGES?\b)|(?<=^(?:PRESIDING|CHIEF|ASSOCIATE) )(?=JUDGES?\b)/, `${court} `);
}

function numberedIn(text: string, isOfState: boolean): { number: string; unit: string; rest: string } | undefined {
  const hyphened = HYPHENED.exec(text)?.groups;
  if (hyphened)
    return {
      number: hyphened.number ?? '',
      unit: hyphened.unit ?? '',
      rest: `${hyphened.unit} ${hyphened.office}`,
    };
  const ofCourt = OF_COURT.exec(text);
  if (ofCourt) {
    const court = ofCourt.groups?.court ?? '';
    return { number: ofCourt.groups?.number ?? '', unit: 'COURT DISTRICT', rest: text.replace(ofCourt[0], court) };
  }
  const federal =
    /^(?<office>US (?:HOUSE(?: OF REPRESENTATIVES)?|REPRESENTATIVE|CONGRESS)(?: IN CONGRESS)?),? (?:- )?0*(?<number>\d+)(?:ST|ND|RD|TH)?$/.exec(
      text.replace(/ \(.*\)$/, ''),
    )?.groups;
  if (federal) return { number: federal.number ?? '', unit: 'DISTRICT', rest: federal.office ?? text };
  for (const [form, match] of [BEFORE, AFTER].flatMap((each) =>
    [...text.matchAll(each)].map((found) => [each, found] as const),
  )) {
    const { number, unit: written } = match.groups ?? {};
    if (!number || !written) continue;
    const unit = written.replace(/\bPCT\b\.?/, 'PRECINCT').replace(/\bDIST\b\.?/, 'DISTRICT');
    // `HOUSTON ISD TRUSTEE DISTRICT IX`
    const [, rank = ''] = /^((?:TRUSTEE|COUNCIL|COMMISSIONER) )/.exec(written) ?? [];
    // `US HOUSE FROM THE FIFTH DISTRICT`
    const start = text.slice(0, match.index).replace(/(?<=[A-Z]) (?:FROM|FOR|IN)(?: THE)? $/, ' ');
    const before = `${start}${OF_OFFICE.test(start) ? '' : rank}`;
    // `BESE DISTRICT 5`, `SOLICITOR CIRCUIT 5` of a state, but not `FIRE DISTRICT 5`
    const isOneWord = isOfState && /^[A-Z]+ $/.test(before) && before.search(PURPOSE) < 0;
    if (!OF_OFFICE.test(before) && !isOneWord && !/^SUB/.test(unit)) continue;
    const after = text.slice(match.index + match[0].length);
    // `1ST JUDICIAL DISTRICT COURT` is a district court.
    const court =
      form === BEFORE && /^ COURT\b/.test(after) ? `${/,\s*$/.test(before) ? ',' : ''} ${unit.split(' ').at(-1)}` : '';
    const rest = `${before.replace(/[\s,:(–-]+$/, '')}${court} ${after.replace(/^\)?[\s:–-]*/, '')}`
      .replace(/ ,/g, ',')
      .replace(/^[\s,:–-]+|[\s,:–-]+$/g, '');
    if (/[A-Z]{3}/.test(rest)) return { number, unit, rest };
  }
  return undefined;
}
