import type { ExpressionBuilder } from 'kysely';
import { ServiceError } from '../../base/errors.ts';
import type { Caller, RateLimits } from '../../graph/builder/caller.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyIn, anyOf, arrayOf, asText, transactionTime, typed } from '../../store/sql/functions.ts';
import { changedRows, fixedQuery, rowsOf } from '../../store/sql/named-query.ts';
import type { ParameterOf } from '../../store/sql/parameter.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { AccessGrant, DB } from '../../store/sql/tables.ts';
import { inTransaction } from './access-changes.store.ts';
import { digestOf, generateApiKey, prefixOf } from './api-key.ts';

/** The columns of an API key `k` of a package `p`. */
export const API_KEY = [
  'k.id',
  'k.prefix',
  'p.name as packageName',
  'k.owner',
  'k.label',
  'k.active',
  'k.created_at as createdAt',
  'k.expires_at as expiresAt',
  'k.last_used_at as lastUsedAt',
  'k.revoked_at as revokedAt',
  'k.rotation_of as rotationOf',
] as const;

export type ApiKeyRow = Awaited<ReturnType<typeof listApiKeys>>[number];

interface CallerRow extends RateLimits {
  readonly digest: Buffer;
  readonly id: number;
  readonly prefix: string;
  readonly rotationOf: number | null;
  readonly packageName: string;
  readonly grants: readonly AccessGrant[];
}

/** The limits of a package `p`, named like the members of `RateLimits`. */
export const RATE_LIMITS = [
  'p.rate_per_second as perSecond',
  'p.rate_burst as burst',
  'p.rate_per_day as perDay',
] as const;

/** The grants of packages. They are read as texts: the driver does not know the array of the enum. */
const grantsOfPackages = query
  .selectFrom('package_grants as g')
  .select(({ ref }) => asText(ref('g.access_grant')).as('grant'));

/** The condition under which an API key `k` is accepted: it was not revoked and has not expired. */
export const isAccepted = ({ and, or, eb }: ExpressionBuilder<DB & { k: DB['api_keys'] }, 'k'>) =>
  and([eb('k.active', '=', true), or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', transactionTime)])]);

/** Returns the id of the key that a secret belongs to, which is that of its first secret. */
export function keyIdOf({ id, rotationOf }: Pick<ApiKeyRow, 'id' | 'rotationOf'>): number {
  return rotationOf ?? id;
}

/** The same id of a secret `k` in SQL. */
export const keyId = ({ fn }: ExpressionBuilder<DB & { k: DB['api_keys'] }, 'k'>) =>
  fn.coalesce('k.rotation_of', 'k.id');

const findRows = fixedQuery('access.findCallers', (parameter: ParameterOf<readonly Buffer[]>) =>
  query
    .selectFrom('api_keys as k')
    .innerJoin('packages as p', 'p.id', 'k.package_id')
    .select(['k.sha256 as digest', 'k.id', 'k.prefix', 'k.rotation_of as rotationOf', 'p.name as packageName'])
    .select(RATE_LIMITS)
    .select(({ ref }) => arrayOf<AccessGrant>(grantsOfPackages.where('g.package_id', '=', ref('p.id'))).as('grants'))
    .where('k.sha256', '=', anyIn(parameter('bytea[]', (digests) => digests)))
    .where(isAccepted),
);

/** Returns the callers for the digests of API keys, in input order; undefined where no accepted key matches. */
export async function findCallers(db: Database, digests: readonly Buffer[]): Promise<(Caller | undefined)[]> {
  const found = await findRows(db, digests);
  return digests.map((digest) => {
    const row = found.find((each) => each.digest.equals(digest));
    return row && callerOf(row);
  });
}

/** Returns the caller for the digest of an active API key; undefined when there is none. */
export async function findCaller(db: Database, digest: Buffer): Promise<Caller | undefined> {
  const [caller] = await findCallers(db, [digest]);
  return caller;
}

function callerOf({ digest: _, id, prefix, rotationOf, packageName, grants, ...rateLimits }: CallerRow): Caller {
  const grantSet = new Set(grants);
  return { keyId: keyIdOf({ id, rotationOf }), secret: { id, prefix }, packageName, grants: grantSet, rateLimits };
}

/** What an operator records about a key. */
export interface KeyDetails {
  /** The person or organisation that uses the key. */
  readonly owner?: string | null | undefined;
  /** What the key is for. */
  readonly label?: string | null | undefined;
  /** When the key stops being accepted; null for never. */
  readonly expiresAt?: Date | null | undefined;
}

/**
 * Creates an API key for a package. Only its digest is stored, so the key cannot be shown again.
 * @param options `key`: a predefined key; a new random key by default.
 * @throws ServiceError NOT_FOUND when there is no such package.
 */
export async function createApiKey(
  db: Database,
  packageName: string,
  { key = generateApiKey(), owner = null, label = null, expiresAt = null }: KeyDetails & { readonly key?: string } = {},
): Promise<string> {
  const statement = query
    .insertInto('api_keys')
    .columns(['prefix', 'sha256', 'package_id', 'owner', 'label', 'expires_at'])
    .expression(({ selectFrom }) =>
      selectFrom('packages as p')
        .select([typed('text', prefixOf(key)).as('prefix'), typed('bytea', digestOf(key)).as('sha256'), 'p.id'])
        .select([typed('text', owner).as('owner'), typed('text', label).as('label')])
        .select(typed('timestamptz', expiresAt?.toISOString() ?? null).as('expires_at'))
        .where('p.name', '=', packageName),
    );
  if ((await changedRows(db, 'access.createApiKey', statement)) === 0) throw await unknownPackage(db, packageName);
  return key;
}

/** Returns all keys, including revoked and expired ones, oldest first; only those of one package if it is given. */
export async function listApiKeys(db: Database, packageName?: string) {
  const all = query
    .selectFrom('api_keys as k')
    .innerJoin('packages as p', 'p.id', 'k.package_id')
    .select(API_KEY)
    .orderBy('k.id');
  return rowsOf(db, 'access.listApiKeys', packageName === undefined ? all : all.where('p.name', '=', packageName));
}

/** Returns the condition that an API key `k` is the one that an operator names: by prefix, id, or the whole key. */
export const isNamed =
  (prefixOrId: string) =>
  ({ eb, or }: ExpressionBuilder<DB & { k: DB['api_keys'] }, 'k'>) =>
    or([
      eb('k.prefix', '=', prefixOf(prefixOrId)),
      ...(/^\d{1,9}$/.test(prefixOrId) ? [eb('k.id', '=', Number(prefixOrId))] : []),
    ]);

/**
 * Revokes an active key; gateways stop accepting it within 5 seconds.
 * @param prefixOrId the prefix shown in the list (with or without `bg_`), the id, or the whole key.
 * @returns the revoked rows; empty when there is no such active key.
 */
export async function revokeApiKey(db: Database, prefixOrId: string): Promise<ApiKeyRow[]> {
  const statement = query
    .updateTable('api_keys as k')
    .from('packages as p')
    .set({ active: false, revoked_at: transactionTime })
    .whereRef('p.id', '=', 'k.package_id')
    .where('k.active', '=', true)
    .where(isNamed(prefixOrId))
    .returning(API_KEY);
  return rowsOf(db, 'access.revokeApiKey', statement);
}

/** Returns the error for a prefix or id that no active key has. */
export function noSuchKey(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no active key with this prefix or id.');
}

/** Returns the error for a package that does not exist; the message lists the existing packages. */
export async function unknownPackage(db: Database, name: string): Promise<ServiceError> {
  const found = query.selectFrom('packages as p').select('p.name').orderBy('p.name');
  const names = (await rowsOf(db, 'access.packageNames', found)).map((row) => row.name).join(', ');
  return new ServiceError('NOT_FOUND', `There is no package "${name}". The packages are: ${names}.`);
}

/** Returns the allowed browser origins. */
export async function listOrigins(db: Database): Promise<string[]> {
  const found = query.selectFrom('allowed_origins as o').select('o.origin').orderBy('o.origin');
  return (await rowsOf(db, 'access.listOrigins', found)).map((row) => row.origin);
}

/** Returns whether a key exists and is accepted. */
export async function isActiveKey(db: Database, key: string): Promise<boolean> {
  return (await findCaller(db, digestOf(key))) !== undefined;
}

/** Returns the key with this id, the `keyId` of its callers; undefined when none of its secrets is accepted. */
export async function findActiveKey(db: Database, id: number): Promise<{ readonly id: number } | undefined> {
  const found = query.selectFrom('api_keys as k').select('k.id').where(keyId, '=', id).where(isAccepted).limit(1);
  const [row] = await rowsOf(db, 'access.findActiveKey', found);
  return row;
}

export interface PackageRow {
  readonly name: string;
  readonly description: string;
  readonly grants: readonly AccessGrant[];
}

export async function listPackages(db: Database): Promise<PackageRow[]> {
  const found = query
    .selectFrom('packages as p')
    .select(({ ref }) => [
      'p.name',
      'p.description',
      arrayOf<AccessGrant>(grantsOfPackages.where('g.package_id', '=', ref('p.id')).orderBy('grant')).as('grants'),
    ])
    .orderBy('p.name');
  return rowsOf(db, 'access.listPackages', found);
}

/** Returns the grants and the limits of a package; undefined if there is none of this name. */
export async function findPackage(
  db: Database,
  packageName: string,
): Promise<Pick<Caller, 'grants' | 'rateLimits'> | undefined> {
  const found = query
    .selectFrom('packages as p')
    .select(RATE_LIMITS)
    .select(({ ref }) => arrayOf<AccessGrant>(grantsOfPackages.where('g.package_id', '=', ref('p.id'))).as('grants'))
    .where('p.name', '=', packageName);
  const [row] = await rowsOf(db, 'access.findPackage', found);
  if (!row) return undefined;
  const { grants, ...rateLimits } = row;
  return { grants: new Set(grants), rateLimits };
}

/**
 * Creates or updates a package: its grants become exactly the given ones. Gateways apply the change within 5 seconds.
 * @param description unchanged if omitted.
 */
export async function setPackage(
  db: Database,
  { name, grants, description }: Omit<PackageRow, 'description'> & { readonly description?: string },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const written = query
      .insertInto('packages')
      .values({ name, description: description ?? '' })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({ description: description ?? ref('packages.description') })),
      )
      .returning('packages.id');
    const [set] = await rowsOf(transaction, 'access.setPackage', written);
    if (!set) throw new Error(`The package "${name}" was not written`);
    const withdrawn = query
      .deleteFrom('package_grants as g')
      .where('g.package_id', '=', set.id)
      .where(({ not, eb }) => not(eb('g.access_grant', '=', anyOf('access_grant', grants))));
    await changedRows(transaction, 'access.removeGrants', withdrawn);
    if (grants.length === 0) return;
    const added = query
      .insertInto('package_grants')
      .values(grants.map((access_grant) => ({ package_id: set.id, access_grant })))
      .onConflict((conflict) => conflict.doNothing());
    await changedRows(transaction, 'access.addGrants', added);
  });
}

/**
 * Allows an origin.
 * @returns whether it was not allowed before.
 */
export async function addOrigin(db: Database, origin: string): Promise<boolean> {
  const statement = query
    .insertInto('allowed_origins')
    .values({ origin })
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(db, 'access.addOrigin', statement)) === 1;
}

/**
 * Removes an origin from the allow-list.
 * @returns whether it was allowed before.
 */
export async function removeOrigin(db: Database, origin: string): Promise<boolean> {
  const statement = query.deleteFrom('allowed_origins as o').where('o.origin', '=', origin);
  return (await changedRows(db, 'access.removeOrigin', statement)) === 1;
}
