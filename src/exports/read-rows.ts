import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ServiceError, tooLong } from '../errors.ts';
import { codeOf, wasEndedByWatchdog } from '../store/faults.ts';
import type { Store } from '../store/store.ts';
import { CopyRows } from './copy-rows.ts';
import { csvRow, ROW_END } from './csv.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { alone, type Column, describeQuery, enterJail, inSandbox, type JailLimits } from './jail.store.ts';
import type { StoredQuery } from './query-file.ts';
import { cellsOf, featuresOf, objectsOf } from './row-text.store.ts';

export interface ReadRowsOptions extends JailLimits {
  readonly signal: AbortSignal;
}

/** Where stored queries run: connections of their own, so that a long one takes none from the lookups. */
export interface RowSource {
  readonly kind: Store['kind'];
  readonly connection: pg.ClientConfig;
  /** Only in the embedded store, whose one session stored queries share with the requests. */
  readonly session?: OnlySession | undefined;
}

export interface OnlySession {
  /**
   * Keeps the session from the requests until the returned function is called. They wait in the line of their pool:
   * one that had sent its statement already would be ended together with ours, if ours runs away.
   */
  take(): Promise<() => void>;
  /** A statement that takes longer is ended, together with its connection. */
  readonly limitMs: number;
}

/**
 * Runs a stored query and yields the file that it becomes, block by block, reading on only as the blocks are taken.
 * Aborting the signal, or not reading to the end, ends the query on the server too.
 * @throws ServiceError INVALID_PARAMETER for a format that the query has no column for, EXPORT_TOO_LARGE;
 * SandboxUnavailableError.
 */
export async function* readRows(
  source: RowSource,
  query: StoredQuery,
  format: FormatName,
  options: ReadRowsOptions,
): AsyncGenerator<Buffer> {
  const client = new pg.Client(source.connection);
  // A broken connection is told to the statement that runs.
  client.on('error', () => undefined);
  // In the embedded store a statement cannot be interrupted, and what was put aside has to be put away.
  const cut = () => source.kind === 'server' && client.connection.stream.destroy();
  options.signal.throwIfAborted();
  options.signal.addEventListener('abort', cut);
  let since = performance.now();
  let giveBack: (() => void) | undefined;
  try {
    giveBack = await source.session?.take();
    since = performance.now();
    await client.connect();
    await enterJail(client, options);
    const columns = await describeQuery(client, query.sql);
    const width = format === 'csv' ? columns.length : 1;
    const text = separated(statementFor(query, format, columns), format);
    const statement = inSandbox(text, width, options.largestBytes);
    const rows =
      source.kind === 'embedded'
        ? fetchedRows(client, statement, format, { signal: options.signal, onPutAside: giveBack })
        : copiedRows(client, statement, format);
    yield* wrapped(format, columns, rows);
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    const limitMs = source.session?.limitMs ?? Number.POSITIVE_INFINITY;
    if (codeOf(error) === TOO_LARGE) throw tooLarge(options.largestBytes);
    throw wasEndedByWatchdog(error, performance.now() - since, limitMs) ? tooLong() : error;
  } finally {
    giveBack?.();
    options.signal.removeEventListener('abort', cut);
    // The connection is not used again: nothing of what the query did to it can last.
    await client.end().catch(() => undefined);
  }
}

function statementFor(query: StoredQuery, format: FormatName, columns: readonly Column[]): string {
  if (format === 'csv') return cellsOf(query.sql, columns);
  if (format !== 'geojson') return objectsOf(query.sql, columns);
  const statement = featuresOf(query.sql, columns);
  if (statement) return statement;
  const reason = 'geojson is for queries with a geometry; this one has none. It takes json, csv or ndjson';
  throw new ServiceError('INVALID_PARAMETER', `format: ${reason}.`, [{ name: 'format', reason }]);
}

/** Of the sandbox: the result has grown beyond its limit. */
const TOO_LARGE = '54000';

export function tooLarge(largestBytes: number): ServiceError {
  return new ServiceError('EXPORT_TOO_LARGE', `The file would be larger than ${largestBytes} bytes.`);
}

async function* wrapped(
  format: FormatName,
  columns: readonly Column[],
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { head, separator, tail } = FORMATS[format];
  yield Buffer.from(format === 'csv' ? csvRow(columns.map((column) => column.name)) : head);
  let unwanted = separator.length;
  for await (const block of rows) {
    yield block.subarray(unwanted);
    unwanted = 0;
  }
  yield Buffer.from(tail);
}

/** Characters that JSON never holds, so that COPY leaves it as it is. */
const UNTOUCHED = String.raw`format csv, quote E'\x01', delimiter E'\x02'`;

/** The copying begins with the first block that is asked for: before that nobody would hear of its end. */
async function* copiedRows(client: pg.Client, statement: string, format: FormatName): AsyncGenerator<Buffer> {
  const [options, rowEnd] = format === 'csv' ? ['format csv', ROW_END] : [UNTOUCHED, '\n'];
  const copy = `/* exports.copy */ copy (${statement}) to stdout (${options})`;
  yield* client.query(new CopyRows(copy, rowEnd));
}

/** Every row begins with the separator; that of the first one is cut off. */
function separated(statement: string, format: FormatName): string {
  const { separator } = FORMATS[format];
  return separator ? `select '${separator}' || line_.text_ from (${statement}) as line_(text_)` : statement;
}

const ROWS_AT_ONCE = 1_000;

/**
 * The embedded store has one session for everybody, and a transaction keeps it. So the transaction ends before the
 * result, which the server has put aside whole (in one statement, which its watchdog limits), is fetched in parts,
 * between which others get their turn.
 */
async function* fetchedRows(
  client: pg.Client,
  statement: string,
  format: FormatName,
  { signal, onPutAside }: { readonly signal: AbortSignal; readonly onPutAside?: (() => void) | undefined },
): AsyncGenerator<Buffer> {
  const cursor = `export_${randomUUID().replaceAll('-', '')}`;
  await client.query(alone(`declare ${cursor} no scroll cursor with hold for ${statement}`));
  await client.query('commit');
  onPutAside?.();
  try {
    for (;;) {
      signal.throwIfAborted();
      const part = await client.query<(string | null)[]>({
        text: `/* exports.fetch */ fetch ${ROWS_AT_ONCE} from ${cursor}`,
        rowMode: 'array',
        types: { getTypeParser: () => (value: string) => value },
      });
      const rows = format === 'csv' ? part.rows.map(csvRow) : part.rows.map(([line]) => `${line}\n`);
      if (rows.length > 0) yield Buffer.from(rows.join(''));
      if (rows.length < ROWS_AT_ONCE) return;
    }
  } finally {
    // In the one session it would stay for as long as anybody is connected.
    await client.query(`close ${cursor}`).catch(() => undefined);
  }
}
