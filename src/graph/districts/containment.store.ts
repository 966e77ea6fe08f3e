import { type Expression, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import {
  boundariesInEffect,
  sharesOfBoundary,
  sharesWithin,
  workOfShares,
} from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { connectionRelation } from '../builder/connection-relation.ts';
import { intColumn, textColumn } from '../builder/keyset.ts';
import { createQueryLoader } from '../builder/query-loader.ts';
import type { Scope } from '../builder/scope.ts';
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

/** Returns how much work it is to compare a district with others on a day, in records that take as long. */
export const comparisonOf = createQueryLoader<
  Pick<DistrictRow, 'id'>,
  { readonly work: number },
  OnDay & { readonly minimumShare: number }
>({
  name: 'districts.comparison',
  key: { id: 'int' },
  parentsPerStatement: DISTRICTS_COUNTED_AT_ONCE,
  rows: ({ id = sql<never>`null` }, scope: Scope<OnDay & { readonly minimumShare: number }>) =>
    boundaryOn(id, dayOf(scope)).select(({ ref }) =>
      workOfShares(
        ref('b.id'),
        scope.param('float8', ({ minimumShare }) => minimumShare),
      ).as('work'),
    ),
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
