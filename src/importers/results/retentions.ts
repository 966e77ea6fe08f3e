import { stateOcdid } from '../../base/words/states.ts';
import type { ScopeBasis } from '../../store/sql/tables.ts';
import type { ContestFacts } from './contest-facts.ts';
import { escaped, placeInText, placeOfVotes } from './contest-places.ts';
import { ordinalsInDigits } from './legislative-codes.ts';
import { displayName } from './names.ts';
import { officeTitle, positionOf } from './office-titles.ts';
import { isHigherCourt, type Office, office, statewideOffice } from './offices.ts';
import { countyPlace, namedPlace, type Place, placeWithin, statePlace } from './places.ts';
import type { Question } from './questions.ts';
import { titleCase } from './title-case.ts';

/** A retention election of a judge: one name, with the choices yes and no. */
export interface Retention {
  readonly office: Office;
  readonly position: string;
  /** The name in capitals. */
  readonly judge: string;
}

const TITLE = `(?:(?:CHIEF|ASSOCIATE|PRESIDING|DISTRICT|CIRCUIT|COUNTY|SUPERIOR|MAGISTRATE|JUVENILE|PROBATE|APPELLATE|SUPREME|COURT|OF|APPEALS|COMPENSATION|WORKERS'?) )*(?:JUDGE|JUSTICE OF THE PEACE|JUSTICE|MAGISTRATE)`;
const FORMS: readonly RegExp[] = [
  // SHALL JANE ROE BE RETAINED AS JUDGE OF THE COURT OF APPEALS POSITION 1?
  /\bSHALL (?<judge>.+?) BE RETAINED (?:IN OFFICE )?AS (?:AN? |THE )?(?<court>.+?)(?: POSITION \d+|, (?<seat>DIVISION \d+))?\s*\?/,
  // SHALL JUSTICE OF THE PEACE JANE ROE OF THE JUSTICE COURT OF THE COUNTY OF LAKE BE RETAINED IN OFFICE?
  new RegExp(
    String.raw`\bSHALL (?<title>${TITLE}),? (?<judge>[A-Z][A-Z.'" -]+?)(?:,? OF (?:THE )?(?<court>.+?))?,? BE RETAINED\b`,
  ),
  /\bSHALL (?<judge>[A-Z][A-Z.'" -]+?) BE RETAINED\b/,
  // RETAIN JANE ROE - SUPREME COURT
  /^(?:JUDICIAL )?(?:RETAIN|RETENTION)(?: OF)?\s*[:–-]?\s*(?<judge>[A-Z][A-Z.'" ]+?)\s*[:,–-]\s*(?<court>[A-Z0-9 ]*\b(?:COURT|APPEALS?|CIRCUIT)\b[A-Z0-9 ]*)$/,
  // JUDICIAL RETENTION - JANE ROE
  /^JUDICIAL RETENTION\s*[:,–-]\s*(?<judge>[A-Z][A-Z.'" -]+)$/,
  // MAGISTRATE JUDGE TO RETAIN: JANE ROE
  /^(?<title>.+?) (?:TO RETAIN|RETENTION)\s*[:,–-]\s*(?<judge>[A-Z][A-Z.'" -]+)$/,
  /^RETAIN (?<title>.+?)\s*[:,–-]\s*(?<judge>[A-Z][A-Z.'" -]+)$/,
  // RETAIN SUPREME COURT JUSTICE JANE ROE - DISTRICT 2
  new RegExp(`^RETAIN (?<title>${TITLE}) (?<judge>[A-Z][A-Z.'" ]+?)(?: - [A-Z0-9 ]+)?$`),
  // JUDGE, COURT OF APPEALS - JANE ROE - CONTINUE IN OFFICE
  /^(?<title>.+?),? - (?<judge>[A-Z][A-Z.'" ]+?) - CONTINUE IN OFFICE$/,
  // CIRCUIT COURT JUDGE - COOK COUNTY - JANE ROE
  new RegExp(`^(?<title>${TITLE}) - (?:(?<where>[A-Z0-9 ]+) - )?(?<judge>[A-Z][A-Z.'" ]+)$`),
  // JANE ROE JUDICIAL RETENTION, JUDGE JANE ROE, SOUTH OGDEN JUSTICE COURT ROE
  /^(?<judge>[A-Z][A-Z.'" -]+?) (?:JUDICIAL )?RETENTION$/,
  new RegExp(`^(?<title>${TITLE}) (?!OF )(?<judge>[A-Z][A-Z.'" -]+)$`),
  /^(?:JUDICIAL )?(?:RETENTION (?:OF )?)?(?<court>[A-Z0-9 ]*?(?:JUSTICE|DISTRICT|JUVENILE|SUPERIOR|CIRCUIT|COUNTY|MUNICIPAL) COURT) (?<judge>[A-Z][A-Z.'" -]+)$/,
  // DISTRICT COURT OF APPEAL, 1ST DISTRICT - RETAIN JUDGE JANE ROE
  /^(?<court>[A-Z0-9 ,]*\b(?:COURT|APPEALS?|CIRCUIT)\b[A-Z0-9 ,]*?) [-–] RETAIN (?:JUDGE|JUSTICE) (?<judge>[A-Z][A-Z.'" -]+)$/,
  // 1ST DISTRICT COURT OF APPEAL JANE ROE
  /^(?<court>(?:\d+(?:ST|ND|RD|TH) )?(?:DISTRICT )?COURT OF APPEALS?),? (?:JUDGE )?(?!DISTRICT|DIVISION|JUDGE)(?<judge>[A-Z][A-Z.'" -]+)$/,
  // SUPERIOR COURT - ROE
  /^(?<court>(?:[A-Z ]+ )?(?:DISTRICT|SUPERIOR|CIRCUIT|SUPREME|COUNTY) COURT|COURT OF APPEALS)\s*[-–:]\s*(?<judge>[A-Z][A-Z.'" -]+)$/,
  /^(?<court>(?:[A-Z ]+ )?(?:DISTRICT|SUPERIOR|CIRCUIT|SUPREME|COUNTY) COURT|COURT OF APPEALS)$/,
];

/**
 * Returns the retention election that a question is about, with the judge named in the text or in the choices
 * (`subject`); undefined for a ballot measure; the reason if the district of the court is unknown.
 */
export function retentionOf(facts: ContestFacts, subject: string | null): Retention | string | undefined {
  const text = textOf(facts);
  // RETAIN JANE ROE, with the court in the district column
  const inColumn = /\b(CIRCUIT|COURT|JUDICIAL|APPELLATE)\b/.test(facts.district)
    ? /^RETAIN (?<judge>[A-Z][A-Z.'" -]+)$/.exec(text)?.groups
    : undefined;
  if (inColumn?.judge) {
    const of = courtOffice(facts, undefined, facts.district, undefined);
    const position = `Retention of ${displayName(inColumn.judge)}`;
    return typeof of === 'string' ? of : { office: of, judge: inColumn.judge, position };
  }
  const found =
    FORMS.map((form) => form.exec(text)?.groups).find(
      (groups) => groups && (groups.judge ? isPerson(groups.judge) : subject),
    ) ?? namedJudge(facts, text, subject);
  const judge = (found?.judge ?? subject)?.replace(/^(JUDGE|JUSTICE|MAGISTRATE) /, '').trim();
  if (!found || !judge) return undefined;
  const court = found.court?.trim();
  const of = courtOffice(facts, found.title, court, found.seat, found.where);
  const ordered = lastNameLast(withoutCounty(judge, facts));
  return typeof of === 'string' ? of : { office: of, judge: ordered, position: `Retention of ${displayName(ordered)}` };
}

/** Returns the text of a question without the name of the state at its beginning. */
function textOf({ office, state }: ContestFacts): string {
  const named = office.replace(/\s+/g, ' ').trim();
  const prefix = `${state.name.toUpperCase()} `;
  return ordinalsInDigits(named.startsWith(prefix) ? named.slice(prefix.length) : named);
}

/**
 * Returns the question whether a judge whom the source does not name is retained, in the district of the court: there is no candidate,
 * so it is no race. Its name is the title of the judge, with the number of the seat. Undefined if the question is another one; the
 * reason if the source does not show the district of the court, which is not that of the counties with votes.
 */
export function retentionOfUnnamed(facts: ContestFacts): Question | string | undefined {
  const text = textOf(facts);
  if (!isOfUnnamedJudge(text)) return undefined;
  const { state, district, isSeatNumber } = facts;
  const isNumber = /^\d+$/.test(district);
  const court = isNumber ? text : `${text} ${district}`;
  const isPlaced =
    isHigherCourt(text, state) || isNumber || /\b(DISTRICT|DIST\.?|CIRCUIT) (NO\.? ?)?\d|\d(ST|ND|RD|TH)\b/.test(court);
  const place = isPlaced ? placeOfCourt(facts, court) : undefined;
  if (!place || place.row.values.type === 'County')
    return 'the source names neither the judge nor the district of the court';
  const isOfPlace = isNumber && !isSeatNumber && String(place.row.values.name).endsWith(` ${district}`);
  const part = isOfPlace ? undefined : positionOf(district.replace(/^STATEWIDE(, )?/, ''));
  const title = part ? `${text}, ${part.toUpperCase()}` : text;
  return { place, name: titleCase(title), type: 'Retention', title, required: undefined };
}

/** Words of courts and of retention elections, which no name of a judge has. */
const OF_COURT =
  /\b(?:(?:COURT|CT|CRT) OF (?:(?:CRIMINAL|CIVIL|SPECIAL|COMMON) )?(?:APPEALS?|PLEAS)|(?:CT\.?|CRT\.?|COURT) APPEALS?|COURTS?|APPEALS?|APPELLATE|SUPREME|SUPERIOR|JUDICIAL|JUDICIARY|(?:CIRCUIT|DISTRICT|DIST\.?|DIVISION|DIV\.?|DEPARTMENT|DEPT\.?)(?: [IVX]{1,4}\b)?|(?:(?:NORTH|SOUTH|EAST|WEST)(?:ERN)?|CENTRAL|MIDDLE) (?:DISTRICT|DIVISION|SECTION)|JUVENILE|PROBATE|FAMILY|MUNICIPAL|MAGISTRATE|ASSOCIATE|CHIEF|PRESIDING|JUDGES?|JUSTICES?|RETAIN(?:ED|ING)?|RETENTION|ELECTED|CONTINUED?|REMAIN|SHALL|BE|QUESTION|TERM|OFFICE|SEAT|POSITION|PLACE|VACANCY|PROVIDED|LAW|COUNTY|STATE|CITY|AT[- ]LARGE|THE|OF|IN|TO|AS|FOR|BY|AN?(?= JUDGE| JUSTICE)|NO\.?|\d+(?:ST|ND|RD|TH|[A-Z])?)(?![A-Z.'])|[?():;]| [-–] /g;

/** Texts of questions about a court, but not about a judge. */
const OF_MEASURE =
  /\b(AMENDMENTS?|PROPOSITION|PROPOSAL|MEASURE|REFERENDUM|INITIATIVE|ORDINANCE|RESOLUTION|CHARTER|BONDS?|TAX(?:ES)?|LEVY|LEVIES|SALES|LIQUOR|FUND(?:S|ING)?|FEES?|ISSUE|ADVISORY|CONSTITUTION\w*|COURTHOUSE|ABOLISH\w*|CREATE\w*|ESTABLISH\w*|ELIMINATE|INCREASE|MILLS?|LOCAL OPTION)\b/;

/**
 * Returns the judge whom a question names in any order of words: the words that are not those of courts, of retention or of the
 * county are the name. Undefined if the text is about something else, or has words for several names.
 */
function namedJudge(
  { counties, state }: ContestFacts,
  text: string,
  subject: string | null,
): Record<string, string | undefined> | undefined {
  if (
    !/\b(JUDGES?|JUSTICES?|MAGISTRATES?|COURT|CT|RETAIN(ED)?|RETENTION)\b/.test(text) ||
    (!/\bRETAIN|\bRETENTION\b/.test(text) && OF_MEASURE.test(text))
  )
    return undefined;
  const ofCounty = counties.reduce(
    (rest, { name }) =>
      rest.replace(
        new RegExp(`\\b${escaped(name.toUpperCase())}(?= (?:COUNTY|SUPERIOR|CIRCUIT|DISTRICT|COURT|JUDICIAL))`),
        '|',
      ),
    text.replace(` OF ${state.name.toUpperCase()} `, ' | '),
  );
  const [name, ...others] = ofCounty
    .replace(OF_COURT, '|')
    .split('|')
    .map((part) => part.replace(/^[\s,.–-]+|[\s,–-]+$/g, ''))
    .filter((part) => /[A-Z]{2}/.test(part));
  if (subject && !name) return { court: courtOf(text) };
  const isCertain = name && (/ /.test(name) || /\bRETAIN|\bRETENTION\b/.test(text));
  if (!name || !isCertain || others.length > 0 || !/^[A-Z][A-Z.,'" -]+$/.test(name) || !text.includes(name))
    return undefined;
  return { judge: name, court: courtOf(text.replace(name, ' ')) };
}

/** Returns whether a question is only the title of a judge: `DISTRICT COURT JUDGE`, `SUPREME COURT JUSTICE #2`. */
function isOfUnnamedJudge(text: string): boolean {
  const rest = text.replace(OF_COURT, ' ').replace(/[^A-Z]/g, '');
  return /\b(JUDGE|JUSTICE)\b/.test(text) && rest === '';
}

/** Returns the court of a text without the name of the judge. */
function courtOf(text: string): string | undefined {
  const court = text
    .replace(
      /\b(RETAIN(ED|ING)?|RETENTION|SHALL|BE|ELECTED|QUESTION|IN OFFICE|CONTINUED?|AT[- ]LARGE)\b|\bTO THE OFFICE.*$|[?:;()]/g,
      ' ',
    )
    .replace(/(?<=\b(?:CT|CRT)\.?) APPEALS/, ' OF APPEALS')
    .replace(/\bC(?:R)?T\b\.?/g, 'COURT')
    .replace(/\bDIV\b\.?/g, 'DIVISION')
    .replace(/\bDIST\b\.?/g, 'DISTRICT')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .replace(/(?:^| )[\s,.–-]+$|^[\s,.–-]+|( - )(?=- )|(?<=,),/g, '')
    .replace(/[\s,–-]+$/, '')
    .trim();
  return court === '' ? undefined : court.replace(/^(?:(?:OF|THE|IN) )+/, '');
}

/** Returns whether a text is a name, and not also the words of a court beside it. */
function isPerson(name: string): boolean {
  const plain = name.replace(/^(JUDGE|JUSTICE|MAGISTRATE) /, '');
  return !/\b(COURT|CT|APPEALS?|CIRCUIT|SUPREME|SUPERIOR|APPELLATE|DISTRICT|DIVISION|JUDICIAL|RETENTION|RETAIN|JUDGES?|JUSTICES?|AMENDMENTS?|PROPOSITION|QUESTION|MEASURE|REFERENDUM|CHARTER|TAX(?:ES)?|FEES?|INCREASE|RENOVATION|CONSTRUCTION|BUILDING|EXPANSION|FACILIT\w+|SERVICES|FUNDING)\b| - /.test(
    plain,
  );
}

/** Returns the name of a judge without that of the county before it: `COUNTY JUDGE - ADAMS JANE ANN ROE`. */
function withoutCounty(judge: string, { counties, office }: ContestFacts): string {
  const [county] = counties;
  if (!county || counties.length > 1 || !/\bCOUNTY\b/.test(office)) return judge;
  if (!judge.toUpperCase().startsWith(county.name.toUpperCase())) return judge;
  const [, rest] = /^,? (.*)$/.exec(judge.slice(county.name.length)) ?? [];
  return rest?.includes(' ') ? rest : judge;
}

/** `BRUTINEL, ROBERT` is Robert Brutinel; `ROE, JR` is not reordered. */
function lastNameLast(name: string): string {
  const [, last, first] = /^([A-Z][A-Z.' -]+), ([A-Z][A-Z.' -]+)$/.exec(name) ?? [];
  return last && first && !/^(JR|SR|II|III|IV)\.?$/.test(first) ? `${first} ${last}` : name;
}

function courtOffice(
  facts: ContestFacts,
  title: string | undefined,
  court: string | undefined,
  seat: string | undefined,
  where?: string,
): Office | string {
  const { state, counties } = facts;
  const statewide = court === undefined ? undefined : statewideOffice(state, court);
  if (statewide) return statewide;
  const [county] = counties;
  if (court && seat && county && counties.length === 1)
    return office(countyPlace(state, county.name, county.fips), officeTitle(court), 'Local', 'Judicial', {
      seat: officeTitle(seat),
    });
  const name = title ? `${title}${court ? ` OF THE ${court}` : ''}` : courtTitle(court ?? 'JUDGE');
  const shown = officeTitle(name).replace(/ of the (District|Department|County)\b/, ' of $1');
  const place = placeOfCourt(facts, [court ?? title, where].filter(Boolean).join(' '));
  return place === undefined
    ? 'the source does not name the district of the court'
    : office(place, shown, 'State', 'Judicial');
}

function courtTitle(court: string): string {
  if (/\b(JUDGE|JUSTICE|MAGISTRATE)\b/.test(court)) return court;
  return `${/^SUPREME COURT$/.test(court) ? 'JUSTICE' : 'JUDGE'} OF THE ${court}`;
}

function placeOfCourt(facts: ContestFacts, court: string): Place | undefined {
  const { state, district, counties } = facts;
  const ofAppeals = /\b(\d+)(?:ST|ND|RD|TH) (?:DISTRICT )?(COURT OF APPEALS?)\b/.exec(court);
  if (ofAppeals)
    return namedPlace(state, 'Judicial District', `${titleCase(ofAppeals[2] ?? '')} District ${ofAppeals[1]}`);
  if (/\b(SUPREME|APPEALS?|APPELLATE)\b/.test(court) || isHigherCourt(court, state))
    return districtOfAppeals(facts, court) ?? statePlace(state);
  const circuit =
    /\b(\d+)(?:ST|ND|RD|TH) (?:JUDICIAL )?CIRCUIT\b/.exec(court)?.[1] ??
    /\bCIRCUIT (?:NO\.? ?)?0*(\d+)\b/.exec(court)?.[1];
  if (circuit)
    return placeWithin(
      `${stateOcdid(state)}/circuit_court:${circuit}`,
      'Judicial District',
      `Circuit Court District ${circuit}`,
      state,
    );
  const number = /^\d+$/.test(district) ? district : undefined;
  if (number)
    return placeWithin(
      `${stateOcdid(state)}/district_court:${number}`,
      'Judicial District',
      `Judicial District ${number}`,
      state,
    );
  const stated =
    /\bDISTRICT (?:NO\.? ?)?(\d+)\b/.exec(court)?.[1] ??
    /\bDISTRICT (?:(?:ASSOCIATE|COURT) )*(?:JUDGE )?(\d+[A-Z])\b/.exec(court)?.[1] ??
    /\b(\d+)(?:ST|ND|RD|TH) (?:JUDICIAL )?DISTRICT\b/.exec(court)?.[1];
  if (stated && /\bCOUNTY COURT\b/.test(court))
    return namedPlace(state, 'Judicial District', `County Court District ${stated}`);
  if (stated)
    return placeWithin(
      `${stateOcdid(state)}/district_court:${stated.toLowerCase()}`,
      'Judicial District',
      `Judicial District ${stated}`,
      state,
    );
  const near = placeInText({ ...facts, office: court }) ?? placeInText(facts);
  if (near && near.place.row.values.type !== 'Special District') return near.place;
  if (counties.length === 0 && !facts.everywhere && facts.ofState !== true) return undefined;
  // The files of some counties do not show where a court that they do not name sits.
  if (facts.isPartial && /^(JUDGE)?$/.test(court)) return undefined;
  return placeOfVotes(facts) ?? severalCounties(facts);
}

/**
 * Returns the district of a higher court whose judges only a part of the state retains; undefined if the whole state does, or the
 * files of some counties do not show it.
 */
function districtOfAppeals(
  { state, district, everywhere, isPartial, isSeatNumber, counties }: ContestFacts,
  court: string,
): Place | undefined {
  if (everywhere || isPartial || isSeatNumber || counties.length === 0) return undefined;
  const [, unit = 'DISTRICT', number = /^\d+$/.test(district) ? district : undefined] =
    /\b(DISTRICT|CIRCUIT|DIVISION) (?:NO\.? )?0*(\d+|[IVX]+)\b/.exec(
      court.replace(/\b(\d+)(?:ST|ND|RD|TH) (DISTRICT|CIRCUIT|DIVISION)\b/g, '$2 $1'),
    ) ?? [];
  const [, direction, part] =
    /\b((?:NORTH|SOUTH|EAST|WEST)(?:ERN)?|CENTRAL|MIDDLE) (DISTRICT|DIVISION|SECTION)\b/.exec(court) ?? [];
  if (!number && !direction) return undefined;
  const name =
    /\b(?:COURT OF (?:[A-Z]+ )?APPEALS?|SUPREME COURT|APPELLATE COURT)\b/.exec(court)?.[0] ?? 'APPELLATE COURT';
  const shown = direction ? `${direction} ${part}` : `${unit} ${number}`;
  return namedPlace(state, 'Judicial District', `${titleCase(name)} ${titleCase(shown)}`);
}

/** Returns what shows the district of a court: its name or number, that it is of the whole state, or the counties with votes. */
export function retentionBasis({ counties }: ContestFacts, { place }: Office): ScopeBasis {
  const { type, name } = place.row.values;
  if (type === 'State') return 'Law';
  if (/\bJudicial District of .+ Counties$/.test(String(name))) return 'Same candidates';
  return type === 'County' && counties.length === 1 ? 'County' : 'Stated';
}

function severalCounties({ state, counties }: ContestFacts): Place | undefined {
  if (counties.length < 2) return undefined;
  const names = counties.map(({ name }) => titleCase(name)).sort();
  return namedPlace(
    state,
    'Judicial District',
    `Judicial District of ${names.slice(0, -1).join(', ')} and ${names.at(-1)} Counties`,
  );
}
