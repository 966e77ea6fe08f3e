import type { Reason } from '../../exchange/report-kinds.ts';
import { childrenOf, flagOf, textOf } from './elements.ts';
import type { Feed, FeedContest } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

/** Texts of a count: the format has decimals, which votes have none of. */
const COUNT = /^\d+(\.0+)?$/;

/**
 * Returns the votes for a selection of a contest, summed over the voting modes if the feed has no total, and over areas
 * if it has no count for the whole district. Null if it has counts that cannot be summed, or that contradict each other; undefined
 * if it has none.
 */
export function votesOf(feed: Feed, selection: XmlElement, contest: FeedContest): number | null | undefined {
  const counts = countsOf(selection);
  if (counts.length === 0) return undefined;
  const votes = sumOf(feed, counts, contest);
  if (typeof votes === 'number') return votes;
  feed.report.add(feed.record(selection), votes.kind, votes.reason);
  return null;
}

function countsOf(selection: XmlElement): XmlElement[] {
  return childrenOf(selection, 'VoteCountsCollection').flatMap((each) => childrenOf(each, 'VoteCounts'));
}

function sumOf(feed: Feed, counts: readonly XmlElement[], contest: FeedContest): number | Reason {
  if (contest.isOfPart)
    return { kind: 'counties-missing', reason: 'votes are those of a part of the district, which the feed is of' };
  const district = textOf(contest.element, 'ElectoralDistrictId') ?? '';
  const areaOf = (count: XmlElement) => textOf(count, 'GpUnitId') ?? district;
  const areas = Map.groupBy(counts, areaOf);
  const whole = areas.get(district);
  areas.delete(district);
  const others = childrenOf(contest.element, 'BallotSelection').flatMap(countsOf).map(areaOf);
  const kinds = Map.groupBy(areas, ([id]) => feed.typeOfArea(id));
  const [[kind, parts = []] = []] = kinds;
  if (!whole && (kinds.size !== 1 || kind === undefined))
    return {
      kind: 'left-out',
      reason: 'votes are given for areas of several kinds, which may overlap; they cannot be summed',
    };
  const lacking = new Set(others.filter((id) => id !== district && feed.typeOfArea(id) === kind && !areas.has(id)))
    .size;
  if (!whole && lacking > 0)
    return { kind: 'left-out', reason: `has no count of ${lacking} areas that others of the contest have` };
  if (!whole && kind === 'county' && contest.counties !== undefined && parts.length < contest.counties)
    return { kind: 'counties-missing', reason: `has counts of ${parts.length} of ${contest.counties} counties` };
  // Where the count of the whole district is of some modes only, those of its parts may add to it or be in it.
  const modes = new Set(whole?.map((each) => textOf(each, 'Type')));
  if (whole && !modes.has('total') && counts.some((each) => !modes.has(textOf(each, 'Type'))))
    return { kind: 'left-out', reason: 'the count of the whole district lacks modes of voting that its parts have' };
  const sums = [...kinds.values()].map((of) => addUp(of.map(([, own]) => votesIn(own))));
  if (!whole) return sums[0] ?? 0;
  const votes = votesIn(whole);
  const isBelow = typeof votes === 'number' && sums.some((sum) => typeof sum === 'number' && sum > votes);
  return isBelow
    ? { kind: 'totals-against-parts', reason: 'the count of the whole district is below that of its parts' }
    : votes;
}

function addUp(all: readonly (number | Reason)[]): number | Reason {
  return all.find((each) => typeof each !== 'number') ?? all.reduce<number>((sum, each) => sum + Number(each), 0);
}

/** Returns the votes in an area, or the reason why they are unknown. */
function votesIn(counts: readonly XmlElement[]): number | Reason {
  const [total, ...more] = counts.filter((each) => textOf(each, 'Type') === 'total').map(countOf);
  if (more.length > 0) return { kind: 'left-out', reason: 'has more than one total for an area' };
  const modes = addUp(counts.filter((each) => textOf(each, 'Type') !== 'total').map(countOf));
  if (typeof total === 'number' && typeof modes === 'number' && modes > total)
    return { kind: 'totals-against-parts', reason: 'modes of voting have more votes than their total' };
  return total ?? modes;
}

function countOf(count: XmlElement): number | Reason {
  if (flagOf(count, 'IsSuppressedForPrivacy'))
    return { kind: 'counts-that-are-no-numbers', reason: 'votes are hidden for privacy' };
  const text = textOf(count, 'Count') ?? '';
  if (COUNT.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return { kind: 'counts-that-are-no-numbers', reason: `line ${count.line}: Count is not a number of votes` };
}
