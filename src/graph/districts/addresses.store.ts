import type { AliasableExpression } from 'kysely';
import { nothing, typed } from '../../store/sql/functions.ts';
import { covers } from '../../store/sql/geometry-functions.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';

/** Address points in an outline, and those of them that each district of a map covers. */
export interface AddressCountRow {
  /** The district; null in the row with all points. */
  readonly district_id: number | null;
  readonly count: number;
}

/**
 * Returns the query of how many address points are in an outline, and how many of them in each district of a map.
 * @param pieces the pieces of the outline.
 * @param boundaries the boundaries of the districts.
 */
export function addressCounts(
  pieces: AliasableExpression<{ geometry: string }>,
  boundaries: AliasableExpression<{ id: number; district_id: number }>,
) {
  return (
    query
      // A table of its own: where both have statistics, the embedded PostGIS may fail to estimate how they join.
      .with(materialized('own'), (db) => db.selectFrom(pieces.as('piece')).select('piece.geometry'))
      .with(materialized('inside'), (db) =>
        db
          .selectFrom('own')
          .innerJoin('address_points as p', (join) => join.on(({ ref }) => covers(ref('own.geometry'), ref('p.point'))))
          .select(['p.id', 'p.point'])
          .distinct(),
      )
      .selectFrom('inside')
      .select(({ fn }) => [nothing<number>('int').as('district_id'), typed('int', fn.countAll()).as('count')])
      .unionAll((db) =>
        db
          .selectFrom('inside')
          .innerJoin('boundary_pieces as piece', (join) =>
            join.on(({ ref }) => covers(ref('piece.geometry'), ref('inside.point'))),
          )
          .innerJoin(boundaries.as('b'), 'b.id', 'piece.boundary_id')
          .groupBy('b.district_id')
          .select(({ fn, ref }) => [
            ref('b.district_id').$castTo<number | null>().as('district_id'),
            typed('int', fn.count('inside.id').distinct()).as('count'),
          ]),
      )
  );
}
