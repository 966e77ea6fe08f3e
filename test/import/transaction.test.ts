import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test.each([
  ['a lost connection', Object.assign(new Error('terminating connection'), { code: '57P01' }), /Nothing was changed/],
  ['any other error', new Error('a row is not valid'), /^a row is not valid$/],
])(
  '%s before the commit changes nothing, and the message says so if the connection is at fault',
  async (_, error, message) => {
    const load = inOneTransaction(database.db, false, async (transaction) => {
      await sql`insert into parties (name) values ('Left')`.execute(transaction);
      throw error;
    });
    await expect(load).rejects.toThrow(message);
    const left = database.db.selectFrom('parties').select('name').where('name', '=', 'Left');
    expect(await left.execute()).toEqual([]);
  },
);
