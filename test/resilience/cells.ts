import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publish } from '../../src/operate/publish/publish.ts';
import { loadSample } from '../../src/operate/start/sample.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { compare, drawPoints } from '../publish/compare.ts';
import { ownBackend } from './support/own-backend.ts';
import { argument, report, textArgument } from './support/report.ts';

// Publishes the boundaries of the sample, or of a given database, as static files, and compares the districts that the
// client finds in them with those of PostGIS.

/** The contiguous states, Alaska on both sides of the 180th meridian, and Hawaii. */
const BOXES = [
  [-125, 24, -66, 50],
  [-125, 24, -66, 50],
  [-180, 51, -129, 72],
  [172, 51, 180, 54],
  [-161, 18, -154, 23],
];
const day = textArgument('day', '2026-11-03');

const points = argument('points', 200_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const url = textArgument('database', '');
const kind = textArgument('backend', 'server');

const backend = url ? { at: { connectionString: url }, remove: async () => undefined } : await ownBackend(kind);
const db = openDatabase(openPool({ at: backend.at, size: 1, statementTimeoutMs: 0, waitMs: 30_000 }));
const folder = await mkdtemp(join(tmpdir(), 'cells-'));
if (!url) await loadSample(db);
const began = performance.now();
const { boundaries, files, bytes } = await publish(db, folder, { days: [day] });
const seconds = Number(((performance.now() - began) / 1_000).toFixed(1));
const compared = await compare(db, folder, await drawPoints(db, points, seeded(seed), BOXES), day);
await db.destroy();
await backend.remove();
await rm(folder, { recursive: true });
report(
  'cells',
  { database: url || kind, seed, boundaries, files, bytes, seconds, ...compared },
  {
    'as many points as requested': compared.points >= points * 0.99,
    'no point away from edges differs': compared.differ === 0,
    'both sides contain the districts of each point near an edge': compared.wrongNearEdges === 0,
    'most points are in a district, and many near an edge': compared.filled > points / 3 && compared.near > points / 20,
  },
);
