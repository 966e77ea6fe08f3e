import { coveringBoundaries, type Point } from '../../graph/districts/districts.store.ts';
import type { CurrentVersion } from '../../store/reading/data-version.ts';
import type { Database } from '../../store/sql/database.ts';
import { arrayOf, asText, isStandby, plus, unnested, valueAs } from '../../store/sql/functions.ts';
import { covers, intersects, rectangle } from '../../store/sql/geometry-functions.ts';
import { fixedQuery } from '../../store/sql/named-query.ts';
import type { ParameterOf } from '../../store/sql/parameter.ts';
import { query } from '../../store/sql/query-builder.ts';

/**
 * The data that a response about a point depends on: the data version, and the boundaries of all periods that cover the
 * point.
 */
export interface Footprint extends CurrentVersion {
  /** The sorted ids of the boundaries as text: equal if the sets are equal. */
  readonly boundaries: string;
  /**
   * Whether exactly the same boundaries cover the whole tile of the point, without parts of others; false if not
   * requested.
   */
  readonly coversTile: boolean;
}

/**
 * Request for the boundaries that cover a point and, with `withTile`, for whether its whole tile has the same ones.
 */
export interface FootprintRequest extends Point {
  readonly withTile: boolean;
}

/**
 * The side of a tile in degrees: half a kilometre or less, so that most tiles are not crossed by a boundary. A power of
 * two: the edges are exact binary numbers, so PostgreSQL and JavaScript agree on which tile contains a point.
 */
const SIDE = 1 / 256;

/** The map tile that contains a point, identified by its south-west corner. Its edges belong to it. */
export interface Tile {
  readonly south: number;
  readonly west: number;
}

export function tileOf({ latitude, longitude }: Point): Tile {
  return { south: Math.floor(latitude / SIDE) * SIDE, west: Math.floor(longitude / SIDE) * SIDE };
}

interface TiledRequests {
  readonly requests: readonly FootprintRequest[];
  /** The tile of each request that asks for it. */
  readonly tiles: readonly (Tile | undefined)[];
}

/**
 * A tile certainly lies within a boundary if one of the boundary's pieces covers it. A tile that only several pieces
 * together cover is treated as crossed by the boundary, so that each point in it requires a lookup.
 */
const footprintsOf = fixedQuery('cache.findFootprints', (parameter: ParameterOf<TiledRequests>) => {
  const requested = unnested('requested', {
    longitude: ['float8', parameter('float8[]', ({ requests }) => requests.map(({ longitude }) => longitude))],
    latitude: ['float8', parameter('float8[]', ({ requests }) => requests.map(({ latitude }) => latitude))],
    west: ['float8', parameter('float8[]', ({ tiles }) => tiles.map((tile) => tile?.west ?? null))],
    south: ['float8', parameter('float8[]', ({ tiles }) => tiles.map((tile) => tile?.south ?? null))],
  });
  return query
    .selectFrom('data_version as v')
    .innerJoin(requested, (join) => join.onTrue())
    .innerJoin(
      ({ ref }) => {
        const [west, south] = [ref('requested.west'), ref('requested.south')];
        return valueAs(rectangle(west, south, plus(west, SIDE), plus(south, SIDE)), 'tile', 'outline');
      },
      (join) => join.onTrue(),
    )
    .select(({ ref, and, eb, not, exists, selectFrom }) => {
      const point = { longitude: ref('requested.longitude'), latitude: ref('requested.latitude') };
      const covering = query
        .selectFrom(coveringBoundaries(point).as('covering'))
        .select('covering.boundary_id')
        .orderBy('covering.boundary_id');
      const crossing = selectFrom('boundary_pieces as piece')
        .select('piece.boundary_id')
        .where(({ ref }) => intersects(ref('piece.geometry'), ref('tile.outline')))
        .where(({ not, ref }) => not(covers(ref('piece.geometry'), ref('tile.outline'))));
      return [
        'requested.ordinal',
        'v.state',
        isStandby.as('isStandby'),
        asText(arrayOf(covering)).as('boundaries'),
        and([eb('requested.west', 'is not', null), not(exists(crossing))])
          .$castTo<boolean>()
          .as('coversTile'),
      ];
    });
});

/**
 * Reads the boundaries that cover points, in one statement.
 * @returns one result for each point, in their order; undefined if the database has never contained data.
 */
export async function findFootprints(
  db: Database,
  requests: readonly FootprintRequest[],
): Promise<(Footprint | undefined)[]> {
  const tiles = requests.map((request) => (request.withTile ? tileOf(request) : undefined));
  const results: (Footprint | undefined)[] = requests.map(() => undefined);
  for (const { ordinal, ...footprint } of await footprintsOf(db, { requests, tiles })) results[ordinal - 1] = footprint;
  return results;
}
