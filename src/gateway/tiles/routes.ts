import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { inPortions } from '../../base/event-loop-turns.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Caller } from '../../graph/builder/caller.ts';
import { notIncluded } from '../../graph/builder/grants.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import type { CurrentVersion, ProvedVersion } from '../../store/reading/data-version.ts';
import type { Routes } from '../graphql/surface.ts';
import { publicOrigin } from '../http/public-origin.ts';
import { compressOnce, sendTagged } from '../http/representation.ts';
import { EXTENT, encodeTile, finestGrid, LAYER, MARGIN, MOST_BYTES } from './encode-tile.ts';
import { areaOf, MAX_ZOOM, readTile, readTileSet, type Tile, type TileSet } from './tile-address.ts';
import { outlinesWithin } from './tiles.store.ts';

/** The memory for encoded tiles. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The memory that an entry takes in addition to its tile. */
const ENTRY_BYTES = 512;
/** What a caller needs: districts with their geometry. */
const GRANTS = ['districts', 'boundaries'] as const;

type Parameters = Readonly<Record<string, string>>;

/**
 * Serves the boundaries as vector tiles, one set for each district type and day, with a TileJSON description. A tile
 * needs the grants with which GraphQL shows districts with their geometry.
 */
export const tileRoutes: Routes = async (app, { config, caches, versions }) => {
  const tiles = caches.open<string, Buffer>('tiles', {
    maxSize: CACHE_BYTES,
    sizeCalculation: (tile) => tile.length + ENTRY_BYTES,
  });
  const onRequest = app.authenticate(requireBoundaries);
  const options = { onRequest, config: { withoutKey: { grants: GRANTS, parameters: [] }, isForPage: true } };

  app.get('/tiles/:type/:date.json', options, (request, reply) => {
    readTileSet(request.params as Parameters);
    const origin = publicOrigin(app, config);
    const { type = '', date = '' } = request.params as Parameters;
    const description = tileJson(`${origin}/tiles/${type}/${date}/{z}/{x}/{y}.pbf`, type, date);
    return sendTagged(reply, 'application/json; charset=utf-8', JSON.stringify(description), 'X-API-Key');
  });

  app.get('/tiles/:type/:date/:z/:x/:y.pbf', options, async (request, reply) => {
    const set = readTileSet(request.params as Parameters);
    const tile = readTile(request.params as Parameters);
    const before = await untilAborted(versions.read(), request.abortSignal);
    const keyIn = ({ state }: CurrentVersion | ProvedVersion) =>
      [state, set.type, set.day, tile.z, tile.x, tile.y].join(' ');
    const cached = tiles.get(keyIn(before));
    const body = cached ?? compressOnce(await createTile(request, set, tile));
    if (!cached) {
      const proved = await untilAborted(versions.prove(before), request.abortSignal);
      if (proved) tiles.set(keyIn(proved), body);
    }
    return sendTagged(reply, 'application/vnd.mapbox-vector-tile', body, 'X-API-Key');
  });

  async function createTile(request: FastifyRequest, { type, day }: TileSet, tile: Tile): Promise<Buffer> {
    const within = areaOf(tile, MARGIN / EXTENT);
    const outlines = await outlinesWithin(app.contextOf(request).db, {
      ...{ type, day, within },
      grid: finestGrid(tile),
      mostBytes: MOST_BYTES,
    });
    request.abortSignal.throwIfAborted();
    return inPortions(app.contextOf(request), encodeTile(outlines, tile));
  }
};

/**
 * Checks the grants of districts and of their geometry.
 * @throws ServiceError FORBIDDEN
 */
function requireBoundaries({ grants }: Caller): void {
  const missing = GRANTS.filter((each) => !grants.has(each));
  if (missing.length > 0) throw new ServiceError('FORBIDDEN', notIncluded(missing));
}

/** Returns the description of a tile set (TileJSON 3.0.0). */
function tileJson(address: string, type: string, date: string) {
  const [, , description] = DISTRICT_TYPES.find(([name]) => name === type) ?? [];
  return {
    tilejson: '3.0.0',
    name: `${type} ${date}`,
    description,
    scheme: 'xyz',
    tiles: [address],
    minzoom: 0,
    maxzoom: MAX_ZOOM,
    vector_layers: [
      {
        id: LAYER,
        description: 'Boundaries in effect on the day. The id of a feature is the databaseId of its Boundary.',
        fields: {
          district: 'databaseId of the District',
          name: 'Name of the district',
          state: 'Two-letter abbreviation of its state; absent if it has none',
        },
      },
    ],
  };
}
