import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { toServiceError } from '../../src/base/errors.ts';
import { createExporter, type Exporter, type ExporterOptions } from '../../src/gateway/exports/exporter.ts';
import type { StoredFile } from '../../src/gateway/exports/file-store.ts';
import { LocalFiles } from '../../src/gateway/exports/local-files.ts';
import { useDatabase } from '../support/database.ts';
import { BACKEND, rawQuery, recordSource, sourceOf, useFolder } from './support.ts';

const database = useDatabase();
const folder = useFolder();
const KEYS = [{ id: 'KEY1', secret: 's'.repeat(32) }] as const;

let time: number;
let recorded: ReturnType<typeof recordSource>;
let logged: { level: string; line: object; text: string }[];
let files: LocalFiles;
let exporter: Exporter;

beforeEach(() => {
  time = Date.now();
  logged = [];
  recorded = recordSource(sourceOf(database));
  files = new LocalFiles(folder.path, async () => KEYS);
  exporter = open();
});

function open(options: Partial<ExporterOptions> = {}): Exporter {
  const writeLine = (level: string) => (line: unknown, text?: string) =>
    void logged.push({ level, line: line as object, text: text ?? String(line) });
  return createExporter({
    source: recorded.source,
    files,
    log: { info: writeLine('info'), warn: writeLine('warn') },
    reuseSeconds: 60,
    linkSeconds: 300,
    timeoutMs: 30_000,
    atOnce: 2,
    largestBytes: 100_000_000,
    now: () => time,
    ...options,
  });
}

const request = (abortSignal = new AbortController().signal, today = '2026-07-01', keyId = 1) => ({
  ...{ db: database.db, today, keyId, abortSignal },
});
const runs = () => recorded.sent.filter((statement) => statement.includes('exports.open')).length;
const textOf = (file: StoredFile) => readFile(join(folder.path, file.key, file.name), 'utf8');
const some = rawQuery('select g, md5(g::text) as text from generate_series(1, 20000) g', 'some');

describe('a file', () => {
  it('belongs to the data version of its rows, not to the one of the request, whose database may be ahead', async () => {
    const [NEWER, names] = [randomUUID(), rawQuery('select name from persons', 'names')];
    const ahead = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.map((row) => ({ ...row, ...('state' in row && { state: NEWER }) })),
      }),
    });
    await database.db.insertInto('persons').values({ id: 1, name: 'Old' }).execute();
    expect(await textOf(await exporter.fileOf(names, 'csv', { ...request(), db: ahead }))).toContain('Old');
    const old = await exporter.fileOf(names, 'csv', request());
    expect(runs(), 'it is the file of its own version').toBe(1);
    await database.db.updateTable('persons').set({ name: 'New' }).execute();
    await sql`update data_version set state = ${NEWER}`.execute(database.db);
    const made = await exporter.fileOf(names, 'csv', request());
    expect(made).not.toBe(old);
    expect(await textOf(made)).toContain('New');
    await database.db.deleteFrom('persons').execute();
  });

  it('is created once for a hundred concurrent callers', async () => {
    const made = await Promise.all(Array.from({ length: 100 }, () => exporter.fileOf(some, 'csv', request())));
    expect(runs()).toBe(1);
    expect(new Set(made).size).toBe(1);
    const links = await Promise.all(made.map((file) => files.link(file, 300, 'https://x', 1)));
    expect(new Set(links).size).toBe(100);
    expect((await textOf(made[0] as StoredFile)).split('\r\n')).toHaveLength(20_002);
    expect(logged).toEqual([
      {
        level: 'info',
        text: 'exported',
        line: expect.objectContaining({ query: 'some', format: 'csv', bytes: expect.any(Number) }),
      },
    ]);
  });

  it('is rejected as a temporary failure if the disk is full, logged, and created once there is space', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const write = files.write.bind(files);
    files.write = () => Promise.reject(full);
    await expect(exporter.fileOf(some, 'csv', request())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('not enough space'),
    });
    expect(logged).toEqual([
      {
        level: 'warn',
        text: expect.stringContaining('not enough space'),
        line: expect.objectContaining({ reason: 'ENOSPC' }),
      },
    ]);
    files.write = write;
    expect((await textOf(await exporter.fileOf(some, 'csv', request()))).split('\r\n')).toHaveLength(20_002);
  });

  it('is begun again if changes of the data end it on a standby, and rejected as a temporary failure if that goes on', async () => {
    const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    const write = files.write.bind(files);
    let conflicts = 2;
    files.write = async (file, blocks, signal) => {
      if (conflicts-- <= 0) return write(file, blocks, signal);
      // After a part of the rows.
      for await (const _ of blocks) break;
      throw conflict;
    };
    const whole = await exporter.fileOf(some, 'csv', request());
    expect((await textOf(whole)).split('\r\n')).toHaveLength(20_002);
    const { size } = await stat(join(folder.path, whole.key, whole.name));
    expect(logged).toEqual([
      expect.objectContaining({ level: 'info', line: expect.objectContaining({ bytes: size }) }),
    ]);
    conflicts = Number.POSITIVE_INFINITY;
    await expect(exporter.fileOf(some, 'json', request())).rejects.toBe(conflict);
    expect(toServiceError(conflict).code).toBe('STORE_UNAVAILABLE');
  });

  it('is created for each query, text of the query, format and day', async () => {
    const requested = [
      [some, 'csv', '2026-07-01'],
      [some, 'json', '2026-07-01'],
      [some, 'csv', '2026-07-02'],
      [rawQuery('select 1 as one', 'some'), 'csv', '2026-07-01'],
      [{ ...some, id: 'other' }, 'csv', '2026-07-01'],
    ] as const;
    const made = await Promise.all(
      requested.map(([query, format, day]) => exporter.fileOf(query, format, request(undefined, day))),
    );
    expect(runs()).toBe(5);
    expect(new Set(made.map((file) => file.key)).size).toBe(5);
    expect(made.map((file) => file.name)).toEqual([
      'some_2026-07-01.csv',
      'some_2026-07-01.json',
      'some_2026-07-02.csv',
      'some_2026-07-01.csv',
      'other_2026-07-01.csv',
    ]);
  });

  it('is reused until it expires', async () => {
    const first = await exporter.fileOf(some, 'csv', request());
    time += 59_000;
    expect(await exporter.fileOf(some, 'csv', request())).toBe(first);
    time += 2_000;
    expect(await exporter.fileOf(some, 'csv', request())).not.toBe(first);
    expect(runs()).toBe(2);
  });

  it('is reused until the data changes', async () => {
    const query = rawQuery('select count(*) as n from persons');
    expect(await textOf(await exporter.fileOf(query, 'csv', request()))).toBe('n\r\n0\r\n');
    await sql`insert into persons (name) values ('New')`.execute(database.db);
    expect(await textOf(await exporter.fileOf(query, 'csv', request()))).toBe('n\r\n1\r\n');
    expect(await textOf(await exporter.fileOf(query, 'csv', request()))).toBe('n\r\n1\r\n');
    expect(runs()).toBe(2);
  });

  it('is created again after it was deleted', async () => {
    const first = await exporter.fileOf(some, 'csv', request());
    await rm(join(folder.path, first.key), { recursive: true });
    const second = await exporter.fileOf(some, 'csv', request());
    expect(second.key).not.toBe(first.key);
    expect(await textOf(second)).toContain('g,text');
  });

  it('is rejected if it is too large, and leaves nothing', async () => {
    const before = await readdir(folder.path);
    const small = open({ largestBytes: 10_000 });
    await expect(small.fileOf(some, 'csv', request())).rejects.toMatchObject({ code: 'EXPORT_TOO_LARGE', status: 422 });
    expect((await readdir(folder.path)).filter((name) => !name.startsWith('.'))).toEqual(
      before.filter((name) => !name.startsWith('.')),
    );
  });
});

describe('a query that fails', () => {
  it('is reported to all waiting callers with its name, and retried for the next', async () => {
    const broken = rawQuery('select 1 / (g - 1) from generate_series(1, 2) g', 'broken');
    const all = await Promise.allSettled([1, 2, 3].map(() => exporter.fileOf(broken, 'csv', request())));
    for (const one of all) {
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('"broken"'), cause: { code: '22012' } },
      });
    }
    expect(runs()).toBe(1);
    await expect(exporter.fileOf(broken, 'csv', request())).rejects.toThrow();
    expect(runs()).toBe(2);
  });

  it('halfway leaves no file', async () => {
    const halfway = rawQuery('select 1 / (g - 19999) from generate_series(1, 20000) g', 'halfway');
    const before = await readdir(folder.path);
    await expect(exporter.fileOf(halfway, 'csv', request())).rejects.toThrow('halfway');
    const after = await readdir(folder.path);
    expect(after.filter((name) => !before.includes(name) && !name.startsWith('.'))).toEqual([]);
    for (const name of after.filter((one) => one.startsWith('.'))) {
      expect(await readdir(join(folder.path, name))).toEqual([]);
    }
  });

  it('because the database is unavailable is a database error', async () => {
    const away = open({ source: { kind: BACKEND, connection: { host: '127.0.0.1', port: 1, user: 'x' } } });
    await expect(away.fileOf(some, 'csv', request())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a key that requests many files', () => {
  const large = (n: number) =>
    rawQuery('select g, repeat(md5(g::text), 100) as text from generate_series(1, 20000) g', `large${n}`);
  const keyed = (keyId: number) => request(undefined, undefined, keyId);

  it('does not delay another key until all its files are created', async () => {
    const ended: string[] = [];
    const note = async (name: string, file: Promise<unknown>) => {
      await file;
      ended.push(name);
    };
    const all = [0, 1, 2, 3].map((n) => note('greedy', exporter.fileOf(large(n), 'csv', keyed(1))));
    await expect.poll(runs).toBe(1);
    all.push(note('other', exporter.fileOf(some, 'csv', keyed(2))));
    await Promise.all(all);
    expect(ended.indexOf('other')).toBeLessThan(2);
    expect(runs()).toBe(5);
  });

  it('does not delay a file that another key requests as well', async () => {
    const ended: string[] = [];
    const note = async (name: string, file: Promise<unknown>) => {
      await file;
      ended.push(name);
    };
    const all = [0, 1, 2, 3].map((n) => note('greedy', exporter.fileOf(large(n), 'csv', keyed(1))));
    all.push(note('last of the greedy key', exporter.fileOf(some, 'csv', keyed(1))));
    await expect.poll(runs).toBe(1);
    all.push(note('other', exporter.fileOf(some, 'csv', keyed(2))));
    await Promise.all(all);
    expect(ended.indexOf('other')).toBeLessThan(3);
    expect(runs()).toBe(5);
  });
});

describe('a caller that disconnects', () => {
  const slow = rawQuery('select g, repeat(md5(g::text), 100) as text from generate_series(1, 20000) g', 'slow');

  it('does not stop the file for the others', async () => {
    const leaving = new AbortController();
    const one = exporter.fileOf(slow, 'ndjson', request(leaving.signal));
    const other = exporter.fileOf(slow, 'ndjson', request());
    await expect.poll(runs).toBe(1);
    leaving.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    expect((await textOf(await other)).trim().split('\n')).toHaveLength(20_000);
    expect(runs()).toBe(1);
  });

  it('as the last one ends the query, and the next caller starts a new one', async () => {
    const leaving = new AbortController();
    const ended = exporter.fileOf(slow, 'csv', request(leaving.signal));
    const rejected = expect(ended).rejects.toThrow('gone');
    await expect.poll(runs).toBe(1);
    leaving.abort(new Error('gone'));
    await rejected;
    await expect
      .poll(async () => {
        const unfinished = (await readdir(folder.path)).find((name) => name.startsWith('.unfinished'));
        return unfinished ? readdir(join(folder.path, unfinished)) : [];
      })
      .toEqual([]);
    expect(existsSync(join(folder.path, (await exporter.fileOf(slow, 'csv', request())).key))).toBe(true);
    expect(runs()).toBe(2);
  });

  it('before its query started does not start it', async () => {
    const one = open({ atOnce: 1 });
    const first = one.fileOf(slow, 'csv', request());
    await expect.poll(runs).toBe(1);
    const leaving = new AbortController();
    const waiting = expect(one.fileOf(some, 'json', request(leaving.signal))).rejects.toThrow('gone');
    const last = one.fileOf(some, 'csv', request());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs()).toBe(1);
    leaving.abort(new Error('gone'));
    await Promise.all([waiting, first, last]);
    expect(runs()).toBe(2);
  });

  it('because the service stops gets that reason', async () => {
    const running = expect(exporter.fileOf(slow, 'csv', request())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
    await expect.poll(runs).toBe(1);
    exporter.close();
    await running;
  });
});
