import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AccessGrant } from '../database/tables.ts';
import { ServiceError } from '../errors.ts';
import { digestOf, generateApiKey, prefixOf } from './api-key.ts';
import type { Caller, RateLimits } from './caller.ts';

export interface ApiKeyRow {
  readonly id: number;
  readonly prefix: string;
  readonly packageName: string;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

interface CallerRow extends RateLimits {
  readonly digest: Buffer;
  readonly keyId: number;
  readonly packageName: string;
  readonly grants: readonly AccessGrant[];
}

/** SQL columns with the limits of package `p`, named like the members of `RateLimits`. */
export const rateLimitColumns = sql`
  p.rate_per_second as "perSecond", p.rate_burst as "burst", p.rate_per_day as "perDay"`;

/** Returns the callers for the digests of API keys, in input order; undefined where no active key matches. */
export async function findCallers(db: Database, digests: readonly Buffer[]): Promise<(Caller | undefined)[]> {
  const found = await sql<CallerRow>`
    /* access.findCallers */
    select k.sha256 as digest, k.id as "keyId", p.name as "packageName", ${rateLimitColumns},
      array(select access_grant::text from package_grants where package_id = p.id) as grants
    from api_keys k join packages p on p.id = k.package_id
    where k.sha256 = any(${digests}) and k.active`.execute(db);
  return digests.map((digest) => {
    const row = found.rows.find((each) => each.digest.equals(digest));
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
  const created = await sql`
    /* access.createApiKey */
    insert into api_keys (prefix, sha256, package_id)
    select ${prefixOf(key)}, ${digestOf(key)}, id from packages where name = ${packageName}
    returning id`.execute(db);
  if (created.rows.length === 0) throw await unknownPackage(db, packageName);
  return key;
}

/** Returns all keys, including revoked ones, oldest first; only the keys of one package if it is given. */
export async function listApiKeys(db: Database, packageName?: string): Promise<ApiKeyRow[]> {
  const found = await sql<ApiKeyRow>`
    /* access.listApiKeys */
    select k.id, k.prefix, p.name as "packageName", k.active, k.created_at as "createdAt", k.revoked_at as "revokedAt"
    from api_keys k join packages p on p.id = k.package_id
    where ${packageName ?? null}::text is null or p.name = ${packageName ?? null}
    order by k.id`.execute(db);
  return found.rows;
}

/**
 * Revokes an active key; gateways stop accepting it within 5 seconds.
 * @param prefixOrId the prefix shown in the list (with or without `bg_`), the id, or the whole key.
 * @returns the revoked rows; empty when there is no such active key.
 */
export async function revokeApiKey(db: Database, prefixOrId: string): Promise<ApiKeyRow[]> {
  const id = /^\d{1,9}$/.test(prefixOrId) ? Number(prefixOrId) : null;
  const revoked = await sql<ApiKeyRow>`
    /* access.revokeApiKey */
    update api_keys k set active = false, revoked_at = now()
    from packages p
    where p.id = k.package_id and k.active and (k.prefix = ${prefixOf(prefixOrId)} or k.id = ${id})
    returning k.id, k.prefix, p.name as "packageName", k.active, k.created_at as "createdAt",
      k.revoked_at as "revokedAt"`.execute(db);
  return revoked.rows;
}

/** Returns the error for a package that does not exist; the message lists the existing packages. */
export async function unknownPackage(db: Database, name: string): Promise<ServiceError> {
  const found = await sql<{ name: string }>`/* access.packageNames */ select name from packages order by name`.execute(
    db,
  );
  const names = found.rows.map((row) => row.name).join(', ');
  return new ServiceError('NOT_FOUND', `There is no package "${name}". The packages are: ${names}.`);
}

/** Returns the allowed browser origins. */
export async function listOrigins(db: Database): Promise<string[]> {
  const found = await sql<{ origin: string }>`
    /* access.listOrigins */ select origin from allowed_origins order by origin`.execute(db);
  return found.rows.map((row) => row.origin);
}

/** Returns whether a key exists and is not revoked. */
export async function isActiveKey(db: Database, key: string): Promise<boolean> {
  return (await findCaller(db, digestOf(key))) !== undefined;
}

/** Returns the key with this id; undefined when there is none or it was revoked. */
export async function findActiveKey(db: Database, id: number): Promise<{ readonly id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    /* access.findActiveKey */ select id from api_keys where id = ${id} and active`.execute(db);
  return rows[0];
}

export interface PackageRow {
  readonly name: string;
  readonly description: string;
  readonly grants: readonly AccessGrant[];
}

export async function listPackages(db: Database): Promise<PackageRow[]> {
  const found = await sql<PackageRow>`
    /* access.listPackages */
    select name, description,
      array(select access_grant::text from package_grants where package_id = id order by access_grant) as grants
    from packages order by name`.execute(db);
  return found.rows;
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
    const set = await sql<{ id: number }>`
      /* access.setPackage */
      insert into packages (name, description) values (${name}, ${description ?? ''})
      on conflict (name) do update set description = coalesce(${description ?? null}, packages.description)
      returning id`.execute(transaction);
    const id = set.rows[0]?.id;
    await sql`
      /* access.removeGrants */
      delete from package_grants where package_id = ${id} and access_grant <> all (${grants}::access_grant[])`.execute(
      transaction,
    );
    await sql`
      /* access.addGrants */
      insert into package_grants (package_id, access_grant) select ${id}, unnest(${grants}::access_grant[])
      on conflict do nothing`.execute(transaction);
  });
}

/**
 * Allows an origin.
 * @returns whether it was not allowed before.
 */
export async function addOrigin(db: Database, origin: string): Promise<boolean> {
  const added = await sql`
    /* access.addOrigin */
    insert into allowed_origins (origin) values (${origin}) on conflict do nothing`.execute(db);
  return added.numAffectedRows === 1n;
}

/**
 * Removes an origin from the allow-list.
 * @returns whether it was allowed before.
 */
export async function removeOrigin(db: Database, origin: string): Promise<boolean> {
  const removed = await sql`
    /* access.removeOrigin */ delete from allowed_origins where origin = ${origin}`.execute(db);
  return removed.numAffectedRows === 1n;
}
