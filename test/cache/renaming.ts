import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { WORLD } from '../support/world.ts';

/** A change of the data that answers show. */
export const rename = (db: Database, name: string) =>
  db.updateTable('districts').set({ name }).where('id', '=', WORLD.alpha).execute();

/** As no change can be made in real life: so that what is kept is told from what is made anew. */
export const renameUnnoticed = (db: Database, name: string) =>
  db.transaction().execute(async (transaction) => {
    await sql`alter table districts disable trigger note_data_change`.execute(transaction);
    await rename(transaction, name);
    await sql`alter table districts enable trigger note_data_change`.execute(transaction);
  });
