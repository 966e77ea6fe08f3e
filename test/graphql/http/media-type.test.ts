import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const service = useApp(database, { GRAPHIQL: 'true' });

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** Accept headers with the media type of the response; undefined if the header allows neither. */
const HEADERS: readonly (readonly [accept: string | undefined, type: string | undefined])[] = [
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  [GRAPHQL_TYPE, GRAPHQL_TYPE],
  // Equal weights: the one that is named, then the one that is named first.
  [`${JSON_TYPE}, ${GRAPHQL_TYPE}`, JSON_TYPE],
  [`${GRAPHQL_TYPE}, ${JSON_TYPE}`, GRAPHQL_TYPE],
  [`*/*, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
  // What clients send.
  [`${GRAPHQL_TYPE},${JSON_TYPE};q=0.9`, GRAPHQL_TYPE],
  [`${GRAPHQL_TYPE}, application/graphql+json, ${JSON_TYPE}, text/event-stream, multipart/mixed`, GRAPHQL_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  // The weight decides, not the order.
  [`${JSON_TYPE};q=0.5, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
  [`${JSON_TYPE};q=0.9, ${GRAPHQL_TYPE}`, GRAPHQL_TYPE],
  [`${GRAPHQL_TYPE}; charset=utf-8; q=0.5, ${JSON_TYPE}; q=0.4`, GRAPHQL_TYPE],
  [`${GRAPHQL_TYPE};q=0.4, ${JSON_TYPE};q=0.5`, JSON_TYPE],
  [`${GRAPHQL_TYPE};q=0.1, */*;q=0.2`, JSON_TYPE],
  ['Application/GraphQL-Response+JSON; charset=UTF-8', GRAPHQL_TYPE],
  // A weight of 0 excludes a type, and the more exact range counts.
  [`${GRAPHQL_TYPE};q=0, */*`, JSON_TYPE],
  [`${JSON_TYPE};q=0, */*`, GRAPHQL_TYPE],
  [`*/*, ${JSON_TYPE};q=0`, GRAPHQL_TYPE],
  [`${JSON_TYPE};q=0`, undefined],
  ['*/*;q=0', undefined],
  [`${JSON_TYPE};q=0, ${GRAPHQL_TYPE};q=0.000, */*`, undefined],
  [`${GRAPHQL_TYPE};q=x`, undefined],
  // Other types, other charsets, parameters without a meaning.
  ['text/html;q=0.1', undefined],
  ['text/csv', undefined],
  ['nothing', undefined],
  [`${JSON_TYPE}; charset=utf-16`, undefined],
  [`${JSON_TYPE}; charset=utf-16, ${GRAPHQL_TYPE};q=0.1`, GRAPHQL_TYPE],
  [`${JSON_TYPE}; charset="utf-8"`, JSON_TYPE],
  [`${JSON_TYPE}; indent=2; q=0.5, ${GRAPHQL_TYPE}; q=0.2`, JSON_TYPE],
];

describe.each(HEADERS)('the Accept header %s', (accept, type) => {
  const headers = (key: string) => ({ 'x-api-key': key, ...(accept !== undefined && { accept }) });
  const query = '{ races { totalCount } }';
  const contentType = (used = type ?? JSON_TYPE) => `${used}; charset=utf-8`;

  it('decides the media type of results by POST and GET, computed and cached', async () => {
    const address = { url: '/graphql', headers: headers(service.key('full')) };
    for (const _ of ['computed', 'cached']) {
      for (const response of [
        await service.app.inject({ ...address, method: 'POST', payload: { query } }),
        await service.app.inject({ ...address, url: `/graphql?query=${encodeURIComponent(query)}` }),
      ]) {
        expect(response.headers['content-type']).toBe(contentType());
        expect(response.statusCode).toBe(type === undefined ? 406 : 200);
        if (type === undefined) expect(response.json().errors[0].extensions.code).toBe('NOT_ACCEPTABLE');
        else expect(response.json()).toEqual({ data: { races: { totalCount: 0 } } });
      }
    }
  });

  it('decides the status of an invalid document', async () => {
    const payload = { query: '{ nothing }' };
    const options = { method: 'POST' as const, url: '/graphql', payload };
    const { statusCode } = await service.app.inject({ ...options, headers: headers(service.key('full')) });
    expect(statusCode).toBe(type === undefined ? 406 : type === GRAPHQL_TYPE ? 400 : 200);
  });

  it('decides the media type of an error before GraphQL, which has its status in any case', async () => {
    const options = { method: 'POST' as const, url: '/graphql', payload: { query } };
    const foreign = { ...headers(service.key('full')), origin: 'https://evil.example' };
    const response = await service.app.inject({ ...options, headers: foreign });
    expect([response.statusCode, response.headers['content-type']]).toEqual([403, contentType()]);
  });
});

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
  ['text/html', 200],
  ['text/html;q=0.9, application/json;q=0.8', 200],
  ['text/html;q=0.5, application/json', 401],
  ['text/html;q=0, */*', 401],
  ['*/*', 401],
])('GraphiQL is for clients that prefer HTML, and needs no key: %s, %d', async (accept, status) => {
  const response = await service.app.inject({ url: '/graphql', headers: { accept } });
  expect(response.statusCode).toBe(status);
  expect(String(response.headers['content-type']).startsWith('text/html')).toBe(status === 200);
});
