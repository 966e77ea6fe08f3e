/**
 * A cell is a rectangle of the map with every edge in it, once, and the districts that the edge separates. A point has the
 * districts of the south-west corner of its cell, changed by each edge between the two. Vertices lie on whole units, sides
 * of cells on half ones: no vertex lies on a side. `npm run publish` uses this file too, so that both find the same.
 */

/** Units in a degree; a unit is 11 mm or less. */
export const UNITS = 10_000_000;
/** Distance in units within which an edge is near: rounding moves it by √½ at most. */
export const NEAR = 1.5;

export type Box = readonly [west: number, south: number, east: number, north: number];
/** The cell that all others are parts of. */
export const WORLD: Box = [-1.81e9 - 0.5, -0.91e9 - 0.5, 1.81e9 + 0.5, 0.91e9 + 0.5];

/** Returns the halves of a cell: west and east of a meridian for `x`, south and north of a parallel for `y`. */
export function halvesOf([west, south, east, north]: Box, axis: 'x' | 'y'): readonly [low: Box, high: Box] {
  const middle = (from: number, to: number) => Math.floor((from + to) / 2) + 0.5;
  const [x, y] = [middle(west, east), middle(south, north)];
  if (axis === 'x')
    return [
      [west, south, x, north],
      [x, south, east, north],
    ];
  return [
    [west, south, east, y],
    [west, y, east, north],
  ];
}

/** An edge, its western end first; its southern one if it lies on a meridian. */
export type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/**
 * Returns whether the way from a point, level and then along the meridian, to a corner crosses an edge. What is exactly on
 * the line of the edge counts as just north of it, everywhere on the way.
 */
export function crosses([x0, y0, x1, y1]: Edge, x: number, y: number, west: number, south: number): boolean {
  const isLevel = y0 <= y !== y1 <= y;
  const isUpright = x0 < west !== x1 < west;
  if (!isLevel && !isUpright) return false;
  const isNorth = (px: number, py: number) => ((x1 - x0) * (py - y0) - (px - x0) * (y1 - y0) || x1 - x0) > 0;
  const turn = isNorth(west, y);
  return (isLevel && isNorth(x, y) !== turn) !== (isUpright && isNorth(west, south) !== turn);
}

function isNear([x0, y0, x1, y1]: Edge, x: number, y: number): boolean {
  if (Math.min(x0, x1) - NEAR > x || Math.max(x0, x1) + NEAR < x) return false;
  if (Math.min(y0, y1) - NEAR > y || Math.max(y0, y1) + NEAR < y) return false;
  const [width, height] = [x1 - x0, y1 - y0];
  return Math.abs(width * (y - y0) - (x - x0) * height) <= NEAR * Math.hypot(width, height);
}

/** A cell, seen from its south-west corner: all coordinates are distances from it. */
export interface Cell {
  /** The number of districts that the cell and its edges have; each is named by its position. */
  readonly size: number;
  readonly atCorner: readonly number[];
  /** Lines of edges as `x, y, x, y, …`, by the districts that they separate. */
  readonly groups: readonly { readonly districts: readonly number[]; readonly lines: readonly (readonly number[])[] }[];
}

/**
 * Reads the file of a cell, which consists of whole numbers of 7 bits a byte, the lowest first.
 * @throws RangeError for a file that is cut off, or is none of a cell.
 */
export function readCell(bytes: Uint8Array): Cell {
  let at = 0;
  const check = (isRight: boolean) => {
    if (!isRight) throw new RangeError('it is cut off, or is no cell');
  };
  const next = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      check(at < bytes.length && scale < 2 ** 49);
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const signed = () => {
    const value = next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  const listOf = <Value>(read: () => Value): Value[] => {
    const length = next();
    check(length <= bytes.length - at); // Each element takes a byte at least.
    return Array.from({ length }, read);
  };
  /** A list of differences from the element before, or before that one, as the elements. */
  const sums = (list: number[], back: number, first: number) => {
    for (const [place, value] of list.entries()) list[place] = value + (list[place - back] ?? first);
    return list;
  };
  const positions = () => sums(listOf(next), 1, 0);
  const line = () => sums(listOf(signed), 2, 0.5);
  const size = next();
  const cell = { size, atCorner: positions(), groups: listOf(() => ({ districts: positions(), lines: listOf(line) })) };
  check(
    at === bytes.length &&
      [cell.atCorner, ...cell.groups.map((group) => group.districts)].flat().every((each) => each < size),
  );
  return cell;
}

/** Returns the positions of the districts of a point, and of those on either side of an edge that is near. */
export function searchCell({ atCorner, groups }: Cell, x: number, y: number) {
  const inside = new Set(atCorner);
  const sides = new Set<number>();
  for (const { districts, lines } of groups) {
    let isOdd = false;
    let touches = false;
    for (const line of lines)
      for (let at = 3; at < line.length; at += 2) {
        const ends = [line[at - 3], line[at - 2], line[at - 1], line[at]] as const;
        const edge = ends as Edge;
        if (crosses(edge, x, y, 0, 0)) isOdd = !isOdd;
        touches ||= isNear(edge, x, y);
      }
    for (const each of districts) {
      if (isOdd && !inside.delete(each)) inside.add(each);
      if (touches) sides.add(each);
    }
  }
  return { inside, sides };
}
