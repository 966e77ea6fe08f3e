import { inPortions } from '../src/base/event-loop-turns.ts';
import { EXTENT, encodeTile, finestGrid, MARGIN, MOST_BYTES } from '../src/gateway/tiles/encode-tile.ts';
import { areaOf } from '../src/gateway/tiles/tile-address.ts';
import { outlinesWithin } from '../src/gateway/tiles/tiles.store.ts';
import { DISTRICT_TYPES } from '../src/graph/districts/district-type.ts';
import { openDatabase, openPool } from '../src/store/sql/database.ts';
import { markdownTable } from './tables.ts';

// Measures the tiles of each district type at low zooms, where they have most districts, each twice on one connection: the
// first time PostgreSQL may read from disk. Fails if one takes longer than the limit.

const LIMIT_MS = 500;
const DAY = '2024-11-05';
/** Tiles with a part of the contiguous states. */
const TILES = [
  [0, 0, 0],
  [1, 0, 0],
  [2, 0, 1],
  [2, 1, 1],
  [3, 1, 3],
  [3, 2, 3],
  [4, 4, 5],
  [4, 4, 6],
] as const;

const connectionString = process.env.DATABASE_URL;
if (!connectionString) throw new Error('DATABASE_URL must name a database with districts.');
const pool = openPool({
  at: { connectionString },
  ...{ size: 1, statementTimeoutMs: 60_000, waitMs: 0, prepared: true },
});
const db = openDatabase(pool);

async function timeOf(type: (typeof DISTRICT_TYPES)[number][1], [z, x, y]: readonly [number, number, number]) {
  const tile = { z, x, y };
  const began = performance.now();
  const outlines = await outlinesWithin(db, {
    ...{ type, day: DAY, within: areaOf(tile, MARGIN / EXTENT) },
    ...{ grid: finestGrid(tile), mostBytes: MOST_BYTES },
  });
  const read = performance.now();
  const { length } = await inPortions({ caller: { keyId: 1 } }, encodeTile(outlines, tile));
  return { read: read - began, encoded: performance.now() - read, length, count: outlines.outlines.length };
}

const rows: string[][] = [];
let slowest = 0;
for (const [name, type] of DISTRICT_TYPES) {
  for (const tile of TILES) {
    const times = [await timeOf(type, tile), await timeOf(type, tile)];
    const [best] = times.sort((one, other) => one.read + one.encoded - other.read - other.encoded);
    if (!best || best.count === 0) continue;
    slowest = Math.max(slowest, best.read + best.encoded);
    const { count, read, encoded, length } = best;
    rows.push([`${name} ${tile.join('/')}`, String(count), read.toFixed(0), encoded.toFixed(0), String(length)]);
  }
}
await db.destroy();
const head = ['tile', 'districts', 'statement ms', 'encoding ms', 'bytes'];
process.stdout.write(`${markdownTable(head, rows).join('\n')}\n`);
if (slowest > LIMIT_MS) {
  process.stderr.write(`The slowest tile takes ${slowest.toFixed(0)} ms; at most ${LIMIT_MS} are allowed.\n`);
  process.exitCode = 1;
}
