import pg from 'pg';
import type { Day } from '../../base/dates.ts';
import { ServiceError } from '../../base/errors.ts';
import { SANDBOX_PROBLEM } from '../../store/export-sandbox.ts';

/** Resource limits of a stored query. */
export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly today: Day;
  /** Largest permitted file in bytes. */
  readonly largestBytes: number;
}

/** A column in the result of a stored query, with the kind that determines how it is written. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export type ColumnKind = 'geometry' | 'boolean' | 'int8' | 'numeric' | 'json' | 'text' | 'time' | 'plain';

const LOCK_LIMIT_MS = 2_000;
const IDLE_LIMIT_MS = 60_000;
const TEMP_FILE_LIMIT = '2GB';
const CONNECTION_CHECK_MS = 500;

/** Thrown when the database does not provide the sandbox; `reason` states for the operator what is missing. */
export class SandboxUnavailableError extends ServiceError {
  readonly reason: string;

  constructor(reason: string) {
    super(
      'STORE_UNAVAILABLE',
      'Bulk download is not available: the database is not set up to run stored queries safely.',
    );
    this.reason = reason;
  }
}

/**
 * Begins the read-only transaction with resource limits in which a stored query runs. Untrusted SQL (the stored query
 * itself) is only ever passed as text to the sandbox functions of `export-sandbox.ts`.
 * @returns the data version that the transaction reads.
 * @throws SandboxUnavailableError when these functions are missing or would not restrict the query.
 */
export async function enterSandbox(client: pg.ClientBase, limits: SandboxLimits): Promise<string> {
  await client.query('begin transaction isolation level repeatable read, read only');
  await client.query(
    `/* exports.limits */
    select set_config(name, value, true) from unnest($1::text[], $2::text[]) as setting(name, value)`,
    columnsOf({
      statement_timeout: `${limits.timeoutMs}`,
      lock_timeout: `${LOCK_LIMIT_MS}`,
      idle_in_transaction_session_timeout: `${IDLE_LIMIT_MS}`,
      timezone: 'UTC',
      datestyle: 'ISO',
      intervalstyle: 'iso_8601',
      'ballotgraph.today': limits.today,
    }),
  );
  // Only superusers may set these, and not every system supports them; both are optional.
  await tolerate(client, `set local temp_file_limit = '${TEMP_FILE_LIMIT}'`);
  await tolerate(client, `set local client_connection_check_interval = '${CONNECTION_CHECK_MS}ms'`);
  const { rows } = await client.query<{ problem: string | null }>(`/* exports.sandbox */ ${SANDBOX_PROBLEM}`);
  const problem = rows[0]?.problem;
  if (problem) throw new SandboxUnavailableError(problem);
  const version = await client.query<{ state: string }>('/* exports.version */ select state from data_version');
  return version.rows[0]?.state ?? '';
}

/**
 * Returns the columns of a query's result without running it. The query is planned inside the sandbox; fetching no row
 * from its cursor only describes it.
 * @throws Error that names a duplicate column name.
 */
export async function describeQuery(client: pg.ClientBase, query: string): Promise<Column[]> {
  await client.query('/* exports.open */ select ballotgraph_export_open($1, $2)', ['description', query]);
  const { fields } = await client.query('fetch 0 from description');
  await client.query('close description');
  const types = await client.query<{ oid: number; name: string; category: string }>(
    '/* exports.types */ select oid, typname as name, typcategory as category from pg_type where oid = any($1::oid[])',
    [fields.map((field) => field.dataTypeID)],
  );
  const kinds = new Map(types.rows.map(({ oid, name, category }) => [oid, kindOf(name, category)]));
  const columns = fields.map((field) => ({ name: field.name, kind: kinds.get(field.dataTypeID) ?? 'text' }));
  const twice = columns.find(({ name }, index) => columns.findIndex((column) => column.name === name) < index);
  if (twice) throw new Error(`two of its columns have the name "${twice.name}"`);
  return columns;
}

/**
 * Returns a statement that runs another statement, built from a stored query, inside the sandbox.
 * @param statement a statement whose columns are all text.
 * @param width the number of its columns.
 * @param largestBytes approximate limit for the size of the result on the server.
 */
export function inSandbox(statement: string, width: number, largestBytes: number): string {
  const names = Array.from({ length: width }, (_, index) => `c${index + 1} text`);
  // A row takes up to four times the bytes of its line if its cells are short.
  const rows = `ballotgraph_export_rows(${pg.escapeLiteral(statement)}, ${4 * largestBytes})`;
  return `select * from ${rows} as row_(${names.join(', ')})`;
}

/**
 * Returns a query config for the extended protocol, which accepts a single statement only. pg's types do not declare
 * the option.
 */
export function singleStatement(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}

/** Categories that never hold formulas: a number begins with a minus sign, a date with a digit. */
const NEVER_TEXT = new Set(['N', 'B', 'G', 'R', 'I']);

function kindOf(name: string, category: string): ColumnKind {
  if (name === 'geometry' || name === 'geography') return 'geometry';
  if (name === 'bool') return 'boolean';
  if (name === 'int8' || name === 'numeric' || name === 'json') return name;
  if (category === 'D' || category === 'T') return 'time';
  return NEVER_TEXT.has(category) ? 'plain' : 'text';
}

/** Runs a statement that may fail and returns whether it succeeded; the transaction continues in either case. */
async function tolerate(client: pg.ClientBase, statement: string): Promise<boolean> {
  await client.query('savepoint attempt');
  try {
    await client.query(statement);
    await client.query('release savepoint attempt');
    return true;
  } catch {
    await client.query('rollback to savepoint attempt');
    return false;
  }
}

function columnsOf(settings: Record<string, string>): [string[], string[]] {
  return [Object.keys(settings), Object.values(settings)];
}
