import { type IncomingMessage, request as open } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import { compressOnce, sendTagged } from '../../src/gateway/http/representation.ts';
import { buildTestApp } from '../support/app.ts';

const compressions = { started: 0, running: 0 };

const LATE_MS = 500;

/** Counts the compressions that run, and lets each end after the time limit of the service, however quick the machine. */
function countCompressions(name: 'brotliCompress' | 'gzip'): void {
  type Compress = (body: Buffer, options: object, done: (error: Error | null, compressed: Buffer) => void) => void;
  const compress: Compress = zlib[name];
  const counted: Compress = (body, options, done) => {
    compressions.started++;
    compressions.running++;
    compress(body, options, (...result) => {
      setTimeout(() => {
        compressions.running--;
        done(...result);
      }, LATE_MS);
    });
  };
  vi.spyOn(zlib, name).mockImplementation(counted as typeof zlib.gzip);
}
beforeAll(() => {
  countCompressions('brotliCompress');
  countCompressions('gzip');
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const LARGE = JSON.stringify(Array.from({ length: 300_000 }, (_, n) => ({ n, root: Math.sqrt(n) })));
const shared = compressOnce(Buffer.from(LARGE));
const JSON_TYPE = 'application/json; charset=utf-8';

const routes: Routes = async (app) => {
  app.get('/large', (_request, reply) => sendTagged(reply, JSON_TYPE, Buffer.from(LARGE), 'Accept'));
  app.get('/async', async (_request, reply) => {
    reply.type(JSON_TYPE);
    return LARGE;
  });
  app.get('/shared', (_request, reply) => sendTagged(reply, JSON_TYPE, shared, 'Accept'));
  app.get('/late', async (_request, reply) => {
    await sleep(LATE_MS);
    return reply.type(JSON_TYPE).header('etag', '"late"').send(LARGE);
  });
};
const app = await buildTestApp({ DEADLINE_MS: '300', MAX_EVENT_LOOP_DELAY_MS: '0' }, routes);
const unhandled: unknown[] = [];
const collect = (error: unknown) => void unhandled.push(error);
beforeAll(async () => {
  process.on('unhandledRejection', collect).on('uncaughtException', collect);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  process.off('unhandledRejection', collect).off('uncaughtException', collect);
  app.server.closeAllConnections();
  await app.close();
});

interface Response {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Null if the connection was closed before the response was complete. */
function load(
  path: string,
  { method = 'GET', coding = 'br', leaveAfter = 0, origin = app.listeningOrigin } = {},
): Promise<Response | null> {
  return new Promise((resolve) => {
    const headers = { 'accept-encoding': coding };
    const request = open(origin + path, { method, agent: false, headers }).end();
    if (leaveAfter > 0) setTimeout(() => request.destroy(), leaveAfter);
    request
      .on('error', () => resolve(null))
      .on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => resolve(null));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
  });
}

/** Waits until every compression has ended, also those whose responses were not sent. */
async function settled(): Promise<void> {
  // By then, the handler of /late has passed its body on too.
  await sleep(LATE_MS + 200);
  await expect.poll(() => compressions.running, { timeout: 60_000, interval: 20 }).toBe(0);
  await setImmediate();
}

it.each(['/large', '/async', '/shared', '/late'])(
  '%s: a body that is ready after the time limit is not sent, and ends nothing but its request',
  async (path) => {
    const codings = ['br', 'gzip'];
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => load(path, { coding: codings[n % codings.length] })),
    );
    await settled();
    expect(compressions.started).toBeGreaterThan(0);
    expect(unhandled).toEqual([]);
    const late = responses.filter((response) => response?.status === 504);
    expect(late.length).toBeGreaterThan(0);
    for (const { headers, body } of late.flatMap((response) => response ?? [])) {
      expect(JSON.parse(body)).toMatchObject({ success: false, status: 504 });
      expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Origin', 'content-type': JSON_TYPE });
      for (const name of ['content-encoding', 'etag', 'last-modified']) expect(headers).not.toHaveProperty(name);
    }
    expect((await load('/health'))?.status).toBe(200);
  },
  90_000,
);

it.each(['/large', '/shared', '/late'])(
  '%s: a client that disconnects while its body is compressed ends nothing',
  async (path) => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => load(path, { leaveAfter: 1 + 10 * n })));
    await settled();
    expect(unhandled).toEqual([]);
    expect((await load('/health'))?.status).toBe(200);
  },
  90_000,
);

it('a shared body is compressed once, whatever the number of requests', async () => {
  // Without the time limit, which a compression exceeds.
  const body = compressOnce(Buffer.from(LARGE));
  const patient = await buildTestApp({ DEADLINE_MS: '600000', MAX_EVENT_LOOP_DELAY_MS: '0' }, async (patientApp) => {
    patientApp.get('/shared', (_request, reply) => sendTagged(reply, JSON_TYPE, body, 'Accept'));
  });
  onTestFinished(() => patient.close());
  await patient.listen({ port: 0, host: '127.0.0.1' });
  await settled();
  const before = compressions.started;
  const head = () => load('/shared', { method: 'HEAD', origin: patient.listeningOrigin });
  const heads = [...(await Promise.all([head(), head(), head()]))];
  for (let n = 0; n < 10; n++) heads.push(await head());
  expect(heads.map((response) => response?.status)).toEqual(Array(13).fill(200));
  expect(compressions.started - before).toBe(1);
  expect(new Set(heads.map((response) => response?.headers.etag)).size).toBe(1);
  expect(heads[0]?.headers).toMatchObject({
    'content-encoding': 'br',
    'content-length': expect.stringMatching(/^\d+$/),
  });
}, 90_000);
