import { normalName } from '../../../base/words/normal-name.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { nameKey } from '../../facts/names.ts';
import { nameOf, textOf } from './elements.ts';
import type { Feed, FeedContest } from './feed.ts';
import { candidateOf, candidatesOf, type FeedCandidate, isNameAlone } from './feed-candidates.ts';
import { countryPlace } from './feed-districts.ts';
import { choicesOf } from './feed-measures.ts';
import type { FeedOffice } from './feed-offices.ts';
import { partyId, partyOf } from './feed-parties.ts';
import { votesOf } from './feed-votes.ts';
import type { XmlElement } from './xml-file.ts';

/** A contest for an office, with its candidates. */
export interface FeedRace {
  readonly id: ExternalId;
  /** What the contest is for: the office, with day, type, stage, party and position. */
  readonly key: string;
  /** The name of the contest. */
  readonly title: string;
  readonly common: ExternalId | undefined;
  readonly office: FeedOffice;
  readonly candidates: readonly FeedCandidate[];
  readonly stageParty: string | undefined;
  readonly row: ImportRow;
}

/** Returns the race of a contest; undefined if it cannot be determined, which is reported. */
export function feedRace(
  feed: Feed,
  contest: FeedContest,
  office: FeedOffice,
  held: { readonly id: ExternalId; readonly district: ExternalId | undefined },
  selections: readonly XmlElement[],
): FeedRace | undefined {
  const { element, election, type: kind } = contest;
  const record = feed.record(element);
  const seats = seatsOf(element);
  if (seats === null) {
    const given = textOf(element, 'NumberElected');
    const why = given === undefined ? 'is missing, and several votes are allowed' : `is ${given}, no number of seats`;
    feed.report.add(record, 'undecided-contests', `NumberElected ${why}; the number of seats is unknown`);
  }
  const isRetention = kind === 'RetentionContest';
  const named = isRetention ? retained(feed, contest, selections) : candidatesOf(feed, contest, selections);
  const [judge] = named;
  if (isRetention && !judge) return undefined;
  const position = isRetention && judge ? `Retention of ${judge.name}` : textOf(element, 'Seat');
  const isSpecial = election.isSpecial || office.isTermUnexpired;
  const type = isRetention ? 'Retention' : election.isRecall ? 'Recall' : isSpecial ? 'Special' : 'Regular';
  const stageParty = election.stage.includes('Primary') ? partiesOf(feed, element) : undefined;
  // Each state elects its own electors of the president.
  const isOfCountry = office.districtId.value === countryPlace.id.value;
  const key = [
    (office.common ?? office.id).value,
    isOfCountry ? held.district?.value : '',
    election.date,
    type,
    election.stage,
    stageParty,
    position,
  ]
    .filter(Boolean)
    .join(' ');
  const withheld = contradictionIn(
    named,
    seats,
    isOfCountry && held.district?.value !== office.districtId.value,
    contest,
  );
  if (withheld) feed.report.add(record, 'undecided-contests', withheld);
  const candidates = withheld ? named.map((each) => ({ ...each, status: undefined })) : named;
  const id = feed.externalId(element, key);
  const common = office.common && { scheme: 'race', value: key };
  const hasVotes = candidates.some(({ votes }) => votes !== undefined);
  const row: ImportRow = {
    table: 'races',
    record,
    ids: common ? [id, common] : [id],
    refs: { election_id: held.id, office_id: office.id },
    values: {
      year: Number(election.date.slice(0, 4)),
      type,
      stage_type: election.stage,
      stage_party: stageParty,
      number_of_seats: seats,
      office_position: position,
      is_ranked_choice: isRankedChoice(element),
      results_certified: hasVotes ? feed.isCertified : undefined,
    },
    match: { by: 'race' },
  };
  return { id, key, title: nameOf(element), common, office, candidates, stageParty, row };
}

/** Returns what contradicts the outcomes that the feed states for a race; undefined if nothing does. */
function contradictionIn(
  candidates: readonly FeedCandidate[],
  seats: number | null,
  isOfElectors: boolean,
  { element, isOfPart }: FeedContest,
): string | undefined {
  const winners = candidates.filter(({ status }) => status === 'Won');
  if (candidates.every(({ status }) => status === undefined)) return undefined;
  if (isOfElectors) return 'a state chooses electors: its votes alone do not elect the president';
  if (isOfPart) return 'the feed is of a part of the district, which does not decide it: the outcome is unknown';
  if (winners.length > (seats ?? Infinity))
    return `${winners.length} winners for ${seats} seats: the outcome is unknown`;
  if (winners.some(({ mayHold }) => !mayHold))
    return 'a winner is no person, withdrew, died or was disqualified: the outcome is unknown';
  const least = Math.min(...winners.map(({ votes }) => votes ?? Infinity));
  const isBeaten = candidates.some(({ status, votes }) => status !== 'Won' && (votes ?? 0) > least);
  if (isBeaten && !isRankedChoice(element)) return 'a winner has fewer votes than another: the outcome is unknown';
  return undefined;
}

/** Returns a candidate of a race as a row. */
export function candidateRow(feed: Feed, race: FeedRace, candidate: FeedCandidate, personId: ExternalId): ImportRow {
  const { name, parties } = candidate;
  return {
    table: 'candidates',
    record: feed.record(candidate.element),
    ids: [candidateId(feed, race, candidate), ...commonIds(race, candidate)],
    refs: {
      race_id: race.id,
      person_id: personId,
      ...(parties.length > 0 ? { party_ids: parties.map(partyId) } : {}),
    },
    values: {
      stage_party: race.stageParty,
      running_mate: candidate.runningMate,
      fec_id: candidate.fecId,
      is_incumbent: candidate.isIncumbent,
      is_write_in: candidate.isWriteIn,
      withdrew_still_on_ballot: candidate.hasWithdrawn,
      cand_status: candidate.status,
      votes_for_cand: candidate.votes,
    },
    match: { by: 'candidate', name },
    ...(race.row.editions ? { editions: race.row.editions } : {}),
  };
}

function candidateId(feed: Feed, race: FeedRace, { element }: FeedCandidate): ExternalId {
  return { scheme: feed.scheme, value: `${race.id.value} ${feed.externalId(element).value}` };
}

/** Returns the identifiers by which result sources know a candidate of the race. */
export function commonIds({ common, candidates }: FeedRace, { name }: FeedCandidate): ExternalId[] {
  if (!common) return [];
  const short = nameKey(name);
  const isShortAlone = candidates.filter((each) => nameKey(each.name) === short).length === 1;
  const names = [...(isNameAlone(name, candidates) ? [normalName(name)] : []), ...(isShortAlone ? [`(${short})`] : [])];
  return names.map((each) => ({ scheme: 'candidate', value: `${common.value} ${each}` }));
}

function retained(feed: Feed, contest: FeedContest, selections: readonly XmlElement[]): FeedCandidate[] {
  const { element } = contest;
  const [judge, ...more] = feed.findAll('candidate', element, 'CandidateId');
  if (!judge || more.length > 0) {
    const count = judge ? more.length + 1 : 0;
    feed.report.add(feed.record(element), 'left-out', `names ${count} candidates; a retention is of one`);
    return [];
  }
  const { yes, no } = choicesOf(feed, element, selections);
  const against = no && votesOf(feed, no, contest);
  if (typeof against === 'number') {
    feed.report.add(
      feed.record(element),
      'left-out',
      `${against.toLocaleString('en')} votes against retaining the judge have no column`,
    );
  }
  const candidate = candidateOf(feed, judge, [], undefined, yes && votesOf(feed, yes, contest));
  return candidate ? [candidate] : [];
}

/** Returns the number of seats; null if the feed does not state it. */
function seatsOf(contest: XmlElement): number | null {
  const given = textOf(contest, 'NumberElected');
  if (given !== undefined) return /^[1-9]\d{0,2}$/.test(given) ? Number(given) : null;
  return (textOf(contest, 'VotesAllowed') ?? '1') === '1' ? 1 : null;
}

function isRankedChoice(contest: XmlElement): boolean | undefined {
  const variation = textOf(contest, 'VoteVariation');
  return variation === undefined || variation === 'other' ? undefined : variation === 'rcv';
}

function partiesOf(feed: Feed, contest: XmlElement): string | undefined {
  const names = feed.findAll('party', contest, 'PrimaryPartyIds').map(partyOf);
  return [...new Set(names.filter((name) => name !== null))].sort().join(', ') || undefined;
}
