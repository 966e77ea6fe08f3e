import { sql } from 'kysely';
import { EAST_OF, NORTH_OF, OFFSHORE, SOUTH_OF, WEST_OF } from '../../importers/facts/us-extent.ts';
import { nextWithKey } from '../../store/sql/aggregates.ts';
import {
  absolute,
  asText,
  daysAfter,
  literal,
  minus,
  nullIf,
  over,
  rounded,
  times,
} from '../../store/sql/functions.ts';
import { eastOf, northOf, southOf, squareDegreesOf, westOf } from '../../store/sql/geometry-functions.ts';
import { loadedNewerMaps, outlineDifferences } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { type Check, text, violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';
import { firstPointOfBoundary, isInState, statesOf } from './states.store.ts';

/** The share of an area by which two areas that should be the same may differ: rounding. */
const ROUNDING = 1e-6;

/** The types of districts that always lie in one state. */
const OF_STATES: readonly DistrictType[] = [
  'State',
  'County',
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
];

/** The boundaries with the ids of their districts, of those districts that are in the scope. */
const boundariesIn = (scope: Scope) =>
  query.selectFrom('boundaries as b').where(({ ref }) => inScope(scope, 'boundaries', ref('b.district_id')));

export const BOUNDARY_CHECKS: readonly Check[] = [
  {
    name: 'loaded-newer-maps',
    finds: 'newer maps that are said not to be loaded, and are',
    over: ['newer_maps'],
    query: (_, scope) =>
      query
        .selectFrom(loadedNewerMaps().as('newer'))
        .where(({ ref }) => inScope(scope, 'newer_maps', ref('newer.id')))
        .select(({ ref }) =>
          violation(
            'newer map',
            ref('newer.id'),
            text`the ${ref('newer.type')} map of ${ref('newer.state')} of ${ref('newer.start_date')} is loaded: remove the row`,
          ),
        ),
  },
  {
    name: 'measured-outlines',
    finds: 'differences of outlines that are not the same both ways, or are of a layer without boundaries',
    query: () =>
      query
        .selectFrom(outlineDifferences().as('one'))
        .leftJoin(outlineDifferences().as('back'), (join) =>
          join.onRef('back.layer', '=', 'one.other_layer').onRef('back.other_layer', '=', 'one.layer'),
        )
        .where('one.layer', '<>', literal('ZIP'))
        .where(({ eb, or, not, exists, ref, selectFrom }) => {
          const ofLayer = selectFrom('boundaries as b')
            .innerJoin('districts as d', 'd.id', 'b.district_id')
            .select('b.id')
            .where((inner) => sql<boolean>`${asText(inner.ref('d.type'))} = ${ref('one.layer')}`);
          return or([eb('back.metres', 'is distinct from', ref('one.metres')), not(exists(ofLayer))]);
        })
        .select(({ ref }) => [
          text`outlines of ${ref('one.layer')} and ${ref('one.other_layer')}`.as('record'),
          text`differ by ${ref('one.metres')} m, and by ${ref('back.metres')} m the other way: import a map of the layer again`.as(
            'problem',
          ),
        ]),
  },
  {
    name: 'pieces-of-boundaries',
    finds: 'boundaries whose pieces for point lookups do not cover them exactly',
    query: () =>
      query
        .selectFrom('boundaries as b')
        .leftJoin(
          (db) =>
            db
              .selectFrom('boundary_pieces as piece')
              .groupBy('piece.boundary_id')
              .select(({ fn, ref }) => [
                'piece.boundary_id',
                fn.sum<number>(squareDegreesOf(ref('piece.geometry'))).as('area'),
              ])
              .as('p'),
          (join) => join.onRef('p.boundary_id', '=', 'b.id'),
        )
        .where(({ eb, fn, ref }) => {
          const area = squareDegreesOf(ref('b.geometry'));
          const difference = absolute(minus(fn.coalesce('p.area', sql.lit(0)), area));
          return eb(difference, '>', times(ROUNDING, area));
        })
        .select(({ fn, ref }) => {
          const share = over(times(100, ref('p.area')), nullIf(squareDegreesOf(ref('b.geometry')), sql.lit(0)));
          return violation(
            'boundary',
            ref('b.id'),
            text`its pieces cover ${fn.coalesce(rounded(share, 2), sql.lit(0))} % of it`,
          );
        }),
  },
  {
    name: 'gaps-between-boundaries',
    // Maps that were not loaded, or that no source has, are missing, not wrong.
    severity: 'warning',
    finds: 'districts without a boundary between two of their boundaries',
    over: ['boundaries'],
    query: (_, scope) => {
      const periods = query
        .selectFrom('boundaries as b')
        .select(({ ref }) => [
          'b.district_id',
          'b.end_date',
          nextWithKey(ref('b.start_date'), [ref('b.district_id')]).as('next'),
        ]);
      return query
        .selectFrom(periods.as('b'))
        .where(({ eb, ref }) => eb('b.next', '>', daysAfter(ref('b.end_date'), 1)))
        .where(({ ref }) => inScope(scope, 'boundaries', ref('b.district_id')))
        .select(({ ref }) =>
          violation(
            'district',
            ref('b.district_id'),
            text`has no boundary from ${ref('b.end_date')} to ${ref('b.next')}`,
          ),
        );
    },
  },
  {
    name: 'boundaries-outside-the-country',
    finds: 'boundaries beyond the extent of the United States: longitude and latitude exchanged, or another projection',
    over: ['boundaries'],
    query: (_, scope) =>
      boundariesIn(scope)
        .where(({ eb, or, between, ref }) => {
          const outline = ref('b.geometry');
          return or([
            eb(southOf(outline), '<', NORTH_OF),
            eb(northOf(outline), '>', SOUTH_OF),
            between(westOf(outline), sql.lit(WEST_OF), sql.lit(EAST_OF)),
            between(eastOf(outline), sql.lit(WEST_OF), sql.lit(EAST_OF)),
          ]);
        })
        .select(({ ref }) => {
          const [west, east] = [rounded(westOf(ref('b.geometry')), 2), rounded(eastOf(ref('b.geometry')), 2)];
          const [south, north] = [rounded(southOf(ref('b.geometry')), 2), rounded(northOf(ref('b.geometry')), 2)];
          return violation(
            'boundary',
            ref('b.id'),
            text`of district ${ref('b.district_id')} reaches longitude ${west} to ${east}, latitude ${south} to ${north}`,
          );
        }),
  },
  {
    name: 'districts-outside-their-state',
    finds: 'districts whose boundary lies outside that of their state',
    over: ['boundaries'],
    query: (_, scope) =>
      query
        .selectFrom('districts as d')
        .innerJoin('boundaries as b', 'b.district_id', 'd.id')
        .where('d.type', 'not in', ['Country', 'State'])
        .where(({ ref }) => inScope(scope, 'boundaries', ref('d.id')))
        .where(({ exists, ref }) => exists(statesOf(ref('d.state')).select('state_boundary.id')))
        .where(({ eb, not, lit, ref }) =>
          // Most districts are found to be in their state by a point.
          eb
            .case()
            .when(isInState(ref('d.state'), firstPointOfBoundary(ref('b.id')), OFFSHORE))
            .then(lit(false))
            .else(not(isInState(ref('d.state'), ref('b.geometry'), OFFSHORE)))
            .end(),
        )
        .select(({ ref }) =>
          violation('district', ref('d.id'), text`${ref('d.type')} ${ref('d.name')} is outside ${ref('d.state')}`),
        ),
  },
  {
    name: 'districts-without-state',
    finds: 'states, counties, Congress and legislative districts without a state',
    over: ['districts'],
    query: (_, scope) =>
      query
        .selectFrom('districts as d')
        .where('d.state', 'is', null)
        .where('d.type', 'in', OF_STATES)
        .where(({ ref }) => inScope(scope, 'districts', ref('d.id')))
        .select(({ ref }) => violation('district', ref('d.id'), text`${ref('d.type')} ${ref('d.name')} has no state`)),
  },
];
