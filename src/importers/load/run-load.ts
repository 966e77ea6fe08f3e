import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import { TABLES, type TableName } from '../exchange/format.ts';
import type { Provenance } from '../exchange/import-rows.ts';
import type { Changes, FileSummary, LoadSummary, Progress } from '../exchange/load-summary.ts';
import type { Report } from '../exchange/report.ts';
import { DatasetError, type ValidationErrors } from '../exchange/validation-errors.ts';
import { recordImporter, recordRounds } from './editions/replace-editions.store.ts';
import type { Inspect } from './inspect.ts';
import { applyAssignments } from './persons/assignments.store.ts';
import { addFindings, findConflicts, type Scope } from './settle/checks.ts';
import { repairGeometries } from './settle/geometry-repair.ts';
import { Staging, stageName } from './stage/staging.ts';
import { inOneTransaction } from './transaction.ts';
import { forgetRemoved, recordProvenance } from './write/provenance.ts';
import { stageRankedChoice, writeRankedChoice } from './write/ranked-choice-races.ts';
import { writeAll } from './write/write.ts';
import { roundSumWarnings } from './write/write-candidates.ts';

export interface LoadTask {
  readonly provenance: Provenance;
  /** The name of the source in commands. */
  readonly importer: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly errors: ValidationErrors;
  /** Reads everything into the staging tables; returns the columns that each table has. */
  fill(db: Database, staging: Staging): Promise<Filled>;
  /** Checks the staging tables, instead of rejecting the load because of an invalid row. */
  readonly prepare?: (db: Database, scope: Scope, onCheck: (rows: number) => void) => Promise<Prepared>;
  /** Runs after the rows have been written. */
  readonly finish?: (db: Database, scope: Scope) => Promise<void>;
  /** Runs at the end, when the provenance of the rows has been recorded. */
  readonly complete?: (db: Database, sourceId: number) => Promise<void>;
  /** Runs last. An error undoes the load. */
  readonly inspect?: Inspect | undefined;
  /** The report of an import; a load has none. */
  readonly report?: Report;
}

interface Prepared {
  readonly repaired: number;
  /** The records that have been removed from the tables. */
  readonly removed?: ReadonlyMap<TableName, number>;
}

export interface Filled {
  readonly columns: ReadonlyMap<TableName, readonly string[]>;
  readonly unreadable: ReadonlySet<TableName>;
}

const FILES = TABLES.map(({ file }) => file);

/** Stages, checks and writes rows, all in one transaction. Throws like `loadFolder`. */
export async function runLoad(db: Database, task: LoadTask): Promise<LoadSummary> {
  const started = performance.now();
  return inOneTransaction(db, task.dryRun, async (transaction) => {
    const staging = new Staging(transaction);
    await staging.create();
    const lastUnplaced = await newestUnplaced(transaction);
    const { columns, unreadable } = await task.fill(transaction, staging);
    await staging.complete();

    const scope = { supplied: new Set(columns.keys()), unreadable, replace: task.replace };
    await applyAssignments(transaction, scope);
    await stageRankedChoice(transaction, scope);
    const onCheck = progressOf(task, 'check', staging.rows('boundaries'));
    const { repaired, removed } = await (task.prepare ?? ((...args) => throwErrors(task, ...args)))(
      transaction,
      scope,
      onCheck,
    );
    const staged = await countStaged(transaction, scope);
    const replaced: string[] = [];
    const changes = await writeAll(transaction, {
      ...scope,
      columns,
      onReplaced: task.report ? undefined : (warning) => replaced.push(warning),
      provenance: task.provenance,
      staged: (table) => staged.get(table) ?? 0,
      onProgress: (table, done, total) =>
        task.onProgress?.({ phase: 'write', file: table.file, done, total, unit: 'rows' }),
    });
    await writeRankedChoice(transaction);
    for (const [table, count] of removed ?? []) {
      const change = changes.get(table) ?? { inserted: 0, updated: 0, unchanged: 0, removed: 0 };
      changes.set(table, { ...change, removed: change.removed + count });
    }
    const anyChange = [...changes.values()].some(({ inserted, updated, removed }) => inserted + updated + removed > 0);
    // Before the new rows are joined again: without statistics the planner would choose nested loops over all pairs.
    if (anyChange) await analyze(transaction, WRITTEN);
    await task.finish?.(transaction, scope);
    const sourceId = await recordProvenance(transaction, task.provenance, scope.supplied, anyChange);
    await recordImporter(transaction, task.importer, task.provenance);
    await recordRounds(transaction, task.importer, task.provenance);
    await forgetRemoved(transaction, withRemovals(changes));
    await task.complete?.(transaction, sourceId);
    if (anyChange) {
      await sql`/* import.first-days */ select ballotgraph_store_first_days()`.execute(transaction);
      await analyze(transaction, ['sources', 'record_sources', 'external_identifiers']);
    }
    await task.inspect?.({
      db: transaction,
      tables: scope.supplied,
      lastUnplaced,
      report: task.report,
    });
    return {
      files: summarise(changes, repaired),
      warnings: [...replaced, ...(await roundSumWarnings(transaction))],
      seconds: (performance.now() - started) / 1000,
      dryRun: task.dryRun,
    };
  });
}

/** Returns the greatest id of the contests that are not placed; 0 if there are none. */
async function newestUnplaced(db: Database): Promise<number> {
  const newest = await db
    .selectFrom('unplaced_contests')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  return newest?.id ?? 0;
}

/** Rejects the load if any row is invalid, on its own or together with other rows. */
async function throwErrors(
  { errors }: LoadTask,
  db: Database,
  scope: Scope,
  onCheck: (rows: number) => void,
): Promise<Prepared> {
  const conflicts = await findConflicts(db, scope);
  addFindings(errors, conflicts.findings, conflicts.count);
  const { repaired, findings } = await repairGeometries(db, onCheck);
  addFindings(errors, findings);
  if (errors.count > 0) throw new DatasetError(errors.list(FILES), errors.count);
  return { repaired };
}

async function countStaged(db: Database, { supplied }: Scope): Promise<Map<TableName, number>> {
  const counts = new Map<TableName, number>();
  for (const table of supplied) {
    const { rows } = await sql<{ count: number }>`/* import.count */
      select count(*) as count from ${sql.table(stageName(table))}`.execute(db);
    counts.set(table, rows[0]?.count ?? 0);
  }
  return counts;
}

function progressOf(task: LoadTask, phase: Progress['phase'], total: number): (rows: number) => void {
  let done = 0;
  return (rows) => {
    done += rows;
    task.onProgress?.({ phase, file: 'boundaries.geojsonl', done, total, unit: 'rows' });
  };
}

function withRemovals(changes: ReadonlyMap<TableName, Changes>): TableName[] {
  return [...changes].filter(([, { removed }]) => removed > 0).map(([name]) => name);
}

function summarise(changes: ReadonlyMap<TableName, Changes>, repaired: number): FileSummary[] {
  return TABLES.flatMap(({ name, file }) => {
    const change = changes.get(name);
    return change ? [{ file, ...change, repaired: name === 'boundaries' ? repaired : 0 }] : [];
  });
}

/** The tables that a load writes. */
const WRITTEN = [...TABLES.map(({ name }) => name), 'boundary_pieces', 'candidate_parties'];

/** Refreshes the planner statistics of tables. */
async function analyze(db: Database, tables: readonly string[]): Promise<void> {
  await sql`/* import.analyze */ analyze ${sql.join(tables.map((name) => sql.table(name)))}`.execute(db);
}
