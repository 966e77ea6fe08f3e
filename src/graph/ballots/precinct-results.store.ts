import type { Expression } from 'kysely';
import { joined, minus, nullIf, unnested } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { connectionRelation } from '../builder/connection-relation.ts';
import { intColumn, textColumn } from '../builder/keyset.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { relation } from '../builder/relation.ts';

const precinctRows = () =>
  query
    .selectFrom('precinct_results as p')
    .select(['p.id', 'p.race_id', 'p.precinct', 'p.district_id'])
    .select(({ ref, val }) => [
      nullIf(ref('p.county'), val('')).as('county'),
      nullIf(ref('p.town'), val('')).as('town'),
      joined('\t', [ref('p.county'), ref('p.town'), ref('p.precinct')]).as('place'),
    ]);

export const precinctResults = records({ name: 'ballots.precinctResultById', rows: precinctRows });

export type PrecinctResultRow = RecordOf<typeof precinctResults>;

/** The precincts of a race, by county, town and name. */
export const precinctsOfRace = connectionRelation({
  name: 'ballots.precinctsOfRace',
  key: { id: 'int' },
  rows: ({ id }) => precinctRows().where('p.race_id', '=', id),
  order: [
    ['place', textColumn],
    ['id', intColumn],
  ],
});

/** The votes of each candidate in a precinct `p`. */
const counted = (candidates: Expression<number[]>, votes: Expression<unknown>) =>
  unnested('counted', { candidate_id: ['int', candidates], votes: ['bigint', votes] });

/** The votes in a precinct of the candidates of the race, in the order of its votes. */
export const votesOfPrecinct = relation({
  name: 'ballots.votesOfPrecinct',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('precinct_results as p')
      .innerJoin(
        ({ ref }) => counted(ref('p.candidate_ids'), ref('p.votes')),
        (join) => join.onTrue(),
      )
      .innerJoin('candidates as c', (join) =>
        join.onRef('c.id', '=', 'counted.candidate_id').onRef('c.race_id', '=', 'p.race_id'),
      )
      .select(['c.id', 'c.votes_for_cand', 'counted.votes'])
      .where('p.id', '=', id),
  orderBy: [['votes_for_cand', (votes) => votes.desc().nullsLast()], 'id'],
});

export type CandidateVotesRow = Pick<Awaited<ReturnType<typeof votesOfPrecinct.load>>[number], 'id' | 'votes'>;

/** The candidates of a race with precincts whose votes are not the sum of these, with what they have more; null if it is not known. */
export const votesOutsidePrecincts = relation({
  name: 'ballots.votesOutsidePrecincts',
  key: { id: 'int' },
  rows: ({ id }) =>
    query
      .selectFrom('candidates as c')
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom('precinct_results as p')
            .leftJoinLateral(
              ({ ref }) => counted(ref('p.candidate_ids'), ref('p.votes')),
              (join) => join.onRef('counted.candidate_id', '=', 'c.id'),
            )
            .whereRef('p.race_id', '=', 'c.race_id')
            .select(({ fn, lit, case: when }) => [
              when()
                .when(fn.count('counted.candidate_id'), '=', fn.count('counted.votes'))
                .then(fn.coalesce(fn.sum<number>('counted.votes'), lit(0)))
                .end()
                .as('votes'),
              fn.countAll().as('precincts'),
            ])
            .as('sum'),
        (join) => join.on('sum.precincts', '>', 0),
      )
      .select(({ ref }) => ['c.id', 'c.votes_for_cand', minus(ref('c.votes_for_cand'), ref('sum.votes')).as('votes')])
      .where('c.race_id', '=', id)
      .where(({ eb, or, ref }) =>
        or([eb('c.votes_for_cand', 'is', null), eb('c.votes_for_cand', 'is distinct from', ref('sum.votes'))]),
      ),
  orderBy: [['votes_for_cand', (votes) => votes.desc().nullsLast()], 'id'],
});
