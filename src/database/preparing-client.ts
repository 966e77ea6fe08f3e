import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { codeOf } from '../errors.ts';

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

/** How PostgreSQL plans a prepared statement: once for all values, or each time for the given ones. */
type PlanMode = 'force_generic_plan' | 'force_custom_plan';

interface PreparedStatement {
  readonly name: string;
  readonly mode: PlanMode;
}

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
 * `pg` prepares statements that have a name, but Kysely passes no names, and neither library closes statements.
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
    const [text, values] = original;
    const isRead = original.length === 2 && typeof text === 'string' && Array.isArray(values);
    const prepared = isRead ? this.#preparedOf(text) : undefined;
    if (!isRead || prepared === undefined) return this.#send(original) as never;
    const { name, mode } = prepared;
    return this.#readPrepared({ name, text, values: values.map(parameterText) }, mode, original) as never;
  }

  async #readPrepared(statement: pg.QueryConfig, mode: PlanMode, original: readonly unknown[]): Promise<unknown> {
    if (this.#evicted.length > 0) await this.#closeEvicted();
    if (this.#mode !== mode) await this.#switchTo(mode);
    try {
      return await this.#run(statement);
    } catch (error) {
      if (!OUTDATED.has(codeOf(error))) throw error;
      // It is prepared again the next time.
      this.#prepared.delete(statement.text);
      return this.#send(original);
    }
  }

  /** Returns how a SELECT statement is prepared; undefined for all others, which are sent unnamed. */
  #preparedOf(text: string): PreparedStatement | undefined {
    const known = this.#prepared.get(text);
    if (known !== undefined || !SELECTS.test(text)) return known;
    const mode = NEEDS_CUSTOM_PLAN.test(text) ? 'force_custom_plan' : 'force_generic_plan';
    this.#prepared.set(text, { name: hash('sha256', text, 'base64url').slice(0, 22), mode });
    return this.#prepared.get(text);
  }

  /** Changes the setting for the session: for a transaction, it would take two more round trips with each statement. */
  async #switchTo(mode: PlanMode): Promise<void> {
    this.#mode = undefined;
    await this.#send([`set plan_cache_mode = ${mode}`]);
    this.#mode = mode;
  }

  #closeEvicted(): Promise<void> {
    const close = new CloseStatements(this.#evicted);
    this.#evicted = [];
    this.#send([close]);
    return close.done;
  }

  /**
   * Uses a callback: the promises that `pg` creates are linked from statement to statement, and with them all results,
   * so that none of them is collected while it is young.
   */
  #run(statement: pg.QueryConfig): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
      this.#send([statement, done]);
    });
  }

  #send(original: readonly unknown[]): unknown {
    return Reflect.apply(super.query, this, original);
  }
}

/**
 * Closes prepared statements with protocol messages: the embedded database renames them, so that SQL does not know the
 * names.
 */
class CloseStatements implements pg.Submittable {
  readonly #names: readonly string[];
  readonly #finish = Promise.withResolvers<void>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get done(): Promise<void> {
    return this.#finish.promise;
  }

  submit(connection: pg.Connection & { readonly parsedStatements?: Record<string, string> }): void {
    for (const name of this.#names) {
      // Otherwise `pg` would consider the name to be prepared.
      delete connection.parsedStatements?.[name];
      connection.close({ type: 'S', name }, true);
    }
    connection.sync();
  }

  handleReadyForQuery(): void {
    this.#finish.resolve();
  }

  handleError(error: Error): void {
    this.#finish.reject(error);
  }
}

/** Serialises an array of numbers for PostgreSQL. `pg` does that as well, but quotes and escapes each number. */
function parameterText(value: unknown): unknown {
  return Array.isArray(value) && value.every((each) => typeof each === 'number') ? `{${value.join()}}` : value;
}
