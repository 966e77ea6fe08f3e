import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { containsText } from '../../src/database/sql.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

async function find(part: string): Promise<string[]> {
  const rows = sql`(values ('Addison County'), ('ÉCOLE'), ('a_b%c')) names(name)`;
  const found = await sql<{ name: string }>`select name from ${rows} where ${containsText('name', part)}`.execute(
    database.db,
  );
  return found.rows.map(({ name }) => name);
}

it('finds a substring in any letter case, and treats no character as a wildcard', async () => {
  expect(await find('ADDI')).toEqual(['Addison County']);
  expect(await find('école')).toEqual(['ÉCOLE']);
  expect(await find('b%')).toEqual(['a_b%c']);
  expect(await find('%')).toEqual(['a_b%c']);
  expect(await find('x')).toEqual([]);
});

it('converts the substring to lower case once per statement, not for each row', async () => {
  // A prepared statement gets a generic plan, in which the substring is a parameter, not a constant.
  const explained = await sql<Record<string, string>>`
    explain (verbose, costs off) select * from districts where ${containsText('name', 'x'.repeat(100))}`.execute(
    database.db,
  );
  const plan = explained.rows.map((row) => Object.values(row)[0]).join('\n');
  expect(plan).toMatch(/InitPlan/);
  expect(/Filter: .*/.exec(plan)?.[0]).not.toMatch(/lower\((\$\d|')/);
});
