import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { BULK_IDS, REQUESTS, type Request } from './requests.ts';

/** Headers that differ from one request to the next for the same data. */
const OF_THE_REQUEST = ['date', 'x-request-id', 'server-timing'];

/** Sends all requests with a key. Returns for each its status, headers and body as one text. */
export async function collect(app: FastifyInstance, key: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const request of REQUESTS) found.set(titleOf(request), textOf(await send(app, request, key)));
  for (const id of BULK_IDS) {
    for (const format of ['json', 'csv', 'geojson']) {
      const headers = { 'content-type': 'application/json' };
      const url = '/getQueryResults';
      const link = await send(app, { method: 'POST', url, headers, payload: JSON.stringify({ id, format }) }, key);
      found.set(`download ${id}.${format}`, await fileOf(app, link));
    }
  }
  return found;
}

function send(app: FastifyInstance, request: Request, key: string): Promise<LightMyRequestResponse> {
  return app.inject({ ...request, headers: { ...request.headers, 'x-api-key': key } });
}

/** Returns the file of a link, which itself is new each time; the rejection if there is none. */
async function fileOf(app: FastifyInstance, link: LightMyRequestResponse): Promise<string> {
  const address = link.json().data?.url;
  if (typeof address !== 'string') return textOf(link);
  const { pathname, search } = new URL(address);
  const file = await app.inject({ url: pathname + search });
  return `${file.statusCode} ${file.headers['content-length']}\n${file.body}`;
}

function textOf({ statusCode, headers, body }: LightMyRequestResponse): string {
  const shown = Object.entries(headers)
    .filter(([name]) => !OF_THE_REQUEST.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  const requestId = String(headers['x-request-id']);
  return [statusCode, ...shown, withNumberedElections(body.replaceAll(requestId, 'REQUEST_ID'))].join('\n');
}

/**
 * Replaces the global ids of elections, and the cursors with their keys, by the order in which they appear. The keys are
 * the encrypted numbers, which reveal nothing but differ if the numbers do.
 */
function withNumberedElections(body: string): string {
  const numbers = new Map<string, number>();
  const named = (name: string) => (text: string) => {
    numbers.set(text, numbers.get(text) ?? numbers.size + 1);
    return `${name}_${numbers.get(text)}`;
  };
  const isCursor = (text: string) => /^\["[\d-]{10}","[\da-f]{32}"\]$/.test(Buffer.from(text, 'base64url').toString());
  return body
    .replaceAll(/RWxlY3Rpb246[\w-]{43}/g, named('ELECTION'))
    .replaceAll(/\b[\w-]{66}\b/g, (text) => (isCursor(text) ? named('CURSOR')(text) : text));
}

function titleOf({ url, payload }: Request): string {
  return payload === undefined ? url : (JSON.parse(String(payload)).query ?? String(payload));
}
