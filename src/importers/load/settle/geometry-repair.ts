import { type RawBuilder, sql } from 'kysely';
import { codeOf } from '../../../base/errors.ts';
import type { Database } from '../../../store/sql/database.ts';
import { DatasetError } from '../../exchange/validation-errors.ts';
import type { Finding } from './checks.ts';

/** The maximum relative change of the area by a repair. */
const LARGEST_CHANGE = 0.001;
/** A relative change below this counts as none: the other methods are not tried. */
const NO_CHANGE = 1e-9;

const FILE = 'boundaries.geojsonl';
const geometry = sql.ref('s.geometry');

/**
 * The repair methods in the order in which they are tried. The first preserves the intended shape best and works for
 * every polygon in the embedded database; the second fails there for some.
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
 * Makes the geometries of the staged boundaries valid: repairs invalid ones if that changes the area by at most 0.1 %,
 * and splits those that extend beyond ±180 degrees. Geometries that cannot be repaired are findings.
 * @param tableName the staging table, with the columns line, origin, batch, wraps and geometry.
 */
export async function repairGeometries(
  db: Database,
  onBatch: (done: number) => void,
  tableName = 'stage_boundaries',
): Promise<RepairOutcome> {
  const table = sql.table(tableName);
  const batches = await sql<{ batch: number; rows: number }>`/* import.batches */
    select batch, count(*) as rows from ${table} where geometry is not null group by batch order by batch`.execute(db);
  const findings: Finding[] = [];
  let repaired = 0;
  for (const { batch, rows } of batches.rows) {
    const invalid = await sql<Invalid>`/* import.invalid */
      select s.line, s.origin, ST_Area(s.geometry) as area, ST_IsValidReason(s.geometry) as why
      from ${table} as s
      where s.batch = ${batch} and s.geometry is not null and not ST_IsValid(s.geometry)`.execute(db);
    for (const row of invalid.rows) {
      const reason = await repair(db, table, row);
      if (reason === undefined) repaired++;
      else findings.push(findingOf(row, reason));
    }
    findings.push(...(await split(db, table, batch, findings)));
    onBatch(rows);
  }
  return { repaired, findings };
}

function findingOf({ line, origin }: Invalid, reason: string): Finding {
  const place = origin === null ? { file: FILE, line } : { file: origin, line: null };
  return { table: 'boundaries', stageLine: line, ...place, column: 'geometry', reason };
}

/** Replaces the geometry with its best repair, or returns the reason why there is none. */
async function repair(db: Database, table: RawBuilder<unknown>, row: Invalid): Promise<string | undefined> {
  const { line, why } = row;
  let best: { way: RawBuilder<unknown>; change: number } | undefined;
  for (const way of WAYS) {
    const change = await changeOfArea(db, table, row, way);
    if (change !== undefined && change < (best?.change ?? Number.POSITIVE_INFINITY)) best = { way, change };
    if (best && best.change <= NO_CHANGE) break;
  }
  if (!best) return `is invalid and cannot be repaired: ${why}`;
  if (best.change > LARGEST_CHANGE) {
    return `is invalid, and repairing it would change its area by ${(best.change * 100).toPrecision(2)} %: ${why}`;
  }
  await sql`/* import.repair */
    update ${table} as s set geometry = ${polygonsOf(best.way)} where s.line = ${line}`.execute(db);
  return undefined;
}

/** Returns the relative change of the area by a repair; undefined if the repair fails or its result is empty. */
async function changeOfArea(
  db: Database,
  table: RawBuilder<unknown>,
  row: Invalid,
  way: RawBuilder<unknown>,
): Promise<number | undefined> {
  await sql`savepoint repair`.execute(db);
  try {
    const { rows } = await sql<{ area: number; good: boolean }>`/* import.try-repair */
      select ST_Area(repaired) as area, ST_IsValid(repaired) and not ST_IsEmpty(repaired) as good
      from (select ${polygonsOf(way)} as repaired from ${table} as s where s.line = ${row.line}) as tried`.execute(db);
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

/**
 * Rolls back after a failed repair. The embedded database does not survive one: there, only the failing row can be
 * reported.
 */
async function goBack(db: Database, row: Invalid): Promise<void> {
  try {
    await sql`rollback to savepoint repair`.execute(db);
  } catch {
    throw new DatasetError([findingOf(row, `is invalid, and the database failed at repairing it: ${row.why}`)]);
  }
}

function polygonsOf(way: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ST_Multi(ST_CollectionExtract(${way}, 3))`;
}

/** Returns whether PostGIS reported that GEOS failed; a lost connection or a full disk is a different error. */
function isGeometryError(error: unknown): boolean {
  return codeOf(error) === 'XX000';
}

/** Moves the parts beyond ±180 degrees back into range, cut at the antimeridian. */
async function split(
  db: Database,
  table: RawBuilder<unknown>,
  batch: number,
  rejected: readonly Finding[],
): Promise<Finding[]> {
  const lines = rejected.map(({ stageLine }) => stageLine);
  const { rows } = await sql<Invalid & { good: boolean }>`/* import.split */
    update ${table}
    set geometry = ST_Multi(ST_CollectionExtract(ST_WrapX(ST_WrapX(geometry, 180, -360), -180, 360), 3))
    where batch = ${batch} and wraps and geometry is not null and line <> all(${lines}::int[])
    returning line, origin, ST_IsValid(geometry) and not ST_IsEmpty(geometry) as good`.execute(db);
  return rows.filter(({ good }) => !good).map((row) => findingOf(row, 'cannot be split at the antimeridian'));
}
