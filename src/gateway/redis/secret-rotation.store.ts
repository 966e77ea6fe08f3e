import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../store/sql/database.ts';
import { randomSecret } from '../../store/sql/functions.ts';
import { changedRows, rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';

/** What is known about the rotation of the secret of a database; never the secret itself. */
export interface SecretState {
  /** The time of the last rotation; null if there was none. */
  readonly rotatedAt: Date | null;
  /** Whether what was issued under the secret before is still accepted. */
  readonly isOverlapping: boolean;
}

/** Returns when the secret was rotated, and whether the one before is accepted. */
export async function readSecretState(db: Database): Promise<SecretState> {
  const found = query
    .selectFrom('shared_secret as s')
    .select('s.rotated_at as rotatedAt')
    .select(({ eb }) => eb('s.previous_secret', 'is not', null).as('isOverlapping'));
  const [row] = await rowsOf(db, 'secretRotation.state', found);
  if (!row) throw new Error('The database has no row in shared_secret');
  return { rotatedAt: row.rotatedAt, isOverlapping: Boolean(row.isOverlapping) };
}

/**
 * Replaces the secret by a new one. What was issued under the one before is accepted until `endOverlap`.
 * @throws ServiceError INVALID_PARAMETER if the overlap of the last rotation has not ended: a third secret would cut it
 * short.
 */
export async function rotateSecret(db: Database): Promise<void> {
  const statement = query
    .updateTable('shared_secret as s')
    .set(({ ref, fn }) => ({
      previous_secret: ref('s.secret'),
      secret: randomSecret,
      rotated_at: fn<Date>('clock_timestamp'),
    }))
    .where('s.previous_secret', 'is', null);
  if ((await changedRows(db, 'secretRotation.rotate', statement)) > 0) return;
  throw new ServiceError(
    'INVALID_PARAMETER',
    'The overlap of the last rotation has not ended. End it first: npm run secret -- end-overlap',
  );
}

/**
 * Ends the overlap: what was issued under the secret before the last rotation is no longer accepted.
 * @returns whether there was an overlap.
 */
export async function endOverlap(db: Database): Promise<boolean> {
  const statement = query
    .updateTable('shared_secret as s')
    .set({ previous_secret: null })
    .where('s.previous_secret', 'is not', null);
  return (await changedRows(db, 'secretRotation.endOverlap', statement)) > 0;
}
