import { type Expression, type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { anyIn, arrayOf, haveCommon, literal } from '../../store/sql/functions.ts';
import { metresBetween, pointAt } from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';
import { connectionRelation } from '../builder/connection-relation.ts';
import { intColumn, textColumn } from '../builder/keyset.ts';
import { type RecordOf, records } from '../builder/records.ts';
import { relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { coveringBoundaries, type Point } from '../districts/districts.store.ts';
import type { VotingPlaceKind } from './enums.ts';

/** The columns of a place to vote `place`. */
const PLACE = [
  ...(['place.id', 'place.election_id', 'place.name', 'place.address', 'place.state'] as const),
  ...(['place.longitude', 'place.latitude', 'place.hours', 'place.open_intervals', 'place.time_zone'] as const),
  ...(['place.moved_to', 'place.notes', 'place.url', 'place.district_ids'] as const),
] as const;

/** The kind and the status of a place, as the constraints of the table allow them. */
const kindAndStatus = ({ ref }: ExpressionBuilder<DB & { place: DB['voting_places'] }, 'place'>) =>
  [
    ref('place.kind').$castTo<VotingPlaceKind>().as('kind'),
    ref('place.status').$castTo<'Closed' | 'Moved' | null>().as('status'),
  ] as const;

export const votingPlaces = records({
  name: 'voting.placeById',
  rows: () => query.selectFrom('voting_places as place').select(PLACE).select(kindAndStatus),
});

export type VotingPlaceRow = RecordOf<typeof votingPlaces>;

export interface VotingPlaceFilter {
  readonly near?: Point | null | undefined;
  /** Metres from `near`. */
  readonly within?: number | null | undefined;
  readonly kinds?: readonly string[] | null | undefined;
}

/** The metres from a point to a place; null without the point, or if the place has none. */
const distanceFrom = (longitude: Expression<number>, latitude: Expression<number>) => {
  const { ref } = expressionBuilder<{ place: { longitude: number | null; latitude: number } }, 'place'>();
  return metresBetween(pointAt(ref('place.longitude'), ref('place.latitude')), pointAt(longitude, latitude));
};

/** The distance of places without one, which are sorted last. */
export const FARTHEST = 2_147_483_647;

/** The places of an election, nearest first if a point is given, then by name. */
export const votingPlacesOfElection = connectionRelation({
  name: 'voting.placesOfElection',
  key: { id: 'int' },
  rows({ id }, { param }: Scope<VotingPlaceFilter>) {
    const [longitude, latitude] = (['longitude', 'latitude'] as const).map((name) =>
      param('float8', ({ near }) => near?.[name] ?? null),
    ) as [Expression<number>, Expression<number>];
    const within = param('float8', (filter) => filter.within ?? null);
    const kinds = param('text[]', (filter) => filter.kinds ?? null);
    const distance = distanceFrom(longitude, latitude);
    return query
      .selectFrom('voting_places as place')
      .select(PLACE)
      .select(kindAndStatus)
      .select(sql<number>`coalesce(${distance}, ${sql.lit(FARTHEST)})`.as('distance'))
      .where('place.election_id', '=', id)
      .where(({ eb, or }) => or([eb(kinds, 'is', null), eb('place.kind', '=', anyIn(kinds))]))
      .where(({ eb, or }) => or([eb(within, 'is', null), eb(distance, '<=', within as Expression<number>)]));
  },
  order: [
    ['distance', intColumn],
    ['name', textColumn],
    ['id', intColumn],
  ],
});

/** A place of an election, with its distance in metres; `FARTHEST` without one. */
export interface PlaceAtDistance extends VotingPlaceRow {
  readonly distance: number;
}

/** A place of a point, with the distance of the place from it in metres. */
export interface PlaceOfPoint extends VotingPlaceRow {
  readonly distance: number | null;
}

/** Returns the ids of the districts that contain a point on a day. */
export const districtsAt = (
  point: { readonly longitude: Expression<number>; readonly latitude: Expression<number> },
  day: Expression<Day>,
) =>
  arrayOf<number>(
    query
      .selectFrom(coveringBoundaries(point).as('covering'))
      .innerJoin(boundariesInEffect(day).as('b'), 'b.id', 'covering.boundary_id')
      .select('b.district_id'),
  );

/** The election offices that sources state for the districts of a point, the most local one first. */
export const electionOfficesOfPoint = relation({
  name: 'voting.electionOfficesOfPoint',
  key: { longitude: 'float8', latitude: 'float8', date: 'date' },
  rows: ({ longitude, latitude, date }) =>
    query
      .selectFrom('district_election_offices as office')
      .innerJoin('districts as d', 'd.id', 'office.district_id')
      .innerJoin('record_sources as link', (join) =>
        join.onRef('link.record_id', '=', 'office.id').on('link.kind', '=', literal('election_office')),
      )
      .innerJoin('sources as source', 'source.id', 'link.source_id')
      .select(['office.id', 'office.name', 'office.website', 'office.as_of'])
      .select(({ fn, ref }) => [
        ref('d.state').$notNull().as('state'),
        fn.coalesce('source.source', 'source.name').as('source'),
        sql<number>`-array_position(enum_range(null::district_type), ${ref('d.type')})`.as('locality'),
      ])
      .where('d.state', 'is not', null)
      .where('d.id', '=', anyIn(districtsAt({ longitude, latitude }, date))),
  orderBy: ['locality', 'name', 'id', 'source'],
});

/**
 * The places, of elections of one day, that a source names for a district that contains the point on that day: by kind, then by name.
 * The ids of the elections are separated by commas.
 */
export const votingPlacesOfPoint = relation({
  name: 'voting.placesOfPoint',
  key: { longitude: 'float8', latitude: 'float8', date: 'date', election_ids: 'text' },
  rows: ({ longitude, latitude, date, election_ids }) =>
    query
      .selectFrom('voting_places as place')
      .select(PLACE)
      .select(kindAndStatus)
      .select(distanceFrom(longitude, latitude).as('distance'))
      .where('place.election_id', '=', anyIn(sql<number[]>`string_to_array(${election_ids}, ',')::int[]`))
      .where(({ ref }) => haveCommon(ref('place.district_ids'), districtsAt({ longitude, latitude }, date))),
  orderBy: ['kind', 'name', 'id'],
});
