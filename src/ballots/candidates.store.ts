import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Candidate, RankedChoiceRound } from '../database/tables.ts';
import { type RowsInSql, rowsById, type ValueInSql } from '../graphql/in-sql.ts';
import {
  type PartyRow,
  type PersonColumns,
  type PersonRow,
  personColumns,
  personOf,
} from '../officials/officials.store.ts';
import { OPEN_CANDIDATE_STATUSES } from './results.ts';

export type RoundRow = Omit<Selectable<RankedChoiceRound>, 'candidate_id'>;

/** A candidate with the person and the parties. Votes and rounds are present only for callers who may see results. */
export interface CandidateRow extends Omit<Selectable<Candidate>, 'votes_for_cand'> {
  readonly person: PersonRow;
  readonly parties: readonly PartyRow[];
  readonly votes_for_cand?: number | null;
  readonly rounds?: readonly RoundRow[];
}

type FoundCandidate = Omit<CandidateRow, 'person'> & PersonColumns;

/** Adds the person to the row of a candidate; all other columns stay unchanged. */
function candidateOf(found: FoundCandidate): CandidateRow {
  return Object.assign(found, { person: personOf(found) });
}

const candidateTables = sql`candidates c join persons person on person.id = c.person_id`;

function candidateColumns(withResults: boolean): RawBuilder<unknown> {
  const open = sql`c.id, c.race_id, c.person_id, c.stage_party, c.running_mate, c.fec_id, c.is_incumbent, c.is_write_in,
      c.withdrew_still_on_ballot, ${personColumns},
      (select coalesce(json_agg(party order by listed.position), '[]')
        from candidate_parties listed join parties party on party.id = listed.party_id
        where listed.candidate_id = c.id) as parties`;
  return withResults
    ? sql`${open}, c.cand_status, c.votes_for_cand,
      (select coalesce(json_agg(json_build_object('round', counted.round, 'votes_for', counted.votes_for,
          'status', counted.status) order by counted.round), '[]')
        from ranked_choice_rounds counted where counted.candidate_id = c.id) as rounds`
    : sql`${open}, case when c.cand_status = any(${OPEN_CANDIDATE_STATUSES}::text[]) then c.cand_status end as cand_status`;
}

/**
 * Returns the sort order of candidates. It uses votes only for callers who may see them: the order alone would reveal
 * the winner.
 */
function candidateOrder(withResults: boolean): RawBuilder<unknown> {
  return withResults ? sql`c.votes_for_cand desc nulls last, person.name, c.id` : sql`person.name, c.id`;
}

export async function candidatesById(
  db: Database,
  ids: readonly number[],
  withResults: boolean,
): Promise<CandidateRow[]> {
  const found = await sql<FoundCandidate>`
    /* ballots.candidatesById */
    select ${candidateColumns(withResults)} from ${candidateTables}
    where c.id = any(${ids}::int[])`.execute(db);
  return found.rows.map(candidateOf);
}

/** Returns the candidates of the races, sorted by votes for callers who may see them, then by name, then by id. */
export async function candidatesOfRaces(
  db: Database,
  raceIds: readonly number[],
  withResults: boolean,
): Promise<CandidateRow[]> {
  const found = await sql<FoundCandidate>`
    /* ballots.candidatesOfRaces */
    select ${candidateColumns(withResults)} from ${candidateTables}
    where c.race_id = any(${raceIds}::int[])
    order by ${candidateOrder(withResults)}`.execute(db);
  return found.rows.map(candidateOf);
}

/** The candidates of the race with this id, in SQL, in the same order. */
export const candidatesInSql: RowsInSql = {
  parentKey: 'id',
  from: (raceId, { row }) =>
    `candidates ${row} join persons ${row}_person on ${row}_person.id = ${row}.person_id where ${row}.race_id = ${raceId}`,
  order({ row, isGranted }) {
    const byName = `${row}_person.name, ${row}.id`;
    return isGranted('results') ? `${row}.votes_for_cand desc nulls last, ${byName}` : byName;
  },
};

/** The race of a candidate, in SQL. */
export const raceInSql = rowsById('races', 'race_id');

/** The parties of the candidate with this id, in SQL, in ballot order. */
export const candidatePartiesInSql: RowsInSql = {
  parentKey: 'id',
  from: (candidateId, { row }) =>
    `candidate_parties ${row}_listed join parties ${row} on ${row}.id = ${row}_listed.party_id
     where ${row}_listed.candidate_id = ${candidateId}`,
  order: ({ row }) => `${row}_listed.position`,
};

/** The rounds of the candidate with this id, in SQL, in order. */
export const roundsInSql: RowsInSql = {
  parentKey: 'id',
  from: (candidateId, { row }) => `ranked_choice_rounds ${row} where ${row}.candidate_id = ${candidateId}`,
  order: ({ row }) => `${row}.round`,
};

/**
 * The votes that a candidate has gained up to and including a round, in SQL; null if any of these gains is not known.
 */
export const runningTotalInSql: ValueInSql = ({ row }) =>
  `(select case when count(*) = count(earlier.votes_for) then sum(earlier.votes_for) end from ranked_choice_rounds earlier
    where earlier.candidate_id = ${row}.candidate_id and earlier.round <= ${row}.round)`;

/** Returns all candidacies of the persons, latest election first. */
export async function candidatesOfPersons(
  db: Database,
  personIds: readonly number[],
  withResults: boolean,
): Promise<CandidateRow[]> {
  const found = await sql<FoundCandidate>`
    /* ballots.candidatesOfPersons */
    select ${candidateColumns(withResults)} from ${candidateTables}
    join races r on r.id = c.race_id
    join elections e on e.id = r.election_id
    where c.person_id = any(${personIds}::int[])
    order by e.date desc, c.id`.execute(db);
  return found.rows.map(candidateOf);
}
