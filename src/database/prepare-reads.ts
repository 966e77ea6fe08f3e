import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { codeOf } from './connection-errors.ts';

/**
 * Maximum number of prepared statements for each connection, and of their characters: PostgreSQL uses up to about 200
 * kB for each of the large ones. The gateway has a few dozen fixed statements; the others are compiled for the
 * documents of callers.
 */
const MOST_NAMES = 200;
const MOST_CHARACTERS = 3_000_000;
/** Matches statements that read, after the comment with their name. */
const SELECTS = /^\s*(\/\*[^*]*\*\/\s*)?(select|with)\b/i;

/**
 * PostgreSQL's errors for a prepared statement that is no longer valid: the tables changed, or a pooler switched
 * connections.
 */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

/**
 * Makes a connection prepare its SELECT statements, so that the server parses and plans each of them once. When the
 * limits are exceeded, the least recently used one is closed. A statement that is no longer valid is executed again
 * without preparation.
 */
export function prepareReads(client: pg.ClientBase, { most = MOST_NAMES }: { readonly most?: number } = {}): void {
  const run = client.query;
  /** Names of the prepared statements to close before the next statement. */
  let evicted: string[] = [];
  const names = new LRUCache<string, string>({
    max: most,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    dispose: (name, _, reason) => {
      if (reason !== 'set') evicted.push(name);
    },
  });

  /** Returns the name under which a SELECT statement is prepared; undefined for all others, which are sent unnamed. */
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || !SELECTS.test(text)) return known;
    names.set(text, hash('sha256', text, 'base64url').slice(0, 22));
    return names.get(text);
  }

  function closeEvicted(self: unknown): Promise<void> {
    const close = new CloseStatements(evicted);
    evicted = [];
    Reflect.apply(run, self, [close]);
    return close.done;
  }

  client.query = new Proxy(run, {
    apply(query, self, given: readonly unknown[]) {
      const [text, values] = given;
      const name = given.length === 2 && typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
      if (name === undefined) return Reflect.apply(query, self, given);
      const statement = { name, text, values: (values as unknown[]).map(parameterText) };
      const before = evicted.length > 0 ? closeEvicted(self) : undefined;
      const result = before ? before.then(() => ask(query, self, statement)) : ask(query, self, statement);
      return result.catch((error: unknown) => {
        if (!OUTDATED.has(codeOf(error))) throw error;
        // It is prepared again the next time.
        names.delete(text as string);
        return Reflect.apply(query, self, given);
      });
    },
  });
}

/**
 * Closes prepared statements with protocol messages: the embedded database renames them, so that SQL does not know the
 * names.
 */
class CloseStatements implements pg.Submittable {
  readonly #names: readonly string[];
  readonly #settle = Promise.withResolvers<void>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get done(): Promise<void> {
    return this.#settle.promise;
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
    this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }
}

/** Serialises an array of numbers for PostgreSQL. `pg` does that as well, but quotes and escapes each number. */
function parameterText(value: unknown): unknown {
  return Array.isArray(value) && value.every((each) => typeof each === 'number') ? `{${value.join()}}` : value;
}

/**
 * Uses a callback: the promises that `pg` creates are linked from statement to statement, and with them all results, so
 * that none of them is collected while it is young.
 */
function ask(query: pg.ClientBase['query'], self: unknown, statement: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
    Reflect.apply(query, self, [statement, done]);
  });
}
