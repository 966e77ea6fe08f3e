import { normalName } from '../../../base/words/normal-name.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { nameKey } from '../../facts/names.ts';
import { textOf } from './elements.ts';
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
  if (seats === null)
    feed.report.add(
      record,
      'undecided-contests',
      'NumberElected is missing, and several votes are allowed; the number of seats is unknown',
    );
  const isRetention = kind === 'RetentionContest';
  const candidates = isRetention ? retained(feed, contest, selections) : candidatesOf(feed, contest, selections);
  const [judge] = candidates;
  const position = isRetention && judge ? `Retention of ${judge.name}` : textOf(element, 'Seat');
  const isSpecial = election.isSpecial || office.isTermUnexpired;
  const type = isRetention ? 'Retention' : election.isRecall ? 'Recall' : isSpecial ? 'Special' : 'Regular';
  const stageParty = election.stage.includes('Primary') ? partiesOf(feed, element) : undefined;
  // Each state elects its own electors of the president.
  const isOfCountry = office.districtId.value === countryPlace.id.value;
  const key = [
    office.common?.value,
    isOfCountry ? held.district?.value : '',
    election.date,
    type,
    election.stage,
    stageParty,
    position,
  ]
    .filter(Boolean)
    .join(' ');
  const id = feed.externalId(element);
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
  return { id, common, office, candidates, stageParty, row };
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

function retained(feed: Feed, { element }: FeedContest, selections: readonly XmlElement[]): FeedCandidate[] {
  const [judge] = feed.findAll('candidate', element, 'CandidateId');
  if (!judge) return [];
  const { yes, no } = choicesOf(feed, element, selections);
  const against = no && votesOf(feed, no, element);
  if (typeof against === 'number') {
    feed.report.add(
      feed.record(element),
      'left-out',
      `${against.toLocaleString('en')} votes against retaining the judge have no column`,
    );
  }
  const candidate = candidateOf(feed, judge, [], undefined, yes && votesOf(feed, yes, element));
  return candidate ? [candidate] : [];
}

/** Returns the number of seats; null if the feed does not state it. */
function seatsOf(contest: XmlElement): number | null {
  const given = textOf(contest, 'NumberElected');
  if (given !== undefined) return Number(given);
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
