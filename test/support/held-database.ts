import type pg from 'pg';
import { type Database, openDatabase } from '../../src/store/sql/database.ts';
import { watchPool } from './watched-pool.ts';

/** A database whose statements wait for a hook before each of them gets a connection. */
export interface HeldDatabase {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** The number of statements since the last call of `holdAt`. */
  readonly statements: number;
  /** Runs work before the statement with a number, counted from 1, that begins from now on. */
  holdAt(statement: number, work: () => Promise<void>): void;
  /** Waits until no statement runs and none has begun for some turns of the event loop. */
  quiet(): Promise<void>;
}

const QUIET_TURNS = 20;

/** Wraps a pool: the hook runs before a connection is taken, so that it may use the only one of an embedded database. */
export function holdStatements(inner: pg.Pool): HeldDatabase {
  let statements = 0;
  let running = 0;
  let held: { readonly at: number; readonly work: () => Promise<void> } | undefined;
  const pool = watchPool(inner, {
    async beforeConnect() {
      statements++;
      running++;
      if (held?.at === statements) await held.work();
    },
    onRelease() {
      running--;
    },
  });

  return {
    db: openDatabase(pool),
    pool,
    get statements() {
      return statements;
    },
    holdAt(at, work) {
      statements = 0;
      held = { at, work };
    },
    async quiet() {
      for (let turns = 0, seen = statements; turns < QUIET_TURNS; turns++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (running > 0 || statements !== seen) [turns, seen] = [0, statements];
      }
    },
  };
}
