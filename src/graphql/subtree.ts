import { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from '../store/database.ts';
import type { Fetch } from '../store/shared-reads.ts';
import type { AccessGrant } from '../store/tables.ts';
import type { RowsInSql } from './in-sql.ts';
import { besideNulls, eachOnce, readTogether } from './loader.ts';
import type { LevelRun } from './run-levels.ts';
import type { SubtreePlan } from './subtree-plan.ts';
import { type SubtreeStatement, wordSubtree } from './subtree-statement.ts';

/** PostgreSQL keeps some 200 KB of each on each connection; what is asked for beyond these is read level by level. */
const MOST_STATEMENTS = 100;
/** Statements with the values of their parameters, that requests may share. */
const MOST_FETCHES = 1_000;

/** Null where there are too many already. */
type StatementsByGrants = WeakMap<ReadonlySet<AccessGrant>, SubtreeStatement | null>;

/**
 * Answers fields with all that is asked for below them by one statement each, as JSON that the store has made. That
 * takes a fraction of the work of reading the rows of each level, making objects of them, and wording these.
 */
export class Subtrees {
  readonly #statements = new WeakMap<SubtreePlan, StatementsByGrants>();
  /** The statements that have been made, with a number for each. */
  readonly #numbers = new Map<string, number>();
  readonly #fetches = new LRUCache<string, Fetch<Key, string | null>>({ max: MOST_FETCHES });

  /** @returns JSON for each parent, or null where it leads nowhere; undefined when there are too many statements. */
  read(plan: SubtreePlan, parents: readonly unknown[], run: LevelRun): Promise<readonly (string | null)[]> | undefined {
    const statement = this.#statementOf(plan, run);
    if (!statement) return undefined;
    const { by } = plan.rows;
    const keys = parents.map((parent) => keysOf(parent as Node, by));
    const asked = keys.flat().filter((key) => key !== null);
    const values = statement.parameters.map((find) => find(run));
    const fetch = this.#fetchOf(statement.sql, by, values);
    const { context } = run;
    const found = asked.length === 0 ? Promise.resolve([]) : readTogether(context, fetch, asked);
    return found.then((texts) => {
      for (const text of texts) context.responseSize?.addBytes(text?.length ?? 0);
      return plan.isListed ? listsOf(keys, texts) : besideNulls(keys, texts);
    });
  }

  #statementOf(plan: SubtreePlan, { context, shapes }: LevelRun): SubtreeStatement | null {
    const { grants } = context.caller;
    const byGrants = this.#statements.get(plan) ?? (new WeakMap() as StatementsByGrants);
    this.#statements.set(plan, byGrants);
    const known = byGrants.get(grants);
    if (known !== undefined) return known;
    const statement = this.#admit(wordSubtree(plan, context, shapes?.[plan.coordinate]));
    byGrants.set(grants, statement);
    return statement;
  }

  #admit(statement: SubtreeStatement): SubtreeStatement | null {
    const { size } = this.#numbers;
    if (this.#numbers.has(statement.sql)) return statement;
    if (size >= MOST_STATEMENTS) return null;
    this.#numbers.set(statement.sql, size);
    return statement;
  }

  /** The same function for the same statement with the same values: what hangs on nothing else may be shared. */
  #fetchOf(sql: string, by: RowsInSql['by'], values: readonly unknown[]): Fetch<Key, string | null> {
    const id = `${this.#numbers.get(sql)} ${JSON.stringify(values)}`;
    const known = this.#fetches.get(id);
    if (known) return known;
    const names = typeof by === 'string' ? undefined : Object.keys(by);
    const fetch = eachOnce<Key, string | null>(
      (db, keys) => fetchTexts(db, sql, keys.length, [...columnsOf(keys, names), ...values]),
      (key) => (names ? names.map((name) => (key as Node)[name]).join(' ') : key),
    );
    this.#fetches.set(id, fetch);
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

/** One list for each parent, of the texts of its ids. */
function listsOf(keys: readonly Keys[], texts: readonly (string | null)[]): (string | null)[] {
  let next = 0;
  return keys.map((ids) => {
    if (!Array.isArray(ids)) return null;
    const from = next;
    next += ids.length;
    return `[${texts.slice(from, next).join(',')}]`;
  });
}

async function fetchTexts(db: Database, sql: string, count: number, values: unknown[]): Promise<(string | null)[]> {
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(sql, values) as CompiledQuery<{ place: number; json: string }>,
  );
  const texts = Array.from<string | null>({ length: count }).fill(null);
  for (const { place, json } of rows) texts[place - 1] = json;
  return texts;
}
