import { geoJSONToTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection } from 'geojson';
import { MAX_ZOOM, type Tile } from './tile-address.ts';
import { COARSER, type Outline, type Outlines } from './tiles.store.ts';

/** The layer of the tiles that has the districts. */
export const LAYER = 'districts';
/** The number of units along the side of a tile. */
export const EXTENT = 4096;
/** What a tile has beyond its edges, in units, so that lines on an edge are drawn whole. */
export const MARGIN = 64;
/** The size limit of a tile in bytes, before compression. */
export const MOST_BYTES = 100_000;

/** The first grid that is tried, in units: below the highest zoom, half a pixel of a tile that is drawn 512 wide. */
const FIRST_STEP = 4;
/** The end of a coarser grid: one cell. */
const LAST_STEP = EXTENT;

/** Returns the side of the finest grid for the outlines of a tile, in degrees. */
export function finestGrid({ z }: Tile): number {
  return (degreesOfUnit(z) * firstStep(z)) / COARSER;
}

const degreesOfUnit = (z: number) => 360 / 2 ** z / EXTENT;
const firstStep = (z: number) => (z === MAX_ZOOM ? 1 : FIRST_STEP);

type Ring = [number, number][];

/** What geojson-vt makes of an outline, with polygons in the units of the tile. */
interface SlicedFeature {
  readonly geometry: readonly Ring[];
}

/**
 * Encodes outlines as a vector tile (Mapbox Vector Tile 2.1). All vertices are on one grid in the units of the tile, so
 * that neighbours share their edges; the grid becomes coarser, by powers of two, until the tile is not larger than
 * `MOST_BYTES`. Districts that are smaller than a cell are then omitted. Yields after each outline, as the counties of the
 * country take most of a second.
 */
export function* encodeTile({ outlines, grid }: Outlines, tile: Tile): Generator<void, Buffer> {
  const sliced: SlicedFeature[] = [];
  for (const outline of outlines) {
    sliced.push(...slice(outline, tile));
    yield;
  }
  const first = Math.round((grid * COARSER) / degreesOfUnit(tile.z));
  for (let step = first; ; step *= 2) {
    const encoded = yield* encode(sliced, step);
    if (encoded && (encoded.length <= MOST_BYTES || step >= LAST_STEP)) return encoded;
  }
}

/** Returns an outline in the units of a tile; nothing if it is elsewhere. */
function slice(outline: Outline, tile: Tile): readonly SlicedFeature[] {
  const sliced = geoJSONToTile(toCollection([outline]), tile.z, tile.x, tile.y, {
    extent: EXTENT,
    buffer: MARGIN,
    tolerance: 0,
    clip: true,
  }) as { readonly features: readonly SlicedFeature[] } | null;
  return sliced?.features ?? [];
}

function toCollection(outlines: readonly Outline[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: outlines.map(
      ({ boundaryId, districtId, name, state, geometry }): Feature => ({
        type: 'Feature',
        id: boundaryId,
        properties: { district: districtId, name, ...(state !== null && { state }) },
        geometry: JSON.parse(geometry),
      }),
    ),
  };
}

/** Returns undefined if the vertices alone, of which each takes two bytes or more, are too many for a tile. */
function* encode(sliced: readonly SlicedFeature[], step: number): Generator<void, Buffer | undefined> {
  const features: SlicedFeature[] = [];
  let leastBytes = 0;
  for (const feature of sliced) {
    const rings = ringsOnGrid(feature.geometry, step);
    if (rings.length > 0) features.push({ ...feature, geometry: rings });
    // The last vertex of a ring is its first one, and is not encoded.
    for (const ring of rings) leastBytes += 2 * (ring.length - 1);
    if (leastBytes > MOST_BYTES && step < LAST_STEP) return undefined;
    yield;
  }
  const layers = { [LAYER]: { features } } as unknown as Parameters<typeof fromGeojsonVt>[0];
  return Buffer.from(fromGeojsonVt(layers, { version: 2, extent: EXTENT }));
}

/**
 * Returns the rings of a feature with their vertices on a grid. An outer ring that becomes a line is omitted together
 * with its holes; in vector tiles, a ring of the other direction is a hole of the last outer ring before it.
 */
function ringsOnGrid(rings: readonly Ring[], step: number): Ring[] {
  const kept: Ring[] = [];
  let isOuterKept = false;
  const [first] = rings;
  const outer = first ? Math.sign(areaOfRing(first)) : 0;
  for (const ring of rings) {
    const isOuter = Math.sign(areaOfRing(ring)) === outer;
    const moved = ringOnGrid(ring, step);
    const isKept: boolean = Math.sign(areaOfRing(moved)) === (isOuter ? outer : -outer) && (isOuter || isOuterKept);
    if (isKept) kept.push(moved);
    if (isOuter) isOuterKept = isKept;
  }
  return kept;
}

/** Moves the vertices of a ring to a grid and omits repeated ones. */
function ringOnGrid(ring: Ring, step: number): Ring {
  const moved: Ring = [];
  for (const [x, y] of ring) {
    const [onX, onY] = [Math.round(x / step) * step, Math.round(y / step) * step];
    const last = moved.at(-1);
    if (last?.[0] !== onX || last[1] !== onY) moved.push([onX, onY]);
  }
  return moved;
}

/** Returns twice the area of a ring; negative for the other direction. */
function areaOfRing(ring: Ring): number {
  let sum = 0;
  let previous = ring.at(-1);
  for (const point of ring) {
    if (previous) sum += previous[0] * point[1] - point[0] * previous[1];
    previous = point;
  }
  return sum;
}
