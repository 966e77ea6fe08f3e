import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import type { DB } from '../../src/database/tables.ts';
import type { TestDatabase } from './database.ts';

export interface RecordedDatabase {
  readonly db: Database;
  /** Returns the statements since the last call, in the order in which they completed, with whitespace collapsed. */
  take(): string[];
}

/** Returns the name in a statement's comment, or the first table of a statement without one. */
export function nameOf(statement: string): string {
  return (
    /\/\* (\S+)(?: \(custom plan\))? \*\//.exec(statement)?.[1] ?? /from "(\w+)"/.exec(statement)?.[1] ?? statement
  );
}

/** Returns the database with a recorder of every statement that it executes. */
export function recordStatements(database: TestDatabase): RecordedDatabase {
  let statements: string[] = [];
  const log = (event: LogEvent) => {
    if (event.level === 'query') statements.push(event.query.sql.replace(/\s+/g, ' ').trim());
  };
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: database.pool }), log });
  return {
    db,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}
