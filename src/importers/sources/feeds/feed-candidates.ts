import { dictionary } from '../../../base/dictionary.ts';
import { normalName } from '../../../base/words/normal-name.ts';
import { flagOf, localText, referencesOf, textOf } from './elements.ts';
import type { Feed, FeedContest } from './feed.ts';
import { namedParty, partyOf } from './feed-parties.ts';
import { ballotName, fecId } from './feed-persons.ts';
import { votesOf } from './feed-votes.ts';
import type { XmlElement } from './xml-file.ts';

/** A person on a ballot, as far as the feed describes them. */
export interface FeedCandidate {
  readonly element: XmlElement;
  readonly person: XmlElement | undefined;
  /** The name as printed on the ballot. */
  readonly name: string;
  readonly runningMate: string | undefined;
  readonly parties: readonly string[];
  readonly fecId: string | undefined;
  readonly isIncumbent: boolean | undefined;
  readonly isWriteIn: boolean | undefined;
  readonly hasWithdrawn: boolean | undefined;
  readonly status: string | undefined;
  readonly votes: number | null | undefined;
}

const STATUSES: Readonly<Record<string, string>> = dictionary({ winner: 'Won', 'advanced-to-runoff': 'Advanced' });

/**
 * Returns the candidates of a contest in the order of its selections; the second name of a ticket is the running mate.
 */
export function candidatesOf(feed: Feed, contest: FeedContest, selections: readonly XmlElement[]): FeedCandidate[] {
  return selections.flatMap((selection) => {
    const [first, ...mates] = feed.findAll('candidate', selection, 'CandidateIds');
    const votes = votesOf(feed, selection, contest.element);
    if (first) return candidateOf(feed, first, mates, selection, votes) ?? [];
    if (referencesOf(selection, 'CandidateIds').length === 0) {
      const shown = votes === undefined ? '' : `; votes: ${votes ?? 'not known'}`;
      feed.report.add(feed.record(selection), 'left-out', `is a line without a candidate${shown}`);
    }
    return [];
  });
}

export function candidateOf(
  feed: Feed,
  element: XmlElement,
  mates: readonly XmlElement[],
  selection: XmlElement | undefined,
  votes: number | null | undefined,
): FeedCandidate | undefined {
  const name = ballotName(element);
  if (!name) {
    feed.report.add(feed.record(element), 'left-out', `line ${element.line}: has no BallotName`);
    return undefined;
  }
  const personId = textOf(element, 'PersonId');
  const person = personId === undefined ? undefined : feed.find('person', personId, element);
  const [before, after] = [textOf(element, 'PreElectionStatus'), textOf(element, 'PostElectionStatus')];
  if (after === 'projected-winner')
    feed.countSkipped('PostElectionStatus projected-winner', 'a projection is not a result');
  const hasWithdrawn = before === 'withdrawn' || after === 'withdrawn';
  const endorsing = selection ? feed.findAll('party', selection, 'EndorsementPartyIds') : [];
  const label = localText(element, 'PartyLabel');
  const parties = [...feed.findAll('party', element, 'PartyId'), ...endorsing].map(partyOf);
  const mateNames = mates.flatMap((mate) => ballotName(mate) ?? []);
  return {
    element,
    person,
    name,
    runningMate: mateNames.join(', ') || undefined,
    parties: [...new Set([...parties, label ? namedParty(label) : null].filter((each) => each !== null))],
    fecId: fecId(element, person),
    isIncumbent: flagOf(element, 'IsIncumbent'),
    isWriteIn: (selection && flagOf(selection, 'IsWriteIn')) ?? (before === 'write-in' ? true : undefined),
    hasWithdrawn: before === undefined && !hasWithdrawn ? undefined : hasWithdrawn,
    status: after === undefined ? undefined : STATUSES[after],
    votes,
  };
}

/** Returns whether no other candidate in the list has the name. */
export function isNameAlone(name: string, all: readonly FeedCandidate[]): boolean {
  return all.filter((each) => normalName(each.name) === normalName(name)).length === 1;
}
