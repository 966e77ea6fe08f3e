import type pg from 'pg';
import type { Day } from '../calendar.ts';

/** What a stored query may use up. */
export interface JailLimits {
  readonly timeoutMs: number;
  readonly today: Day;
}

/** A column of a stored query's result, by what has to be done to write it. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

export type ColumnKind = 'geometry' | 'boolean' | 'int8' | 'numeric' | 'json' | 'text' | 'time' | 'plain';

/** The role as which stored queries run; migration 0006 makes it and says what it may read. */
const EXPORT_ROLE = 'ballotgraph_export';

/** What stored queries may read where the role cannot be had: the tables that it is granted. */
const EXPORTED_TABLES = [
  ...['districts', 'boundaries', 'boundary_pieces', 'parties', 'offices', 'persons', 'officeholders', 'contacts'],
  ...['elections', 'races', 'candidates', 'candidate_parties', 'ranked_choice_rounds', 'ballot_measures'],
  ...['sources', 'record_sources', 'external_identifiers', 'spatial_ref_sys'],
];

const LOCK_LIMIT_MS = 2_000;
const IDLE_LIMIT_MS = 60_000;
const TEMP_FILE_LIMIT = '2GB';
const CONNECTION_CHECK_MS = 500;

/**
 * Begins the transaction in which a stored query runs: read-only, limited, as a role that sees what may be exported.
 * @returns whether the role could be had. Where not, `describeQuery` has to be asked to look at the tables itself.
 */
export async function enterJail(client: pg.ClientBase, limits: JailLimits): Promise<{ readonly asRole: boolean }> {
  await client.query('begin transaction isolation level repeatable read, read only');
  await client.query(
    `/* exports.limits */
    select set_config(name, value, true) from unnest($1::text[], $2::text[]) as setting(name, value)`,
    columnsOf({
      statement_timeout: `${limits.timeoutMs}`,
      lock_timeout: `${LOCK_LIMIT_MS}`,
      idle_in_transaction_session_timeout: `${IDLE_LIMIT_MS}`,
      // All rows are wanted, not the first ones soon.
      cursor_tuple_fraction: '1',
      timezone: 'UTC',
      datestyle: 'ISO',
      intervalstyle: 'iso_8601',
      'ballotgraph.today': limits.today,
    }),
  );
  // For superusers only, and not on every system; both are a comfort, not a wall.
  await tolerate(client, `set local temp_file_limit = '${TEMP_FILE_LIMIT}'`);
  await tolerate(client, `set local client_connection_check_interval = '${CONNECTION_CHECK_MS}ms'`);
  return { asRole: await tolerate(client, `set local role ${EXPORT_ROLE}`) };
}

/**
 * The columns of a query's result, without running it. The query is opened as a cursor in the extended protocol, so the
 * server itself refuses everything that is not one statement that reads.
 * @param asRole false to refuse a query that reads any other table than the exported ones.
 * @throws Error naming the table, or two columns of one name.
 */
export async function describeQuery(client: pg.ClientBase, query: string, asRole: boolean): Promise<Column[]> {
  await client.query(alone(`declare description no scroll cursor for ${query}`));
  if (!asRole) await refuseOtherTables(client);
  const { fields } = await client.query(alone('fetch 0 from description'));
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

/** A statement sent in the extended protocol, which takes one only. pg's types do not tell of the option. */
export function alone(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}

/** An open cursor holds a lock on every table that its query names, through views and subqueries too. */
async function refuseOtherTables(client: pg.ClientBase): Promise<void> {
  const others = await client.query<{ name: string }>(
    `/* exports.otherTables */
    select held.oid::regclass::text as name
    from pg_locks l
    join pg_class held on held.oid = l.relation
    left join pg_index i on i.indexrelid = held.oid
    where l.pid = pg_backend_pid() and l.locktype = 'relation' and held.relnamespace <> 'pg_catalog'::regnamespace
      and not exists (
        select from unnest($1::text[]) as exported where to_regclass(exported) = coalesce(i.indrelid, held.oid))`,
    [EXPORTED_TABLES],
  );
  const first = others.rows[0];
  if (first) throw new Error(`it reads ${first.name}, which is not for export`);
}

/** A number begins with a minus, a date with a digit: only text can hold a formula. */
const NEVER_TEXT = new Set(['N', 'B', 'G', 'R', 'I']);

function kindOf(name: string, category: string): ColumnKind {
  if (name === 'geometry' || name === 'geography') return 'geometry';
  if (name === 'bool') return 'boolean';
  if (name === 'int8' || name === 'numeric' || name === 'json') return name;
  if (category === 'D' || category === 'T') return 'time';
  return NEVER_TEXT.has(category) ? 'plain' : 'text';
}

/** Whether a statement that may be refused was carried out; the transaction goes on in any case. */
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
