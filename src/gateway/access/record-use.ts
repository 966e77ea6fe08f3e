import type { DatabaseBackend } from '../../store/backend.ts';
import { openDatabase, openPool } from '../../store/sql/database.ts';
import { isOnStandby, recordUse } from './key-changes.store.ts';
import type { RecordUse } from './key-use.ts';

const LIMIT_MS = 5_000;

/**
 * Returns the function that records the last use of keys in the database. A standby cannot be written: a gateway that
 * reads one records the use on the primary over a connection that it opens for that, and nothing without its address.
 */
export function recordUseIn({ db }: Pick<DatabaseBackend, 'db'>, primaryUrl: string | undefined): RecordUse {
  return async (secretIds, hour) => {
    if (primaryUrl === undefined) {
      if (!(await isOnStandby(db))) await recordUse(db, secretIds, hour);
      return;
    }
    const at = { connectionString: primaryUrl };
    const primary = openDatabase(openPool({ at, size: 1, statementTimeoutMs: LIMIT_MS, waitMs: LIMIT_MS }));
    try {
      await recordUse(primary, secretIds, hour);
    } finally {
      await primary.destroy();
    }
  };
}
