import type { Database } from '../database/database.ts';
import { anyIn, anyOf, arrayOf, asText, transactionTime, typed } from '../database/functions.ts';
import { changedRows, fixedQuery, rowsOf } from '../database/named-query.ts';
import type { ParameterOf } from '../database/parameter.ts';
import { query } from '../database/query-builder.ts';
import type { AccessGrant } from '../database/tables.ts';
import { ServiceError } from '../errors.ts';
import { digestOf, generateApiKey, prefixOf } from './api-key.ts';
import type { Caller, RateLimits } from './caller.ts';

/** The columns of an API key `k` of a package `p`. */
const API_KEY = [
  'k.id',
  'k.prefix',
  'p.name as packageName',
  'k.active',
  'k.created_at as createdAt',
  'k.revoked_at as revokedAt',
] as const;

export type ApiKeyRow = Awaited<ReturnType<typeof listApiKeys>>[number];

interface CallerRow extends RateLimits {
  readonly digest: Buffer;
  readonly keyId: number;
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

const findRows = fixedQuery('access.findCallers', (parameter: ParameterOf<readonly Buffer[]>) =>
  query
    .selectFrom('api_keys as k')
    .innerJoin('packages as p', 'p.id', 'k.package_id')
    .select(['k.sha256 as digest', 'k.id as keyId', 'p.name as packageName', ...RATE_LIMITS])
    .select(({ ref }) => arrayOf<AccessGrant>(grantsOfPackages.where('g.package_id', '=', ref('p.id'))).as('grants'))
    .where('k.sha256', '=', anyIn(parameter('bytea[]', (digests) => digests)))
    .where('k.active', '=', true),
);

/** Returns the callers for the digests of API keys, in input order; undefined where no active key matches. */
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

function callerOf({ digest: _, keyId, packageName, grants, ...rateLimits }: CallerRow): Caller {
  return { keyId, packageName, grants: new Set(grants), rateLimits };
}

/**
 * Creates an API key for a package. Only its digest is stored, so the key cannot be shown again.
 * @param key a predefined key; a new random key by default.
 * @throws ServiceError NOT_FOUND when there is no such package.
 */
export async function createApiKey(db: Database, packageName: string, key: string = generateApiKey()): Promise<string> {
  const statement = query
    .insertInto('api_keys')
    .columns(['prefix', 'sha256', 'package_id'])
    .expression(({ selectFrom }) =>
      selectFrom('packages as p')
        .select([typed('text', prefixOf(key)).as('prefix'), typed('bytea', digestOf(key)).as('sha256'), 'p.id'])
        .where('p.name', '=', packageName),
    );
  if ((await changedRows(db, 'access.createApiKey', statement)) === 0) throw await unknownPackage(db, packageName);
  return key;
}

/** Returns all keys, including revoked ones, oldest first; only the keys of one package if it is given. */
export async function listApiKeys(db: Database, packageName?: string) {
  const all = query
    .selectFrom('api_keys as k')
    .innerJoin('packages as p', 'p.id', 'k.package_id')
    .select(API_KEY)
    .orderBy('k.id');
  return rowsOf(db, 'access.listApiKeys', packageName === undefined ? all : all.where('p.name', '=', packageName));
}

/**
 * Revokes an active key; gateways stop accepting it within 5 seconds.
 * @param prefixOrId the prefix shown in the list (with or without `bg_`), the id, or the whole key.
 * @returns the revoked rows; empty when there is no such active key.
 */
export async function revokeApiKey(db: Database, prefixOrId: string): Promise<ApiKeyRow[]> {
  const isId = /^\d{1,9}$/.test(prefixOrId);
  const statement = query
    .updateTable('api_keys as k')
    .from('packages as p')
    .set({ active: false, revoked_at: transactionTime })
    .whereRef('p.id', '=', 'k.package_id')
    .where('k.active', '=', true)
    .where(({ eb, or }) =>
      or([eb('k.prefix', '=', prefixOf(prefixOrId)), ...(isId ? [eb('k.id', '=', Number(prefixOrId))] : [])]),
    )
    .returning(API_KEY);
  return rowsOf(db, 'access.revokeApiKey', statement);
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

/** Returns whether a key exists and is not revoked. */
export async function isActiveKey(db: Database, key: string): Promise<boolean> {
  return (await findCaller(db, digestOf(key))) !== undefined;
}

/** Returns the key with this id; undefined when there is none or it was revoked. */
export async function findActiveKey(db: Database, id: number): Promise<{ readonly id: number } | undefined> {
  const found = query.selectFrom('api_keys as k').select('k.id').where('k.id', '=', id).where('k.active', '=', true);
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

/**
 * Creates or updates a package: its grants become exactly the given ones. Gateways apply the change within 5 seconds.
 * @param description unchanged if omitted.
 */
export async function setPackage(
  db: Database,
  { name, grants, description }: Omit<PackageRow, 'description'> & { readonly description?: string },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
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
