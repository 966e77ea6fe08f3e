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
   * True if more yes than no votes approve it by law: state measures and general obligation bonds. For other local
   * questions the source does not state the requirement.
   */
  readonly isMajority: boolean;
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
  /^(?:BALLOT )?(?:(?:PROPOSITION|AMENDMENT|INITIATIVE(?: MEASURE)?|REFERENDUM(?: MEASURE)?|MEASURE|ISSUE|QUESTION)(?: NO\.?| NUMBER)? ?#?\d+|PROPOSAL(?: NO\.?| NUMBER)? ?#?(?:\d\d-)?\d+)(?![\d-]|[A-Z])/;

/** Returns whether a whole state votes on a question by its text alone. */
export function isStateQuestion(text: string): boolean {
  return OF_STATE.test(text);
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
    isMajority: isState || bond || type === 'Bond issue',
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
  if (facts.isPartial && (isStateQuestion(text) || NUMBERED.test(text))) return statePlace(state);
  if (ofState && (district === '' || /^(STATEWIDE|\d+)$/.test(district)) && facts.counties.length !== 1)
    return statePlace(state);
  return placeOfVotes(facts);
}

/** Returns the city that a question is about: `SHALL THE CITY OF LAS CRUCES ISSUE GENERAL OBLIGATION BONDS`. */
function cityInSentence(facts: ContestFacts, text: string): Place | undefined {
  const found = /\b(?:CITY|VILLAGE|TOWN) OF ([A-Z' ]+?)(?:,| BE | ISSUE | TO |\b(?=, A LOCAL))/.exec(text);
  return found ? placeInText({ ...facts, office: `CITY OF ${found[1]}` }, true)?.place : undefined;
}
