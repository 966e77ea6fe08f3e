import { hash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { grantsKey } from '../access/grants.ts';
import type { Caches, CountedCache } from '../observe/caches.ts';
import type { Database } from '../store/database.ts';
import type { Fetch } from '../store/shared-reads.ts';
import type { RowsInSql } from './in-sql.ts';
import { besideNulls, eachOnce, readTogether } from './loader.ts';
import type { LevelRun } from './run-levels.ts';
import type { SubtreePlan } from './subtree-plan.ts';
import { type SubtreeStatement, wordSubtree } from './subtree-statement.ts';

/** Statements that are kept compiled, and their characters. The connections limit how many they prepare by themselves. */
const MOST_STATEMENTS = 500;
const MOST_CHARACTERS = 16_000_000;
/** Statements with the values of their parameters, that requests may share. */
const MOST_FETCHES = 1_000;

/** A compiled statement, with an id that is the same for the same SQL. */
interface Compiled extends SubtreeStatement {
  readonly id: string;
}

/**
 * Answers fields with all that is asked for below them by one statement each, as JSON that the store has made. That
 * takes a fraction of the work of reading the rows of each level, making objects of them, and wording these.
 */
export class Subtrees {
  /** By the number of the plan and the caller's grants. */
  readonly #statements: CountedCache<string, Compiled>;
  readonly #planNumbers = new WeakMap<SubtreePlan, number>();
  #plans = 0;
  readonly #fetches = new LRUCache<string, Fetch<Key, string | null>>({ max: MOST_FETCHES });

  constructor(caches: Caches) {
    this.#statements = caches.open<string, Compiled>('statements', {
      max: MOST_STATEMENTS,
      maxSize: MOST_CHARACTERS,
      sizeCalculation: ({ sql }) => sql.length,
    });
  }

  /**
   * @returns JSON for each parent, or null where it leads nowhere; undefined where a parent does not have what the rows
   *   are found by: an object of a resolver lacks the columns that only the statement above it has.
   */
  read(plan: SubtreePlan, parents: readonly unknown[], run: LevelRun): Promise<readonly (string | null)[]> | undefined {
    const { by } = plan.rows;
    const members = typeof by === 'string' ? [by] : Object.keys(by);
    if (!parents.every((parent) => members.every((name) => (parent as Node | undefined)?.[name] !== undefined)))
      return undefined;
    const statement = this.#statementOf(plan, run);
    const keys = parents.map((parent) => keysOf(parent as Node, by));
    const asked = keys.flat().filter((key) => key !== null);
    if (asked.length === 0) return Promise.resolve(plan.isListed ? listsOf(keys, []) : keys.map(() => null));
    const values = statement.parameters.map((find) => find(run));
    const found = readTogether(run.context, this.#fetchOf(statement, by, values), asked);
    return found.then((texts) => (plan.isListed ? listsOf(keys, texts) : besideNulls(keys, texts)));
  }

  #statementOf(plan: SubtreePlan, { context, shapes }: LevelRun): Compiled {
    const key = `${this.#numberOf(plan)} ${grantsKey(context.caller.grants)}`;
    const known = this.#statements.get(key);
    if (known) return known;
    const statement = wordSubtree(plan, context, shapes?.[plan.coordinate]);
    const compiled = { ...statement, id: hash('sha256', statement.sql, 'base64url') };
    this.#statements.set(key, compiled);
    return compiled;
  }

  #numberOf(plan: SubtreePlan): number {
    const number = this.#planNumbers.get(plan) ?? this.#plans++;
    this.#planNumbers.set(plan, number);
    return number;
  }

  /** The same function for the same statement with the same values: what hangs on nothing else may be shared. */
  #fetchOf({ id, sql }: Compiled, by: RowsInSql['by'], values: readonly unknown[]): Fetch<Key, string | null> {
    const key = `${id} ${JSON.stringify(values)}`;
    const known = this.#fetches.get(key);
    if (known) return known;
    const names = typeof by === 'string' ? undefined : Object.keys(by);
    const fetch = eachOnce<Key, string | null>(
      (db, keys) => fetchTexts(db, sql, keys.length, [...columnsOf(keys, names), ...values]),
      (key) => (names ? names.map((name) => (key as Node)[name]).join(' ') : key),
    );
    this.#fetches.set(key, fetch);
    return fetch;
  }
}

type Node = Readonly<Record<string, unknown>>;
/** By what rows are found: an id, or a node with several members by which they are. */
type Key = number | Node;
/** What hangs on a parent: what is found by one key, or the row of each of these; none for null. */
type Keys = Key | readonly number[] | null;

function keysOf(parent: Node, by: RowsInSql['by']): Keys {
  return typeof by === 'string' ? ((parent[by] as Keys | undefined) ?? null) : parent;
}

/** Keys as the statement takes them: a list for each of their columns. */
function columnsOf(keys: readonly Key[], names: readonly string[] | undefined): (readonly unknown[])[] {
  return names ? names.map((name) => keys.map((key) => (key as Node)[name])) : [keys];
}

/** One list for each parent, of the texts of its ids; without those of rows that are gone. */
function listsOf(keys: readonly Keys[], texts: readonly (string | null)[]): (string | null)[] {
  let next = 0;
  return keys.map((ids) => {
    if (!Array.isArray(ids)) return null;
    const from = next;
    next += ids.length;
    return `[${texts.slice(from, next).filter(isRow).join(',')}]`;
  });
}

/** A statement says `null` for the id of a row that is gone. */
function isRow(text: string | null): boolean {
  return text !== null && text !== 'null';
}

async function fetchTexts(db: Database, sql: string, count: number, values: unknown[]): Promise<(string | null)[]> {
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(sql, values) as CompiledQuery<{ place: number; json: string }>,
  );
  const texts = Array.from<string | null>({ length: count }).fill(null);
  for (const { place, json } of rows) texts[place - 1] = json;
  return texts;
}
