import type { Selectable } from 'kysely';
import type { Candidate, RankedChoiceRound } from '../database/tables.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { records } from '../graphql/records.ts';
import { relation } from '../graphql/relation.ts';
import type { ValuesOf } from '../graphql/update-times.ts';
import type { PartyRow, PersonRow } from '../officials/officials.store.ts';
import type { RaceRow } from './ballots.store.ts';
import { OPEN_CANDIDATE_STATUSES, visibleStatus } from './results.ts';

/**
 * A candidate. Votes are present only for callers who may see results. `is_incumbent` is what the source says, or else
 * follows from the terms.
 */
export interface CandidateRow extends Omit<ValuesOf<Candidate>, 'votes_for_cand' | 'holds_office'> {
  readonly votes_for_cand?: number | null;
}

/** A round of a candidate with the votes gained up to and including it; null if any of these gains is not known. */
export interface RoundRow extends Omit<Selectable<RankedChoiceRound>, 'candidate_id' | 'votes_for'> {
  /** Fractions have no trailing zeros. */
  readonly votes_for: number | null;
  readonly running_total: number | null;
}

/** Returns an SQL subquery with the columns of candidates that the caller may see. */
export function candidateRows(scope: Pick<RowScope, 'isGranted'>): string {
  const votes = scope.isGranted('results') ? ', c.votes_for_cand' : '';
  return `(
    select c.id, c.race_id, c.person_id, c.stage_party, c.running_mate, c.fec_id,
      coalesce(c.is_incumbent, c.holds_office) as is_incumbent, c.is_write_in, c.withdrew_still_on_ballot,
      ${visibleStatus('c.cand_status', OPEN_CANDIDATE_STATUSES, scope)} as cand_status${votes}
    from candidates c)`;
}

export const candidates = records<CandidateRow>({ name: 'ballots.candidateById', rows: candidateRows });

/**
 * The candidates of a race, sorted by votes for callers who may see them, then by name, then by id. For other callers
 * the order alone would reveal the winner.
 */
export const candidatesOfRace = relation<Pick<RaceRow, 'id'>, CandidateRow>({
  name: 'ballots.candidatesOfRace',
  parentKey: { id: 'int' },
  from: ({ id }, scope) =>
    `${candidateRows(scope)} ${scope.row} join persons ${scope.row}_person on ${scope.row}_person.id = ${scope.row}.person_id
     where ${scope.row}.race_id = ${id}`,
  orderBy({ row, isGranted }) {
    const byName = `${row}_person.name, ${row}.id`;
    return isGranted('results') ? `${row}.votes_for_cand desc nulls last, ${byName}` : byName;
  },
});

/** All candidacies of a person, latest election first. */
export const candidaciesOfPerson = relation<PersonRow, CandidateRow>({
  name: 'ballots.candidaciesOfPerson',
  parentKey: { id: 'int' },
  from: ({ id }, scope) =>
    `${candidateRows(scope)} ${scope.row}
     join races ${scope.row}_race on ${scope.row}_race.id = ${scope.row}.race_id
     join elections ${scope.row}_election on ${scope.row}_election.id = ${scope.row}_race.election_id
     where ${scope.row}.person_id = ${id}`,
  orderBy: ({ row }) => `${row}_election.date desc, ${row}.id`,
});

/** The parties of a candidate, in ballot order. */
export const partiesOfCandidate = relation<CandidateRow, PartyRow>({
  name: 'ballots.partiesOfCandidate',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) =>
    `candidate_parties ${row}_listed join parties ${row} on ${row}.id = ${row}_listed.party_id
     where ${row}_listed.candidate_id = ${id}`,
  orderBy: ({ row }) => `${row}_listed.position`,
});

/** The rounds of a candidate, in order. */
export const roundsOfCandidate = relation<Pick<CandidateRow, 'id'>, RoundRow>({
  name: 'ballots.roundsOfCandidate',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `(
    select counted.candidate_id, counted.round, counted.votes_for, counted.status, (
      select case when count(*) = count(earlier.votes_for) then trim_scale(sum(earlier.votes_for)) end
      from ranked_choice_rounds earlier
      where earlier.candidate_id = counted.candidate_id and earlier.round <= counted.round) as running_total
    from ranked_choice_rounds counted) ${row} where ${row}.candidate_id = ${id}`,
  orderBy: ({ row }) => `${row}.round`,
});
