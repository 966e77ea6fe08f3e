import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { up } from '../../db/migrations/0013-web-addresses.ts';
import { TABLES } from '../../src/importers/exchange/format.ts';
import { runImport } from '../../src/importers/import.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { folderOf } from './folders.ts';

const database = useDatabase();

const HOSTILE = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/1',
];
const USERS = [
  'https://example.org@evil.example/',
  'http://user:secret@example.org',
  'https://:secret@example.org/1.jpg',
];
const NO_ADDRESSES = [
  ...[...HOSTILE, ...USERS],
  ...['www.example.org', '//example.org', 'http:example.org', 'https://', 'ftp://x.org'],
];

const problemOf = (files: Record<string, string>) =>
  loadFolder(database.db, folderOf(files)).then(
    () => 'was loaded',
    (error: Error) => error.message,
  );

test('every URL column is checked', () => {
  const columns = TABLES.flatMap(({ name, columns }) =>
    columns.filter((column) => column.name.endsWith('url')).map(({ type }) => `${name}: ${type}`),
  );
  expect(columns.length).toBeGreaterThanOrEqual(7);
  expect(columns.filter((column) => !column.endsWith(': url'))).toEqual(['persons: image']);
});

test.each(NO_ADDRESSES)('%j is not accepted as a URL of a dataset', async (url) => {
  const message = await problemOf({ 'persons.csv': `id,name,url\n1,Ada,https://ada.example\n2,Bo,"${url}"\n` });
  expect(message).toContain('persons.csv:3: url: ');
  expect(message).toContain('is not an address that begins with http:// or https://');
});

const NO_PICTURES = [...NO_ADDRESSES, 'http://example.org/1.jpg', `https://example.org/${'1'.repeat(2_000)}.jpg`];

test.each(NO_PICTURES)('%.60j is not accepted as the address of a picture', async (url) => {
  const message = await problemOf({
    'persons.csv': `id,name,image_url\n1,Ada,https://ada.example/1.jpg\n2,Bo,"${url}"\n`,
  });
  expect(message).toContain('persons.csv:3: image_url: ');
  expect(message).toContain('is not an address that begins with https://');
});

describe('a contact', () => {
  const load = (type: string, contact: string, collection = 'contact') =>
    problemOf({
      'persons.csv': 'id,name\n1,Ada\n',
      'contacts.csv': `person_id,collection,contact_type,contact\n1,${collection},${type},"${contact}"\n`,
    });

  test.each(HOSTILE.flatMap((text) => ['Website', 'Phone', 'Email'].map((type) => [text, type] as const)))(
    'is not %j as a %s',
    async (contact, type) => {
      expect(await load(type, contact)).toMatch(
        /contacts\.csv:2: contact: .* is an address with another scheme than http/,
      );
      expect(await load(type, contact, 'social')).toContain('contacts.csv:2: contact: ');
    },
  );

  test.each(USERS)('that is a link is not %j', async (contact) => {
    expect(await load('Website', contact)).toContain('http, https or mailto, or with a user');
    expect(await load('Twitter', contact, 'social')).toContain('contacts.csv:2: contact: ');
  });

  test.each([
    ['Phone', '202-555-0101'],
    ['Phone', 'Office: 202-555-0101'],
    ['Phone', 'tel:+12025550101'],
    ['Email', 'ada@example.org'],
    ['Website', 'mailto:ada@example.org'],
    ['Website', 'www.example.org'],
    ['Website', 'example.org:8080'],
    ['Website', 'https://social.example/@ada'],
    ['Website', 'HTTPS://Example.org/'],
    ['Address', 'Suite 2\n1 Main Street'],
  ])('of the type %s can be %j', async (type, contact) => {
    expect(await load(type, contact)).toBe('was loaded');
  });
});

const PICTURE = 'https://example.org/people/ada able.jpg?size=2';

test.each([...NO_PICTURES.map((image) => [image, null] as const), [PICTURE, PICTURE] as const])(
  'an import drops invalid addresses and keeps their record, with the picture %.60j',
  async (image, stored) => {
    const person = `id: ocd-person/9
image: ${JSON.stringify(image)}
name: Ada Able
links:
  - url: javascript:alert(1)
email: ada@example.org
roles:
  - {type: upper, jurisdiction: 'ocd-jurisdiction/country:us/state:vt/government', district: Addison, start_date: '2023-01-04'}
`;
    const divisions = `id,name\nocd-division/country:us/state:vt/sldu:addison,Addison\nocd-division/country:us/state:vt,Vermont\n`;
    const folder = folderOf({ 'ada.yml': person, 'divisions.csv': divisions });
    await runImport(database.db, 'ocd-division-ids', [join(folder, 'divisions.csv')]);
    await sql`truncate persons cascade`.execute(database.db);
    const { report } = await runImport(database.db, 'openstates-people', [join(folder, 'ada.yml')], {
      asOf: '2026-01-01',
    });
    const reasons = report.map(({ reason }) => reason).filter((reason) => reason.includes('image_url'));
    expect(reasons).toEqual(stored === null ? [expect.stringContaining('is not a web address')] : []);
    const { rows: pictures } = await sql`select image_url from persons`.execute(database.db);
    expect(pictures).toEqual([{ image_url: stored }]);
    const { rows } = await sql<{ text: string }>`
    select coalesce(p.url, '') || coalesce((select string_agg(contact, ' ') from contacts), '') as text
    from persons as p where name = 'Ada Able'`.execute(database.db);
    expect(rows.length).toBe(1);
    expect(rows[0]?.text).not.toContain('javascript');
  },
);

test('the migration removes values that an earlier version accepted', async () => {
  await sql`insert into persons (id, name, url) values (801, 'A', 'javascript:alert(1)'), (802, 'B', 'https://b.example')`.execute(
    database.db,
  );
  await sql`insert into contacts (person_id, collection, contact_type, contact) values
    (801, 'contact', 'Website', ${' java\tscript:alert(1)'}), (802, 'contact', 'Phone', '202-555-0101')`.execute(
    database.db,
  );
  await up(database.db as never);
  const { rows } = await sql`select id, url from persons where id in (801, 802) order by id`.execute(database.db);
  expect(rows).toEqual([
    { id: 801, url: null },
    { id: 802, url: 'https://b.example' },
  ]);
  const contacts = await sql`select contact from contacts where person_id in (801, 802)`.execute(database.db);
  expect(contacts.rows).toEqual([{ contact: '202-555-0101' }]);
});
