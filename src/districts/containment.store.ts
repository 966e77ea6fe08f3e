import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { connectionRelation } from '../graphql/connection-relation.ts';
import type { RowScope } from '../graphql/in-sql.ts';
import { createRowLoader } from '../graphql/row-loader.ts';
import { DISTRICT_ORDERS, type DistrictRow } from './districts.store.ts';

/** A district that contains another one or lies in it. */
export interface ContainmentRow extends DistrictRow {
  /** The share of the area of the contained district that lies in the other one, from 0 to 1. */
  readonly area_share: number;
}

export interface ContainmentArgs {
  readonly on?: Day | null | undefined;
  readonly types?: readonly DistrictType[] | null | undefined;
  readonly minimumShare: number;
}

/** Districts whose outlines one statement compares: each takes up to a second. */
const DISTRICTS_AT_ONCE = 2;
const DISTRICTS_COUNTED_AT_ONCE = 50;

/**
 * Returns the SQL expression of an area in the equal-area projection EPSG:6933. It maps meridians and parallels to
 * straight lines, so that the pieces of a boundary, which are cut along them, have the area of the whole. Areas of the
 * type `geography` do not: its edges are geodesics, which leave the parallel between two distant vertices.
 */
export const areaOf = (geometry: string) => `ST_Area(ST_Transform(${geometry}, 6933))`;

/** Returns the SQL expression of the intersection of two pieces; a piece within another one is its own intersection. */
export const intersectionOf = (outer: string, inner: string) =>
  `case when ST_Covers(${outer}, ${inner}) then ${inner} else ST_Intersection(${outer}, ${inner}) end`;

/**
 * Returns an SQL subquery with the districts that overlap a district on a day, except the district itself. Shares with a
 * detailed boundary are stored (migration 0035). For others, the pieces of the boundaries, which have an index, are
 * intersected, and the areas of the intersections are added. The share has six decimals, as the sum depends on the order
 * of the pieces in the last digits.
 * @param inner the boundary of which the share is computed.
 */
function overlapping(id: string, { parameter }: RowScope<ContainmentArgs>, inner: 'own' | 'other'): string {
  const day = parameter('date', ({ on }, { today }) => on ?? today);
  const types = parameter('district_type[]', (args) => args.types ?? null);
  const minimum = parameter('float8', ({ minimumShare }) => minimumShare);
  const outer = inner === 'own' ? 'other' : 'own';
  const intersection = intersectionOf(`${outer}.geometry`, `${inner}.geometry`);
  const [ownColumn, otherColumn] = inner === 'own' ? ['inner_id', 'outer_id'] : ['outer_id', 'inner_id'];
  const isDetailed = (boundary: string) => `${boundary} in (select boundary_id from detailed_boundaries)`;
  return `(
    with own as materialized (
      select b.id from boundaries_in_effect(${day}) b where b.district_id = ${id}
    ), part as materialized (
      select own.boundary_id as own_id, other.boundary_id as other_id, ${areaOf(intersection)} as area
      from boundary_pieces own
      join boundary_pieces other on other.geometry && own.geometry and other.boundary_id <> own.boundary_id
      where own.boundary_id in (select own.id from own) and not ${isDetailed('own.boundary_id')}
        and not ${isDetailed('other.boundary_id')}
        and exists (
          select from boundaries_in_effect(${day}) b join districts d on d.id = b.district_id
          where b.id = other.boundary_id and (${types} is null or d.type = any(${types})))
    ), overlap as materialized (
      select own_id, other_id, sum(area) as area
      from part group by own_id, other_id having sum(area) > 0
    ), size as materialized (
      select piece.boundary_id, sum(${areaOf('piece.geometry')}) as area
      from boundary_pieces piece where piece.boundary_id in (select ${inner}_id from overlap)
      group by piece.boundary_id
    ), share as (
      select overlap.other_id, round(least(overlap.area / size.area, 1)::numeric, 6)::float8 as area_share
      from overlap join size on size.boundary_id = overlap.${inner}_id
      union all
      select stored.${otherColumn}, stored.share
      from own join boundary_shares stored on stored.${ownColumn} = own.id
    )
    select d.*, share.area_share
    from share join boundaries_in_effect(${day}) b on b.id = share.other_id
    join districts d on d.id = b.district_id and (${types} is null or d.type = any(${types}))
    where share.area_share >= ${minimum})`;
}

/** Stored shares that are read in the time of one record. */
const STORED_PER_RECORD = 3;

/**
 * Returns how much work it is to compare a district with others on a day, in records that take as long: one for each
 * pair of pieces that have to be intersected (about 0.1 ms), which the index finds in a hundredth of the time.
 */
export const comparisonOf = createRowLoader<
  Pick<DistrictRow, 'id'>,
  { readonly work: number },
  Pick<ContainmentArgs, 'on'>
>({
  name: 'districts.comparison',
  parentKey: { id: 'int' },
  parentsPerStatement: DISTRICTS_COUNTED_AT_ONCE,
  from: ({ id }, { row, parameter }) => `(
    with own as materialized (
      select b.id, b.id in (select boundary_id from detailed_boundaries) as is_detailed
      from boundaries_in_effect(${parameter('date', ({ on }, { today }) => on ?? today)}) b where b.district_id = ${id}
    )
    select (
      (select count(*) from boundary_pieces piece
        join boundary_pieces other on other.geometry && piece.geometry and other.boundary_id <> piece.boundary_id
        where piece.boundary_id in (select own.id from own where not own.is_detailed)) +
      (select count(*) from boundary_shares stored
        where stored.outer_id in (select own.id from own where own.is_detailed)) / ${STORED_PER_RECORD}
    )::int as work) ${row}`,
});

const order = { columns: DISTRICT_ORDERS.TYPE[1] };

/** The districts in which a district lies on a day, with the share of its area in each. */
export const districtsAround = connectionRelation<Pick<DistrictRow, 'id'>, ContainmentRow, ContainmentArgs>({
  name: 'districts.districtsAround',
  parentKey: { id: 'int' },
  rows: ({ id = 'null' }, scope) => overlapping(id, scope, 'own'),
  order,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});

/** The districts that lie in a district on a day, each with the share of its area. */
export const districtsWithin = connectionRelation<Pick<DistrictRow, 'id'>, ContainmentRow, ContainmentArgs>({
  name: 'districts.districtsWithin',
  parentKey: { id: 'int' },
  rows: ({ id = 'null' }, scope) => overlapping(id, scope, 'other'),
  order,
  parentsPerStatement: DISTRICTS_AT_ONCE,
});
