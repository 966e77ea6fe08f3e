import { type Kysely, sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { up } from '../../db/migrations/0034-limits-of-preset-packages.ts';
import { setPackage } from '../../src/gateway/access/access.store.ts';
import { rateLimitsByPackage, setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { useDatabase } from '../support/database.ts';
import { liftRateLimits } from '../support/unlimited.ts';

const database = useDatabase();
const PRESETS = ['full', 'no-results', 'lookup'];
const GENEROUS = { perSecond: 100, burst: 1_000, perDay: null };
const NONE = { perSecond: null, burst: null, perDay: null };
const limits = async () => Object.fromEntries(await rateLimitsByPackage(database.db));

// Tests send more requests than a key may, so their databases have no limits (test/support/unlimited.ts).
beforeEach(() => liftRateLimits(database.db));

it('limits the preset packages of a database', async () => {
  await setPackage(database.db, { name: 'mine', grants: ['districts'] });
  await up(database.db as unknown as Kysely<unknown>);
  expect(await limits()).toEqual({ ...Object.fromEntries(PRESETS.map((name) => [name, GENEROUS])), mine: NONE });
});

it('leaves a package that an operator changed as it is', async () => {
  await setRateLimits(database.db, 'lookup', { perDay: 5 });
  await setPackage(database.db, { name: 'no-results', grants: ['districts'] });
  await sql`update packages set description = 'Ours' where name = 'full'`.execute(database.db);
  await up(database.db as unknown as Kysely<unknown>);
  expect(await limits()).toMatchObject({ lookup: { ...NONE, perDay: 5 }, 'no-results': NONE, full: NONE });
});
