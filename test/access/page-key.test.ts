import { beforeAll, describe, expect, it } from 'vitest';
import { setPackage } from '../../src/gateway/access/access.store.ts';
import { PAGE_KEY } from '../../src/gateway/access/page-key.ts';
import { setRateLimits } from '../../src/gateway/access/rate-limits.store.ts';
import { readPageDocuments } from '../../src/gateway/pages/page-documents.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { knowDocuments } from '../support/responses/check.ts';
import { createWorld } from '../support/world.ts';

const documentId = readPageDocuments().get('Sources')?.id;
const headers = { 'x-api-key': PAGE_KEY };
const keyOf = (html: string) => /<body[^>]* data-key="([^"]*)"/.exec(html)?.[1];
const PROXY = '192.0.2.1';

describe('the key of the map page', () => {
  knowDocuments([...readPageDocuments().values()].map(({ text }) => text));
  const database = useDatabase();
  const others = { TRUSTED_PROXIES: PROXY, PUBLIC_URL: 'https://ballots.example' };
  const first = useApp(database, others);
  const second = useApp(database, { ...others, PAGE_PACKAGE: 'visitors' });
  beforeAll(() => createWorld(database.db));

  const ask = (payload: object, address = '198.51.100.1', service = first) =>
    service.app.inject({
      method: 'POST',
      url: '/graphql',
      remoteAddress: PROXY,
      headers: { ...headers, accept: 'application/json', 'x-forwarded-for': address },
      payload,
    });

  it('is accepted by no gateway until an operator makes its package', async () => {
    expect((await ask({ documentId })).statusCode).toBe(401);
    expect(keyOf((await first.app.inject('/')).body)).toBeUndefined();
  });

  describe('with a package', () => {
    beforeAll(async () => {
      await setPackage(database.db, { name: 'visitors', grants: ['districts'] });
      await setRateLimits(database.db, 'visitors', { perSecond: 1, burst: 30 });
    });

    it('is in the pages, and of no gateway whose package has another name', async () => {
      expect(keyOf((await second.app.inject('/')).body)).toBe(PAGE_KEY);
      expect((await second.app.inject('/widget')).body).toContain(`<ballot-lookup endpoint="" key="${PAGE_KEY}"`);
      expect(keyOf((await first.app.inject('/')).body)).toBeUndefined();
    });

    it('executes the documents of the page with the grants of the package', async () => {
      const at = { latitude: 44.3106, longitude: -69.7795 };
      const variables = { ...at, from: '2020-01-01', to: '2030-01-01' };
      const response = await ask(
        { documentId: readPageDocuments().get('Place')?.id, variables },
        '198.51.100.9',
        second,
      );
      const { data, extensions } = response.json();
      expect(data.location.districtsWithBoundary).not.toBeNull();
      expect(data.location.elections).toBeNull();
      expect(extensions.notInPackage.map(({ grant }: { grant: string }) => grant)).toContain('officeholders');
    });

    it.each([
      ['another document', { method: 'POST', url: '/graphql', payload: { query: '{ __typename }' } }],
      ['a document by GET', { method: 'GET', url: `/graphql?documentId=${documentId}` }],
      ['a lookup of REST', { method: 'GET', url: '/data/districts/point?lat=44&long=-69' }],
      ['a bulk download', { method: 'GET', url: '/getQueryList' }],
      ['MCP', { method: 'POST', url: '/mcp', payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
    ] as const)('is refused for %s', async (_, request) => {
      const accept = 'application/json, text/event-stream';
      const response = await second.app.inject({ ...request, headers: { ...headers, accept } });
      expect(response.statusCode).toBe(403);
      expect(response.body).toContain('The key of the map page is for the requests of that page alone.');
    });

    it('has the limits of its package for each address behind a trusted proxy, and takes none of other keys', async () => {
      const statuses = async (address: string, count: number) => {
        const responses = [];
        for (let n = 0; n < count; n++) responses.push((await ask({ documentId }, address, second)).statusCode);
        return responses;
      };
      const greedy = await statuses('203.0.113.1', 40);
      expect(greedy.slice(0, 30)).toEqual(Array(30).fill(200));
      expect(new Set(greedy.slice(30))).toEqual(new Set([429]));
      expect(await statuses('203.0.113.2', 1)).toEqual([200]);
      const ofKey = await second.app.inject({
        method: 'POST',
        url: '/graphql',
        remoteAddress: PROXY,
        headers: { 'x-api-key': second.key('full'), 'x-forwarded-for': '203.0.113.1' },
        payload: { query: '{ __typename }' },
      });
      expect(ofKey.statusCode).toBe(200);
    });
  });
});
