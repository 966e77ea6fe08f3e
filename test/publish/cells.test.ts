import { describe, expect, it } from 'vitest';
import { type Box, halvesOf, readCell, searchCell, UNITS, WORLD } from '../../clients/typescript/src/cell.ts';
import { divide, type Tree } from '../../src/operate/publish/cells.ts';
import { EdgeCollector } from '../../src/operate/publish/edges.ts';
import { seeded } from '../drawn/random.ts';

// Divides random outlines into cells, and compares what is found there with what counting edges of whole outlines finds.

type Vertex = readonly [x: number, y: number];
/** The vertices of an outline in whole units, the first one not repeated. */
type Outline = readonly Vertex[];

function wkbOf(ring: Outline): Buffer {
  const closed = [...ring, ...ring.slice(0, 1)];
  const bytes = Buffer.alloc(22 + closed.length * 16);
  for (const [at, value] of [
    [5, 1],
    [14, 1],
    [18, closed.length],
  ] as const)
    bytes.writeUInt32LE(value, at);
  for (const [at, [x, y]] of closed.entries()) {
    bytes.writeDoubleLE(x / UNITS, 22 + at * 16);
    bytes.writeDoubleLE(y / UNITS, 30 + at * 16);
  }
  return bytes;
}

function divideAll(outlines: readonly Outline[], mostBytes: number, isReversed = false): Tree {
  const collector = new EdgeCollector(outlines.reduce((sum, ring) => sum + ring.length + 1, 0));
  const read = [...outlines.entries()];
  for (const [place, ring] of isReversed ? read.reverse() : read) collector.add(wkbOf(ring), place);
  return divide(collector.join(), mostBytes);
}

/** Returns the cells of a tree with their sides. */
function cellsOf(tree: Tree, box: Box = WORLD): { box: Box; bytes: Uint8Array; boundaries: readonly number[] }[] {
  if (tree === null) return [];
  if ('bytes' in tree) return [{ box, ...tree }];
  const halves = halvesOf(box, tree.axis);
  return tree.halves.flatMap((half, at) => cellsOf(half, halves[at]));
}

function find(tree: Tree, x: number, y: number) {
  const cell = cellsOf(tree).find(({ box }) => box[0] < x && x <= box[2] && box[1] < y && y <= box[3]);
  if (!cell) return { inside: [], either: [], isNear: false };
  const { inside, sides } = searchCell(readCell(cell.bytes), x - cell.box[0], y - cell.box[1]);
  const named = (positions: Iterable<number>) =>
    [...positions].map((position) => cell.boundaries[position] ?? -1).sort((one, other) => one - other);
  return { inside: named(inside), either: named(new Set([...inside, ...sides])), isNear: sides.size > 0 };
}

/** Whether an outline has a point that is on none of its edges. */
function has(ring: Outline, x: number, y: number): boolean {
  let isInside = false;
  for (const [at, [x1, y1]] of ring.entries()) {
    const [x0, y0] = ring.at(at - 1) ?? [0, 0];
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
  }
  return isInside;
}

function distance(ring: Outline, x: number, y: number): number {
  return Math.min(
    ...ring.map(([x1, y1], at) => {
      const [x0, y0] = ring.at(at - 1) ?? [0, 0];
      const [width, height] = [x1 - x0, y1 - y0];
      const along = ((x - x0) * width + (y - y0) * height) / (width ** 2 + height ** 2 || 1);
      const share = Math.max(0, Math.min(1, along));
      return Math.hypot(x - x0 - share * width, y - y0 - share * height);
    }),
  );
}

/** Compares all of the points; returns how many are in an outline, and how many near an edge. */
function compare(outlines: readonly Outline[], points: readonly Vertex[], mostBytes: number) {
  const tree = divideAll(outlines, mostBytes);
  let [filled, near] = [0, 0];
  for (const [x, y] of points) {
    const expected = outlines.flatMap((ring, place) => (has(ring, x, y) ? place : []));
    const found = find(tree, x, y);
    const least = Math.min(...outlines.map((ring) => distance(ring, x, y)));
    // A line in the direction of an edge, beyond its end by less than 2 units, may count as near.
    if (least < 1.4) expect([x, y, found.isNear]).toEqual([x, y, true]);
    if (least > 2.2) expect([x, y, found.isNear]).toEqual([x, y, false]);
    if (found.isNear) {
      near++;
      expect(found.either).toEqual(expect.arrayContaining(expected));
    } else expect([x, y, found.inside]).toEqual([x, y, expected]);
    if (expected.length > 0) filled++;
  }
  return { filled, near, cells: cellsOf(tree).length };
}

function star(random: () => number, [x, y]: Vertex, radius: number, vertices: number): Outline {
  return Array.from({ length: vertices }, (_, at) => {
    const [angle, away] = [((at + random()) / vertices) * 2 * Math.PI, radius * (0.3 + 0.7 * random())];
    return [Math.round(x + away * Math.cos(angle)), Math.round(y + away * Math.sin(angle))] as const;
  });
}

/** Squares of a grid: each edge separates two of them. */
function grid([west, south]: Vertex, side: number, count: number): Outline[] {
  return Array.from({ length: count * count }, (_, at) => {
    const [x, y] = [west + (at % count) * side, south + Math.floor(at / count) * side];
    return [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
    ] as const;
  });
}

function around(random: () => number, [x, y]: Vertex, radius: number, count: number): Vertex[] {
  // Quarters of a unit: on no edge but by chance.
  const draw = (middle: number) => Math.floor(middle + (random() * 2 - 1) * radius) + 0.25;
  return Array.from({ length: count }, () => [draw(x), draw(y)] as const);
}

describe('cells', () => {
  it.each([
    [1, 2e6, [-720_000_000, 440_000_000], 200],
    [2, 4e8, [-900_000_000, 380_000_000], 120],
    [3, 60, [1_700_000_001, 510_000_007], 120],
    [4, 40, [-1_799_999_950, -899_999_940], 90],
  ] as const)('find what whole outlines contain: seed %d, a radius of %d units', (seed, radius, middle, mostBytes) => {
    const random = seeded(seed);
    const shapes = [
      ...Array.from({ length: 12 }, () =>
        star(random, [middle[0] + (random() - 0.5) * radius, middle[1] + (random() - 0.5) * radius], radius, 40),
      ),
      ...grid([middle[0] - radius, middle[1] - radius], Math.ceil(radius / 3), 6),
    ];
    const { filled, cells } = compare(shapes, around(random, middle, radius * 1.2, 1_500), mostBytes);
    expect(filled).toBeGreaterThan(500);
    expect(cells).toBeGreaterThan(10);
  });

  it('read each edge once although their corners differ only in the last bits of 2^62', () => {
    const squares = grid([1_799_000_000, 899_000_000], 3, 20);
    const tree = divideAll(squares, 400);
    const edges = new Set<string>();
    for (const { box, bytes } of cellsOf(tree))
      for (const { lines } of readCell(bytes).groups)
        for (const line of lines)
          for (let at = 3; at < line.length; at += 2) {
            const ends = [at - 3, at - 1].map((from) =>
              [(line[from] ?? 0) + box[0], (line[from + 1] ?? 0) + box[1]].join(' '),
            );
            edges.add(ends.sort().join(', '));
          }
    expect(edges.size).toBe(2 * 20 * 21);
  });

  it('are right where edges pass exactly through the corners of cells', () => {
    const random = seeded(5);
    const middle = [-720_000_000, 440_000_000] as const;
    const shapes = Array.from({ length: 10 }, () => star(random, middle, 3_000, 30));
    const corners = cellsOf(divideAll(shapes, 150)).map(({ box }) => [box[0], box[1]] as const);
    const inside = corners.filter(([x, y]) => Math.hypot(x - middle[0], y - middle[1]) < 3_000);
    expect(inside.length).toBeGreaterThan(20);
    const slanted = inside.slice(0, 60).map(([x, y], at): Outline => {
      const [p, q] = [3.5 + (at % 5), (at % 2 ? 1 : -1) * (0.5 + (at % 7))];
      return [
        [x - p, y - q],
        [x + p, y + q],
        [x + p, y + q + 40],
        [x - p, y - q + 40],
      ];
    });
    const points = [
      ...inside.flatMap(([x, y]) => around(random, [x, y], 30, 25)),
      ...inside.flatMap(([x, y]) => around(random, [x, y], 600, 10)),
    ];
    const { near, filled } = compare([...shapes, ...slanted], points, 150);
    expect(near).toBeGreaterThan(50);
    expect(filled).toBeGreaterThan(500);
  });

  it('keep their files when a district elsewhere is removed, and in whatever order outlines are read', () => {
    const random = seeded(6);
    const shapes = Array.from({ length: 40 }, (_, at) =>
      star(random, [-720_000_000 + (at % 8) * 4e6, 440_000_000 + Math.floor(at / 8) * 4e6], 1.5e6, 60),
    );
    const before = cellsOf(divideAll(shapes, 300));
    const after = cellsOf(divideAll(shapes.with(17, [[0, 0]]), 300)).map(({ bytes }) =>
      Buffer.from(bytes).toString('hex'),
    );
    const kept = before.filter(({ bytes }) => after.includes(Buffer.from(bytes).toString('hex')));
    expect(cellsOf(divideAll(shapes, 300, true))).toEqual(before);
    expect(before.length).toBeGreaterThan(60);
    expect(kept.length / before.length).toBeGreaterThan(0.85);
  });

  it('have no file that is longer than the limit', () => {
    const random = seeded(7);
    const shapes = [star(random, [0, 0], 1e9 / 2, 5_000), ...grid([-1e8, -1e8], 1e7, 20)];
    const cells = cellsOf(divideAll(shapes, 1_000));
    expect(cells.length).toBeGreaterThan(20);
    expect(cells.filter(({ bytes }) => bytes.length > 1_000)).toEqual([]);
  });
});

describe('the file of a cell', () => {
  const [cell] = cellsOf(divideAll(grid([0, 0], 1_000, 4), 1_000));
  const bytes = cell?.bytes ?? new Uint8Array();

  it('that is cut off anywhere, or longer, is rejected', () => {
    expect(bytes.length).toBeGreaterThan(50);
    for (let length = 0; length < bytes.length; length++)
      expect(() => readCell(bytes.subarray(0, length))).toThrow('it is cut off, or is no cell');
    expect(() => readCell(Uint8Array.of(...bytes, 0))).toThrow('it is cut off, or is no cell');
  });

  it('with other bytes is rejected or read, and never takes long', () => {
    const random = seeded(8);
    for (let each = 0; each < 2_000; each++) {
      const changed = bytes.map((byte) => (random() < 0.05 ? Math.floor(random() * 256) : byte));
      try {
        readCell(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
