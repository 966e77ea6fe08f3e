import { type Box, crosses, type Edge, halvesOf, NEAR, UNITS, WORLD } from '../../../clients/typescript/src/cell.ts';
import type { Edges } from './edges.ts';

/** The size of the file of a cell in bytes at most, unless edges that meet need more. */
export const MOST_BYTES = 32_768;
/** What is not divided: a cell that is this narrow in units, and one with so few edges that its size is that of their districts. */
const LEAST_SIDE = 8;
const LEAST_EDGES = 4;

/** A part of the map: nothing, a cell, or two halves. */
export type Tree = null | CellFile | { readonly axis: 'x' | 'y'; readonly halves: readonly [Tree, Tree] };

/** The file of a cell, and the boundaries that it and its edges have, in the order of their positions in it. */
export interface CellFile {
  readonly bytes: Uint8Array;
  readonly boundaries: readonly number[];
}

/**
 * Divides the map in the middle until the file of each cell is small enough. Where it is divided does not depend on other
 * cells, so that a changed outline changes only the cells that it passes.
 */
export function divide(edges: Edges, mostBytes = MOST_BYTES): Tree {
  return part(edges.places, [], WORLD);

  function part(places: Uint32Array, atCorner: readonly number[], box: Box): Tree {
    if (places.length === 0 && atCorner.length === 0) return null;
    const [west, south, east, north] = box;
    const isSmall = places.length <= LEAST_EDGES || Math.min(east - west, north - south) < LEAST_SIDE;
    // Each edge takes two bytes at least.
    if (isSmall || places.length * 2 <= mostBytes) {
      const file = encode(edges, places, atCorner, box);
      if (isSmall || file.bytes.length <= mostBytes) return file;
    }
    const latitude = ((south + north) / 2 / UNITS) * (Math.PI / 180);
    const axis = (east - west) * Math.cos(latitude) > north - south ? 'x' : 'y';
    const [low, high] = halvesOf(box, axis);
    const [inLow, inHigh] = [low, high].map((half) => places.filter((place) => mayPass(edges.at(place), half)));
    // The districts of a point follow from the corner of its cell, those of the next corner from the corner before.
    const next = new Set(atCorner);
    for (const place of places) {
      if (!crosses(edges.at(place), high[0], high[1], west, south)) continue;
      for (const each of edges.separates(place)) if (!next.delete(each)) next.add(each);
    }
    const halves = [part(inLow ?? places, atCorner, low), part(inHigh ?? places, sorted(next), high)] as const;
    return { axis, halves };
  }
}

const sorted = (numbers: Iterable<number>) => [...numbers].sort((one, other) => one - other);

/** Returns false only if an edge certainly neither passes a cell nor is near one of its sides. */
function mayPass([x0, y0, x1, y1]: Edge, box: Box): boolean {
  const [west, south, east, north] = [box[0] - NEAR, box[1] - NEAR, box[2] + NEAR, box[3] + NEAR];
  if (x1 < west || x0 > east || Math.max(y0, y1) < south || Math.min(y0, y1) > north) return false;
  const side = (x: number, y: number) => Math.sign((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0));
  return Math.abs(side(west, south) + side(east, south) + side(west, north) + side(east, north)) < 4;
}

/** Writes a cell as `readCell` reads it. */
function encode(edges: Edges, places: Uint32Array, atCorner: readonly number[], [west, south]: Box): CellFile {
  const groups = Map.groupBy(places, (place) => edges.separates(place));
  const boundaries = sorted(new Set([atCorner, ...groups.keys()].flat()));
  const positions = new Map(boundaries.map((boundary, position) => [boundary, position]));
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  /** Writes a list as differences from the element before. */
  const putAll = (list: readonly number[]) => {
    put(list.length);
    const own = list.map((boundary) => positions.get(boundary) ?? 0);
    for (const [at, position] of own.entries()) put(position - (own[at - 1] ?? 0));
  };
  put(boundaries.length);
  putAll(atCorner);
  put(groups.size);
  for (const [separated, members] of groups) {
    putAll(separated);
    const lines = linesOf(members.map((place) => edges.at(place)));
    put(lines.length);
    for (const line of lines) {
      put(line.length);
      for (const [at, value] of line.entries()) {
        const step = value - (line[at - 2] ?? (at === 0 ? west : south) + 0.5);
        put(step < 0 ? -2 * step - 1 : 2 * step);
      }
    }
  }
  return { bytes: Uint8Array.from(bytes), boundaries };
}

/** Joins edges to lines as long as possible, each as `x, y, x, y, …`. */
function linesOf(edges: readonly Edge[]): number[][] {
  // By both coordinates, one after the other: a single number of both would lose bits beyond 2^53.
  const atVertex = new Map<number, Map<number, Edge[]>>();
  const edgesAt = (x: number, y: number): Edge[] => {
    const column = atVertex.get(x) ?? new Map<number, Edge[]>();
    const found = column.get(y) ?? [];
    atVertex.set(x, column.set(y, found));
    return found;
  };
  for (const edge of edges) {
    edgesAt(edge[0], edge[1]).push(edge);
    edgesAt(edge[2], edge[3]).push(edge);
  }
  const used = new Set<Edge>();
  const walk = (x: number, y: number): (readonly [number, number])[] => {
    const vertices = [[x, y] as const];
    for (let [atX, atY] = [x, y]; ; ) {
      const edge = edgesAt(atX, atY).find((each) => !used.has(each));
      if (edge === undefined) return vertices;
      used.add(edge);
      [atX, atY] = edge[0] === atX && edge[1] === atY ? [edge[2], edge[3]] : [edge[0], edge[1]];
      vertices.push([atX, atY]);
    }
  };
  return edges.flatMap((edge) => {
    if (used.has(edge)) return [];
    used.add(edge);
    return [[...walk(edge[0], edge[1]).reverse(), ...walk(edge[2], edge[3])].flat()];
  });
}
