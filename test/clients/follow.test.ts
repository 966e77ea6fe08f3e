import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Batch, follow } from '../../clients/typescript/src/index.ts';
import { type Copy, openFolder, openTables } from '../../src/operate/commands/follow.ts';
import { differencesOf, dumpOf, type Records } from '../changes/copy/dump.ts';
import { askOver } from '../changes/copy/transports.ts';
import { createDraw } from '../drawn/random.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { ALL_GRANTS } from '../support/graph.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { addVoting } from '../support/voting-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const database = useDatabase();
const service = useApp(database);
const run = (statement: string) => sql.raw(statement).execute(database.db);
const votes = (count: number) => run(`update candidates set votes_for_cand = ${count}`);

/** The last number of votes; each test needs another one. */
let counted = 1_000;
let url: string;
let folder: string;
beforeAll(async () => {
  await createElectionWorld(database.db);
  await addVoting(database.db);
  url = await service.app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'follow-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Follows into a copy until nothing is new, or until so many batches are stored. */
async function advance(copy: Copy, { batches = 1_000, packageName = 'full' } = {}): Promise<Batch[]> {
  const stored: Batch[] = [];
  const stop = new AbortController();
  const options = { url: `${url}/graphql`, apiKey: service.key(packageName), from: copy.position, signal: stop.signal };
  const waiting = setTimeout(() => stop.abort(), 30_000);
  try {
    for await (const batch of follow(options)) {
      await copy.store(batch);
      stored.push(batch);
      if (stored.length >= batches || batch.isUpToDate) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(waiting);
    await copy.close();
  }
  return stored;
}

/** The records of the tables as the caller reads them. */
async function store(): Promise<Records> {
  const records = await dumpOf(database.db, askOver({ url, key: service.key('full') }), ALL_GRANTS);
  // Of the table of precincts, a copy knows only that it changed.
  for (const [id, { results: _, ...values }] of records) records.set(id, values);
  return records;
}

/** PostgreSQL keeps the members of an object in an order of its own. */
function sorted(records: Records): Records {
  const order = (_: string, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return new Map([...records].map(([id, values]) => [id, JSON.parse(JSON.stringify(values, order))]));
}

/** Says in which fields of the tables a copy differs. */
async function differences(copied: readonly { readonly id: string }[]): Promise<string[]> {
  const expected = await store();
  const names = (id: string) => Object.keys(expected.get(id) ?? {});
  const own = copied.map((record) => {
    const values = record as Record<string, unknown>;
    return [record.id, Object.fromEntries(names(record.id).map((name) => [name, values[name]]))] as const;
  });
  return differencesOf(sorted(new Map(own)), sorted(expected));
}

interface Store {
  open(): Promise<Copy>;
  records(): Promise<{ id: string }[]>;
}

const inFolder: Store = {
  open: () => openFolder(folder),
  async records() {
    const names = await readdir(join(folder, 'records'), { recursive: true });
    const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, 'records', name));
    return Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')).record));
  },
};

const target = () => database.environment.DATABASE_URL ?? '';
const inTables: Store = {
  open: () => openTables(target()),
  async records() {
    const client = new pg.Client({ connectionString: target() });
    await client.connect();
    const { rows } = await client.query('select record from ballotgraph_records order by id');
    await client.end();
    return rows.map(({ record }) => record);
  },
};

const isServer = inject('backend').kind === 'server';
const STORES: [string, Store][] = [
  ['in a folder', inFolder],
  ...(isServer ? [['in PostgreSQL', inTables] as [string, Store]] : []),
];
if (!isServer) it.skip(`a copy in PostgreSQL${ON_A_SERVER}`, () => undefined);

describe.each(STORES)('a copy %s', (_, { open, records }) => {
  it('equals the data, however often it is stopped, and after changes and deletions', async () => {
    const draw = createDraw(49);
    for (let isDone = false; !isDone; ) {
      const stored = await advance(await open(), { batches: draw.integer(1, 2) });
      isDone = stored.at(-1)?.isUpToDate ?? true;
    }
    expect(await differences(await records())).toEqual([]);
    const before = (await records()).length;
    expect(before).toBeGreaterThan(20);
    await votes(++counted);
    await run('delete from voting_places where id = (select min(id) from voting_places)');
    const [batch] = await advance(await open());
    expect(batch?.removed).toHaveLength(1);
    expect(batch?.changes.map(({ kind }) => kind)).toContain('UPDATED');
    expect(await differences(await records())).toEqual([]);
    expect(await records()).toHaveLength(before - 1);
  });

  it('begins again with a cursor that is gone, and at the end drops what the new pass did not tell', async () => {
    await votes(++counted);
    await advance(await open());
    const copy = await open();
    const record = { __typename: 'Party', id: 'of-old', name: 'A party that no feed tells' };
    const next = { cursor: 'f'.repeat(48), pass: 1, isCopying: false };
    const told = { changes: [], removed: [], isUpToDate: true, dropsEarlierPasses: false };
    await copy.store({ ...told, records: [record], next });
    await copy.close();
    await advance(await open(), { batches: 1 });
    expect(await records()).toContainEqual(record);
    const stored = await advance(await open());
    expect(stored.at(-1)).toMatchObject({ next: { pass: 2 }, dropsEarlierPasses: true });
    expect(await records()).not.toContainEqual(record);
    expect(await differences(await records())).toEqual([]);
  });
});

it('a copy in a folder that was killed within a batch tells it again', async () => {
  await advance(await openFolder(folder));
  const position = await readFile(join(folder, 'position.json'), 'utf8');
  await votes(++counted);
  await advance(await openFolder(folder));
  // As it is if the records are written, the last one in part, and the position is not.
  await writeFile(join(folder, 'position.json'), position);
  const [name] = (await readdir(join(folder, 'records'), { recursive: true })).filter((each) => each.endsWith('.json'));
  await writeFile(join(folder, 'records', `${name}.new`), '{"pass":1,"rec');
  const [batch] = await advance(await openFolder(folder));
  expect(batch?.changes.length).toBeGreaterThan(0);
  expect(await differences(await inFolder.records())).toEqual([]);
});

it('has null for what the package does not include', async () => {
  await advance(await openFolder(folder), { packageName: 'no-results' });
  const candidates = (await inFolder.records()).filter((record) => 'runningMate' in record);
  expect(candidates.length).toBeGreaterThan(0);
  for (const candidate of candidates) expect(candidate).toMatchObject({ votes: null, rankedChoiceRounds: null });
});

it('waits for a change, and goes on after answers that fail', async () => {
  const statuses = [503, 502];
  let isUp = false;
  const failing: typeof fetch = async (...request) => {
    const status = isUp ? statuses.shift() : undefined;
    if (status)
      return Response.json({ message: 'not now' }, { status, headers: status === 503 ? { 'retry-after': '0' } : {} });
    return fetch(...request);
  };
  const iterator = follow({ url: `${url}/graphql`, apiKey: service.key('full'), fetch: failing });
  for (;;) if ((await iterator.next()).value.isUpToDate) break;
  isUp = true;
  const next = iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 800));
  await votes(77);
  const { records } = (await next).value;
  expect(records[0]).toMatchObject({ __typename: 'Candidate', votes: 77 });
  expect(statuses).toEqual([]);
  await iterator.return(undefined as never);
});

describe('npm run follow', () => {
  /** Runs the command until it ends, or until it has written a text. */
  async function command(args: readonly string[], until?: string) {
    const child = spawn(process.execPath, ['src/launch.js', 'src/cli.ts', 'follow', ...args], { cwd: ROOT });
    let text = '';
    child.stderr.on('data', (part) => {
      text += part;
      if (until && text.includes(until)) child.kill('SIGKILL');
    });
    const [code] = await once(child, 'close');
    return { code, lines: text.trim().split('\n') };
  }

  it('keeps a copy', async () => {
    const { lines } = await command([url, '--key', service.key('full'), '--into', folder], 'up to date');
    expect(lines.at(-1)).toMatch(/^\d+ changes stored, up to date \(pass 1\)$/);
    expect(await differences(await inFolder.records())).toEqual([]);
  });

  it.each([
    ['key', () => [url, '--key', 'wrong', '--into', folder], /^error: http.*[Kk]ey/],
    [
      'address',
      () => ['http://127.0.0.1:65531', '--key', 'k', '--into', folder],
      /http:\/\/127\.0\.0\.1:65531: connect ECONNREFUSED/,
    ],
    ['text for an address', () => ['nowhere', '--key', 'k', '--into', folder], /nowhere/],
    ['folder', () => [url, '--key', 'k', '--into', join(ROOT, 'package.json')], /--into: ENOTDIR/],
    ['database', () => [url, '--key', 'k', '--into', 'postgres://nobody@127.0.0.1:1/x'], /--into.*ECONNREFUSED/],
  ])('ends with one line for a wrong %s', async (_, args, message) => {
    const { code, lines } = await command(args());
    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(1);
  });
});
