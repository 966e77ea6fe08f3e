import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployedConfiguration, type Haproxy, startHaproxy } from '../resilience/support/haproxy.ts';
import { type TestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { createWorld } from '../support/world.ts';

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
const database = useDatabase();
beforeAll(() => createWorld(database.db));
const PROXY = { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://elections.example' };
const service = useApp(database, PROXY);
const strict = useApp(database, { ...PROXY, MAX_IN_FLIGHT_PER_KEY: '1', MAX_WAITING_PER_KEY: '1' });
const DOCUMENT =
  'query ($x: Longitude!) { location(latitude: 42, longitude: $x) { districts { name offices { name } } } }';

/** The n-th request of a page with a map: a component with its own point, a tile, or a lookup by REST. */
function requestOf(n: number): { readonly path: string; readonly body?: string } {
  if (n % 3 === 1) return { path: `/tiles/COUNTY/2026-07-01/9/${100 + n}/190.pbf` };
  if (n % 3 === 2) return { path: `/data/districts/point?lat=42&long=${-98 - n / 1_000}` };
  return { path: '/graphql', body: JSON.stringify({ query: DOCUMENT, variables: { x: -98 - n / 1_000 } }) };
}

describe.runIf(hasHaproxy)('a hundred requests at once of one key over HTTP/2 behind haproxy (needs haproxy)', () => {
  const proxies: Haproxy[] = [];
  const sessions: ClientHttp2Session[] = [];
  afterAll(async () => {
    for (const session of sessions) session.destroy();
    await Promise.all(proxies.map((haproxy) => haproxy.stop()));
  });

  /** Starts haproxy before a service; returns its address. */
  async function startFront({ app }: TestApp): Promise<string> {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port: gateway } = app.server.address() as AddressInfo;
    const port = await freePort();
    const values = { CLIENTS: `127.0.0.1:${port} proto h2`, GATEWAY1: gateway, GATEWAY2: gateway };
    proxies.push(await startHaproxy(await deployedConfiguration(values), port));
    return `http://127.0.0.1:${port}`;
  }

  /** Sends the requests on one connection, and a few of another key on a second one; which are answered; returns the outcomes of the others. */
  async function burst(of: TestApp) {
    const url = await startFront(of);
    const [page, other] = [connect(url), connect(url)];
    sessions.push(page, other);
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const own = numbers.map((n) => send(page, of.key('full'), n));
    // One at a time, as the strict service admits them.
    for (const n of numbers.slice(0, 20))
      expect(await send(other, of.key('no-results'), n)).toMatchObject({ outcome: 'answered' });
    return Promise.all(own);
  }
  async function send(session: ClientHttp2Session, key: string, n: number) {
    const { path, body } = requestOf(n);
    const stream = session.request({
      ':path': path,
      ':method': body === undefined ? 'GET' : 'POST',
      'x-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    });
    stream.end(body);
    const [headers] = await once(stream, 'response');
    let text = '';
    for await (const part of stream.setEncoding('utf8')) text += part;
    const hasFailed = headers[':status'] !== 200 || text.startsWith('{"errors"');
    return { outcome: hasFailed ? `${path} ${headers[':status']} ${text}` : 'answered', headers };
  }

  it('are all answered', async () => {
    const own = await burst(service);
    expect(new Set(own.map(({ outcome }) => outcome))).toEqual(new Set(['answered']));
  });

  it('are refused with a code of their own where fewer may wait', async () => {
    const refused = (await burst(strict)).filter(({ outcome }) => outcome !== 'answered');
    expect(refused.length).toBeGreaterThan(0);
    for (const { outcome, headers } of refused) {
      expect(outcome).toMatch(/ 429 .*(TOO_MANY_AT_ONCE|too-many-at-once)/);
      expect(headers['retry-after']).toBe('1');
    }
  });
});
