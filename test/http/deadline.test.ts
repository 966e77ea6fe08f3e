import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Routes } from '../../src/gateway/graphql/surface.ts';
import { buildTestApp } from '../support/app.ts';

const ended: string[] = [];
const problems: unknown[] = [];
const routes: Routes = async (app) => {
  app.addHook('onRequest', async ({ log }) => {
    vi.spyOn(log, 'error').mockImplementation((...reported: unknown[]) => problems.push(reported));
  });
  app.get('/broken', () => Promise.reject(new Error('ours')));
  for (const method of ['GET', 'POST'] as const) {
    app.route({ method, url: '/deaf', handler: () => new Promise(() => undefined) });
    app.route({
      method,
      url: '/heedful',
      handler: ({ abortSignal }) =>
        new Promise((_, reject) =>
          abortSignal.addEventListener('abort', () => {
            ended.push(`${method} ${abortSignal.reason.message}`);
            reject(abortSignal.reason);
          }),
        ),
    });
    app.route({
      method,
      url: '/half',
      handler: (_request, reply) => {
        reply.raw.writeHead(200).write('half');
        return new Promise(() => undefined);
      },
    });
  }
};

const app = await buildTestApp({ DEADLINE_MS: '300' }, routes);
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(() => {
  app.server.closeAllConnections();
  return app.close();
});

const send = (method: string, path: string, signal?: AbortSignal) =>
  fetch(`${app.listeningOrigin}${path}`, {
    method,
    signal,
    ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
  });

it.each([
  ['GET', '/deaf'],
  ['POST', '/deaf'],
  ['GET', '/heedful'],
  ['POST', '/heedful'],
])('%s %s gets 504 when its deadline is exceeded', async (method, path) => {
  const response = await send(method, path);
  expect(response.status).toBe(504);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ success: false, message: expect.stringMatching(/time limit/) });
});

it.each(['GET', 'POST'])('a started response is aborted: %s', async (method) => {
  await expect(send(method, '/half').then((response) => response.text())).rejects.toThrow();
});

it.each(['GET', 'POST'])('%s: work is aborted when its client disconnects', async (method) => {
  ended.length = 0;
  await expect(send(method, '/heedful', AbortSignal.timeout(100))).rejects.toThrow();
  await expect.poll(() => ended).toEqual([`${method} the client went away`]);
});

it('a disconnected client is not logged as an error, unlike other errors', async () => {
  problems.length = ended.length = 0;
  await expect(send('GET', '/heedful', AbortSignal.timeout(100))).rejects.toThrow();
  await expect.poll(() => ended).toHaveLength(1);
  await nextTurn();
  expect(problems).toEqual([]);
  expect((await send('GET', '/broken')).status).toBe(500);
  expect(problems).toHaveLength(1);
});
