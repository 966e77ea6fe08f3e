import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { codeOf } from './faults.ts';

/** Statements that a connection keeps prepared at most, of this program; there are a few dozen. */
const MOST_NAMES = 500;
const names = new LRUCache<string, string>({ max: MOST_NAMES });
/** What reads, behind the name that stands in a comment before it. */
const SELECTS = /^\s*(\/\*[^*]*\*\/\s*)?(select|with)\b/i;

/** The name under which a statement that reads is prepared; undefined for all others. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (!SELECTS.test(text) || names.size >= MOST_NAMES) return undefined;
  const name = hash('sha256', text, 'base64url').slice(0, 22);
  names.set(text, name);
  return name;
}

/** What the server answers when a prepared statement no longer fits: the tables changed, or a pooler took its connection. */
const OUTDATED = new Set(['0A000', '26000', '42P05']);

/**
 * Lets a connection prepare what it reads with, so that the server parses and plans each statement once. What no longer
 * fits is run again as it stands.
 */
export function prepareReads(client: pg.ClientBase): void {
  client.query = new Proxy(client.query, {
    apply(query, self, given: readonly unknown[]) {
      const [text, values] = given;
      const name = given.length === 2 && typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
      if (name === undefined) return Reflect.apply(query, self, given);
      return ask(query, self, { name, text, values: (values as unknown[]).map(worded) }).catch((error: unknown) => {
        if (!OUTDATED.has(codeOf(error))) throw error;
        return Reflect.apply(query, self, given);
      });
    },
  });
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
