import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { partyName } from '../../results/parties.ts';
import { childrenOf, localText, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

/** Parties whose names are written without `Party`, as in the other sources. */
const SHORT = ['democratic', 'republican', 'libertarian', 'green', 'constitution', 'reform'];

/** Texts that mean no party in a feed. */
const NO_PARTY = /^(no party( preference)?|party preference: none|none|non-?partisan|voter[- ]nominated)$/i;

/** Returns the name of a party; null if the element is not a party. */
export function partyOf(element: XmlElement): string | null {
  return namedParty(localText(element, 'Name') ?? textOf(element, 'Abbreviation') ?? '');
}

export function namedParty(name: string): string | null {
  if (name === '' || NO_PARTY.test(name)) return null;
  const short = name.replace(/ party$/i, '');
  if (SHORT.includes(short.toLowerCase())) return partyName(short);
  return name === name.toUpperCase() ? partyName(name) : name;
}

export const partyId = (name: string): ExternalId => ({ scheme: 'name', value: name });

export function partyRow(name: string, record: string, url?: string): ImportRow {
  return { table: 'parties', record, ids: [partyId(name)], values: { name, url }, match: { by: 'name' } };
}

/** Yields the rows of the parties that the feed lists. */
export function* partyRows(feed: Feed): Iterable<ImportRow> {
  for (const element of feed.all('party')) {
    const name = partyOf(element);
    if (name) yield partyRow(name, feed.record(element), websiteOf(element));
    else feed.countSkipped('Party', 'is not a party');
  }
}

function websiteOf(party: XmlElement): string | undefined {
  const uris = childrenOf(party, 'ContactInformation').flatMap((each) => childrenOf(each, 'Uri'));
  return uris
    .find(({ attributes }) => /website/.test(attributes.Annotation ?? attributes.annotation ?? ''))
    ?.text.trim();
}
