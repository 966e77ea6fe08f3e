import { dictionary } from '../../../base/dictionary.ts';
import { normalName } from '../../../base/words/normal-name.ts';
import { WITHOUT_CANDIDATE } from '../../facts/names.ts';
import { isLabel, withoutMarks } from '../../results/candidates.ts';
import { isNoPerson } from '../../results/dialect.ts';
import { partyNames } from '../../results/parties.ts';
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
  /** A party that the feed does not list: its label, or a mark after the name. */
  readonly label: string | null;
  readonly parties: readonly string[];
  readonly fecId: string | undefined;
  readonly isIncumbent: boolean | undefined;
  readonly isWriteIn: boolean | undefined;
  readonly hasWithdrawn: boolean | undefined;
  readonly status: string | undefined;
  /** False for a choice that is no person, and for a candidate who withdrew, died or was disqualified. */
  readonly mayHold: boolean;
  readonly votes: number | null | undefined;
}

const STATUSES: Readonly<Record<string, string>> = dictionary({ winner: 'Won', 'advanced-to-runoff': 'Advanced' });

/**
 * Returns the candidates of a contest in the order of its selections; the second name of a ticket is the running mate.
 */
export function candidatesOf(feed: Feed, contest: FeedContest, selections: readonly XmlElement[]): FeedCandidate[] {
  const all = [...new Set(selections)].flatMap((selection) => {
    const [first, ...mates] = feed.findAll('candidate', selection, 'CandidateIds');
    const votes = votesOf(feed, selection, contest);
    if (first) return candidateOf(feed, first, mates, selection, votes) ?? [];
    if (referencesOf(selection, 'CandidateIds').length === 0) {
      const shown = votes === undefined ? '' : `; votes: ${votes ?? 'not known'}`;
      feed.report.add(feed.record(selection), 'left-out', `is a line without a candidate${shown}`);
    }
    return [];
  });
  return [...Map.groupBy(all, ({ element }) => element).values()].flatMap(ofSeveralLines);
}

/** Returns the candidate of several lines of a ballot, one for each party: the votes are those of all. */
function ofSeveralLines([first, ...more]: readonly FeedCandidate[]): FeedCandidate[] {
  if (!first) return [];
  const votes = [first, ...more].map((line) => line.votes);
  const isKnown = votes.every((each) => typeof each === 'number');
  return [
    {
      ...first,
      parties: [...new Set([first, ...more].flatMap(({ parties }) => parties))],
      votes:
        more.length === 0
          ? first.votes
          : isKnown
            ? votes.reduce((sum, each) => sum + each, 0)
            : votes.find((each) => each !== undefined) === undefined
              ? undefined
              : null,
    },
  ];
}

export function candidateOf(
  feed: Feed,
  element: XmlElement,
  mates: readonly XmlElement[],
  selection: XmlElement | undefined,
  votes: number | null | undefined,
): FeedCandidate | undefined {
  const text = localText(element, 'BallotName');
  const name = ballotName(element);
  if (!text || !name) {
    feed.report.add(feed.record(element), 'left-out', `line ${element.line}: has no BallotName`);
    return undefined;
  }
  if (isLabel(text)) {
    feed.report.add(
      feed.record(element),
      'counts-among-candidates',
      WITHOUT_CANDIDATE,
      `${text} ${votes ?? ''}`.trim(),
    );
    return undefined;
  }
  const marks = withoutMarks(text);
  const personId = textOf(element, 'PersonId');
  const person = personId === undefined ? undefined : feed.find('person', personId, element);
  const [before, after] = [textOf(element, 'PreElectionStatus'), textOf(element, 'PostElectionStatus')];
  if (after === 'projected-winner')
    feed.countSkipped('PostElectionStatus projected-winner', 'a projection is not a result');
  const hasWithdrawn = before === 'withdrawn' || after === 'withdrawn' || marks.mark === 'withdrew';
  const endorsing = selection ? feed.findAll('party', selection, 'EndorsementPartyIds') : [];
  const label = namedParty(localText(element, 'PartyLabel') ?? partyNames(marks.party)[0] ?? '');
  const parties = [...feed.findAll('party', element, 'PartyId'), ...endorsing].map(partyOf);
  const mateNames = mates.flatMap((mate) => ballotName(mate) ?? []);
  return {
    element,
    person,
    name,
    label,
    runningMate: mateNames.join(', ') || undefined,
    parties: [...new Set([...parties, label].filter((each) => each !== null))],
    fecId: fecId(element, person),
    isIncumbent: flagOf(element, 'IsIncumbent'),
    isWriteIn:
      (selection && flagOf(selection, 'IsWriteIn')) ?? (before === 'write-in' || marks.isWriteIn ? true : undefined),
    hasWithdrawn: before === undefined && !hasWithdrawn ? undefined : hasWithdrawn,
    status: after === undefined ? undefined : STATUSES[after],
    mayHold: marks.mark === undefined && !hasWithdrawn && !isNoPerson(text),
    votes,
  };
}

/** Returns whether no other candidate in the list has the name. */
export function isNameAlone(name: string, all: readonly FeedCandidate[]): boolean {
  return all.filter((each) => normalName(each.name) === normalName(name)).length === 1;
}
