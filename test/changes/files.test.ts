import { readdir } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { setPackage } from '../../src/gateway/access/access.store.ts';
import { useFolder } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';

interface Files {
  readonly files: readonly {
    readonly url: string;
    readonly name: string;
    readonly from: string;
    readonly to: string;
  }[];
  readonly next: string;
}

describe('GET /data/changes/files', () => {
  const database = useDatabase();
  const folder = useFolder();
  const environment = {
    get FILES_DIR() {
      return folder.path;
    },
  };
  const service = useApp(database, environment);
  const run = (statement: string) => sql.raw(statement).execute(database.db);
  const votes = (count: number) => run(`update candidates set votes_for_cand = ${count}`);

  const ask = (url: string, packageName = 'full') =>
    service.app.inject({ url, headers: { 'x-api-key': service.key(packageName) } });
  const list = async (after: string, packageName?: string): Promise<Files> => {
    const response = await ask(`/data/changes/files?after=${after}`, packageName);
    expect(response.statusCode, response.body).toBe(200);
    return response.json().data;
  };
  async function linesOf(url: string): Promise<Record<string, unknown>[]> {
    const { pathname, search } = new URL(url, 'http://localhost');
    const headers = { 'accept-encoding': 'gzip' };
    const response = await service.app.inject({ url: pathname + search, headers });
    expect(response.headers).toMatchObject({ 'content-type': 'application/gzip' });
    expect(response.headers).not.toHaveProperty('content-encoding');
    const text = gunzipSync(response.rawPayload).toString();
    expect(text.endsWith('}\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
  async function pagesAfter(after: string, packageName: string) {
    const changes: unknown[] = [];
    for (let next = after; ; ) {
      const { data } = (await ask(`/data/changes?first=100&after=${next}`, packageName)).json();
      changes.push(...data.changes);
      next = data.next;
      if (data.up_to_date) return { changes, next };
    }
  }
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  beforeAll(async () => {
    await createElectionWorld(database.db);
    await votes(1);
    await run(`insert into persons (name) select 'Person ' || n from generate_series(1, 20500) as n`);
    await votes(2);
    await run(`update persons set name = 'New ' || name where id % 50 = 0`);
    await votes(3);
  });

  it.each(['full', 'no-results'])(
    'has what the pages have, but the newest change, with the package %s',
    async (name) => {
      const { files, next } = await list('start', name);
      expect(files.map(({ from }) => from)).toEqual(['start', ...files.slice(0, -1).map(({ to }) => to)]);
      expect(files.at(-1)?.to).toBe(next);
      const lines = (await Promise.all(files.map(({ url }) => linesOf(url)))).map((own, index) => {
        expect(own.at(-1)?.cursor).toBe(files[index]?.to);
        return own;
      });
      expect(lines.map((own) => own.length)).toEqual([10_000, 10_000, expect.any(Number)]);
      const rest = await pagesAfter(next, name);
      expect(rest.changes).toHaveLength(1);
      const all = await pagesAfter('start', name);
      expect([...lines.flat().map(({ cursor: _, ...change }) => change), ...rest.changes]).toEqual(all.changes);
      // A copy may continue after any line.
      const { cursor } = lines[1]?.[7] ?? {};
      const { data } = (await ask(`/data/changes?first=1&after=${cursor}`, name)).json();
      expect(data.changes).toEqual([{ ...lines[1]?.[8], cursor: undefined }]);
      expect(await list(rest.next, name)).toEqual({ files: [], next: rest.next });
    },
    120_000,
  );

  it('makes a file once for concurrent requests and for later ones, though the data change', async () => {
    const keysOf = ({ files }: Files) => files.map(({ url }) => url.replace(/\?.*/, ''));
    const { next } = await list('start');
    const before = new Set(await readdir(folder.path));
    await run(`update persons set url = 'https://a.example' where id % 2 = 0`);
    const found = await Promise.all(Array.from({ length: 10 }, () => list(next)));
    expect(new Set(found.flatMap(keysOf)).size).toBe(2);
    expect(new Set(found.flatMap(({ files }) => files.map(({ url }) => url))).size).toBe(20);
    await votes(4);
    const [later, fromStart] = [await list(next), await list('start')];
    expect(keysOf(later)[0]).toBe(keysOf(found[0] as Files)[0]);
    expect(keysOf(fromStart).slice(0, 2)).toEqual(keysOf(await list('start')).slice(0, 2));
    const made = (await readdir(folder.path)).filter((name) => !before.has(name) && !name.startsWith('.'));
    // Two after the first change; after the next one the last of them, and from the start the third, which is full now, and its followers.
    expect(made).toHaveLength(2 + 1 + (fromStart.files.length - 2));
    expect(fromStart.files.length).toBeLessThan(6);
  }, 120_000);

  it('tells nothing of changes that the package does not include', async () => {
    const names = async () => (await list('start', 'no-results')).files.map(({ name }) => name);
    const before = await names();
    await votes(5);
    await votes(6);
    expect(await names()).toEqual(before);
    for (const name of before) expect(name).toMatch(/^changes_(start|[\da-f]{24})-[\da-f]{24}\.ndjson\.gz$/);
  });

  it('rejects what is no cursor, and packages without bulk download', async () => {
    await sleep(600);
    const { next } = (await ask('/data/changes')).json().data;
    for (const after of ['f'.repeat(72), '%27', 'x'.repeat(100)]) {
      const { statusCode, body } = await ask(`/data/changes/files?after=${after}`);
      expect([statusCode, JSON.parse(body)]).toEqual([
        410,
        expect.objectContaining({ success: false, download: '/data/changes?after=start', next }),
      ]);
    }
    for (const [query, message] of [
      ['', 'After must be supplied.'],
      ['?after=', 'After must be supplied.'],
      ['?after=%20', 'After must be supplied.'],
      ['?after=start&after=start', 'after must be given once: send one request for each value.'],
      [`?after=${'x'.repeat(101)}`, 'after must be start, or a cursor.'],
      ['?after[]=start', 'after must be given once, without brackets.'],
    ]) {
      const { statusCode, body } = await ask(`/data/changes/files${query}`);
      expect([query, statusCode, JSON.parse(body).message]).toEqual([query, 400, message]);
    }
    await setPackage(database.db, {
      name: 'lookup',
      grants: ['districts', 'officeholders', 'election_dates', 'elections'],
    });
    await sleep(100);
    const { statusCode, body } = await ask('/data/changes/files?after=start', 'lookup');
    expect([statusCode, JSON.parse(body).message]).toEqual([403, expect.stringContaining('bulk download')]);
  });
});
