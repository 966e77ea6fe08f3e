import type { Reason } from '../../exchange/report-kinds.ts';
import { childrenOf, flagOf, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

/**
 * Returns the votes for a selection of a contest, summed over the voting modes if the feed has no total, and over areas
 * if it has no count for the whole district. Null if it has counts that cannot be summed; undefined if it has none.
 */
export function votesOf(feed: Feed, selection: XmlElement, contest: XmlElement): number | null | undefined {
  const counts = childrenOf(selection, 'VoteCountsCollection').flatMap((each) => childrenOf(each, 'VoteCounts'));
  if (counts.length === 0) return undefined;
  const record = feed.record(selection);
  const district = textOf(contest, 'ElectoralDistrictId');
  const areas = Map.groupBy(counts, (each) => textOf(each, 'GpUnitId') ?? district ?? '');
  const whole = areas.get(district ?? '');
  if (!whole && !areAlike(feed, [...areas.keys()])) {
    feed.report.add(
      record,
      'left-out',
      'votes are given for areas of several kinds, which may overlap; they cannot be summed',
    );
    return null;
  }
  // Where the count of the whole district is of some modes only, those of its parts may add to it or be in it.
  const modes = new Set(whole?.map((each) => textOf(each, 'Type')));
  if (whole && !modes.has('total') && counts.some((each) => !modes.has(textOf(each, 'Type')))) {
    feed.report.add(record, 'left-out', 'the count of the whole district lacks modes of voting that its parts have');
    return null;
  }
  let sum = 0;
  for (const area of whole ? [whole] : areas.values()) {
    const votes = votesIn(area);
    if (typeof votes !== 'number') {
      feed.report.add(record, votes.kind, votes.reason);
      return null;
    }
    sum += votes;
  }
  return sum;
}

/** Returns the votes in an area, or the reason why they are unknown. */
function votesIn(counts: readonly XmlElement[]): number | Reason {
  const total = counts.filter((each) => textOf(each, 'Type') === 'total');
  const [first, ...more] = total.length > 0 ? total : counts;
  if (total.length > 1) return { kind: 'left-out', reason: 'has more than one total for an area' };
  let sum = 0;
  for (const each of first ? [first, ...more] : []) {
    if (flagOf(each, 'IsSuppressedForPrivacy'))
      return { kind: 'counts-that-are-no-numbers', reason: 'votes are hidden for privacy' };
    const count = Number(textOf(each, 'Count') ?? Number.NaN);
    if (!Number.isSafeInteger(count) || count < 0)
      return { kind: 'counts-that-are-no-numbers', reason: `line ${each.line}: Count is not a number of votes` };
    sum += count;
  }
  return sum;
}

/** Returns whether the areas have one type, such as all counties of a state, so that none contains another. */
function areAlike(feed: Feed, ids: readonly string[]): boolean {
  const types = ids.map((id) => feed.typeOfArea(id));
  return types.every((type) => type !== undefined && type === types[0]);
}
