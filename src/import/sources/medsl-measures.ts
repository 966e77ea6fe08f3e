import { displayName } from '../elections/names.ts';
import { cityPlace, countyPlace, namedPlace, type Place, statePlace } from '../elections/places.ts';
import type { MedslFacts } from './medsl-contests.ts';

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

/** The length at which the source truncates the text of a question. */
const CUT_LENGTH = 500;

const WORDS: Record<string, string> = { 'GO BOND': 'Bond issue' };

/** Returns the district that votes on a question and its text; or the reason why it is unknown. */
export function questionOf(facts: MedslFacts): Question | string {
  const { office } = facts;
  const place = placeOf(facts);
  if (typeof place === 'string') return place;
  const [heading = '', text] = office.split(/ ?: (.*)/s);
  const bond = /\bBONDS?\b/.test(heading) || (text !== undefined && /GENERAL OBLIGATION BONDS/.test(text));
  const amendment = /^CONSTITUTIONAL AMENDMENT/.test(heading);
  const isState = place.row.values.type === 'State';
  const type = bond ? 'Bond issue' : amendment ? 'Constitutional amendment' : WORDS[heading];
  return {
    place,
    name: text ? displayName(heading) : office,
    ...(type ? { type } : {}),
    title: (text ?? office).length >= CUT_LENGTH ? `${text ?? office} …` : (text ?? office),
    isMajority: bond || isState,
  };
}

function placeOf(facts: MedslFacts): Place | string {
  const { state, office, counties } = facts;
  const text = office.replace(/\s+/g, ' ');
  if (/^(BALLOT MEASURE|BM ?#|CONSTITUTIONAL AMENDMENT \d|BOND QUESTION \d+:)/.test(text)) return statePlace(state);
  const district =
    /\bTHE (?!FORMED)([A-Z' ]+ FLOOD CONTROL AUTHORITY)\b/.exec(text)?.[1] ??
    /\bTHERE BE FORMED THE (.+? SPECIAL HOSPITAL DISTRICT)\b/.exec(text)?.[1];
  if (district) return namedPlace(state, 'Special District', displayName(district));
  const city = /\b(?:CITY|VILLAGE|TOWN) OF ([A-Z' ]+?)(?:,| BE | ISSUE |\b(?=, A LOCAL))/.exec(text)?.[1];
  if (city) return cityPlace(state, city);
  const [name, fips = ''] = [...counties][0] ?? [];
  const asksCounty =
    /\bSHALL THE COUNTY\b/.test(text) ||
    (name !== undefined && new RegExp(`\\b(${name} COUNTY|COUNTY OF ${name})\\b`).test(text));
  if (counties.size === 1 && name && asksCounty) return countyPlace(state, name, fips);
  return 'the text of the question does not name the district that votes on it';
}
