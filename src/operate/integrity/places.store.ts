import { sql } from 'kysely';
import { stateByFips } from '../../base/words/states.ts';
import { countyName } from '../../importers/facts/county-names.ts';
import { atlasCounties } from '../../importers/read/us-atlas-files.ts';
import { anyOf, least, minus, transactionTime } from '../../store/sql/functions.ts';
import {
  eastOf,
  isWithin,
  northOf,
  numberOfGeometries,
  partsOf,
  pointInside,
  southOf,
  westOf,
} from '../../store/sql/geometry-functions.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import { normalName } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';
import { firstPointOfBoundary, isInState } from './states.store.ts';

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
        .where('d.state', 'is not', null)
        .where(({ eb, not, ref }) =>
          not(eb(text`${ref('d.state')} ${normalName(ref('d.name'))}`, '=', anyOf('text', counties()))),
        )
        .where(({ ref }) => inScope(scope, 'districts', ref('d.id')))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.name')}, ${ref('d.state')}`)),
  },
  {
    name: 'parts-in-other-states',
    finds: 'districts with a part that lies in another state',
    over: ['boundaries'],
    query: (_, scope) => {
      const parts = query
        .selectFrom('boundaries as b')
        .innerJoin('districts as d', 'd.id', 'b.district_id')
        .crossJoinLateral(({ ref }) =>
          query
            .selectFrom(partsOf(ref('b.geometry')).as('part'))
            .select(({ ref }) => pointInside(ref('part.geom')).as('point'))
            .where(({ eb, ref }) => {
              const part = ref('part.geom');
              const width = minus(eastOf(part), westOf(part));
              return eb(least(width, minus(northOf(part), southOf(part))), '>', sql.lit(WIDEST_BORDER));
            })
            .as('wide'),
        )
        .where('d.type', 'not in', ['Country', 'State'])
        .where(({ ref }) => inScope(scope, 'boundaries', ref('d.id')))
        .where(({ eb, or, not, ref }) =>
          or([
            eb(numberOfGeometries(ref('b.geometry')), '>', 1),
            not(isInState(ref('d.state'), firstPointOfBoundary(ref('b.id')))),
          ]),
        )
        .where(({ not, ref }) => not(isInState(ref('d.state'), ref('wide.point'))))
        .select(['d.id', 'd.type', 'd.name', 'd.state', 'wide.point'])
        // Without it, the parts would be compared with the other states before their own.
        .offset(sql.lit(0));
      return query
        .selectFrom(parts.as('part'))
        .innerJoin('boundary_pieces as p', (join) =>
          join.on(({ ref }) => isWithin(ref('p.geometry'), ref('part.point'), 0)),
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
        .distinct();
    },
  },
  {
    name: 'addresses-outside-their-state',
    finds: 'points of addresses in another state than their street',
    over: ['address_points'],
    query: (_, scope) =>
      query
        // A table of its own: where both have statistics, the embedded PostGIS may fail to estimate how points and pieces join.
        .with(materialized('a'), (db) =>
          db
            .selectFrom('address_points as p')
            .select(['p.id', 'p.street_id', 'p.number', 'p.point'])
            // An import writes in one transaction.
            .where(({ eb, lit }) => (scope === 'import' ? eb('p.updated_at', '=', transactionTime) : lit(true))),
        )
        .selectFrom('a')
        .innerJoin('address_streets as t', 't.id', 'a.street_id')
        .innerJoin('districts as s', (join) => join.on('s.type', '=', 'State').onRef('s.state', '<>', 't.state'))
        .innerJoin('boundaries as b', 'b.district_id', 's.id')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('boundary_pieces as p')
              .select('p.boundary_id')
              .whereRef('p.boundary_id', '=', 'b.id')
              .where(({ ref }) => isWithin(ref('p.geometry'), ref('a.point'), 0)),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('districts as own')
                .innerJoin('boundaries as h', 'h.district_id', 'own.id')
                .innerJoin('boundary_pieces as q', 'q.boundary_id', 'h.id')
                .select('q.boundary_id')
                .where('own.type', '=', 'State')
                .whereRef('own.state', '=', 't.state')
                .where(({ ref }) => isWithin(ref('q.geometry'), ref('a.point'), WIDEST_BORDER)),
            ),
          ),
        )
        .select(({ ref }) =>
          violation(
            'address',
            ref('a.id'),
            text`${ref('a.number')} ${ref('t.label')}, ${ref('t.town_label')}, ${ref('t.state')} lies in ${ref('s.name')}`,
          ),
        ),
  },
];
