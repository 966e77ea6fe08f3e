import { type Expression, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { arrayOf } from '../../store/sql/functions.ts';
import { latitudeOf, longitudeOf } from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect, nearestEdge } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { createQueryLoader } from '../builder/query-loader.ts';
import type { Scope } from '../builder/scope.ts';
import {
  coveringBoundaries,
  DISTRICT,
  dayOf,
  isOfTypes,
  type LocationDistrictRow,
  type OfTypes,
  type OnDay,
  type Point,
} from './districts.store.ts';

/** A district that contains a point, with the nearest edge of its boundary. */
export interface EdgeRow extends LocationDistrictRow {
  /** In metres. */
  readonly distance: number;
  /** The districts of the same type beyond the edge. */
  readonly neighbor_ids: readonly number[];
}

export interface EdgeArgs extends OnDay, OfTypes {}

/** Points of one statement: the edges of a point take 10 to 150 ms, and others wait for the connection. */
const POINTS_AT_ONCE = 5;
/** How far beyond an edge its neighbour is looked for, in metres: generalised outlines of neighbours leave gaps. */
const AHEAD = { precise: 50, generalised: 200 } as const;

/** The districts that contain a point on a day, with the nearest edges of their boundaries, as `districtsOfPoint`. */
export const edgesOfPoint = createQueryLoader<Point, EdgeRow, EdgeArgs>({
  name: 'districts.edgesOfPoint',
  key: { longitude: 'float8', latitude: 'float8' },
  parentsPerStatement: POINTS_AT_ONCE,
  rows({ longitude, latitude }, scope: Scope<EdgeArgs>) {
    const point = { longitude, latitude } as unknown as { readonly [Name in keyof Point]: Expression<number> };
    const day = dayOf(scope);
    return query
      .selectFrom(coveringBoundaries(point).as('covering'))
      .innerJoin(boundariesInEffect(day as Expression<Day>).as('b'), 'b.id', 'covering.boundary_id')
      .innerJoin('districts as d', 'd.id', 'b.district_id')
      .crossJoinLateral(({ ref }) => {
        const ahead = sql<number>`case when ${ref('b.precise')} then ${sql.lit(AHEAD.precise)}::float8 else ${sql.lit(AHEAD.generalised)}::float8 end`;
        return nearestEdge(ref('b.geometry'), point, ahead).as('edge');
      })
      .select([...DISTRICT, 'b.id as boundary_id', 'b.start_date', 'b.end_date', 'b.precise', 'edge.distance'])
      .select(({ ref }) => {
        const beyond = coveringBoundaries({
          longitude: longitudeOf(ref('edge.beyond')),
          latitude: latitudeOf(ref('edge.beyond')),
        });
        return arrayOf<number>(
          query
            .selectFrom(beyond.as('beyond'))
            .innerJoin(boundariesInEffect(day as Expression<Day>).as('next'), 'next.id', 'beyond.boundary_id')
            .innerJoin('districts as neighbor', 'neighbor.id', 'next.district_id')
            .select('neighbor.id')
            .where('neighbor.type', '=', ref('d.type'))
            .where('neighbor.id', '<>', ref('d.id'))
            .orderBy('neighbor.id'),
        ).as('neighbor_ids');
      })
      .where(isOfTypes(scope));
  },
  orderBy: ['type', 'name', 'id', 'boundary_id'],
});
