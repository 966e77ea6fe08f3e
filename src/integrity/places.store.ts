import { sql } from 'kysely';
import { countyName } from '../import/county-names.ts';
import { stateByFips } from '../import/states.ts';
import { atlasCounties } from '../import/us-atlas-files.ts';
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
        .selectFrom('boundaries as b')
        .innerJoin('districts as d', 'd.id', 'b.district_id')
        .innerJoin(
          ({ ref }) => sql<{ geom: string }>`lateral ST_Dump(${ref('b.geometry')})`.as<'part'>(sql`part (path, geom)`),
          (join) => join.onTrue(),
        )
        .innerJoin('districts as s', (join) =>
          join.on('s.type', '=', 'State').on(({ ref }) => sql<boolean>`${ref('s.state')} <> ${ref('d.state')}`),
        )
        .innerJoin('boundaries as o', 'o.district_id', 's.id')
        .where('d.type', 'not in', ['Country', 'State'])
        .where(
          ({ ref }) => sql<boolean>`${ref('o.geometry')} && ${ref('part.geom')}
          and least(ST_XMax(${ref('part.geom')}) - ST_XMin(${ref('part.geom')}), ST_YMax(${ref('part.geom')}) - ST_YMin(${ref('part.geom')}))
            > ${sql.lit(WIDEST_BORDER)}
          and exists (select from boundary_pieces as p
            where p.boundary_id = ${ref('o.id')} and ST_DWithin(p.geometry, ST_PointOnSurface(${ref('part.geom')}), 0))`,
        )
        .where(inScope(scope, 'boundaries', 'd.id'))
        .select(({ ref }) =>
          violation(
            'district',
            ref('d.id'),
            text`${ref('d.type')} ${ref('d.name')} of ${ref('d.state')} has a part in ${ref('s.name')}`,
          ),
        ),
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
