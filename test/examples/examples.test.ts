import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JSDOM } from 'jsdom';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings, Start } from '../../examples/example.ts';
import persisted from '../../examples/relay/persisted/documents.json' with { type: 'json' };
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { createWorld, POINTS, WORLD } from '../support/world.ts';

// Runs the pages of examples/ in a simulated browser against a started gateway.

const ROOT = join(import.meta.dirname, '../..');
const OLD_DAY = '2020-07-01';
const OLD_MAP = 'Congressional District 1, map of 2013-01-03';
const NEW_MAP = 'Congressional District 1, map of 2023-01-03';

const database = useDatabase();
const service = useApp(database, { PERSISTED_DIR: join(ROOT, 'examples/relay/persisted') });

knowDocuments(Object.values(persisted));

let settings: Settings;
/** The bodies of the requests of the current test. */
let sent: { query?: string; documentId?: string; extensions?: unknown }[] = [];

beforeAll(async () => {
  await createWorld(database.db);
  const url = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  settings = { url, apiKey: service.key('full'), ...POINTS.southWest, days: ['2026-07-01', OLD_DAY] };
  const { window } = new JSDOM('<main></main>', { url: 'http://localhost/' });
  for (const [name, value] of Object.entries({ window, document: window.document })) vi.stubGlobal(name, value);
  vi.stubGlobal('Event', window.Event);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    const parameters = Object.fromEntries(new URL(input).searchParams);
    sent.push(init?.body ? JSON.parse(String(init.body)) : parameters);
    return fetch(input, init);
  });
});
afterAll(() => vi.unstubAllGlobals());

const PAGES: Readonly<Record<string, string>> = {
  fetch: '../../examples/fetch/page.ts',
  'Apollo Client': '../../examples/apollo/page.tsx',
  urql: '../../examples/urql/page.tsx',
  Relay: '../../examples/relay/page.tsx',
};

describe.each(Object.entries(PAGES))('the page with %s', (name, path) => {
  let start: Start;
  beforeAll(async () => {
    ({ start } = await import(path));
  });
  let main: HTMLElement;
  let stop: () => void;
  const open = (changes: Partial<Settings> = {}) => {
    stop = start(main, { ...settings, ...changes });
  };
  beforeEach(() => {
    sent = [];
    main = document.querySelector('main') as HTMLElement;
  });
  afterEach(() => stop());

  const texts = (selector: string) => [...main.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const click = (selector: string, text?: string) => {
    const found = [...main.querySelectorAll<HTMLElement>(selector)].find((each) => !text || each.textContent === text);
    if (!found) throw new Error(`${selector} ${text ?? ''} is not shown: ${main.innerHTML}`);
    found.click();
  };
  const choose = (day: string) => {
    const select = main.querySelector('select') as HTMLSelectElement;
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(select), 'value') ?? {};
    set?.call(select, day);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const shows = (selector: string, text: string) => vi.waitFor(() => expect(texts(selector)).toContain(text), 5_000);

  it('shows the map of each day, whichever way led to the district', async () => {
    open();
    await shows('#districts button', NEW_MAP);
    choose(OLD_DAY);
    await shows('#districts button', OLD_MAP);
    click('#districts button', OLD_MAP);
    await shows('#district', 'Congressional District 1 has the map of 2023-01-03 today');
    expect(texts('#districts button')).toContain(OLD_MAP);
    expect(texts('#districts button')).not.toContain(NEW_MAP);
    choose('2026-07-01');
    await shows('#districts button', NEW_MAP);
    expect(texts('#districts button')).not.toContain(OLD_MAP);
  });

  it('pages through a list while an import adds rows: none is missing or repeated', async () => {
    open();
    await vi.waitFor(() => expect(texts('#offices li')).toHaveLength(2));
    await sql`insert into offices (id, district_id, name, level, branch) values
      (1, ${WORLD.alpha}, 'Aardvark Inspector', 'Federal', 'Executive'), (2, ${WORLD.alpha}, 'Zoo Keeper', 'Local', 'Executive')`.execute(
      database.db,
    );
    try {
      for (let shown = 2; main.querySelector('#more:not([hidden])'); shown = texts('#offices li').length) {
        click('#more');
        await vi.waitFor(() => expect(texts('#offices li').length).toBeGreaterThan(shown));
      }
      const { rows } = await sql<{ name: string }>`select name from offices order by name`.execute(database.db);
      // The row that was added before the first page's end is not shown, the one after it is.
      const expected = rows.map((row) => row.name).filter((each) => each !== 'Aardvark Inspector');
      expect(texts('#offices li').toSorted()).toEqual(expected);
    } finally {
      await sql`delete from offices where id in (1, 2)`.execute(database.db);
    }
  });

  it('shows the message about a wrong key', async () => {
    open({ apiKey: 'wrong' });
    await vi.waitFor(() => expect(texts('[role=alert]').join()).toContain('An active API key must be sent'));
  });

  if (name !== 'fetch') {
    it('sends the hash of a document instead of the document', async () => {
      open();
      await shows('#districts button', NEW_MAP);
      sent = [];
      choose(OLD_DAY);
      await shows('#districts button', OLD_MAP);
      expect(sent).toHaveLength(1);
      const [request] = sent;
      expect(request?.query).toBeUndefined();
      expect(request?.documentId ?? request?.extensions).toBeDefined();
    });
  }

  if (name === 'Relay') {
    it('refetches an object by its id', async () => {
      open();
      await shows('#districts button', NEW_MAP);
      click('#districts button', NEW_MAP);
      await shows('#district', 'Congressional District 1 has the map of 2023-01-03 today');
      sent = [];
      click('#refetch');
      await vi.waitFor(() => expect(sent).toHaveLength(1));
      await shows('#district', 'Congressional District 1 has the map of 2023-01-03 today');
    });
  }
});

it('the files that relay-compiler writes are current, and it has no warning about the schema', async () => {
  const compiler = join(ROOT, 'node_modules/relay-compiler/cli.js');
  const options = { cwd: join(ROOT, 'examples/relay') };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [compiler, '--validate'], options);
  expect(`${stdout}${stderr}`).toContain('Done');
  expect(`${stdout}${stderr}`).not.toMatch(/WARN|ERROR/);
});
