import type pg from 'pg';
import { type Database, openDatabase } from '../../src/store/sql/database.ts';
import type { TestDatabase } from './database.ts';
import { watchPool } from './watched-pool.ts';

export interface RecordedDatabase {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** Returns the statements since the last call, in the order in which they completed, with whitespace collapsed. */
  take(): string[];
}

/** Returns the name in a statement's comment, or the first table of a statement without one. */
export function nameOf(statement: string): string {
  return (
    /\/\* (\S+)(?: \(custom plan\))? \*\//.exec(statement)?.[1] ?? /from "(\w+)"/.exec(statement)?.[1] ?? statement
  );
}

const TRANSACTIONS = new Set(['begin', 'commit', 'rollback']);

/** Returns the database with a recorder of every statement that its handle, and requests on its pool, execute. */
export function recordStatements(database: TestDatabase): RecordedDatabase {
  let statements: string[] = [];
  const pool = watchPool(database.pool, {
    onSuccess: (text) => {
      if (!TRANSACTIONS.has(text)) statements.push(text.replace(/\s+/g, ' ').trim());
    },
  });
  return {
    db: openDatabase(pool),
    pool,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}
