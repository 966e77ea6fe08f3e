import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import type { Finding } from './checks.ts';
import { DatasetError } from './faults.ts';

/** A repair may change the area by this part of it. */
const LARGEST_CHANGE = 0.001;
/** A change of this part is none: the other ways are not tried. */
const NO_CHANGE = 1e-9;

const FILE = 'boundaries.geojsonl';
const geometry = sql.ref('s.geometry');

/**
 * In the order in which they are tried. The first is the one that keeps nearest to what was meant, and the one that
 * the embedded store can do for every polygon; the second fails there for some.
 */
const WAYS: readonly RawBuilder<unknown>[] = [
  sql`ST_MakeValid(${geometry}, 'method=structure keepcollapsed=false')`,
  sql`ST_MakeValid(${geometry})`,
  sql`ST_Buffer(${geometry}, 0)`,
];

interface Invalid {
  line: number;
  origin: string | null;
  area: number;
  why: string;
}

export interface RepairOutcome {
  readonly repaired: number;
  readonly findings: readonly Finding[];
}

/**
 * Makes the geometries of the staged boundaries valid: repairs those that are not, where that changes the area by at
 * most 0.1 %, and splits those that go on beyond ±180 degrees. What cannot be repaired is a finding.
 */
export async function repairGeometries(db: Database, onBatch: (done: number) => void): Promise<RepairOutcome> {
  const batches = await sql<{ batch: number; rows: number }>`/* import.batches */
    select batch, count(*) as rows from stage_boundaries where geometry is not null group by batch order by batch`.execute(
    db,
  );
  const findings: Finding[] = [];
  let repaired = 0;
  for (const { batch, rows } of batches.rows) {
    const invalid = await sql<Invalid>`/* import.invalid */
      select s.line, s.origin, ST_Area(s.geometry) as area, ST_IsValidReason(s.geometry) as why
      from stage_boundaries as s
      where s.batch = ${batch} and s.geometry is not null and not ST_IsValid(s.geometry)`.execute(db);
    for (const row of invalid.rows) {
      const reason = await repair(db, row);
      if (reason === undefined) repaired++;
      else findings.push(findingOf(row, reason));
    }
    findings.push(...(await split(db, batch, findings)));
    onBatch(rows);
  }
  return { repaired, findings };
}

function findingOf({ line, origin }: Invalid, reason: string): Finding {
  const place = origin === null ? { file: FILE, line } : { file: origin, line: null };
  return { table: 'boundaries', stageLine: line, ...place, column: 'geometry', reason };
}

/** Puts the best repair in place of the geometry, or tells why there is none. */
async function repair(db: Database, row: Invalid): Promise<string | undefined> {
  const { line, why } = row;
  let best: { way: RawBuilder<unknown>; change: number } | undefined;
  for (const way of WAYS) {
    const change = await changeOfArea(db, row, way);
    if (change !== undefined && change < (best?.change ?? Number.POSITIVE_INFINITY)) best = { way, change };
    if (best && best.change <= NO_CHANGE) break;
  }
  if (!best) return `is invalid and cannot be repaired: ${why}`;
  if (best.change > LARGEST_CHANGE) {
    return `is invalid, and repairing it would change its area by ${(best.change * 100).toPrecision(2)} %: ${why}`;
  }
  await sql`/* import.repair */
    update stage_boundaries as s set geometry = ${polygonsOf(best.way)} where s.line = ${line}`.execute(db);
  return undefined;
}

/** By how much a repair changes the area, as a part of it; undefined where it fails or leaves nothing. */
async function changeOfArea(db: Database, row: Invalid, way: RawBuilder<unknown>): Promise<number | undefined> {
  await sql`savepoint repair`.execute(db);
  try {
    const { rows } = await sql<{ area: number; good: boolean }>`/* import.try-repair */
      select ST_Area(repaired) as area, ST_IsValid(repaired) and not ST_IsEmpty(repaired) as good
      from (select ${polygonsOf(way)} as repaired from stage_boundaries as s where s.line = ${row.line}) as tried`.execute(
      db,
    );
    await sql`release savepoint repair`.execute(db);
    const [tried] = rows;
    if (!tried?.good || !(row.area > 0)) return undefined;
    return Math.abs(tried.area - row.area) / row.area;
  } catch (error) {
    if (!isGeometryError(error)) throw error;
    await goBack(db, row);
    return undefined;
  }
}

/** The embedded store does not survive a failing repair: what remains then is to say which row it was. */
async function goBack(db: Database, row: Invalid): Promise<void> {
  try {
    await sql`rollback to savepoint repair`.execute(db);
  } catch {
    throw new DatasetError([findingOf(row, `is invalid, and the store failed at repairing it: ${row.why}`)]);
  }
}

function polygonsOf(way: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ST_Multi(ST_CollectionExtract(${way}, 3))`;
}

/** What PostGIS raises when GEOS cannot do it; a lost connection or a full disk is something else. */
function isGeometryError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'XX000';
}

/** Brings what lies beyond ±180 degrees back into the world, cut at the antimeridian. */
async function split(db: Database, batch: number, refused: readonly Finding[]): Promise<Finding[]> {
  const lines = refused.map(({ stageLine }) => stageLine);
  const { rows } = await sql<Invalid & { good: boolean }>`/* import.split */
    update stage_boundaries
    set geometry = ST_Multi(ST_CollectionExtract(ST_WrapX(ST_WrapX(geometry, 180, -360), -180, 360), 3))
    where batch = ${batch} and wraps and geometry is not null and line <> all(${lines}::int[])
    returning line, origin, ST_IsValid(geometry) and not ST_IsEmpty(geometry) as good`.execute(db);
  return rows.filter(({ good }) => !good).map((row) => findingOf(row, 'cannot be split at the antimeridian'));
}
