import { type Expression, sql } from 'kysely';
import { roundedShare } from '../database/functions.ts';
import { areaOf, intersectionOf, mayOverlap } from '../database/geometry-functions.ts';
import { boundariesInEffect } from '../database/migration-functions.ts';
import { materialized, query } from '../database/query-builder.ts';
import type { Day } from '../dates.ts';
import { connectionRelation } from '../graphql/relations/connection-relation.ts';
import { createQueryLoader } from '../graphql/relations/query-loader.ts';
import type { Scope } from '../graphql/relations/scope.ts';
import { intColumn, textColumn } from '../graphql/schema/keyset.ts';
import {
  DISTRICT,
  type DistrictRow,
  dayOf,
  districtTypeColumn,
  isOfTypes,
  type OfTypes,
  type OnDay,
} from './districts.store.ts';

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

/**
 * Returns the query of the districts that overlap a district on a day, except the district itself. Shares with a
 * detailed boundary are stored (migration 0035). For others, the pieces of the boundaries, which have an index, are
 * intersected, and the areas of the intersections are added. The share has six decimals, as the sum depends on the order
 * of the pieces in the last digits.
 * @param inner the boundary of which the share is computed.
 */
function overlapping(id: Expression<number>, scope: Scope<ContainmentArgs>, inner: 'own' | 'other') {
  const day = dayOf(scope);
  const minimum = scope.param('float8', ({ minimumShare }) => minimumShare);
  const outer = inner === 'own' ? 'other' : 'own';
  const [ownColumn, otherColumn] =
    inner === 'own' ? (['inner_id', 'outer_id'] as const) : (['outer_id', 'inner_id'] as const);
  const isWanted = isOfTypes(scope);

  return query
    .with(materialized('own'), () => boundaryOn(id, day).select('b.id'))
    .with(materialized('part'), (db) =>
      db
        .selectFrom('boundary_pieces as own')
        .innerJoin('boundary_pieces as other', (join) =>
          join
            .on(({ ref }) => mayOverlap(ref('other.geometry'), ref('own.geometry')))
            .onRef('other.boundary_id', '<>', 'own.boundary_id'),
        )
        .where('own.boundary_id', 'in', (db) => db.selectFrom('own').select('own.id'))
        .where('own.boundary_id', 'not in', detailed)
        .where('other.boundary_id', 'not in', detailed)
        .where(({ ref, exists }) =>
          exists(
            query
              .selectFrom(boundariesInEffect(day).as('b'))
              .innerJoin('districts as d', 'd.id', 'b.district_id')
              .select('b.id')
              .where('b.id', '=', ref('other.boundary_id'))
              .where(isWanted),
          ),
        )
        .select(({ ref }) => [
          'own.boundary_id as own_id',
          'other.boundary_id as other_id',
          areaOf(intersectionOf(ref(`${outer}.geometry`), ref(`${inner}.geometry`))).as('area'),
        ]),
    )
    .with(materialized('overlap'), (db) =>
      db
        .selectFrom('part')
        .select(({ fn }) => ['part.own_id', 'part.other_id', fn.sum<number>('part.area').as('area')])
        .groupBy(['part.own_id', 'part.other_id'])
        .having(({ fn }) => fn.sum('part.area'), '>', 0),
    )
    .with(materialized('size'), (db) =>
      db
        .selectFrom('boundary_pieces as piece')
        .where('piece.boundary_id', 'in', db.selectFrom('overlap').select(`overlap.${inner}_id`))
        .select(({ fn, ref }) => ['piece.boundary_id', fn.sum<number>(areaOf(ref('piece.geometry'))).as('area')])
        .groupBy('piece.boundary_id'),
    )
    .with('share', (db) =>
      db
        .selectFrom('overlap')
        .innerJoin('size', 'size.boundary_id', `overlap.${inner}_id`)
        .select(({ ref }) => ['overlap.other_id', roundedShare(ref('overlap.area'), ref('size.area')).as('area_share')])
        .unionAll(
          db
            .selectFrom('own')
            .innerJoin('boundary_shares as stored', `stored.${ownColumn}`, 'own.id')
            .select([`stored.${otherColumn} as other_id`, 'stored.share as area_share']),
        ),
    )
    .selectFrom('share')
    .innerJoin(boundariesInEffect(day).as('b'), 'b.id', 'share.other_id')
    .innerJoin('districts as d', 'd.id', 'b.district_id')
    .select([...DISTRICT, 'share.area_share'])
    .where(isWanted)
    .where('share.area_share', '>=', minimum);
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
  rows: ({ id }, scope: Scope<ContainmentArgs>) => overlapping(id, scope, 'own'),
  order: ORDER,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});

/** The districts that lie in a district on a day, each with the share of its area. */
export const districtsWithin = connectionRelation({
  name: 'districts.districtsWithin',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<ContainmentArgs>) => overlapping(id, scope, 'other'),
  order: ORDER,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});
