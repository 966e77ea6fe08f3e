import { dictionary } from '../../base/dictionary.ts';
import type { ContestFacts } from './contest-facts.ts';
import { placeInText, placeOfVotes } from './contest-places.ts';
import { positionOf } from './office-titles.ts';
import { namedPlace, type Place, statePlace } from './places.ts';
import { titleCase } from './title-case.ts';

export interface Question {
  readonly place: Place;
  readonly name: string;
  readonly type?: string;
  readonly title: string;
  /**
   * The share of yes votes that approves it by law: of state measures and general obligation bonds. For other local questions
   * the source does not state the requirement.
   */
  readonly required: RequiredShare | undefined;
}

/** The share of the yes votes, of all votes for an answer, that decides a question. */
export interface RequiredShare {
  /** More than a half, or at least this larger share, approves the question. */
  readonly approves: number;
  /** Less than this share defeats it; between the two, the votes do not show the outcome. */
  readonly defeats: number;
}

const MAJORITY: RequiredShare = { approves: 0.5, defeats: 0.5 };
/** The question also needs a share of all ballots, which the votes for the answers do not show. */
const OF_BALLOTS: RequiredShare = { approves: Number.POSITIVE_INFINITY, defeats: 0.5 };

/** The share for an amendment of the constitution of a state, where more than a majority of the votes on it is required. */
const OF_AMENDMENTS: Readonly<Record<string, RequiredShare>> = dictionary({
  // Colo. Const. art. V § 1 (4): an amendment that only repeals needs a majority.
  CO: { approves: 0.55, defeats: 0.5 },
  // Fla. Const. art. XI § 5 (e)
  FL: { approves: 0.6, defeats: 0.6 },
  // Haw. Const. art. XVII § 2
  HI: OF_BALLOTS,
  // Ill. Const. art. XIV § 2 (b): three fifths of the votes on it, or a majority of the ballots
  IL: { approves: 0.6, defeats: 0.5 },
  // Minn. Const. art. IX § 1
  MN: OF_BALLOTS,
  // N.H. Const. pt. II art. 100
  NH: { approves: 2 / 3, defeats: 2 / 3 },
  // Tenn. Const. art. XI § 3
  TN: OF_BALLOTS,
  // Wyo. Const. art. 20 § 1
  WY: OF_BALLOTS,
});

/** States in which bonds of counties, cities or schools need up to two thirds of the votes. */
const STRICT_FOR_BONDS = new Set(['CA', 'IA', 'ID', 'KY', 'MO', 'MS', 'ND', 'NE', 'OK', 'SD', 'WA', 'WV']);
const OF_STRICT_BONDS: RequiredShare = { approves: 2 / 3, defeats: 0.5 };

/** Returns the share that a state measure or the bonds of a district need. */
function requiredShare({ state, office, date }: ContestFacts, isState: boolean): RequiredShare {
  if (!isState) return STRICT_FOR_BONDS.has(state.postal) ? OF_STRICT_BONDS : MAJORITY;
  const isAmendment = /\bAMEND(MENTS?|\b)|\bCONSTITUTION/.test(office) || state.postal === 'NH';
  const isBefore = (state.postal === 'FL' && date < '2006-12-01') || (state.postal === 'CO' && date < '2016-12-01');
  return (isAmendment && !isBefore ? OF_AMENDMENTS[state.postal] : undefined) ?? MAJORITY;
}

/** Returns the outcome of a question; undefined if the votes do not show it. `hidden` is the most votes that each may have besides. */
export function outcomeOf(
  yes: number,
  no: number,
  hidden: { readonly yes: number; readonly no: number },
  { approves, defeats }: RequiredShare,
): 'Approved' | 'Defeated' | undefined {
  const least = yes / (yes + no + hidden.no);
  const most = (yes + hidden.yes) / (yes + hidden.yes + no);
  if (approves === 0.5 ? least > 0.5 : least >= approves) return 'Approved';
  return most < defeats ? 'Defeated' : undefined;
}

/** The length at which a source may truncate the text of a question. */
const CUT_LENGTH = 500;

const TYPES: readonly [pattern: RegExp, type: string][] = [
  [/\bBONDS?\b/, 'Bond issue'],
  [/\b(CONSTITUTIONAL|CON\.?) AMEND(MENT|\.)?\b/, 'Constitutional amendment'],
  [/\bADVISORY\b/, 'Advisory question'],
  [/\bINITIATIVE\b/, 'Citizen initiative'],
  [/\bREFERENDUM\b/, 'Referendum'],
  [/\b(LEVY|LEVIES)\b/, 'Levy'],
];

const OF_STATE =
  /^(?:PROPOSED )?(STATE(WIDE)? )?(CONSTITUTIONAL (AMENDMENT|CONVENTION|INITIATIVE|REFERENDUM)|CON\.? CON\b)|^(?:PROPOSED )?STATE(WIDE)? (BALLOT )?(QUESTION|PROPOSITION|PROPOSAL|MEASURE|INITIATIVE|REFERENDUM|ISSUE|AMENDMENT|BOND)/;

/** The number of a question of a state: counties have letters (`MEASURE H`), or their own number in it (`MEASURE 26-178`). */
const NUMBERED =
  /^(?:BALLOT )?(?:(?:PROP(?:OSITION|\.)?|AMENDMENT|INITIATIVE(?: MEASURE)?|REFERENDUM(?: MEASURE)?|MEASURE|ISSUE|QUESTION)(?: NO\.?| NUMBER)? ?#?\d+|PROPOSAL(?: NO\.?| NUMBER)? ?#?(?:\d\d-)?\d+)(?![\d-]|[A-Z])/;

/**
 * Returns whether a whole state votes on a question in the files of some counties: by its text, or by its number if at least half of
 * the counties in the files vote on it, since counties number their own questions too.
 */
export function isStateQuestion(text: string, counties: number, ofFiles: number): boolean {
  return OF_STATE.test(text) || (NUMBERED.test(text) && counties * 2 >= ofFiles);
}

/** Returns a question and the district that votes on it, or the reason why the district is unknown. */
export function questionOf(facts: ContestFacts): Question | string {
  const { office } = facts;
  const place = placeOf(facts);
  if (!place) return 'the source does not name the district that votes on the question';
  const [heading = '', text] = office.split(/ ?: (.*)/s);
  const isOfText = text !== undefined && text.length > 60;
  const bond = isOfText && /GENERAL OBLIGATION BONDS/.test(text);
  const type = bond ? 'Bond issue' : TYPES.find(([pattern]) => pattern.test(isOfText ? heading : office))?.[1];
  const part = positionOf(facts.district.replace(/^STATEWIDE(, )?/, ''));
  const title = isOfText ? text : part ? `${office}, ${part.toUpperCase()}` : office;
  const isState = place.row.values.type === 'State';
  return {
    place,
    name: isOfText ? titleCase(heading) : title.length > 120 ? title : titleCase(title),
    ...(type ? { type } : {}),
    title: title.length >= CUT_LENGTH ? `${title} …` : title,
    required: isState || bond || type === 'Bond issue' ? requiredShare(facts, isState) : undefined,
  };
}

function placeOf(facts: ContestFacts): Place | undefined {
  const { state, ofState, office, district } = facts;
  const text = office.replace(/\s+/g, ' ');
  const formed =
    /\bTHE (?!FORMED)([A-Z' ]+ FLOOD CONTROL AUTHORITY)\b/.exec(text)?.[1] ??
    /\bTHERE BE FORMED THE (.+? SPECIAL HOSPITAL DISTRICT)\b/.exec(text)?.[1];
  if (formed) return namedPlace(state, 'Special District', titleCase(formed));
  if (facts.everywhere && !/\b(CITY|TOWN|COUNTY|VILLAGE) OF (?!NEW MEXICO)/.test(text)) return statePlace(state);
  const long = text.length > 120;
  const local = long ? cityInSentence(facts, text) : placeInText(facts, true)?.place;
  if (local) return local;
  if (facts.isPartial && isStateQuestion(text, facts.counties.length, facts.countiesInFiles)) return statePlace(state);
  if (ofState && (district === '' || /^(STATEWIDE|\d+)$/.test(district)) && facts.counties.length !== 1)
    return statePlace(state);
  return placeOfVotes(facts);
}

/** Returns the city that a question is about: `SHALL THE CITY OF LAS CRUCES ISSUE GENERAL OBLIGATION BONDS`. */
function cityInSentence(facts: ContestFacts, text: string): Place | undefined {
  const found = /\b(?:CITY|VILLAGE|TOWN) OF ([A-Z' ]+?)(?:,| BE | ISSUE | TO |\b(?=, A LOCAL))/.exec(text);
  return found ? placeInText({ ...facts, office: `CITY OF ${found[1]}` }, true)?.place : undefined;
}
