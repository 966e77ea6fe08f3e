import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { codeOf } from '../../base/errors.ts';
import { garbled } from './connection-errors.ts';

/**
 * Maximum number of prepared statements for each connection, and of their characters: PostgreSQL uses up to about 200
 * kB for each of the large ones. The gateway has a few dozen fixed statements; the others are compiled for the
 * documents of callers.
 */
const MOST_NAMES = 200;
const MOST_CHARACTERS = 3_000_000;
/** Matches statements that read, after the comment with their name. */
const SELECTS = /^\s*(\/\*[^*]*\*\/\s*)?(select|with)\b/i;
/** Matches statements whose comment says, after their name, that they need a plan for their values. */
const NEEDS_CUSTOM_PLAN = /^\s*\/\* [\w.-]+ \(custom plan\) \*\//;

/**
 * PostgreSQL's errors for a prepared statement that is no longer valid: the tables changed, or a pooler switched
 * connections.
 */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()]);

/** How PostgreSQL plans a prepared statement: once for all values, or each time for the given ones. */
type PlanMode = 'force_generic_plan' | 'force_custom_plan';

/** A statement that a connection prepares when it executes it the first time. */
interface PreparedStatement {
  readonly text: string;
  readonly name: string;
  readonly mode: PlanMode;
  /** The columns of its rows; undefined until it has been executed. */
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** Called with the result of a statement, or with its error. */
type Done = (error: Error | null, result?: Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>) => void;
/** The parameters of a statement as they are sent. */
type Parameters = (string | Buffer | null)[];

/**
 * A connection that prepares its SELECT statements, so that the server parses and plans each of them once. When the
 * limits are exceeded, the least recently used one is closed. A statement that is no longer valid is executed again
 * without preparation.
 *
 * PostgreSQL estimates a plan for one point as cheaper than one for any number of points, and would plan each time,
 * which takes longer than the statement. So plans are generic, except for statements that say `(custom plan)` after
 * their name: those whose best plan depends on their values so much that planning is cheap in comparison.
 * `bench/plans.ts` measures which ones.
 *
 * `pg` prepares statements that have a name, but Kysely passes no names, and neither library closes statements. `pg` also
 * sends four buffers and asks for a description of the rows each time: a small statement then takes the gateway 199 µs of
 * processor time, and 131 as it is sent here.
 */
export class PreparingClient extends pg.Client {
  /** The prepared statements by their text. */
  readonly #prepared: LRUCache<string, PreparedStatement>;
  /** The setting of the connection, which begins as `openPool` sets it; undefined if changing it failed. */
  #mode: PlanMode | undefined = 'force_generic_plan';
  /** Names of the prepared statements to close before the next statement. */
  #evicted: string[] = [];

  constructor(config?: pg.ClientConfig, { most = MOST_NAMES }: { readonly most?: number } = {}) {
    super(config);
    this.#prepared = new LRUCache<string, PreparedStatement>({
      max: most,
      maxSize: MOST_CHARACTERS,
      sizeCalculation: (_, text) => text.length + 1,
      dispose: ({ name }, _, reason) => {
        if (reason !== 'set') this.#evicted.push(name);
      },
    });
  }

  /** Returns what `pg.Client` returns for the same arguments; `never` is compatible with the results of all its overloads. */
  override query(...original: readonly unknown[]): never {
    const [text, values, done] = original;
    const parameters = typeof text === 'string' && Array.isArray(values) ? parametersOf(values) : undefined;
    const prepared = parameters && this.#preparedOf(text as string);
    if (!prepared) return this.#send(original) as never;
    if (typeof done === 'function') return this.#read(prepared, parameters, done as Done) as never;
    return new Promise((resolve, reject) => {
      this.#read(prepared, parameters, (error, result) => (error ? reject(error) : resolve(result)));
    }) as never;
  }

  /** Returns how a SELECT statement is prepared; undefined for all others, which are sent unnamed. */
  #preparedOf(text: string): PreparedStatement | undefined {
    const known = this.#prepared.get(text);
    if (known !== undefined || !SELECTS.test(text)) return known;
    const mode = NEEDS_CUSTOM_PLAN.test(text) ? 'force_custom_plan' : 'force_generic_plan';
    this.#prepared.set(text, { text, name: hash('sha256', text, 'base64url').slice(0, 22), mode, columns: undefined });
    return this.#prepared.get(text);
  }

  /**
   * Executes a prepared statement with one write to the connection. PostgreSQL describes its rows the first time only: if their
   * columns have changed, it refuses to execute the statement (0A000).
   */
  #read(prepared: PreparedStatement, parameters: Parameters, done: Done): void {
    const rows: pg.QueryResultRow[] = [];
    let columns: readonly Column[] = [];
    let nulls: pg.QueryResultRow | undefined;
    let tag: string | undefined;
    const fail = (error: Error) => {
      const isOutdated = OUTDATED.has(codeOf(error));
      // It is prepared again the next time, also if it is unknown whether it was.
      if (isOutdated || !prepared.columns) this.#prepared.delete(prepared.text);
      if (isOutdated) this.#send([prepared.text, parameters, done]);
      else done(error);
    };
    this.#send([
      {
        submit: ({ stream }: pg.Connection) => {
          columns = prepared.columns ?? [];
          if (stream.writable) stream.write(this.#messagesFor(prepared, parameters));
        },
        handleRowDescription: ({ fields }: Pick<pg.QueryResult, 'fields'>) => {
          columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.getTypeParser(dataTypeID, 'text') }));
        },
        // What it throws ends the connection (see `endIfGarbled`).
        handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }) {
          if (fields.length !== columns.length) throw new Error('A row has other columns than were described');
          // With this, a column can have any name, also `__proto__`.
          nulls ??= Object.fromEntries(columns.map(({ name }) => [name, null]));
          const row: pg.QueryResultRow = { ...nulls };
          for (let index = 0; index < fields.length; index++) {
            const { name, parse } = columns[index] as Column;
            const text = fields[index] ?? null;
            row[name] = text === null ? null : parse(text);
          }
          rows.push(row);
        },
        handleCommandComplete({ text }: { readonly text: string }) {
          tag = text;
        },
        handleReadyForQuery: ({ stream }: pg.Connection) => {
          if (tag === undefined) {
            const error = garbled('The server is ready, but the statement has not ended');
            stream.destroy(error);
            fail(error);
            return;
          }
          this.#mode = prepared.mode;
          prepared.columns = columns;
          const [command = '', ...numbers] = tag.split(' ');
          done(null, { command, rowCount: Number(numbers.at(-1)), rows });
        },
        handleError: fail,
      },
    ]);
  }

  /**
   * Returns the messages that execute a statement in the present state of the connection. Those that close other statements
   * and change the setting come first: in one transaction with the statement, so the setting is unknown if that fails.
   */
  #messagesFor({ text, name, mode, columns }: PreparedStatement, values: Parameters): Buffer {
    const messages = this.#evicted.map((evicted) => serialize.close({ type: 'S', name: evicted }));
    this.#evicted = [];
    if (this.#mode !== mode) {
      messages.push(serialize.parse({ text: `set plan_cache_mode = ${mode}` }), serialize.bind(), serialize.execute());
      this.#mode = undefined;
    }
    if (!columns) messages.push(serialize.parse({ name, text }));
    messages.push(serialize.bind({ statement: name, values }));
    if (!columns) messages.push(serialize.describe({ type: 'P' }));
    messages.push(EXECUTE_AND_SYNC);
    return Buffer.concat(messages);
  }

  #send(original: readonly unknown[]): unknown {
    return Reflect.apply(super.query, this, original);
  }
}

/**
 * Returns the texts and bytes of the values of a statement as `pg` sends them; undefined if there is a kind of value that
 * queries built by Kysely do not have, which is left to `pg`.
 */
export function parametersOf(values: readonly unknown[]): Parameters | undefined {
  const parameters = values.map((value) => (Array.isArray(value) ? arrayText(value) : parameterOf(value)));
  return parameters.includes(undefined) ? undefined : (parameters as Parameters);
}

function parameterOf(value: unknown): string | Buffer | null | undefined {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined;
}

/** `pg` quotes numbers as well, and escapes each. */
function arrayText(values: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const value of values) {
    const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : parameterOf(value);
    if (text === undefined) return undefined;
    const isQuoted = typeof value === 'string' || Buffer.isBuffer(value);
    texts.push(isQuoted ? `"${String(text).replace(/["\\]/g, '\\$&')}"` : String(text ?? 'NULL'));
  }
  return `{${texts.join()}}`;
}
