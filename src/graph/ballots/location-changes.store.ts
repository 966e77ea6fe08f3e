import { sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { columnsOf } from '../../store/sql/functions.ts';
import {
  boundariesForRaces,
  mapOn,
  outdatedBoundaries,
  raceReferenceDay,
} from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { nullableRelation, objectRelation, relation } from '../builder/relation.ts';
import { coveringBoundaries, DISTRICT, type LocationDistrictRow } from '../districts/districts.store.ts';
import { RACE } from './ballots.store.ts';

/** A boundary that covers a point, of any period. */
export interface CoveringRow extends LocationDistrictRow {
  /** Whether its district has a newer boundary from its last day on, to which the day belongs. */
  readonly is_replaced: boolean;
  /** The first day of the newer map that is not loaded, from which the boundary is out of date; null if none is known. */
  readonly newer_since: Day | null;
}

/** The boundaries of all periods that cover a point, those of a type and state next to each other, by name. */
export const boundariesOfPoint = relation({
  name: 'ballots.boundariesOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  distinctOn: ['boundary_id'],
  rows: (point) =>
    query
      .selectFrom(coveringBoundaries(point).as('covering'))
      .innerJoin('boundaries as b', 'b.id', 'covering.boundary_id')
      .innerJoin('districts as d', 'd.id', 'b.district_id')
      .select([...DISTRICT, 'b.id as boundary_id', 'b.start_date', 'b.end_date', 'b.precise'])
      .select(({ selectFrom }) =>
        selectFrom(outdatedBoundaries(sql`'infinity'::date`).as('newer'))
          .select(({ fn }) => fn.min<Day | null>('newer.since').as('since'))
          .whereRef('newer.id', '=', 'b.id')
          .$asScalar()
          .as('newer_since'),
      )
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('boundaries as next')
            .select('next.id')
            .whereRef('next.district_id', '=', 'b.district_id')
            .whereRef('next.start_date', '=', 'b.end_date')
            .whereRef('next.id', '<>', 'b.id'),
        )
          .$castTo<boolean>()
          .as('is_replaced'),
      ),
  orderBy: ['type', 'state', 'name', 'id', 'start_date', 'boundary_id'],
});

/** Whether any district of a type and state has a boundary on a day. */
export const mapIsLoaded = objectRelation({
  name: 'ballots.mapIsLoaded',
  key: { type: 'district_type', state: 'text', day: 'date' },
  rows: ({ type, state, day }) =>
    query.selectNoFrom(({ exists }) =>
      exists(query.selectFrom(mapOn(day, type, state).as('b')).select('b.id'))
        .$castTo<boolean>()
        .as('is_loaded'),
    ),
});

/** The first race of the offices of a district that uses a boundary of it, by the date of its election. */
export const firstRaceOfBoundary = nullableRelation({
  name: 'ballots.firstRaceOfBoundary',
  key: { boundary_id: 'int' },
  rows: ({ boundary_id }) =>
    query
      .selectFrom('boundaries as b')
      .innerJoin('offices as o', 'o.district_id', 'b.district_id')
      .innerJoin('races as race', 'race.office_id', 'o.id')
      .innerJoin('elections as e', 'e.id', 'race.election_id')
      .innerJoinLateral(
        ({ ref }) => boundariesForRaces(raceReferenceDay(columnsOf('race'), ref('e.date'))).as('used'),
        (join) => join.onRef('used.id', '=', 'b.id'),
      )
      .where('b.id', '=', boundary_id)
      .select([...RACE, 'e.date as election_date'])
      .orderBy('e.date')
      .orderBy('race.id')
      .limit(sql.lit(1)),
});
