import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ImportError, runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { FIXTURE, fixtureWith, folderOf } from './folders.ts';
import { GOOD_SOURCES, type GoodSource, type GoodSourceName } from './good-sources.ts';

// Names and identifiers that no index holds, or that show a text otherwise than it is, through every importer of texts.

const database = useDatabase();

/** Letters that no compression shortens. */
const letters = (length: number) =>
  Array.from({ length: Math.ceil(length / 64) }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'))
    .join('')
    .slice(0, length);

/** A name in the file of each source whose names are stored as they are, and an identifier in the files of those that have some. */
const TEXTS: Partial<Record<GoodSourceName, { readonly name: string; readonly id?: string }>> = {
  'districts-geojson': { name: 'Addison', id: '50001' },
  'districts-topojson': { name: 'Canaan', id: '5000911800' },
  'ocd-division-ids': { name: 'Essex County', id: 'county:essex' },
  'congress-legislators': { name: 'Dogwood', id: 'D000004' },
  'openstates-people': { name: 'Ada Ács', id: 'ocd-person/1' },
  medsl: { name: 'ADA B LOVELACE' },
  openelections: { name: 'Grace Hopper' },
  'ranked-vote': { name: 'Grace Hopper' },
  rctab: { name: 'Jackson, Mary' },
  vip: { name: 'Cy Cedar', id: 'can3' },
  'civics-cdf': { name: 'Cy Cedar', id: 'can3' },
};

const NAMES = `select name as line from persons union all select name from districts union all select name from offices`;

/** Returns what an import of a file with another text says, and the names that are stored then. */
async function importWith(source: GoodSourceName, from: string, to: string) {
  const good: GoodSource = GOOD_SOURCES[source];
  const content = String(good.content).replaceAll(from, to);
  expect(content).not.toBe(good.content);
  return inOneTransaction(database.db, true, async (db) => {
    const said = await runImport(db, good.source, [folderOf({ [good.file]: content })], good.options ?? {}).then(
      ({ report }) => report.map(({ record, reason }) => `${record}: ${reason}`).join('\n'),
      (error: unknown) => {
        if (!(error instanceof ImportError)) throw error;
        return `refused: ${error.message}`;
      },
    );
    return { said, names: said.startsWith('refused') ? [] : await lines(db, NAMES) };
  });
}

describe.each(Object.entries(TEXTS))('%s', (key, { name }) => {
  const source = key as GoodSourceName;

  test.each([5_000, 200_000])('a name of %d characters is not stored, and the import says so', async (length) => {
    const { said, names } = await importWith(source, name, letters(length));
    expect(said).toMatch(/is longer than|: the map is incomplete|is not placed/);
    expect(names.filter((each) => each.length > 1_000)).toEqual([]);
  });

  test('a name that turns the text around is stored without the characters that do, and the import says so', async () => {
    const { said, names } = await importWith(source, name, `\u202e${name}\u202c`);
    expect(said).toContain('name: invisible or control characters are removed: "');
    expect(said).toContain('\\u202e');
    expect(names.some((each) => /\p{Cc}|[\u202a-\u202e]/u.test(each))).toBe(false);
    expect(names.length).toBeGreaterThan(0);
  });
});

test.each(Object.entries(TEXTS).flatMap(([source, { id }]) => (id ? [[source as GoodSourceName, id] as const] : [])))(
  '%s: an identifier of 200,000 characters ends the import with a message that says which',
  async (source, id) => {
    const { said } = await importWith(source, id, id + letters(200_000));
    expect(said).toMatch(/^refused: [^\n]{1,200}…"? is longer than 100000 characters$/);
  },
);

test.each<[what: string, name: string]>([
  ['turns the text around', '\u202eDee Example'],
  ['commands a terminal', 'Dee \u001b[2JExample'],
  ['is longer than an index holds', letters(5_000)],
])('a name of the exchange format that %s is refused with its line', async (_, name) => {
  const persons = readFileSync(join(FIXTURE, 'persons.csv'), 'utf8');
  const folder = fixtureWith({ 'persons.csv': persons.replace('Dee Example', name) });
  await expect(loadFolder(database.db, folder)).rejects.toThrow(
    /persons\.csv:5: name: .*(contains an invisible or control character|is longer than 2500 bytes)/,
  );
});
