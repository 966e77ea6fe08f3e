import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { useApp } from '../app.ts';
import { useDatabase } from '../database.ts';
import { watch } from './setup.ts';

const service = useApp(useDatabase());

/** Starts a server with incorrect responses only, in the process of the test like the service. */
async function wrongServer() {
  const app = fastify();
  app.post('/graphql', async () => ({ data: { location: { districts: null, latitude: '1' } } }));
  app.get('/data/districts/point', async () => ({ success: true, data: [{ id: 1 }], message: null }));
  return app;
}
const query = '{ location(latitude: 1, longitude: 2) { latitude } }';

it('finds errors in responses to inject', async () => {
  const app = await wrongServer();
  await app.inject({ method: 'POST', url: '/graphql', payload: { query } });
  const found = await watch.take();
  expect(found).toHaveLength(2);
  expect(found.join()).toMatch(/data\.location has the key districts, .*data\.location\.latitude is no Latitude/s);
  expect(found[0]).toContain(query);
  await app.inject('/data/districts/point?lat=1&long=2');
  expect((await watch.take()).join()).toMatch(/\/data\/0 must have required property .*in the 200 to GET \/data/s);
  await app.close();
});

it('finds errors in responses over a socket', async () => {
  const app = await wrongServer();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  // Once where the response is sent, and once where it is received, as from a gateway in another process.
  expect(await watch.take()).toHaveLength(4);
  await app.close();
});

it('checks every response of the service and finds no error', async () => {
  const before = watch.checked;
  const headers = { 'x-api-key': service.key('full') };
  await service.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
  await service.app.inject({ url: '/data/districts/point?lat=1&long=2', headers });
  await service.app.inject({ url: '/data/districts/point?lat=1' });
  await service.app.inject({ url: '/health' });
  expect(await watch.take()).toEqual([]);
  expect(watch.checked - before).toBe(3);
});
