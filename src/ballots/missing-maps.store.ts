import { type Expression, sql } from 'kysely';
import { valueOfLatest } from '../database/aggregates.ts';
import { anyIn, asText, columnsOf, literal, typed } from '../database/functions.ts';
import {
  boundariesForRaces,
  coverageOn,
  outdatedBoundaries,
  raceReferenceDay,
} from '../database/migration-functions.ts';
import { materialized, query } from '../database/query-builder.ts';
import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { relation } from '../graphql/relations/relation.ts';
import { hasOfficialCandidates } from './contests.store.ts';

/**
 * The types of districts of the states of a ballot of which no map is known that is in effect: on the day that decides the map
 * of a race, with the number of such races of the ballot's day, which are on no ballot, or on the day itself. A type
 * is listed for its races, by their days, or without any.
 */
export const missingMapsOfBallot = relation({
  name: 'ballots.missingMapsOfBallot',
  key: { date: 'date', states: 'text' },
  distinctOn: ['state', 'type', 'day'],
  rows: ({ date, states }) => {
    const isOfBallot = (state: Expression<string | null>) =>
      sql<boolean>`${state} = ${anyIn(sql<string[]>`string_to_array(${states}, ',')`)}`;
    return query
      .with(materialized('without_map'), (db) =>
        db
          .selectFrom('elections as e')
          .innerJoin('races as race', 'race.election_id', 'e.id')
          .innerJoin('offices as o', 'o.id', 'race.office_id')
          .innerJoin('districts as d', 'd.id', 'o.district_id')
          .crossJoinLateral(({ ref }) =>
            query.selectNoFrom(raceReferenceDay(columnsOf('race'), ref('e.date')).as('day')).as('reference'),
          )
          .leftJoinLateral(
            ({ ref }) => outdatedBoundaries(ref('reference.day')).as('outdated'),
            (join) => join.onRef('outdated.district_id', '=', 'd.id'),
          )
          .where('e.date', '=', date)
          .where(({ not, exists, ref }) => {
            const used = query.selectFrom(boundariesForRaces(ref('reference.day')).as('used')).select('used.id');
            return not(exists(used.where('used.district_id', '=', ref('d.id'))));
          })
          .where(({ ref }) => isOfBallot(ref('d.state')))
          .where(({ ref }) => hasOfficialCandidates(ref('race.id')))
          .groupBy(['d.state', 'd.type', 'reference.day'])
          .select(({ ref, fn }) => [
            ref('d.state').$notNull().as('state'),
            'd.type',
            'reference.day',
            valueOfLatest(ref('outdated.sentence'), ref('outdated.since')).as('reason'),
            typed('int', fn.count<number>('race.id').distinct()).as('race_count'),
          ]),
      )
      .selectFrom('without_map as found')
      .selectAll('found')
      .unionAll((db) =>
        db
          .selectFrom('districts as s')
          .innerJoinLateral(
            ({ ref }) => coverageOn(date, ref('s.state').$notNull()).as('layer'),
            (join) => join.onTrue(),
          )
          .where('s.type', '=', literal('State'))
          .where(({ ref }) => isOfBallot(ref('s.state')))
          .where('layer.layer', '=', literal('districts'))
          .where('layer.covered', '=', sql.lit(0))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('without_map as other')
                  .select('other.type')
                  .whereRef('other.state', '=', 's.state')
                  .where(({ ref }) => sql<boolean>`${asText(ref('other.type'))} = ${ref('layer.kind')}`),
              ),
            ),
          )
          .select(({ ref }) => [
            ref('s.state').$notNull().as('state'),
            sql<DistrictType>`${ref('layer.kind')}::district_type`.as('type'),
            sql<Day>`${date}`.as('day'),
            'layer.missing as reason',
            sql<number>`0`.as('race_count'),
          ]),
      );
  },
  orderBy: ['type', 'state', 'day'],
});

export type MissingMapRow = Awaited<ReturnType<typeof missingMapsOfBallot.load>>[number];
