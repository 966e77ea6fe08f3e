import { isCalendarDate } from '../../../base/dates.ts';
import { type State, stateByFips, stateOfOcdid } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { feedElection } from './election-types.ts';
import { dateOf, identifierOf, localText, textOf } from './elements.ts';
import { Feed } from './feed.ts';
import { elementsOf } from './feed-elements.ts';
import { feedRows } from './feed-rows.ts';
import { type FeedHead, openFeed } from './open-feeds.ts';
import { readXml, type XmlElement, type XmlShape } from './xml-file.ts';

const { kinds: KINDS, skipped: SKIPPED_ELEMENTS } = elementsOf('vip');

function shape(collected: readonly string[]): XmlShape {
  return {
    root: 'VipObject',
    isContainer: () => false,
    isCollected: (name) => collected.includes(name),
    rootError({ attributes: { schemaVersion } }) {
      if (schemaVersion === undefined) return 'has no schemaVersion; supported versions are 5.0 to 6.0';
      return /^(5(\.\d+){1,2}|6\.0(\.\d+)?)$/.test(schemaVersion)
        ? undefined
        : `has the schemaVersion ${schemaVersion}; supported versions are 5.0 to 6.0`;
    },
  };
}

/**
 * Opens a feed of the Voting Information Project (specification 5): a list of contests as election offices publish it.
 */
export function openVip(paths: readonly string[]): Promise<OpenedSource> {
  return openFeed(paths, headOf, rowsOf);
}

interface VipHead extends FeedHead {
  readonly state: State | undefined;
}

async function headOf(file: NamedFile): Promise<VipHead> {
  for await (const { element } of readXml(file, shape(['Source']))) {
    if (element.name !== 'Source') continue;
    const [vipId, name, time] = ['VipId', 'Name', 'DateTime'].map((each) => textOf(element, each));
    const day = time?.slice(0, 10) ?? '';
    const missing = !vipId ? 'VipId' : !name ? 'Name' : isCalendarDate(day) ? undefined : 'DateTime';
    if (missing)
      throw new ImportError(
        `<Source> needs a ${missing}, to distinguish its ids from those of others`,
        file.name,
        element.line,
      );
    const state = /^\d{2}$/.test(vipId ?? '') ? stateByFips(vipId ?? '') : undefined;
    return { scheme: `vip:${vipId}`, source: textOf(element, 'OrganizationUri') ?? name ?? '', day, state };
  }
  throw new ImportError('has no <Source>, which identifies the publisher', file.name);
}

async function* rowsOf(file: NamedFile, head: FeedHead, context: ImportContext): AsyncIterable<ImportRow> {
  const feed = new Feed(file.name, head.scheme, head.day, 'id', context.report);
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    context.onRead(done, Math.max(done, file.bytes), 'bytes');
  };
  for await (const { element } of readXml(file, shape([...KINDS.keys()]), onBytes)) {
    const kind = KINDS.get(element.name);
    if (kind) feed.add(kind, element);
    else if (element.name !== 'Source')
      feed.countSkipped(element.name, SKIPPED_ELEMENTS.get(element.name) ?? 'is not an element of VIP 5');
  }
  const home = homeOf(feed) ?? (head as VipHead).state;
  addElection(feed);
  const selectionsOf = (_: Feed, contest: XmlElement) => feed.findAll('selection', contest, 'BallotSelectionIds');
  head.contests = feed.contests.length + feed.withoutElection;
  yield* feedRows(feed, home, { selectionsOf }, context);
}

function homeOf(feed: Feed): State | undefined {
  const [state] = [...feed.all('district')].filter(({ name }) => name === 'State');
  const [ocdid, fips] = [state && identifierOf(state, 'ocd-id'), state && identifierOf(state, 'fips')];
  return (ocdid && stateOfOcdid(ocdid)) || (fips ? stateByFips(fips) : undefined);
}

/** Adds the election of a feed, which all of its contests belong to. */
function addElection(feed: Feed): void {
  const [element, ...more] = feed.all('election');
  if (!element || more.length > 0) {
    throw new ImportError(`has ${more.length + (element ? 1 : 0)} <Election>; a feed has one`, feed.file);
  }
  const type = localText(element, 'ElectionType');
  const election = feedElection(feed, element, {
    date: dateOf(element, 'Date'),
    types: type ? [type] : [],
    description: localText(element, 'Name'),
    district: textOf(element, 'StateId'),
  });
  if (election) feed.elections.push(election);
  for (const contest of feed.all('contest')) {
    if (election) feed.contests.push({ element: contest, type: contest.name, election });
    else feed.skipContest(contest.name);
  }
}
