import { sql } from 'kysely';
import { inject } from 'vitest';
import { isUntouched } from '../../src/gateway/access/demo-key.store.ts';
import { loadSample } from '../../src/operate/start/sample.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { usedTables } from './database.ts';

/**
 * Loads the sample into the database of a test file, which must be empty. An embedded database is used by many files: the first one imports the
 * sample and saves the rows in the schema `sample`, and the others copy them, which takes a tenth of the time.
 */
export async function loadTestSample(db: Database): Promise<void> {
  if (inject('backend').kind === 'server') return loadSample(db);
  if (!(await isUntouched(db))) throw new Error('The database already contains rows, which copying would replace');
  const saved = await sql`select from pg_namespace where nspname = 'sample'`.execute(db);
  if (saved.rows.length === 0) {
    await loadSample(db);
    await saveRows(db);
  } else await copyRows(db);
}

async function saveRows(db: Database): Promise<void> {
  const tables = await usedTables(db);
  await db.transaction().execute(async (transaction) => {
    await sql`create schema sample`.execute(transaction);
    for (const table of tables)
      await sql`create table ${sql.table(`sample.${table}`)} as table ${sql.table(table)}`.execute(transaction);
    await sql`create table sample.sequences as select sequencename as name, last_value as value from pg_sequences
      where schemaname = 'public' and last_value is not null`.execute(transaction);
  });
}

async function copyRows(db: Database): Promise<void> {
  const columns = await sql<{ table: string; columns: string[] }>`
    select saved.relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class saved
    join pg_class used on used.relname = saved.relname and used.relnamespace = 'public'::regnamespace
    join pg_attribute on attrelid = used.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where saved.relnamespace = 'sample'::regnamespace group by 1`.execute(db);
  const seeded = await usedTables(db);
  await db.transaction().execute(async (transaction) => {
    // In any order: without triggers, foreign keys are not checked.
    await sql`set local session_replication_role = replica`.execute(transaction);
    for (const table of seeded) await sql`delete from ${sql.table(table)}`.execute(transaction);
    for (const { table, columns: names } of columns.rows) {
      const list = sql.join(names.map((name) => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${list}) overriding system value
        select ${list} from ${sql.table(`sample.${table}`)}`.execute(transaction);
    }
    await sql`select setval(format('public.%I', name)::regclass, value) from sample.sequences`.execute(transaction);
  });
  await sql`analyze ${sql.join(columns.rows.map(({ table }) => sql.table(table)))}`.execute(db);
}
