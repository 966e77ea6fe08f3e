import type { ExternalId } from '../../exchange/import-rows.ts';
import { personName, splitName } from '../../facts/names.ts';
import { withoutMarks } from '../../results/candidates.ts';
import { childrenOf, identifiersOf, localText, plain, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

/** Identifier types for persons that are valid outside the feed. */
const COMMON = ['bioguide', 'govtrack', 'wikidata', 'ocd-person'];
const FEC = /^[HSP]\d[A-Z0-9]{2}\d{5}$/;

export interface PersonNames {
  readonly name: string;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/** Returns a ballot name in its usual form: `J. L. /Brad/ Sheffield` has a nickname. */
export function ballotName(candidate: XmlElement): string | undefined {
  const name = localText(candidate, 'BallotName');
  return name && personName(withoutMarks(name.replace(/\/([^/]+)\//g, '"$1"')).text);
}

/** Returns the names of a person: the full name in the feed, otherwise the ballot name, otherwise the joined parts. */
export function namesOf(person: XmlElement | undefined, onBallot: string | undefined): PersonNames | undefined {
  const part = (name: string) => person && textOf(person, name);
  const [first, last] = [part('FirstName'), part('LastName')];
  const middle = person ? childrenOf(person, 'MiddleName').flatMap((each) => plain(each) ?? []) : [];
  const whole = [first, ...middle, last, part('Suffix')].filter(Boolean).join(' ');
  const full = (person && localText(person, 'FullName')) ?? onBallot ?? whole;
  if (!full) return undefined;
  const name = personName(full);
  return first && last
    ? { name, first_name: personName(first), last_name: personName(last) }
    : { name, ...splitName(name) };
}

/** Returns the identifiers of a person: the generally valid ones first, then the feed's. */
export function personIds(feed: Feed, person: XmlElement | undefined, candidate: XmlElement | undefined): ExternalId[] {
  const named = [person, candidate].flatMap((each) => (each ? identifiersOf(each) : []));
  const common = COMMON.flatMap((scheme) => named.filter(({ type }) => type === scheme));
  const own = person ?? candidate;
  return [
    ...common.map(({ type, value }) => ({ scheme: type, value })),
    ...fecIds(named).map((value) => ({ scheme: 'fec', value })),
    ...(own ? [feed.externalId(own)] : []),
  ];
}

/** Returns the id of a candidacy at the Federal Election Commission. */
export function fecId(candidate: XmlElement, person: XmlElement | undefined): string | undefined {
  return fecIds([candidate, person].flatMap((each) => (each ? identifiersOf(each) : [])))[0];
}

function fecIds(named: readonly { type: string; value: string }[]): string[] {
  return named.filter(({ type, value }) => type.startsWith('fec') && FEC.test(value)).map(({ value }) => value);
}

/** Returns ids of other systems, which are stored but not used for matching. */
export function personLabels(person: XmlElement): ExternalId[] {
  return identifiersOf(person)
    .filter(
      ({ type }) =>
        type !== '' && type !== 'stable' && !COMMON.includes(type) && !/^(fec|ocd-id|fips|.*-level$)/.test(type),
    )
    .map(({ type, value }) => ({ scheme: type, value }));
}
