import { nothing, withoutTrailingZeros } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { relation } from '../builder/relation.ts';
import type { Grants } from '../builder/scope.ts';
import { OPEN_CANDIDATE_STATUSES, visibleStatus } from './results.ts';

/**
 * Returns the query of all candidates `c` with the columns that the caller may see: votes only with the grant `results`.
 * `is_incumbent` is what the source says, or else follows from the terms.
 */
export function candidateRows(grants: Grants) {
  return query
    .selectFrom('candidates as c')
    .select(['c.id', 'c.race_id', 'c.person_id', 'c.stage_party', 'c.running_mate', 'c.fec_id', 'c.is_write_in'])
    .select(({ fn, ref }) => [
      'c.withdrew_still_on_ballot',
      fn.coalesce('c.is_incumbent', 'c.holds_office').as('is_incumbent'),
      visibleStatus(ref('c.cand_status'), OPEN_CANDIDATE_STATUSES, grants).as('cand_status'),
    ])
    .$if(grants.isGranted('results'), (rows) => rows.select('c.votes_for_cand'));
}

export const candidates = records({ name: 'ballots.candidateById', rows: candidateRows });

export type CandidateRow = RecordOf<typeof candidates>;

/**
 * The candidates of a race, sorted by votes for callers who may see them, then by name, then by id. For other callers
 * the order alone would reveal the winner.
 */
export const candidatesOfRace = relation({
  name: 'ballots.candidatesOfRace',
  key: { id: 'int' },
  rows: ({ id }, { isGranted }) =>
    candidateRows({ isGranted })
      .innerJoin('persons as person', 'person.id', 'c.person_id')
      .select('person.name as person_name')
      .select(({ ref }) =>
        isGranted('results') ? ref('c.votes_for_cand').as('place') : nothing<number>('int').as('place'),
      )
      .where('c.race_id', '=', id),
  orderBy: [['place', (place) => place.desc().nullsLast()], 'person_name', 'id'],
});

/** All candidacies of a person, latest election first. */
export const candidaciesOfPerson = relation({
  name: 'ballots.candidaciesOfPerson',
  key: { id: 'int' },
  rows: ({ id }, grants) =>
    candidateRows(grants)
      .innerJoin('races as race', 'race.id', 'c.race_id')
      .innerJoin('elections as election', 'election.id', 'race.election_id')
      .select('election.date as election_date')
      .where('c.person_id', '=', id),
  orderBy: [['election_date', 'desc'], 'id'],
});

/** The parties of a candidate, in ballot order. */
export const partiesOfCandidate = relation({
  name: 'ballots.partiesOfCandidate',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('candidate_parties as listed')
      .innerJoin('parties as party', 'party.id', 'listed.party_id')
      .select(['party.id', 'party.name', 'party.url', 'listed.position'])
      .where('listed.candidate_id', '=', id),
  orderBy: ['position'],
});

/**
 * The rounds of a candidate, in order, with the votes gained up to and including each; null if any of these gains is not
 * known. Fractions have no trailing zeros.
 */
export const roundsOfCandidate = relation({
  name: 'ballots.roundsOfCandidate',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('ranked_choice_rounds as counted')
      .select(['counted.candidate_id', 'counted.round', 'counted.votes_for', 'counted.status'])
      .select(({ selectFrom }) =>
        selectFrom('ranked_choice_rounds as earlier')
          .whereRef('earlier.candidate_id', '=', 'counted.candidate_id')
          .whereRef('earlier.round', '<=', 'counted.round')
          .select(({ eb, fn }) =>
            eb
              .case()
              .when(fn.countAll(), '=', fn.count('earlier.votes_for'))
              .then(withoutTrailingZeros(fn.sum<number>('earlier.votes_for')))
              .end()
              .as('total'),
          )
          .as('running_total'),
      )
      .where('counted.candidate_id', '=', id),
  orderBy: ['round'],
});

export type RoundRow = Awaited<ReturnType<typeof roundsOfCandidate.load>>[number];
