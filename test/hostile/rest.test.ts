import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { expectHarmless } from './expect-harmless.ts';
import {
  addressOf,
  incomplete,
  misencoded,
  OTHER_METHODS,
  paths,
  requiredOf,
  SUFFIXES,
  valuesOf,
  withSuffix,
} from './rest-catalogue.ts';
import { ENCODINGS, KEYS } from './values.ts';

const database = useDatabase();
const service = useApp(database, { MAX_FAILED_KEYS_PER_SECOND: '1000000', LOG_LEVEL: 'silent' });
beforeAll(() => createElectionWorld(database.db));

async function send(request: InjectOptions, key = service.key('full')) {
  const began = performance.now();
  const response = await service.app.inject({ ...request, headers: { 'x-api-key': key, ...request.headers } });
  expectHarmless(response, { key, ms: performance.now() - began });
  return response;
}

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text);

describe.each(paths)('$path', ({ path, names }) => {
  it('accepts the query that the others are derived from', async () => {
    expect((await send({ url: addressOf(path, names) })).statusCode).toBe(200);
  });

  const values = names.flatMap((name) => {
    const { bad, good } = valuesOf(name);
    return [...bad.map((value) => [name, value, 400] as const), ...good.map((value) => [name, value, 200] as const)];
  });
  it.each(values.map(([name, value, status]) => [`${name}=${cut(value)}`, status, name, value] as const))(
    '%s: %d',
    async (_, status, name, value) => {
      const response = await send({ url: addressOf(path, names, { [name]: value }) });
      expect(response.statusCode, response.body).toBe(status);
      if (status === 200) return;
      const { errors, message } = response.json();
      expect(errors.map((error: { name: string }) => error.name)).toContain(name);
      if (value.length > 12) expect(message).not.toContain(decodeURIComponent(value));
    },
  );

  it.each(requiredOf(path, names))('without %s, with an empty one, and with two: 400', async (name) => {
    for (const url of incomplete(path, names, name)) {
      const response = await send({ url });
      expect(response.statusCode, url).toBe(400);
      expect(response.json().errors.map((error: { name: string }) => error.name)).toEqual([name]);
    }
  });

  it.each(ENCODINGS)('the encoding %s: 400', async (encoding) => {
    for (const url of misencoded(path, names, encoding)) {
      expect((await send({ url })).statusCode, url).toBe(400);
    }
  });

  it('unknown parameters are ignored', async () => {
    const extra = 'lng=1&__proto__=1&constructor=1&hasOwnProperty=1&toString=1&callback=f&x-api-key=k&limit=-1';
    expect((await send({ url: `${addressOf(path, names)}&${extra}` })).json()).toEqual(
      (await send({ url: addressOf(path, names) })).json(),
    );
  });

  it.each(KEYS)('%s: 401, the same body as without one', async (_, key) => {
    const [response, without] = [
      await send({ url: addressOf(path, names) }, key),
      await service.app.inject({ url: addressOf(path, names) }),
    ];
    expect(response.statusCode).toBe(401);
    expect({ ...response.json(), request_id: '' }).toEqual({ ...without.json(), request_id: '' });
  });

  it.each(OTHER_METHODS)('%s: 405', async (method) => {
    const response = await send({ method: method as 'POST', url: addressOf(path, names) });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it.each(SUFFIXES)('the path followed by %j: 404', async (suffix) => {
    expect((await send({ url: withSuffix(path, suffix) })).statusCode).toBe(404);
  });

  it('host and forwarding headers change nothing', async () => {
    const plain = await send({ url: addressOf(path, names) });
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': `' or 1=1`,
      'x-forwarded-proto': 'javascript',
      'x-original-url': '/graphql',
      'x-http-method-override': 'DELETE',
      forwarded: 'host=evil.example',
      accept: 'text/evil',
      'content-type': 'application/evil',
      'accept-language': '../../etc/passwd',
      'if-none-match': '"evil"',
      range: 'bytes=0-1',
    };
    const response = await send({ url: addressOf(path, names), headers });
    expect(response.body).toBe(plain.body);
    expect(JSON.stringify(response.headers)).not.toContain('evil');
  });
});
