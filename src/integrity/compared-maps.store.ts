import { sql } from 'kysely';
import { absolute, minus, times } from '../database/functions.ts';
import { areaOf } from '../database/geometry-functions.ts';
import { materialized, query } from '../database/query-builder.ts';
import { type Check, text, violation } from './check.ts';

/** The share of an area by which two areas that should be the same may differ: rounding. */
const ROUNDING = 1e-6;

/** Finds stored comparisons of maps (migration 0053) that were not made of the boundaries that they name. */
export const COMPARED_MAPS: Check = {
  name: 'stored-comparisons-of-maps',
  finds: 'stored comparisons of two maps whose areas are not those of the boundaries',
  query: () =>
    query
      .with(materialized('stored'), (db) =>
        db
          .selectFrom('compared_map_parts as part')
          .where(({ eb, or }) => or([eb('part.old_id', 'is', null), eb('part.new_id', 'is', null)]))
          .select(({ fn }) => [
            'part.map_id',
            fn.coalesce('part.old_id', 'part.new_id').$notNull().as('boundary_id'),
            'part.area',
          ]),
      )
      .with(materialized('size'), (db) =>
        db
          .selectFrom('boundary_pieces as piece')
          .where('piece.boundary_id', 'in', db.selectFrom('stored').select('stored.boundary_id'))
          .groupBy('piece.boundary_id')
          .select(({ fn, ref }) => ['piece.boundary_id', fn.sum<number>(areaOf(ref('piece.geometry'))).as('area')]),
      )
      .selectFrom('stored')
      .innerJoin('compared_maps as map', 'map.id', 'stored.map_id')
      .leftJoin('size', 'size.boundary_id', 'stored.boundary_id')
      .where(({ eb, fn, ref }) => {
        const difference = absolute(minus(fn.coalesce('size.area', sql.lit(0)), ref('stored.area')));
        return eb(difference, '>', times(ROUNDING, ref('stored.area')));
      })
      .select(({ ref }) =>
        violation(
          'boundary',
          ref('stored.boundary_id'),
          text`has another area in the stored comparison of the map of ${ref('map.first_day')} with the one before it`,
        ),
      ),
};
