import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/gateway/rest/document.ts';
import { errorExamples } from '../../../src/gateway/rest/error-responses.ts';
import { createRestCheck, type RestResponse } from './rest.ts';

const document = openApiDocument();
const check = createRestCheck(document);

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const DISTRICTS = '/data/districts/point';
const district = {
  id: '1',
  name: 'Vermont',
  type: 'State',
  url: '',
  ocdid: '',
  nces_id: null,
  geo_id: '50',
  state: 'VT',
  end_date: null,
  precise_boundary: true,
};
const response = (data: unknown, path = DISTRICTS, others: Partial<RestResponse> = {}) =>
  check({
    method: 'GET',
    path,
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ success: true, data, message: null }),
    ...others,
  });
const failureOf = (status: number) => errorExamples.find(({ body }) => body.status === status)?.body;

describe('a response that fits', () => {
  it('of every path: its example', () => {
    let examples = 0;
    for (const [path, { get }] of Object.entries(document.paths)) {
      const { content, headers: described = {} } = (get?.responses[200] ?? {}) as {
        content?: Record<string, { example?: unknown }>;
        headers?: Record<string, { schema: { const: string } }>;
      };
      const example = content?.['application/json']?.example;
      if (!example) continue;
      examples++;
      const body = JSON.stringify(example);
      const constant = Object.entries(described).map(([name, { schema }]) => [name.toLowerCase(), schema.const]);
      const headers = { ...JSON_TYPE, ...Object.fromEntries(constant) };
      expect(check({ method: 'GET', path, status: 200, headers, body }), path).toEqual([]);
    }
    expect(examples).toBe(9);
  });

  it('of the contract, at the end of the pages', () => {
    expect(response('No results.', '/data/elections_by_state')).toEqual([]);
    expect(response({ elections: null, total_pages: 0 }, '/data/election_dates/list')).toEqual([]);
    expect(response([district, { ...district, end_date: '2023-01-03' }])).toEqual([]);
  });

  it('without a body: HEAD, 304, and a preflight', () => {
    expect(response([], DISTRICTS, { method: 'HEAD', body: '' })).toEqual([]);
    expect(response([], DISTRICTS, { status: 304, body: '', headers: {} })).toEqual([]);
    expect(response([], DISTRICTS, { method: 'OPTIONS', status: 204, body: '', headers: {} })).toEqual([]);
  });

  it('of an error, with its headers', () => {
    const headers = { ...JSON_TYPE, 'retry-after': '2' };
    expect(response([], DISTRICTS, { status: 503, headers, body: JSON.stringify(failureOf(503)) })).toEqual([]);
    expect(response([], DISTRICTS, { method: 'PUT', status: 405, body: JSON.stringify(failureOf(400)) })).toEqual([]);
  });

  it('is rejected for a path that is not described', () => {
    expect(response([], '/data/other')).toBeUndefined();
  });
});

describe('a violation', () => {
  const { name: _, ...nameless } = district;
  it.each([
    ['a field that is not described', [{ ...district, extra: 1 }]],
    ['a field that is missing', [nameless]],
    ['an integer for a string', [{ ...district, id: 1 }]],
    ['a null in a non-null position', [{ ...district, url: null }]],
    ['an unknown value of a closed set', [{ ...district, type: 'STATE' }]],
    ['a day that does not exist', [{ ...district, end_date: '2023-02-30' }]],
    ['an object for a list', {}],
    ['null for a list', null],
  ])('in the data: %s', (_, data) => {
    expect(response(data)).toHaveLength(1);
  });

  it('in the data of other paths', () => {
    expect(response('No result.', '/data/elections_by_state')).not.toEqual([]);
    expect(response({ elections: [], total_pages: 0.5 }, '/data/election_dates/list')).toHaveLength(1);
    expect(response([{ elected_officials: { districts: null, more: 1 } }], '/data/officeholders')).toHaveLength(1);
  });

  it.each([
    ['a status that is not described', { status: 418 }],
    ['a success in the shape of an error', { body: JSON.stringify(failureOf(400)) }],
    ['an error in the shape of a success', { status: 400 }],
    ['an error with another member', { status: 400, body: JSON.stringify({ ...failureOf(400), stack: '' }) }],
    ['an error with data', { status: 400, body: JSON.stringify({ ...failureOf(400), data: { a: 1 } }) }],
    ['an error without its header', { status: 503, body: JSON.stringify(failureOf(503)) }],
    ['a body that is not JSON', { body: '<html>' }],
    ['no body', { body: '' }],
    ['another type of content', { headers: { 'content-type': 'text/html' } }],
    ['a 304 with a body', { status: 304 }],
    ['a success of another method', { method: 'PUT' }],
    ['another member of the envelope', { body: '{"success":true,"data":[],"message":null,"more":1}' }],
  ] satisfies [string, Partial<RestResponse>][])('%s', (_, others) => {
    expect(response([], DISTRICTS, others)?.length).toBeGreaterThan(0);
  });
});
