import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { S3Settings } from '../../src/base/config/export-config.ts';
import { S3Files } from '../../src/gateway/exports/s3-files.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { BACKEND, useFolder } from './support.ts';

/** Set by `test/s3/run`, which starts a real S3 server; without it these tests are skipped. */
const ENDPOINT = process.env.S3_TEST_ENDPOINT;

const settings: S3Settings = {
  bucket: `test-${randomUUID()}`,
  region: 'us-east-1',
  endpoint: ENDPOINT,
  linkEndpoint: undefined,
  prefix: 'some/where/',
  forcePathStyle: true,
  credentials: { accessKeyId: 'S3TESTKEY', secretAccessKey: 'S3TESTSECRET' },
};
const never = new AbortController().signal;
const newFile = () => ({ key: randomUUID(), name: 'x_2026-07-01.csv' }) as const;

async function* text(value: string) {
  yield Buffer.from(value);
}

describe.skipIf(!ENDPOINT)('an S3 server (test/s3/run)', () => {
  const client = new S3Client({ ...settings, endpoint: ENDPOINT ?? '' });
  const files = new S3Files(settings);
  beforeAll(() => client.send(new CreateBucketCommand({ Bucket: settings.bucket })).then(() => undefined));

  const objects = async () =>
    ((await client.send(new ListObjectsV2Command({ Bucket: settings.bucket }))).Contents ?? []).map(({ Key }) => Key);
  const uploads = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))).Uploads ?? [];

  it('stores a file and serves it to any client with a link', async () => {
    const file = newFile();
    expect(await files.has(file)).toBe(false);
    await files.write(file, text('a,b\r\n'), never);
    expect(await files.has(file)).toBe(true);
    expect(await objects()).toContain(`some/where/exports/${file.key}/${file.name}`);
    const link = await files.link(file, 60);
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('a,b\r\n');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="x_2026-07-01.csv"');
    expect(response.headers.get('etag')).toBeTruthy();
    const range = await fetch(link, { headers: { range: 'bytes=0-2' } });
    expect([range.status, await range.text()]).toEqual([206, 'a,b']);
  });

  it('creates a new link each time', async () => {
    const file = newFile();
    await files.write(file, text('x'), never);
    const links = await Promise.all(Array.from({ length: 100 }, () => files.link(file, 60)));
    expect(new Set(links).size).toBe(100);
    expect((await fetch(links[99] ?? '')).status).toBe(200);
  });

  it('stores a file of many parts', async () => {
    const file = newFile();
    const block = Buffer.alloc(1024 * 1024, 'x');
    async function* blocks() {
      for (let count = 0; count < 40; count++) yield block;
    }
    await files.write(file, blocks(), never);
    const response = await fetch(await files.link(file, 60), { method: 'GET' });
    expect((await response.arrayBuffer()).byteLength).toBe(40 * block.length);
    expect(await uploads()).toEqual([]);
  });

  it('rejects links that were altered, extended or re-targeted, or are for another method', async () => {
    const [file, other] = [newFile(), newFile()];
    await files.write(file, text('mine'), never);
    await files.write(other, text('other'), never);
    const link = await files.link(file, 60);
    const statuses: number[] = [];
    for (let at = new URL(link).origin.length + 1; at < link.length; at++) {
      const byte = link[at] === '0' ? '1' : '0';
      statuses.push((await fetch(link.slice(0, at) + byte + link.slice(at + 1))).status);
    }
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    for (const forged of [
      link.replace('X-Amz-Expires=60', 'X-Amz-Expires=3600'),
      link.replace(file.key, other.key),
      link.replace(/X-Amz-Signature=[^&]*&?/, ''),
      link.replace(/\?.*/, ''),
    ]) {
      expect((await fetch(forged)).status).toBe(403);
    }
    for (const method of ['PUT', 'DELETE', 'POST']) expect((await fetch(link, { method })).status).toBe(403);
    expect((await fetch(link)).status).toBe(200);
  }, 120_000);

  it('rejects an expired link', async () => {
    const file = newFile();
    await files.write(file, text('x'), never);
    const link = await files.link(file, 1);
    await sleep(2_500);
    expect((await fetch(link)).status).toBe(403);
  });

  it.each(['an error', 'an abort'])('stores nothing of a file that is interrupted by %s', async (how) => {
    const before = await objects();
    const controller = new AbortController();
    async function* blocks() {
      for (let count = 0; count < 30; count++) yield Buffer.alloc(1024 * 1024, 'x');
      if (how === 'an error') throw new Error('no more');
      controller.abort(new Error('no more'));
      await sleep(10_000, undefined, { ref: false });
    }
    await expect(files.write(newFile(), blocks(), controller.signal)).rejects.toThrow();
    expect(await objects()).toEqual(before);
    await expect.poll(uploads, { timeout: 5_000 }).toEqual([]);
  });

  it('is cleaned of old files and of incomplete uploads', async () => {
    const file = newFile();
    await files.write(file, text('x'), never);
    async function* blocks() {
      for (let count = 0; count < 20; count++) yield Buffer.alloc(1024 * 1024, 'x');
      await new Promise(() => undefined);
    }
    void files.write(newFile(), blocks(), never).catch(() => undefined);
    await expect.poll(async () => (await uploads()).length, { timeout: 10_000 }).toBe(1);
    await files.clean(new Date(Date.now() - 60_000));
    expect(await files.has(file)).toBe(true);
    expect(await uploads()).toHaveLength(1);
    await files.clean(new Date(Date.now() + 60_000));
    expect(await objects()).toEqual([]);
    expect(await uploads()).toEqual([]);
  });

  describe('behind the service', () => {
    const database = useDatabase();
    const folder = useFolder();
    beforeAll(async () => {
      const query = `-- title: N\n-- description: d\nselect g, md5(g::text) as text from generate_series(1, 300000) g`;
      await mkdir(join(folder.path, 'queries'));
      await writeFile(join(folder.path, 'queries', 'numbers.sql'), query);
    });
    const environment = {
      get QUERIES_DIR() {
        return join(folder.path, 'queries');
      },
      S3_BUCKET: settings.bucket,
      S3_ENDPOINT: ENDPOINT ?? 'http://127.0.0.1:1',
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: 'S3TESTKEY',
      S3_SECRET_ACCESS_KEY: 'S3TESTSECRET',
    };
    const service = useApp(database, environment, BACKEND);

    it('returns links to it, and serves no files itself', async () => {
      const request = () =>
        service.app.inject({
          method: 'POST',
          url: '/getQueryResults',
          headers: { 'x-api-key': service.key('full') },
          payload: { id: 'numbers', format: 'csv' },
        });
      const [first, second] = [(await request()).json().data.url, (await request()).json().data.url];
      expect(first).not.toBe(second);
      expect(first.startsWith(`${ENDPOINT}/${settings.bucket}/exports/`)).toBe(true);
      const body = await (await fetch(second)).text();
      expect(body.split('\r\n')).toHaveLength(300_002);
      expect((await service.app.inject({ url: '/files/x' })).statusCode).toBe(404);
    }, 60_000);

    it('returns links to the files of changes in it', async () => {
      await sql`insert into persons (name) select 'Person ' || n from generate_series(1, 5) as n`.execute(database.db);
      const headers = { 'x-api-key': service.key('full') };
      const list = async () =>
        (await service.app.inject({ url: '/data/changes/files?after=start', headers })).json().data;
      const { files, next } = await list();
      expect(files[0].url.startsWith(`${ENDPOINT}/${settings.bucket}/exports/`)).toBe(true);
      const bytes = await (await fetch(files[0].url)).arrayBuffer();
      const lines = gunzipSync(new Uint8Array(bytes)).toString().trimEnd().split('\n');
      const { data } = (await service.app.inject({ url: '/data/changes?after=start&first=100', headers })).json();
      const told = lines.map((line) => ({ ...JSON.parse(line), cursor: undefined }));
      expect(told).toEqual(data.changes.slice(0, -1));
      expect((await list()).next).toBe(next);
    }, 60_000);
  });
});

describe('an unavailable S3 server', () => {
  it('is a temporary failure', async () => {
    const away = new S3Files({ ...settings, endpoint: 'http://127.0.0.1:1' });
    await expect(away.write(newFile(), text('x'), never)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(away.has(newFile())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
