import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../store/sql/database.ts';
import { isStandby, typed } from '../../store/sql/functions.ts';
import { changedRows, rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import {
  API_KEY,
  type ApiKeyRow,
  isAccepted,
  isNamed,
  type KeyDetails,
  keyId,
  keyIdOf,
  noSuchKey,
} from './access.store.ts';
import { inTransaction } from './access-changes.store.ts';
import { digestOf, generateApiKey, prefixOf } from './api-key.ts';

/**
 * Changes what is recorded about an active key; omitted details stay as they are. A key that has expired is accepted
 * again if it gets a later expiry.
 * @returns the changed rows; empty when there is no such active key.
 */
export async function changeApiKey(db: Database, prefixOrId: string, details: KeyDetails): Promise<ApiKeyRow[]> {
  const { owner, label, expiresAt } = details;
  const statement = query
    .updateTable('api_keys as k')
    .from('packages as p')
    .set({
      ...(owner !== undefined && { owner }),
      ...(label !== undefined && { label }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    })
    .whereRef('p.id', '=', 'k.package_id')
    .where('k.active', '=', true)
    .where(isNamed(prefixOrId))
    .returning(API_KEY);
  return rowsOf(db, 'keyChanges.changeApiKey', statement);
}

export interface Rotation {
  /** The new secret, which cannot be shown again. */
  readonly key: string;
  readonly old: ApiKeyRow;
}

export interface RotationOptions {
  /** Until when the old secret is accepted, if its own expiry is not earlier. */
  readonly validUntil: Date;
  /** When the new secret expires; null for never; like the old one if omitted. */
  readonly expiresAt?: Date | null | undefined;
}

/**
 * Creates a new secret for a key: with its package, owner, label and expiry, and counted as the same key.
 * @throws ServiceError NOT_FOUND when no such key is accepted; INVALID_PARAMETER when it has been rotated already, or the
 * prefix is that of several keys.
 */
export async function rotateApiKey(
  db: Database,
  prefixOrId: string,
  { validUntil, expiresAt }: RotationOptions,
): Promise<Rotation> {
  const key = generateApiKey();
  return inTransaction(db, async (transaction) => {
    const found = query
      .selectFrom('api_keys as k')
      .innerJoin('packages as p', 'p.id', 'k.package_id')
      .select(API_KEY)
      .where(isNamed(prefixOrId))
      .where(isAccepted)
      .forUpdate('k');
    const [old, ...others] = await rowsOf(transaction, 'keyChanges.lockApiKey', found);
    if (!old) throw noSuchKey();
    if (others.length > 0) throw new ServiceError('INVALID_PARAMETER', 'Several keys have this prefix: use the id.');
    await rejectRotated(transaction, old);
    await changedRows(transaction, 'keyChanges.rotateApiKey', newSecretOf(old, key, expiresAt));
    const limited = query
      .updateTable('api_keys as k')
      .set(({ fn, ref }) => ({
        expires_at: fn<Date>('least', [ref('k.expires_at'), typed('timestamptz', validUntil.toISOString())]),
      }))
      .where('k.id', '=', old.id);
    await changedRows(transaction, 'keyChanges.limitOldSecret', limited);
    return { key, old };
  });
}

function newSecretOf(old: ApiKeyRow, key: string, expiresAt = old.expiresAt) {
  return query
    .insertInto('api_keys')
    .columns(['prefix', 'sha256', 'rotation_of', 'package_id', 'owner', 'label', 'expires_at'])
    .expression(({ selectFrom }) =>
      selectFrom('api_keys as k')
        .select([typed('text', prefixOf(key)).as('prefix'), typed('bytea', digestOf(key)).as('sha256')])
        .select(typed('int', keyIdOf(old)).as('rotation_of'))
        .select(['k.package_id', 'k.owner', 'k.label'])
        .select(typed('timestamptz', expiresAt?.toISOString() ?? null).as('expires_at'))
        .where('k.id', '=', old.id),
    );
}

/** Rejects the rotation of a secret that a newer one replaces: the key would have three. */
async function rejectRotated(db: Database, old: ApiKeyRow): Promise<void> {
  const newer = query
    .selectFrom('api_keys as k')
    .select('k.prefix')
    .where('k.rotation_of', '=', keyIdOf(old))
    .where('k.id', '>', old.id)
    .where(isAccepted);
  const [replacement] = await rowsOf(db, 'keyChanges.newerSecrets', newer);
  if (!replacement) return;
  throw new ServiceError(
    'INVALID_PARAMETER',
    `This key was rotated already: rotate bg_${replacement.prefix}, or revoke it first.`,
  );
}

/** Returns the accepted secrets of the keys that given secrets belong to. */
export async function acceptedSecretsOf(db: Database, secrets: readonly ApiKeyRow[]): Promise<ApiKeyRow[]> {
  const keyIds = secrets.map(keyIdOf);
  if (keyIds.length === 0) return [];
  const found = query
    .selectFrom('api_keys as k')
    .innerJoin('packages as p', 'p.id', 'k.package_id')
    .select(API_KEY)
    .where(keyId, 'in', keyIds)
    .where(isAccepted)
    .orderBy('k.id');
  return rowsOf(db, 'keyChanges.acceptedSecrets', found);
}

/**
 * Records the hour in which secrets were last used, where no later one is recorded.
 * @param hour the time at which the hour began.
 */
export async function recordUse(db: Database, secretIds: readonly number[], hour: Date): Promise<void> {
  const statement = query
    .updateTable('api_keys as k')
    .set({ last_used_at: hour })
    .where('k.id', 'in', secretIds)
    .where(({ or, eb }) => or([eb('k.last_used_at', 'is', null), eb('k.last_used_at', '<', hour)]));
  await changedRows(db, 'keyChanges.recordUse', statement);
}

/** Returns whether the database is a standby. */
export async function isOnStandby(db: Database): Promise<boolean> {
  const [row] = await rowsOf(db, 'keyChanges.isStandby', query.selectNoFrom(isStandby.as('isStandby')));
  return row?.isStandby ?? false;
}
