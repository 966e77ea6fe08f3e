import type { DistrictType } from '../database/tables.ts';
import type { Day } from '../dates.ts';
import { connectionRelation } from '../graphql/connection-relation.ts';
import type { RowScope } from '../graphql/in-sql.ts';
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
 * Returns an SQL subquery with the districts that overlap a district on a day, except the district itself. The pieces of
 * the boundaries, which have an index, are intersected, and the areas of the intersections are added. The share has six
 * decimals, as the sum depends on the order of the pieces in the last digits.
 * @param inner the boundary of which the share is computed.
 */
function overlapping(id: string, { parameter }: RowScope<ContainmentArgs>, inner: 'own' | 'other'): string {
  const day = parameter('date', ({ on }, { today }) => on ?? today);
  const types = parameter('district_type[]', (args) => args.types ?? null);
  const minimum = parameter('float8', ({ minimumShare }) => minimumShare);
  const outer = inner === 'own' ? 'other' : 'own';
  const intersection = intersectionOf(`${outer}.geometry`, `${inner}.geometry`);
  return `(
    with own as materialized (
      select piece.boundary_id, piece.geometry
      from boundaries_in_effect(${day}) b join boundary_pieces piece on piece.boundary_id = b.id
      where b.district_id = ${id}
    ), part as materialized (
      select own.boundary_id as own_id, other.boundary_id as other_id, b.district_id, ${areaOf(intersection)} as area
      from own
      join boundary_pieces other on other.geometry && own.geometry and other.boundary_id <> own.boundary_id
      join boundaries_in_effect(${day}) b on b.id = other.boundary_id
      join districts d on d.id = b.district_id and (${types} is null or d.type = any(${types}))
    ), overlap as materialized (
      select own_id, other_id, district_id, sum(area) as area
      from part group by own_id, other_id, district_id having sum(area) > 0
    ), size as materialized (
      select piece.boundary_id, sum(${areaOf('piece.geometry')}) as area
      from boundary_pieces piece where piece.boundary_id in (select ${inner}_id from overlap)
      group by piece.boundary_id
    ), share as materialized (
      select overlap.district_id, round(least(overlap.area / size.area, 1)::numeric, 6)::float8 as area_share
      from overlap join size on size.boundary_id = overlap.${inner}_id
    )
    select d.*, share.area_share from share join districts d on d.id = share.district_id
    where share.area_share >= ${minimum})`;
}

const order = { columns: DISTRICT_ORDERS.TYPE[1] };

/** The districts in which a district lies on a day, with the share of its area in each. */
export const districtsAround = connectionRelation<Pick<DistrictRow, 'id'>, ContainmentRow, ContainmentArgs>({
  name: 'districts.districtsAround',
  parentKey: { id: 'int' },
  rows: ({ id = 'null' }, scope) => overlapping(id, scope, 'own'),
  order,
});

/** The districts that lie in a district on a day, each with the share of its area. */
export const districtsWithin = connectionRelation<Pick<DistrictRow, 'id'>, ContainmentRow, ContainmentArgs>({
  name: 'districts.districtsWithin',
  parentKey: { id: 'int' },
  rows: ({ id = 'null' }, scope) => overlapping(id, scope, 'other'),
  order,
});
