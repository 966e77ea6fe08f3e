import { displayName } from '../elections/names.ts';
import { cityPlace, countyPlace, namedPlace, type Place, statePlace } from '../elections/places.ts';
import type { MedslFacts } from './medsl-contests.ts';

export interface Question {
  readonly place: Place;
  readonly name: string;
  readonly type?: string;
  readonly title: string;
  /**
   * More yes than no approves it, by law: state measures and general obligation bonds. Of other local questions the
   * source does not tell what they need.
   */
  readonly isMajority: boolean;
}

/** The text of a question is cut off by the source at this length. */
const CUT_LENGTH = 500;

const WORDS: Record<string, string> = { 'GO BOND': 'Bond issue' };

/** The district that votes on a question and what is asked; or why it is not known. */
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
  return 'the text of the question does not tell the district that votes on it';
}
