import { isCalendarDate } from '../../../base/dates.ts';
import { dictionary } from '../../../base/dictionary.ts';
import { stateOfOcdid } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { electionKind, feedElection } from './election-types.ts';
import { childrenOf, dateOf, identifierOf, localText, plain, textOf } from './elements.ts';
import { Feed, type FeedElection } from './feed.ts';
import { elementsOf } from './feed-elements.ts';
import { feedRows } from './feed-rows.ts';
import { type FeedHead, openFeed } from './open-feeds.ts';
import { readXml, type XmlElement, type XmlRecord, type XmlShape } from './xml-file.ts';

const { kinds: KINDS, skipped: SKIPPED_ELEMENTS } = elementsOf('civics-cdf');

/** Metadata elements of a report and of an election. */
const HEAD = ['GeneratedDate', 'Issuer', 'Status'];
const OF_ELECTION = [
  'ElectionDateStatus',
  'ElectionScopeId',
  'EndDate',
  'ExternalIdentifiers',
  'Name',
  'OtherType',
  'StartDate',
  'Type',
];

/** Selections that are not a candidate. */
const WITHOUT_CANDIDATE = [
  'AggregateBallotSelection',
  'BlankBallotSelection',
  'NoneOfTheAboveBallotSelection',
  'NullBallotSelection',
];

function shape(collected: readonly string[]): XmlShape {
  return {
    root: 'ElectionReport',
    isContainer: (name) => name === 'Election' || name.endsWith('Collection'),
    isCollected: (name) => collected.includes(name),
    rootError: () => undefined,
  };
}

/**
 * Opens a feed of the Civics Common Data Format, Google's version of NIST SP 1500-100: before, after or without an
 * election.
 */
export function openCivicsCdf(paths: readonly string[]): Promise<OpenedSource> {
  return openFeed(paths, headOf, rowsOf);
}

async function headOf(file: NamedFile): Promise<FeedHead> {
  const found: Record<string, XmlElement> = dictionary();
  for await (const { element, parents } of readXml(file, shape(HEAD))) {
    if (parents.length === 1) found[element.name] = element;
    if (found.Issuer && found.GeneratedDate) break;
  }
  const [issuer, time] = [found.Issuer, found.GeneratedDate].map((each) => each && plain(each));
  const day = time?.slice(0, 10) ?? '';
  const missing = !issuer ? 'Issuer' : isCalendarDate(day) ? undefined : 'GeneratedDate';
  if (missing)
    throw new ImportError(
      `<ElectionReport> needs a ${missing}, to distinguish its ids from those of others`,
      file.name,
    );
  return { scheme: `civics-cdf:${issuer}`, source: issuer ?? '', day };
}

async function* rowsOf(file: NamedFile, head: FeedHead, context: ImportContext): AsyncIterable<ImportRow> {
  const feed = new Feed(file.name, head.scheme, head.day, 'objectId', context.report);
  const contests = new Map<XmlElement, XmlElement[]>();
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    context.onRead(done, Math.max(done, file.bytes), 'bytes');
  };
  for await (const record of readXml(file, shape([...KINDS.keys(), ...HEAD, ...OF_ELECTION]), onBytes)) {
    sort(feed, record, contests);
  }
  for (const [element, ofElection] of contests) addElection(feed, element, ofElection);
  const scopes = feed.elections.flatMap(({ district }) => feed.peek('district', district) ?? []);
  const home = scopes.map((scope) => stateOfOcdid(identifierOf(scope, 'ocd-id') ?? '')).find(Boolean);
  head.contests = feed.contests.length + feed.withoutElection;
  yield* feedRows(feed, home, { selectionsOf }, context);
}

/** Assigns an element to its election, to the report, or to the records of the feed. */
function sort(feed: Feed, { element, parents }: XmlRecord, contests: Map<XmlElement, XmlElement[]>): void {
  const election = parents.find(({ name }) => name === 'Election');
  const own = election ? (contests.get(election) ?? []) : [];
  if (election) contests.set(election, own);
  const parent = parents.at(-1);
  const kind = parent?.name.endsWith('Collection') ? KINDS.get(element.name) : undefined;
  if (kind && element.attributes['xsi:type'] !== 'ReportingDevice') {
    feed.add(kind, element);
    if (kind === 'contest') own.push(element);
  } else if (parent?.name.endsWith('Collection')) {
    feed.countSkipped(element.name, SKIPPED_ELEMENTS.get(element.name) ?? 'is not an element of the format');
  } else if (parent === election) parent?.children.push(element);
  else if (element.name === 'Status') {
    const status = plain(element);
    if (status !== 'pre-election') feed.isCertified = status === 'certified';
  }
}

function addElection(feed: Feed, element: XmlElement, contests: readonly XmlElement[]): void {
  const given = childrenOf(element, 'Type').flatMap((each) => plain(each) ?? []);
  const types = [...given.filter((type) => type !== 'other'), textOf(element, 'OtherType')];
  const [date, last] = [dateOf(element, 'StartDate'), dateOf(element, 'EndDate')];
  const description = localText(element, 'Name');
  const district = textOf(element, 'ElectionScopeId');
  const status = statusOf(feed, element);
  const facts = { date, types: types.filter((type) => type !== undefined), description, district, status };
  const election = feedElection(feed, element, facts);
  if (election) {
    feed.elections.push(election);
    if (last && last !== date) {
      feed.report.add(
        feed.record(element),
        'left-out',
        `EndDate: ${last} differs from the first day, ${date}, which is used`,
      );
    }
  }
  for (const contest of contests) {
    const type = contest.attributes['xsi:type'] ?? 'Contest';
    if (!election) feed.skipContest(type);
    else if (isOff(feed, element, 'ElectionDateStatus')) feed.countSkipped(type, 'its election is not held on its day');
    else if (!isOff(feed, contest, 'ContestDateStatus')) {
      feed.contests.push({ element: contest, type, election: ofContest(election, contest, type) });
    }
  }
}

/**
 * Returns the election of a contest, whose type may differ from that of the election: a special contest on the day of a
 * general election.
 */
function ofContest(election: FeedElection, contest: XmlElement, type: string): FeedElection {
  if (type !== 'CandidateContest') return election;
  const kind = electionKind(childrenOf(contest, 'Type').flatMap((each) => plain(each) ?? []));
  return kind ? { ...election, stage: kind.stage, isSpecial: kind.isSpecial, isRecall: kind.isRecall } : election;
}

/** The statuses of a date in the exchange format. */
const DATE_STATUSES: Readonly<Record<string, string>> = dictionary({
  confirmed: 'Scheduled',
  postponed: 'Postponed',
  canceled: 'Cancelled',
});

/** Returns the status of an election: that of its date, or certified if the report has the final counts. */
function statusOf(feed: Feed, element: XmlElement): string | undefined {
  const ofDate = DATE_STATUSES[textOf(element, 'ElectionDateStatus') ?? ''];
  return feed.isCertified && (ofDate ?? 'Scheduled') === 'Scheduled' ? 'Certified' : ofDate;
}

function isOff(feed: Feed, element: XmlElement, name: string): boolean {
  const status = textOf(element, name);
  if (status !== 'canceled' && status !== 'postponed') return false;
  feed.report.add(feed.record(element), 'left-out', `is ${status}: it is not held on its day`);
  return true;
}

function selectionsOf(feed: Feed, contest: XmlElement): XmlElement[] {
  for (const name of WITHOUT_CANDIDATE)
    feed.countSkipped(name, 'is a count of ballots for no candidate', childrenOf(contest, name).length);
  return childrenOf(contest, 'BallotSelection').filter((selection) => {
    const isParty = selection.attributes['xsi:type'] === 'PartySelection';
    if (isParty) feed.countSkipped('PartySelection', 'is a choice of a party; a race needs candidates');
    return !isParty;
  });
}
