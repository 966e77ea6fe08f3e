import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** Statements that a connection keeps prepared at most, of this program; there are a few dozen. */
const MOST_NAMES = 500;
const names = new LRUCache<string, string>({ max: MOST_NAMES });
/** Texts that have been given up: each name stays with one text. */
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
 * A connection that prepares what it reads with, so that the server parses and plans each statement once. What no
 * longer fits is run again as it stands.
 */
export class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: as pg declares it, in a dozen overloads
  override query(...given: any[]): any {
    const [text, values] = given;
    const name = given.length === 2 && typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const query = super.query.bind(this) as (...args: any[]) => any;
    if (name === undefined) return query(...given);
    return query({ name, text, values }).catch((error: { code?: string }) => {
      if (!OUTDATED.has(error.code ?? '')) throw error;
      return query(text, values);
    });
  }
}
