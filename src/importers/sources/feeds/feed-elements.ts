import { readTable } from '../../../base/words/read-table.ts';
import type { Kind } from './feed.ts';

const ELEMENTS = readTable<'feed' | 'element' | 'kind' | 'skipped_because'>('feed-elements', import.meta.url);

/** Returns the kinds of the elements of a feed, and why others are skipped that the exchange format does not support, by their names. */
export function elementsOf(feed: 'vip' | 'civics-cdf') {
  const own = ELEMENTS.filter((row) => row.feed === feed);
  return {
    kinds: new Map(own.filter(({ kind }) => kind !== '').map(({ element, kind }) => [element, kind as Kind])),
    skipped: new Map(own.map(({ element, skipped_because }) => [element, skipped_because])),
  };
}
