import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import type { Database } from '../../src/store/database.ts';
import type { DB } from '../../src/store/tables.ts';
import type { TestStore } from './store.ts';

export interface RecordedDatabase {
  readonly db: Database;
  /** The statements since the last call, in the order in which they ended, with white space folded. */
  take(): string[];
}

/** The name in a statement's comment, or the first table of one that has none. */
export function nameOf(statement: string): string {
  return /\/\* (\S+) \*\//.exec(statement)?.[1] ?? /from "(\w+)"/.exec(statement)?.[1] ?? statement;
}

/** The store, with every statement that it is asked to run written down. */
export function recordStatements(store: TestStore): RecordedDatabase {
  let statements: string[] = [];
  const log = (event: LogEvent) => {
    if (event.level === 'query') statements.push(event.query.sql.replace(/\s+/g, ' ').trim());
  };
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: store.pool }), log });
  return {
    db,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}
