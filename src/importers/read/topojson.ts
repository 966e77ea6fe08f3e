import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { ImportError } from '../exchange/import-rows.ts';
import { isObject } from './geometry.ts';

export interface TopoFeature {
  readonly id: string;
  readonly properties: unknown;
  /** A GeoJSON geometry. */
  readonly geometry: unknown;
  /** True if only lines were left of the geometry and the grid cells along them replace it. */
  readonly isSubstitute: boolean;
}

type Position = number[];
type Polygon = Position[][];

/** Returns the objects of a layer of a TopoJSON file as GeoJSON. */
export function topoFeatures(topology: unknown, layer: string): TopoFeature[] {
  if (!isObject(topology) || topology.type !== 'Topology' || !isObject(topology.objects))
    throw new ImportError('The file is not TopoJSON');
  const object = topology.objects[layer];
  if (!isObject(object) || !Array.isArray(object.geometries))
    throw new ImportError(`The TopoJSON file has no layer ${layer}`);
  const grid = gridOf(topology);
  // Object by object, so that the whole layer is not held in memory twice.
  return object.geometries.map((geometry: GeometryCollection['geometries'][number]) => {
    const made = feature(topology as unknown as Topology, geometry);
    const mended = mend('geometry' in made ? made.geometry : null, grid);
    return { id: String(geometry.id ?? ''), properties: geometry.properties, ...mended };
  });
}

interface Grid {
  readonly x: number;
  readonly y: number;
}

function gridOf(topology: Record<string, unknown>): Grid | undefined {
  const scale = isObject(topology.transform) ? topology.transform.scale : undefined;
  return Array.isArray(scale) ? { x: Number(scale[0]), y: Number(scale[1]) } : undefined;
}

/**
 * Repairs the effects of rounding to the grid of the file: rings that end one step from their start are closed,
 * polygons that collapsed to a line are left out. If only such lines remain (Falls Church, Virginia, in us-atlas), the
 * area that the grid cannot distinguish from the line replaces the polygon, so that the district has a boundary.
 */
function mend(geometry: unknown, grid: Grid | undefined): Pick<TopoFeature, 'geometry' | 'isSubstitute'> {
  if (!isObject(geometry) || !grid) return { geometry, isSubstitute: false };
  const isOne = geometry.type === 'Polygon';
  if (!isOne && geometry.type !== 'MultiPolygon') return { geometry, isSubstitute: false };
  const polygons = (isOne ? [geometry.coordinates] : geometry.coordinates) as Polygon[];
  const closed = polygons.map((polygon) => polygon.map((ring) => close(ring, grid)));
  const remaining = closed
    .filter(([shell]) => shell && !isCollapsed(shell))
    .map(([shell = [], ...holes]) => [shell, ...holes.filter((hole) => !isCollapsed(hole))]);
  const isSubstitute = remaining.length === 0;
  const coordinates = isSubstitute ? closed.map(([shell = []]) => [surround(shell, grid)]) : remaining;
  return { geometry: { type: 'MultiPolygon', coordinates }, isSubstitute };
}

function close(ring: Position[], grid: Grid): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return ring;
  const gap = { x: Math.abs((first[0] ?? 0) - (last[0] ?? 0)), y: Math.abs((first[1] ?? 0) - (last[1] ?? 0)) };
  return gap.x < grid.x * 1.5 && gap.y < grid.y * 1.5 ? [...ring, first] : ring;
}

function isCollapsed(ring: Position[]): boolean {
  return new Set(ring.map((position) => position.join(' '))).size < 3;
}

/** Returns the convex hull of the grid cells that the positions represent (monotone chain). */
function surround(ring: Position[], grid: Grid): Position[] {
  const corners = ring
    .flatMap(([x = 0, y = 0]) =>
      [-0.5, 0.5].flatMap((dx) => [-0.5, 0.5].map((dy): [number, number] => [x + dx * grid.x, y + dy * grid.y])),
    )
    .sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (points: [number, number][]) => {
    const chain: [number, number][] = [];
    for (const point of points) {
      while (chain.length > 1 && turn(chain.at(-2) as [number, number], chain.at(-1) as [number, number], point) <= 0)
        chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(corners), ...half(corners.toReversed())];
  return [...hull, hull[0] as Position];
}

function turn([ax, ay]: [number, number], [bx, by]: [number, number], [cx, cy]: [number, number]): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}
