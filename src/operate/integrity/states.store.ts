import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { firstPointOf, flat, type Geometry, isWithin } from '../../store/sql/geometry-functions.ts';
import { query } from '../../store/sql/query-builder.ts';

/** The query of the state `state_district` with a code, and of its boundaries of all periods. */
export const statesOf = (state: Expression<string | null>) =>
  query
    .selectFrom('districts as state_district')
    .innerJoin('boundaries as state_boundary', 'state_boundary.district_id', 'state_district.id')
    .where('state_district.type', '=', 'State')
    .where('state_district.state', '=', state);

/** Returns a point of a boundary that is found without reading all of it. */
export function firstPointOfBoundary(boundary: Expression<number>) {
  return query
    .selectFrom('boundary_pieces as piece')
    .select(({ ref }) => firstPointOf(ref('piece.geometry')).as('point'))
    .where('piece.boundary_id', '=', boundary)
    .limit(sql.lit(1))
    .$asScalar()
    .$notNull();
}

/**
 * Returns whether a geometry is at most a distance from its state; false if the state has no boundary. The planner would
 * join a condition without `case` with all pieces, and look for pieces of all districts in the distance without `flat`.
 */
export function isInState(
  state: Expression<string | null>,
  geometry: Expression<Geometry>,
  within = 0,
): Expression<SqlBool> {
  const { eb, exists, lit } = expressionBuilder();
  const pieces = statesOf(state)
    .innerJoin('boundary_pieces as q', 'q.boundary_id', 'state_boundary.id')
    .select('q.boundary_id')
    .where(({ ref }) => {
      const piece = ref('q.geometry');
      return isWithin(within > 0 ? flat(piece) : piece, geometry, within);
    });
  return eb.case().when(exists(pieces)).then(lit(true)).else(lit(false)).end();
}
