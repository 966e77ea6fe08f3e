import { type Expression, type RawBuilder, sql } from 'kysely';
import { countyName } from '../import/county-names.ts';
import { atlasCounties } from '../import/us-atlas-files.ts';
import { stateByFips } from '../words/states.ts';
import { type Check, normalName, query, text, violation } from './check.ts';
import { inScope } from './scope.ts';

/** The least width in degrees of a part of a district that lies in another state: outlines of one border differ by less. */
const WIDEST_BORDER = 0.05;

/** The counties of the country as `state name`, without letter case and punctuation, from the package us-atlas. */
const counties = (() => {
  let known: readonly string[] | undefined;
  return () => {
    known ??= readCounties();
    return known;
  };
})();

function readCounties(): readonly string[] {
  return atlasCounties().flatMap(({ fips, name: plain }) => {
    const state = stateByFips(fips.slice(0, 2));
    if (!state) return [];
    // Some sources leave out the word for what it is.
    return [countyName(state, fips, plain), plain].map(
      (name) =>
        `${state.postal} ${name
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()}`,
    );
  });
}

/** Returns the SQL of a point in each part of a geometry that is wider than a border. */
function partsOf(geometry: Expression<unknown>): RawBuilder<{ point: string }> {
  return sql`lateral (select ST_PointOnSurface(geom) as point from ST_Dump(${geometry})
    where least(ST_XMax(geom) - ST_XMin(geom), ST_YMax(geom) - ST_YMin(geom)) > ${sql.lit(WIDEST_BORDER)})`;
}

/** Returns the SQL of a point of a boundary that is found without reading all of it. */
export function firstPointOf(boundary: Expression<unknown>): RawBuilder<string> {
  return sql`(select ST_StartPoint(ST_ExteriorRing(geometry)) from boundary_pieces where boundary_id = ${boundary} limit 1)`;
}

/**
 * Returns the SQL of whether a point is at most a distance from its state; false if the state has no boundary. The planner would
 * join a condition without `case` with all pieces, and look for pieces of all districts in the distance without
 * `ST_Force2D`.
 */
export function isInState(state: Expression<unknown>, point: Expression<unknown>, within = 0): RawBuilder<boolean> {
  const piece = within > 0 ? sql`ST_Force2D(q.geometry)` : sql`q.geometry`;
  return sql`case when exists (
      select from districts as own join boundaries as h on h.district_id = own.id
      join boundary_pieces as q on q.boundary_id = h.id
      where own.type = 'State' and own.state = ${state} and ST_DWithin(${piece}, ${point}, ${sql.lit(within)}))
    then true else false end`;
}

export const PLACE_CHECKS: readonly Check[] = [
  {
    name: 'unknown-counties',
    severity: 'warning',
    finds: 'counties without a GEOID and with the name of no county of their state',
    over: ['districts'],
    query: (_, scope) =>
      query
        .selectFrom('districts as d')
        .where('d.type', '=', 'County')
        .where('d.geo_id', 'is', null)
        .where(
          ({ ref }) =>
            sql<boolean>`not (${ref('d.state')} || ' ' || ${normalName(ref('d.name'))} = any(${counties()}::text[]))`,
        )
        .where(inScope(scope, 'districts', 'd.id'))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.name')}, ${ref('d.state')}`)),
  },
  {
    name: 'parts-in-other-states',
    finds: 'districts with a part that lies in another state',
    over: ['boundaries'],
    query: (_, scope) =>
      query
        .selectFrom(({ eb }) =>
          eb
            .selectFrom('boundaries as b')
            .innerJoin('districts as d', 'd.id', 'b.district_id')
            .innerJoin(
              ({ ref }) => partsOf(ref('b.geometry')).as<'dump'>(sql`dump`),
              (join) => join.onTrue(),
            )
            .where('d.type', 'not in', ['Country', 'State'])
            .where(inScope(scope, 'boundaries', 'd.id'))
            .where(
              ({ ref }) =>
                sql<boolean>`(ST_NumGeometries(${ref('b.geometry')}) > 1 or not ${isInState(ref('d.state'), firstPointOf(ref('b.id')))})`,
            )
            .where(({ ref }) => sql<boolean>`not ${isInState(ref('d.state'), ref('dump.point'))}`)
            .select(['d.id', 'd.type', 'd.name', 'd.state', 'dump.point'])
            // Without it, the parts would be compared with the other states before their own.
            .offset(0)
            .as('part'),
        )
        .innerJoin('boundary_pieces as p', (join) =>
          join.on(({ ref }) => sql<boolean>`ST_DWithin(${ref('p.geometry')}, ${ref('part.point')}, 0)`),
        )
        .innerJoin('boundaries as o', 'o.id', 'p.boundary_id')
        .innerJoin('districts as s', (join) =>
          join.onRef('s.id', '=', 'o.district_id').on('s.type', '=', 'State').onRef('s.state', '<>', 'part.state'),
        )
        .select(({ ref }) =>
          violation(
            'district',
            ref('part.id'),
            text`${ref('part.type')} ${ref('part.name')} of ${ref('part.state')} has a part in ${ref('s.name')}`,
          ),
        )
        .distinct(),
  },
  {
    name: 'addresses-outside-their-state',
    finds: 'points of addresses in another state than their street',
    over: ['address_points'],
    query: (_, scope) =>
      query
        .selectFrom('address_points as a')
        .innerJoin('address_streets as t', 't.id', 'a.street_id')
        .innerJoin('districts as s', (join) => join.on('s.type', '=', 'State').onRef('s.state', '<>', 't.state'))
        .innerJoin('boundaries as b', 'b.district_id', 's.id')
        // An import writes in one transaction.
        .where(scope === 'import' ? sql<boolean>`a.updated_at = now()` : sql<boolean>`true`)
        .where(
          ({ ref }) => sql<boolean>`exists (select from boundary_pieces as p
          where p.boundary_id = ${ref('b.id')} and ST_DWithin(p.geometry, ${ref('a.point')}, 0))
          and not exists (
            select from districts as own join boundaries as h on h.district_id = own.id
            join boundary_pieces as q on q.boundary_id = h.id
            where own.type = 'State' and own.state = ${ref('t.state')} and ST_DWithin(q.geometry, ${ref('a.point')}, ${sql.lit(WIDEST_BORDER)}))`,
        )
        .select(({ ref }) => [
          sql<string>`'address ' || ${ref('a.id')}`.as('record'),
          text`${ref('a.number')} ${ref('t.label')}, ${ref('t.town_label')}, ${ref('t.state')} lies in ${ref('s.name')}`.as(
            'problem',
          ),
        ]),
  },
];
