import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { digestOf, prefixOf } from './api-key.ts';
import { DEMO_KEY } from './demo-key.ts';

const digest = digestOf(DEMO_KEY);

/** Returns whether a database has never held anything: no district and no API key, not even a revoked one. */
export async function isUntouched(db: Database): Promise<boolean> {
  const found = await sql<{ untouched: boolean }>`
    /* demoKey.isUntouched */
    select not exists (select from districts) and not exists (select from api_keys) as untouched`.execute(db);
  return found.rows[0]?.untouched ?? false;
}

/** Inserts the inactive demo key, which marks that the import of the sample has started. */
export async function reserveDemoKey(db: Database): Promise<void> {
  await sql`
    /* demoKey.reserve */
    insert into api_keys (prefix, sha256, package_id, active)
    select ${prefixOf(DEMO_KEY)}, ${digest}, id, false from packages where name = 'full'`.execute(db);
}

/** Returns whether the demo key is reserved: the sample must then be imported (again) before the key is activated. */
export async function isDemoKeyReserved(db: Database): Promise<boolean> {
  const found = await sql<{ reserved: boolean }>`
    /* demoKey.isReserved */
    select exists (select from api_keys where sha256 = ${digest} and not active and revoked_at is null) as reserved
  `.execute(db);
  return found.rows[0]?.reserved ?? false;
}

export async function activateDemoKey(db: Database): Promise<void> {
  await sql`/* demoKey.activate */ update api_keys set active = true where sha256 = ${digest}`.execute(db);
}
