import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { codeOf } from './faults.ts';

/**
 * Statements that a connection keeps prepared at most, and their characters: PostgreSQL takes up to some 200 KB for each of
 * the large ones. This program has a few dozen of its own; the others are compiled for the documents of callers.
 */
const MOST_NAMES = 200;
const MOST_CHARACTERS = 3_000_000;
/** What reads, behind the name that stands in a comment before it. */
const SELECTS = /^\s*(\/\*[^*]*\*\/\s*)?(select|with)\b/i;

/** What the server answers when a prepared statement no longer fits: the tables changed, or a pooler took its connection. */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

/**
 * Lets a connection prepare what it reads with, so that the server parses and plans each statement once. Beyond the limits
 * the one that was not used for the longest time is closed. What no longer fits is run again as it stands.
 */
export function prepareReads(client: pg.ClientBase, { most = MOST_NAMES }: { readonly most?: number } = {}): void {
  const run = client.query;
  /** Names of statements that are to be closed before the next one. */
  let evicted: string[] = [];
  const names = new LRUCache<string, string>({
    max: most,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    dispose: (name, _, reason) => {
      if (reason !== 'set') evicted.push(name);
    },
  });

  /** The name under which a statement that reads is prepared; undefined for all others, which are sent without one. */
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
      const statement = { name, text, values: (values as unknown[]).map(worded) };
      const before = evicted.length > 0 ? closeEvicted(self) : undefined;
      const result = before ? before.then(() => ask(query, self, statement)) : ask(query, self, statement);
      return result.catch((error: unknown) => {
        if (!OUTDATED.has(codeOf(error))) throw error;
        // Prepared anew the next time.
        names.delete(text as string);
        return Reflect.apply(query, self, given);
      });
    },
  });
}

/** Closes prepared statements, by messages of the protocol: the embedded store gives other names to them than SQL knows. */
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
      // Else pg would take the name for one that is prepared.
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

/** A list of numbers as PostgreSQL reads it. pg words it too, but quotes and escapes number by number. */
function worded(value: unknown): unknown {
  return Array.isArray(value) && value.every((each) => typeof each === 'number') ? `{${value.join()}}` : value;
}

/**
 * By a callback: the promises that pg makes itself hang on one another from statement to statement, and with them all
 * that was read, so that none of it is collected while it is young.
 */
function ask(query: pg.ClientBase['query'], self: unknown, statement: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result));
    Reflect.apply(query, self, [statement, done]);
  });
}
