import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const service = useApp(database, { GRAPHIQL: 'true' }, 'embedded');
const load = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers: { accept: 'text/html', ...headers } });
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

const HTML_PAGES = ['/', '/widget', '/docs', '/docs/data/officeholders', '/graphql', '/graphql?query={__typename}'];
const PAGES = [
  ...HTML_PAGES,
  '/openapi.json',
  '/schema.graphql',
  '/web/documents.json',
  '/web/main.ts',
  '/web/styles.css',
];

describe.each(PAGES)('the page %s', (url) => {
  it.each(['br', 'gzip', 'identity'] as const)(
    'has a strong tag in the coding %s, and returns 304 for it',
    async (coding) => {
      const plain = await load(url);
      const page = await load(url, { 'accept-encoding': coding });
      expect(page.statusCode).toBe(200);
      const isCompressed = page.headers['content-encoding'] !== undefined;
      expect(isCompressed).toBe(coding !== 'identity' && plain.rawPayload.length >= 1_024);
      const decode = decoders[isCompressed ? coding : 'identity'];
      expect(decode(page.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(page.headers).toMatchObject({
        etag: expect.stringMatching(/^"[^"]+"$/),
        'cache-control': 'public, max-age=0, s-maxage=10, must-revalidate',
        vary: expect.stringMatching(/^Origin, .*Accept-Encoding$/),
        'x-content-type-options': 'nosniff',
      });
      if (isCompressed) expect(page.headers.etag).not.toBe(plain.headers.etag);
      const etag = String(page.headers.etag);
      for (const method of ['GET', 'HEAD'] as const) {
        const known = await load(url, { 'accept-encoding': coding, 'if-none-match': `"other", W/${etag}` }, method);
        expect([known.statusCode, known.rawPayload.length, known.headers.etag]).toEqual([304, 0, etag]);
        expect(known.headers).not.toHaveProperty('content-encoding');
      }
      const changed = await load(url, { 'accept-encoding': coding, 'if-none-match': '"other"' });
      expect(changed.statusCode).toBe(200);
    },
  );

  it('has the same headers for HEAD, and no body', async () => {
    for (const coding of ['br', 'identity']) {
      const [page, head] = [
        await load(url, { 'accept-encoding': coding }),
        await load(url, { 'accept-encoding': coding }, 'HEAD'),
      ];
      expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
      for (const name of ['etag', 'vary', 'content-type', 'content-length', 'content-encoding', 'cache-control']) {
        expect(head.headers[name], name).toBe(page.headers[name]);
      }
    }
  });
});

describe.each(HTML_PAGES)('the page %s', (url) => {
  it('may load only itself, and may not be framed', async () => {
    const { headers, body } = await load(url);
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    const policy = String(headers['content-security-policy']);
    const directives = new Map(policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]));
    for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(directives.get(name), name).toEqual(["'none'"]);
    }
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(directives.get('script-src') ?? []).not.toContain("'unsafe-inline'");
    const [, script] = /<script>(.*?)<\/script>/s.exec(body) ?? [];
    const hasFiles = /<script [^>]*src="/.test(body);
    expect(directives.has('script-src')).toBe(script !== undefined || hasFiles);
    if (hasFiles) expect(directives.get('script-src')).toEqual(["'self'"]);
    if (script !== undefined) {
      expect(directives.get('script-src')).toContain(
        `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      );
    }
    if (!url.startsWith('/graphql')) {
      expect(policy).not.toContain('unsafe-inline');
      expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
    }
  });
});

describe('an address that does not exist', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

  it.each(['/nothing', '/docs/nothing', '/docs/', '/widget/nothing', '/web/nothing.css', '//evil.example/read'])(
    '%s is a page for browsers, which may load only itself',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers, body } = await load(url, { accept: BROWSER }, method);
        expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          vary: 'Origin, Accept',
          'x-frame-options': 'DENY',
          'x-request-id': expect.any(String),
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        });
        expect(headers).not.toHaveProperty('etag');
        expect(body.includes('There is nothing at this address.')).toBe(method === 'GET');
        expect(body).not.toContain('aria-current');
      }
    },
  );

  it.each([
    ['/nothing', '*/*'],
    ['/nothing', 'application/json'],
    ['/docs/nothing', 'application/json, text/html'],
    ['/docs/nothing', 'text/html;q=0.5, application/json;q=0.9'],
    ['/data/nothing', BROWSER],
    ['/tiles/STATE/2024-11-05/3/0/0.mvt', 'application/json'],
  ])('%s is JSON for the Accept header %s', async (url, accept) => {
    const { statusCode, headers, body } = await load(url, { accept });
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(JSON.parse(body)).toMatchObject({ success: false, status: 404 });
  });

  it('is the only error that is a page', async () => {
    const { statusCode, headers } = await load('/docs/%ff', { accept: BROWSER });
    expect([statusCode, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    const posted = await service.app.inject({ method: 'POST', url: '/docs', headers: { accept: BROWSER } });
    expect([posted.statusCode, posted.headers['content-type']]).toEqual([405, 'application/json; charset=utf-8']);
  });
});

describe('/graphql', () => {
  it.each(['', '?query=', '?query={__typename}', '?query={a}&variables={}&operationName=A', '?documentId=x', '?x=1'])(
    'is the page for a browser without a key, with the address %j',
    async (search) => {
      const page = await load(`/graphql${search}`, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers.vary).toMatch(/X-API-Key, Accept\b/);
    },
  );

  it('executes the operation of a request with a key, for any Accept header, and of one that does not accept HTML', async () => {
    const operation = '/graphql?query={__typename}';
    const accept = 'text/html, application/json';
    const completed = await load(operation, { accept, 'x-api-key': service.key('full') });
    expect(completed.json()).toEqual({ data: { __typename: 'Query' } });
    for (const url of ['/graphql', operation]) {
      expect((await load(url, { accept: 'application/json' })).statusCode).toBe(401);
      expect((await load(url, { accept: '*/*' })).statusCode).toBe(401);
    }
  });
});

describe('the files of the map page', () => {
  it.each([
    ['/web/main.ts', 'text/javascript; charset=utf-8'],
    ['/web/lit-html.js', 'text/javascript; charset=utf-8'],
    ['/web/maplibre-gl.mjs', 'text/javascript; charset=utf-8'],
    ['/web/maplibre-gl-worker.mjs', 'text/javascript; charset=utf-8'],
    ['/web/styles.css', 'text/css; charset=utf-8'],
    ['/web/font.woff2', 'font/woff2'],
    ['/web/ballot-lookup.js', 'text/javascript; charset=utf-8'],
    ['/web/icon.svg', 'image/svg+xml'],
  ])('%s is %s', async (url, type) => {
    const { statusCode, headers } = await load(url);
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
  });

  it('are no other files', async () => {
    for (const url of ['/web/tsconfig.json', '/web/..%2fpackage.json', '/web/constructor', '/web/', '/web/html']) {
      expect((await load(url)).statusCode, url).toBe(404);
    }
  });

  it('have the same dark colors for the choice of the visitor as for that of the system', async () => {
    const { body } = await load('/web/styles.css');
    const tokens = (from: string) => {
      const start = body.indexOf(from);
      expect(start, from).toBeGreaterThan(0);
      const block = body.slice(start + from.length, body.indexOf('}', start));
      return [...block.matchAll(/--[\w-]+: [^;]+;/g)].map(([declaration]) => declaration);
    };
    const bySystem = tokens(':root:not([data-theme="light"]) {');
    expect(bySystem.length).toBeGreaterThan(20);
    expect(tokens(':root[data-theme="dark"] {')).toEqual(bySystem);
  });

  it('have the sizes of the budget, compressed', async () => {
    const page = await load('/');
    const names = [...page.body.matchAll(/"\/web\/([\w-]+\.(?:ts|js))"/g)].map(([, name]) => name);
    expect(names).toContain('main.ts');
    const sizeOf = async (url: string) => gzipSync((await load(url)).rawPayload).length;
    let modules = 0;
    for (const name of new Set([...names, 'gl-map.ts'])) modules += await sizeOf(`/web/${name}`);
    // How to vote has 4.5 kB of the modules, and its lists 0.3 kB of the styles.
    expect(modules).toBeLessThan(66_500);
    expect(await sizeOf('/web/styles.css')).toBeLessThan(12_500);
    expect(gzipSync(page.rawPayload).length).toBeLessThan(25_000);
  });
});
