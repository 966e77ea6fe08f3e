import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import { WORLD } from '../support/world.ts';

/** A change of the data that is visible in responses. */
export const rename = (db: Database, name: string) =>
  db.updateTable('districts').set({ name }).where('id', '=', WORLD.alpha).execute();

/** Changes data without a new data version, unlike real changes, to distinguish cached from new responses. */
export const renameUnnoticed = (db: Database, name: string) =>
  db.transaction().execute(async (transaction) => {
    await sql`alter table districts disable trigger note_data_change`.execute(transaction);
    await rename(transaction, name);
    await sql`alter table districts enable trigger note_data_change`.execute(transaction);
  });
