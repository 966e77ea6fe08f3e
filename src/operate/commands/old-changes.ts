import type { Config } from '../../base/config/config.ts';
import { inOneTransaction } from '../../importers/load/transaction.ts';
import type { Database } from '../../store/sql/database.ts';
import { compactChanges, dropDeletions } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';

/** The changes of one transaction: it takes about a second, also among millions of them. */
const AT_ONCE = 50_000;

/**
 * Removes what the feed of changes keeps no longer: older changes of records that changed again, and older deletions if they are not kept
 * for ever. Readers and their cursors are not disturbed by the former.
 * @throws LoadInProgressError if another command changes the data; it does the same at its end.
 */
export async function removeOldChanges(
  db: Database,
  { changesKeptDays, deletionsKeptDays }: Config['feed'],
  atOnce = AT_ONCE,
): Promise<void> {
  const steps = [compactChanges(changesKeptDays, atOnce)];
  if (deletionsKeptDays !== undefined) steps.push(dropDeletions(deletionsKeptDays, atOnce));
  for (const step of steps) {
    const statement = query.selectNoFrom(step.as('isLeft'));
    for (let isLeft = true; isLeft; ) {
      isLeft = await inOneTransaction(db, false, async (transaction) => {
        const [row] = await rowsOf(transaction, 'changes.removeOld', statement);
        return row?.isLeft ?? false;
      });
    }
  }
}
