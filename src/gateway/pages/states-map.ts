import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { stateByFips } from '../../base/words/states.ts';

/** The width of the world in units of the map: the browser draws the outlines of districts in the same ones. */
const WORLD = 36_000;
/** How far a vertex may be from the drawn line, in units: half a pixel where the lower 48 states are 800 pixels wide. */
const TOLERANCE = 4;
/** Islands with a smaller area, in square units, are omitted unless a state has nothing else. */
const LEAST_AREA = 120;

type Position = [x: number, y: number];

/**
 * Draws the states of us-atlas in the web Mercator projection, and returns SVG: the shapes, and their labels. Borders are simplified once for the states on both sides,
 * so that there are no gaps between them.
 */
export function drawStates(): string {
  const file = fileURLToPath(import.meta.resolve('us-atlas/states-10m.json'));
  const topology = simplified(JSON.parse(readFileSync(file, 'utf8')));
  const states = topology.objects.states as GeometryCollection<{ name: string }>;
  const drawn = states.geometries.map((geometry) => {
    const made = feature(topology, geometry) as Feature<Polygon | MultiPolygon, { name: string }>;
    const rings = outerRings(made.geometry);
    const [largest = []] = rings;
    const kept = rings.filter((ring, index) => index === 0 || Math.abs(areaOf(ring)) >= LEAST_AREA);
    return {
      path: `<path class="m-land" d="${kept.map(pathOf).join('')}"/>`,
      label: labelOf(largest, made.properties.name, stateByFips(String(geometry.id))?.postal ?? ''),
    };
  });
  return `<g id="land">${drawn.map(({ path }) => path).join('')}</g>${drawn.map(({ label }) => label).join('')}`;
}

/** Returns a topology with its arcs in map units, each simplified by itself. */
function simplified(topology: Topology): Topology {
  const { transform, arcs, ...others } = topology;
  if (!transform) throw new Error('us-atlas has no quantization');
  const { scale, translate } = transform;
  const moved = arcs.map((arc) => {
    let [x, y] = [0, 0];
    const line = arc.map(([byX = 0, byY = 0]): Position => {
      x += byX;
      y += byY;
      return project(x * scale[0] + translate[0], y * scale[1] + translate[1]);
    });
    return simplify(line);
  });
  return { ...others, arcs: moved };
}

function project(longitude: number, latitude: number): Position {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180));
  return [((longitude + 180) / 360) * WORLD, ((1 - y / Math.PI) / 2) * WORLD];
}

/** Omits vertices that are near the line through the others (Douglas and Peucker). */
function simplify(line: readonly Position[]): Position[] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length < 3) return [...line];
  const distances = line.map((point) => distanceTo(point, first, last));
  const farthest = distances.indexOf(Math.max(...distances));
  if ((distances[farthest] ?? 0) <= TOLERANCE) return [first, last];
  return [...simplify(line.slice(0, farthest + 1)), ...simplify(line.slice(farthest)).slice(1)];
}

/** Returns the distance of a point from a segment. */
function distanceTo([x, y]: Position, [x1, y1]: Position, [x2, y2]: Position): number {
  const [across, down] = [x2 - x1, y2 - y1];
  const length = across ** 2 + down ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * across + (y - y1) * down) / length));
  return Math.hypot(x - x1 - share * across, y - y1 - share * down);
}

/** Returns the outer rings of a geometry, the largest first. */
function outerRings({ type, coordinates }: Polygon | MultiPolygon): Position[][] {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Position[][][];
  const rings = polygons.map(([outer = []]) => outer).filter((ring) => ring.length > 3);
  return rings.sort((one, other) => Math.abs(areaOf(other)) - Math.abs(areaOf(one)));
}

function areaOf(ring: readonly Position[]): number {
  return ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);
}

/** Returns a ring as a path with whole, relative coordinates. */
function pathOf(ring: readonly Position[]): string {
  let [atX, atY] = [0, 0];
  const steps = ring.slice(0, -1).flatMap(([x, y], index) => {
    const [byX, byY] = [Math.round(x) - atX, Math.round(y) - atY];
    [atX, atY] = [atX + byX, atY + byY];
    if (index === 0) return [`M${byX} ${byY}l`];
    return byX === 0 && byY === 0 ? [] : [`${byX}${byY < 0 ? '' : ' '}${byY}`];
  });
  return `${steps[0]}${steps.slice(1).join(' ')}z`;
}

/** Returns the label at the middle of the area of a ring; the script of the page shortens it to the width there is. */
function labelOf(ring: readonly Position[], name: string, postal: string): string {
  const area = areaOf(ring);
  const [sumX, sumY] = ring.reduce(
    ([x, y], [x1, y1], index) => {
      const [x2, y2] = ring[(index + 1) % ring.length] ?? [x1, y1];
      const cross = x1 * y2 - x2 * y1;
      return [x + (x1 + x2) * cross, y + (y1 + y2) * cross];
    },
    [0, 0],
  );
  const width = Math.max(...ring.map(([x]) => x)) - Math.min(...ring.map(([x]) => x));
  const [x, y] = [sumX, sumY].map((sum) => Math.round(sum / (6 * area)));
  return `<text data-w="${Math.round(width)}" data-full="${name}" data-abbr="${postal}" x="${x}" y="${y}"></text>`;
}
