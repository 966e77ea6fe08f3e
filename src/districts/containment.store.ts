import { type Expression, sql } from 'kysely';
import { mayOverlap } from '../database/geometry-functions.ts';
import { boundariesInEffect, sharesOfBoundary, sharesWithin } from '../database/migration-functions.ts';
import { materialized, query } from '../database/query-builder.ts';
import type { Day } from '../dates.ts';
import { connectionRelation } from '../graphql/relations/connection-relation.ts';
import { createQueryLoader } from '../graphql/relations/query-loader.ts';
import type { Scope } from '../graphql/relations/scope.ts';
import { intColumn, textColumn } from '../graphql/schema/keyset.ts';
import { DISTRICT, type DistrictRow, dayOf, districtTypeColumn, type OfTypes, type OnDay } from './districts.store.ts';

/** A district that contains another one or lies in it. */
export interface ContainmentRow extends DistrictRow {
  /** The share of the area of the contained district that lies in the other one, from 0 to 1. */
  readonly area_share: number;
}

export interface ContainmentArgs extends OnDay, OfTypes {
  readonly minimumShare: number;
}

/** Districts whose outlines one statement compares: each takes up to a second. */
const DISTRICTS_AT_ONCE = 2;
const DISTRICTS_COUNTED_AT_ONCE = 50;

const detailed = query.selectFrom('detailed_boundaries as detailed').select('detailed.boundary_id');

/** Returns the query of the districts around a district or within it on a day, except the district itself. */
function overlapping(id: Expression<number>, scope: Scope<ContainmentArgs>, sharesOf: typeof sharesWithin) {
  const day = dayOf(scope);
  const types = scope.param('district_type[]', ({ types }) => types ?? null);
  return boundaryOn(id, day)
    .innerJoinLateral(
      ({ ref }) => sharesOf(ref('b.id'), types, day).as('share'),
      (join) => join.onTrue(),
    )
    .innerJoin('districts as d', 'd.id', 'share.district_id')
    .select([...DISTRICT, 'share.area_share'])
    .whereRef('d.id', '<>', 'b.district_id')
    .where(
      'share.area_share',
      '>=',
      scope.param('float8', ({ minimumShare }) => minimumShare),
    );
}

/** The boundary `b` of a district on a day. */
function boundaryOn(district: Expression<number>, day: Expression<Day>) {
  return query.selectFrom(boundariesInEffect(day).as('b')).where('b.district_id', '=', district);
}

/** Stored shares that are read in the time of one record. */
const STORED_PER_RECORD = 3;

/**
 * Returns how much work it is to compare a district with others on a day, in records that take as long: one for each
 * pair of pieces that have to be intersected (about 0.1 ms), which the index finds in a hundredth of the time.
 */
export const comparisonOf = createQueryLoader<Pick<DistrictRow, 'id'>, { readonly work: number }, OnDay>({
  name: 'districts.comparison',
  key: { id: 'int' },
  parentsPerStatement: DISTRICTS_COUNTED_AT_ONCE,
  rows({ id = sql<never>`null` }, scope: Scope<OnDay>) {
    const day = dayOf(scope);
    return query
      .with(materialized('own'), () =>
        boundaryOn(id, day).select(({ eb }) => ['b.id', eb('b.id', 'in', detailed).as('is_detailed')]),
      )
      .selectNoFrom(({ selectFrom, fn }) => {
        const pairs = selectFrom('boundary_pieces as piece')
          .innerJoin('boundary_pieces as other', (join) =>
            join
              .on(({ ref }) => mayOverlap(ref('other.geometry'), ref('piece.geometry')))
              .onRef('other.boundary_id', '<>', 'piece.boundary_id'),
          )
          .where('piece.boundary_id', 'in', (db) =>
            db
              .selectFrom('own')
              .select('own.id')
              .where(({ not, ref }) => not(ref('own.is_detailed'))),
          )
          .select(fn.countAll().as('pairs'));
        const stored = selectFrom('boundary_shares as stored')
          .where('stored.outer_id', 'in', (db) =>
            db.selectFrom('own').select('own.id').where('own.is_detailed', '=', true),
          )
          .select(fn.countAll().as('stored'));
        return sql<number>`(${pairs} + ${stored} / ${sql.lit(STORED_PER_RECORD)})::int`.as('work');
      });
  },
});

const ORDER = [
  ['type', districtTypeColumn],
  ['name', textColumn],
  ['id', intColumn],
] as const;

/** The districts in which a district lies on a day, with the share of its area in each. */
export const districtsAround = connectionRelation({
  name: 'districts.districtsAround',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<ContainmentArgs>) => overlapping(id, scope, sharesOfBoundary),
  order: ORDER,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});

/** The districts that lie in a district on a day, each with the share of its area. */
export const districtsWithin = connectionRelation({
  name: 'districts.districtsWithin',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<ContainmentArgs>) => overlapping(id, scope, sharesWithin),
  order: ORDER,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});
