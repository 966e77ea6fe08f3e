import type { Draw } from '../drawn/random.ts';

export type Position = readonly [longitude: number, latitude: number];
export type Polygon = readonly (readonly Position[])[];
export type MultiPolygon = readonly Polygon[];

/** Coordinates are multiples of this, so that they and the midpoints of edges are exact in binary and in seven decimals. */
const UNIT = 1 / 64;

/** The vertices of a grid: lines of longitude and latitude with the vertices between moved at random. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
  at(column: number, row: number): Position;
}

/** A rectangle (west, south, east, north) that grids divide. */
export type Frame = readonly [west: number, south: number, east: number, north: number];

export function makeGrid(draw: Draw, [west, south, east, north]: Frame, columns: number, rows: number): Grid {
  const [width, height] = [(east - west) / columns, (north - south) / rows];
  const move = (size: number) => draw.integer(-12, 12) * (size / 64);
  const round = (value: number) => Math.round(value / UNIT) * UNIT;
  const vertices = Array.from({ length: columns + 1 }, (_, column) =>
    Array.from({ length: rows + 1 }, (_, row): Position => {
      // Vertices on the frame stay on it.
      const [isSide, isEnd] = [column % columns === 0, row % rows === 0];
      const longitude = west + column * width + (isSide ? 0 : move(width));
      const latitude = south + row * height + (isEnd ? 0 : move(height));
      return [isSide ? longitude : round(longitude), isEnd ? latitude : round(latitude)];
    }),
  );
  return { columns, rows, at: (column, row) => vertices[column]?.[row] ?? [west, south] };
}

/** The outline of some columns and rows of a grid, along all its vertices. */
export function block(grid: Grid, [fromColumn, toColumn]: Range, [fromRow, toRow]: Range): Polygon {
  const ring: Position[] = [];
  for (let column = fromColumn; column < toColumn; column++) ring.push(grid.at(column, fromRow));
  for (let row = fromRow; row < toRow; row++) ring.push(grid.at(toColumn, row));
  for (let column = toColumn; column > fromColumn; column--) ring.push(grid.at(column, toRow));
  for (let row = toRow; row > fromRow; row--) ring.push(grid.at(fromColumn, row));
  return [[...ring, grid.at(fromColumn, fromRow)]];
}

type Range = readonly [from: number, to: number];

export const wholeGrid = (grid: Grid): Polygon => block(grid, [0, grid.columns], [0, grid.rows]);

export const cell = (grid: Grid, column: number, row: number): Polygon =>
  block(grid, [column, column + 1], [row, row + 1]);

/** An island in the middle of a cell with so many vertices, and the rest of the cell around it: they share every edge. */
export function islandIn(
  grid: Grid,
  column: number,
  row: number,
  vertices: number,
): { island: Polygon; rest: Polygon } {
  const outer = cell(grid, column, row);
  const [a, c] = [grid.at(column, row), grid.at(column + 1, row + 1)];
  const [x, y] = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
  const [width, height] = [Math.abs(c[0] - a[0]) / 6, Math.abs(c[1] - a[1]) / 6];
  const fine = UNIT / 64;
  const round = (value: number) => Math.round(value / fine) * fine;
  const ring = Array.from({ length: vertices }, (_, index): Position => {
    const angle = (2 * Math.PI * index) / vertices;
    return [round(x + width * Math.cos(angle)), round(y + height * Math.sin(angle))];
  });
  const closed = [...ring, ring[0] as Position];
  return { island: [closed], rest: [...outer, closed.toReversed()] };
}

export function verticesOf(shape: MultiPolygon): Position[] {
  return shape.flat().flatMap((ring) => ring.slice(1));
}

export function midpointsOf(shape: MultiPolygon): Position[] {
  return shape.flat().flatMap((ring) =>
    ring.slice(1).map((end, index): Position => {
      const start = ring[index] as Position;
      return [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
    }),
  );
}
