import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ImportError, runImport } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { folderOf } from './folders.ts';
import { HOSTILE_FEEDS } from './hostile-feeds.ts';

/** What is right for each input: the races and measures that are stored, and what the import says. */
interface Right {
  readonly stored: readonly string[];
  readonly said: readonly string[];
}
const RIGHT = parse(readFileSync(join(import.meta.dirname, 'hostile-feeds.yaml'), 'utf8')) as Record<string, Right>;

const STORED = `
  select concat_ws(', ', o.name, nullif(r.type, 'Regular'), nullif(r.stage_type, 'General'), r.stage_party, r.office_position) || ': ' ||
    coalesce((select string_agg(concat_ws(' ', p.name, c.votes_for_cand, c.cand_status,
      case when c.is_write_in then '(write-in)' end, case when c.withdrew_still_on_ballot then '(withdrew)' end), '; ' order by p.name)
      from candidates as c join persons as p on p.id = c.person_id where c.race_id = r.id), 'no candidate') as line
  from races as r join offices as o on o.id = r.office_id
  union all select concat_ws(' ', 'measure', name, yes_votes_total, no_votes_total, status) from ballot_measures`;

const database = useDatabase();

test('each input has a right answer', () => {
  expect(Object.keys(RIGHT).sort()).toEqual(Object.keys(HOSTILE_FEEDS).sort());
});

test.each(Object.entries(HOSTILE_FEEDS))('%s', async (name, { source, editions, options }) => {
  const found = await inOneTransaction(database.db, true, async (db) => {
    const said: string[] = [];
    for (const files of editions) {
      const told = await runImport(db, source, [folderOf(files)], options).then(
        ({ report }) => report.map(({ reason }) => reason),
        (error: unknown) => {
          expect(error).toBeInstanceOf(ImportError);
          return [`refused: ${(error as Error).message}`];
        },
      );
      said.push(...told.filter((reason) => !reason.includes(' skipped: ') || reason.startsWith('refused')));
    }
    return { stored: await lines(db, STORED), said: [...new Set(said)].sort() };
  });
  expect(found).toEqual(RIGHT[name]);
});
