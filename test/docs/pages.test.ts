import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GUIDES } from '../../src/gateway/pages/guides.ts';
import { openApiDocument, operationsOf } from '../../src/gateway/rest/document.ts';
import { GRANTS } from '../../src/graph/builder/grants.ts';
import { search } from '../../web/docs-search.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const service = useApp(useDatabase());
const operations = operationsOf(openApiDocument());
const load = async (url: string) => {
  const { statusCode, body } = await service.app.inject(url);
  expect(statusCode, url).toBe(200);
  return body;
};

/** The pages of the list of the docs by path. */
const pages = new Map<string, string>();
beforeAll(async () => {
  const [, list = ''] = /<details class="toc">(.*?)<\/details>/s.exec(await load('/docs')) ?? [];
  for (const [, path = ''] of list.matchAll(/href="(\/docs[^"]*)"/g)) pages.set(path, await load(path));
});

describe('the pages of the docs', () => {
  it('are one for each path of the OpenAPI document, with its parameters, a curl and a form', async () => {
    expect(operations.length).toBeGreaterThan(8);
    for (const { path, method, operation } of operations) {
      const page = await load(`/docs${path}`);
      expect(page, path).toContain(`<span class="verb">${method}</span>${path}`);
      expect(page).toMatch(new RegExp(`data-path="/[^"]+" data-method="${method}"`));
      expect(page).toContain(`curl -H &#39;x-api-key: YOUR KEY&#39;`);
      for (const { name } of operation.parameters) {
        expect(page, path).toContain(`<td><code>${name}</code></td>`);
        expect(page, path).toContain(`name="${name}"`);
      }
    }
    expect(await load('/docs/data/elections/point')).toBe(await load('/docs/data/elections_by_point'));
    expect(pages.get('/docs/data/districts/point')).toContain('/data/districts/point?lat=44.2601&amp;long=-72.5754');
    expect(pages.get('/docs/getQueryResults')).toContain('<textarea');
  });

  it('are listed on each of them, and include every guide of the folder docs', async () => {
    for (const { path, operation } of operations.filter((each) => !each.operation.operationId.endsWith('Alias'))) {
      expect([...pages.keys()]).toContain(`/docs${path}`);
      expect(pages.get('/docs')).toContain(operation.summary);
    }
    const files = (await readdir(join(import.meta.dirname, '../../docs'))).filter((name) => name.endsWith('.md'));
    expect(files.map((name) => name.replace('.md', '')).toSorted()).toEqual(Object.keys(GUIDES).toSorted());
    for (const [path, page] of pages) expect(page, path).toContain(`href="${path}" aria-current="page"`);
    expect(new Set([...pages.values()].map((page) => /<title>(.*?)<\/title>/.exec(page)?.[1])).size).toBe(pages.size);
  });

  it('link only to pages and parts of pages that exist, and have each id once', async () => {
    for (const [path, page] of pages) {
      const ids = [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
      expect(ids.length, path).toBe(new Set(ids).size);
      for (const [, href = ''] of page.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (href.startsWith('https://')) continue;
        const [target = '', fragment] = href.split('#');
        if (target !== '' && !pages.has(target)) {
          const { statusCode } = await service.app.inject({ url: target, headers: { accept: 'text/html' } });
          expect(statusCode, `${path}: ${href}`).toBe(200);
        }
        if (fragment !== undefined) {
          const body = target === '' ? page : (pages.get(target) ?? '');
          expect(body, `${path}: ${href}`).toContain(`id="${fragment}"`);
        }
      }
    }
  });

  it.each([
    ['polling place', '/docs/sources#election-offices-and-polling-places'],
    ['redistricting', '/docs/recipes#follow-a-change'],
    ['keep a copy', '/docs/recipes#keep-a-copy'],
    ['pagination', '/docs/graphql#pagination'],
    ['postgres', '/docs/operations#run-in-production-postgresql'],
    ['next election', '/docs/recipes#the-next-election'],
    ['my ballot', '/docs/recipes#my-ballot'],
    ['docker', '/docs/operations#containers-and-systemd'],
  ])('are found by the words of newcomers: %s', async (words, href) => {
    const sections = JSON.parse(await load('/docs/search.json'));
    const best = search(sections, words).slice(0, 3);
    expect(best.map((section) => section.href)).toContain(href);
  });

  it('have neither inline scripts nor styles, and load nothing from other hosts', () => {
    for (const [path, page] of pages) {
      expect(page, path).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+="|<img/);
      expect(page, path).not.toMatch(/<(script|link)[^>]*(src|href)="(https?:)?\/\//);
    }
  });

  it('name every error of the REST paths and every grant', () => {
    const { responses } = openApiDocument().components as unknown as {
      responses: Record<string, { content: { 'application/json': { example: { type: string } } } }>;
    };
    for (const { content } of Object.values(responses)) {
      expect(pages.get('/docs/errors')).toContain(`<code>${content['application/json'].example.type}</code>`);
    }
    for (const grant of Object.keys(GRANTS)) expect(pages.get('/docs/packages')).toContain(`<code>${grant}</code>`);
    expect(pages.get('/docs/packages')).toContain('href="/docs/getQueryList"');
  });

  it('show the guides with tables and code, and with their Markdown converted', () => {
    const guide = pages.get('/docs/graphql') ?? '';
    expect(guide).toContain('<h1 id="graphql-guide">GraphQL guide</h1>');
    expect(guide).toContain('<code>PERSISTED_QUERY_NOT_FOUND</code>');
    expect(guide).toContain('<table class="params">');
    for (const name of Object.keys(GUIDES)) {
      expect(pages.get(`/docs/${name}`), name).not.toMatch(/\]\([^)]*\.md|^#+ |\| --- \|/m);
    }
  });
});

it.each(['/docs/nothing', '/docs/', '/docs/data', '/docs/constructor', '/docs/../docs/data/x', '/docs/%ff'])(
  '%s is no page of the docs, and the response says where they are',
  async (url) => {
    const { statusCode, body } = await service.app.inject(url);
    expect([400, 404]).toContain(statusCode);
    expect(JSON.parse(body)).toMatchObject({ success: false, message: expect.any(String) });
    if (url === '/docs/nothing') expect(body).toContain('/docs has links to all pages');
  },
);
