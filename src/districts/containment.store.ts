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
  const minimum = scope.param('float8', ({ minimumShare }) => minimumShare);
  return boundaryOn(id, day)
    .innerJoinLateral(
      ({ ref }) => sharesOf(ref('b.id'), types, day, minimum).as('share'),
      (join) => join.onTrue(),
    )
    .innerJoin('districts as d', 'd.id', 'share.district_id')
    .select([...DISTRICT, 'share.area_share'])
    .whereRef('d.id', '<>', 'b.district_id')
    .where('share.area_share', '>=', minimum);
}

/** The boundary `b` of a district on a day. */
function boundaryOn(district: Expression<number>, day: Expression<Day>) {
  return query.selectFrom(boundariesInEffect(day).as('b')).where('b.district_id', '=', district);
}

/** Stored shares that are read in the time of one record. */
const STORED_PER_RECORD = 3;

/** Of what lies in a district to this share at least, only a few outlines are compared with the whole layer of the district. */
const FEW_COMPARED_FROM = 0.5;

/**
 * Returns how much work it is to compare a district with others on a day, in records that take as long: one for each
 * pair of pieces that have to be intersected (about 0.1 ms), which the index finds in a hundredth of the time. With a lower
 * minimum share than half, what overlaps a district is compared with the whole layer of that district.
 */
export const comparisonOf = createQueryLoader<
  Pick<DistrictRow, 'id'>,
  { readonly work: number },
  OnDay & { readonly minimumShare: number }
>({
  name: 'districts.comparison',
  key: { id: 'int' },
  parentsPerStatement: DISTRICTS_COUNTED_AT_ONCE,
  rows({ id = sql<never>`null` }, scope: Scope<OnDay & { readonly minimumShare: number }>) {
    const minimum = scope.param('float8', ({ minimumShare }) => minimumShare);
    return query
      .with(materialized('own'), () =>
        boundaryOn(id, dayOf(scope))
          .innerJoin('districts as d', 'd.id', 'b.district_id')
          .select(({ eb }) => ['b.id', 'd.type', eb('b.id', 'in', detailed).as('is_detailed')]),
      )
      .with(materialized('pair'), (db) =>
        db
          .selectFrom('own')
          .innerJoin('boundary_pieces as piece', 'piece.boundary_id', 'own.id')
          .innerJoin('boundary_pieces as other', (join) =>
            join
              .on(({ ref }) => mayOverlap(ref('other.geometry'), ref('piece.geometry')))
              .onRef('other.boundary_id', '<>', 'piece.boundary_id'),
          )
          .where(({ not, ref }) => not(ref('own.is_detailed')))
          .select(['other.boundary_id', 'own.type']),
      )
      .selectNoFrom(({ selectFrom, fn }) => {
        const pairs = selectFrom('pair').select(fn.countAll().as('pairs'));
        const ofLayer = selectFrom(selectFrom('pair').select(['pair.boundary_id', 'pair.type']).distinct().as('near'))
          .innerJoin('boundary_pieces as piece', 'piece.boundary_id', 'near.boundary_id')
          .innerJoin('boundary_pieces as other', (join) =>
            join.on(({ ref }) => mayOverlap(ref('other.geometry'), ref('piece.geometry'))),
          )
          .innerJoin('boundaries as b', 'b.id', 'other.boundary_id')
          .innerJoin('districts as d', 'd.id', 'b.district_id')
          .whereRef('d.type', '=', 'near.type')
          .where('near.type', 'not in', ['Country', 'State'])
          .where('near.boundary_id', 'not in', detailed)
          .where(({ eb }) => eb(minimum, '<', sql.lit(FEW_COMPARED_FROM)))
          .select(fn.countAll().as('pairs'));
        const stored = selectFrom('boundary_shares as stored')
          .where('stored.outer_id', 'in', (db) =>
            db.selectFrom('own').select('own.id').where('own.is_detailed', '=', true),
          )
          .select(fn.countAll().as('stored'));
        return sql<number>`(${pairs} + ${ofLayer} + ${stored} / ${sql.lit(STORED_PER_RECORD)})::int`.as('work');
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
