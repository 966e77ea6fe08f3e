import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { BULK_IDS, REQUESTS, type Request } from './requests.ts';

/** Headers that differ from one request to the next for the same data. */
const OF_THE_REQUEST = ['date', 'x-request-id', 'server-timing'];

/** The responses to all requests, by title: for each its status, headers and body as one text. */
export type Responses = ReadonlyMap<string, string>;

/**
 * Sends all requests with a key of each package, and returns the responses by package. Each request is sent with all keys
 * before the next one: the caches hold a few requests, so that it is parsed, validated, planned and prepared once.
 */
export async function collect(
  app: FastifyInstance,
  keys: ReadonlyMap<string, string>,
): Promise<Map<string, Responses>> {
  const found = new Map([...keys.keys()].map((name) => [name, new Map<string, string>()]));
  for (const { title, read } of READS) {
    for (const [name, key] of keys) found.get(name)?.set(title, await read(app, key));
  }
  return found;
}

/** A request, or one for a download with the file that it leads to. */
interface Read {
  readonly title: string;
  readonly read: (app: FastifyInstance, key: string) => Promise<string>;
}

const READS: readonly Read[] = [
  ...REQUESTS.map((request) => ({
    title: titleOf(request),
    read: async (app: FastifyInstance, key: string) => textOf(await send(app, request, key)),
  })),
  ...BULK_IDS.flatMap((id) =>
    ['json', 'csv', 'geojson'].map((format) => ({
      title: `download ${id}.${format}`,
      read: async (app: FastifyInstance, key: string) => {
        const headers = { 'content-type': 'application/json' };
        const payload = JSON.stringify({ id, format });
        return fileOf(app, await send(app, { method: 'POST', url: '/getQueryResults', headers, payload }, key));
      },
    })),
  ),
  {
    title: 'download the files of changes',
    read: async (app, key) => {
      const response = await send(app, { url: '/data/changes/files?after=start' }, key);
      if (response.statusCode !== 200) return textOf(response);
      const { files, next }: { files: Record<string, string>[]; next: string } = response.json().data;
      const contents = await Promise.all(
        files.map(async ({ url = '' }) => {
          const { pathname, search } = new URL(url, 'http://localhost');
          return gunzipSync((await app.inject({ url: pathname + search })).rawPayload).toString();
        }),
      );
      // The name has the first digits of both cursors.
      const listed = files.map(({ url: _, name = '', ...file }) => ({
        ...file,
        name: name.replace(/(?<=_).*?(?=\.)/, ''),
      }));
      return withNumberedElections([JSON.stringify({ listed, next }), ...contents].join('\n'));
    },
  },
];

function send(app: FastifyInstance, request: Request, key: string): Promise<LightMyRequestResponse> {
  return app.inject({ ...request, headers: { ...request.headers, 'x-api-key': key } });
}

/** Returns the file of a link, which itself is new each time; the rejection if there is none. */
async function fileOf(app: FastifyInstance, link: LightMyRequestResponse): Promise<string> {
  const address = link.json().data?.url;
  if (typeof address !== 'string') return textOf(link);
  const { pathname, search } = new URL(address, 'http://localhost');
  const file = await app.inject({ url: pathname + search });
  return `${file.statusCode} ${file.headers['content-length']}\n${file.body}`;
}

/** Encrypted with the secret of the database, so that the tag of a response with one is another in each. */
const CURSOR_OF_CHANGES = /(?<![\da-f])[\da-f]{72}(?![\da-f])/;

function textOf({ statusCode, headers, body }: LightMyRequestResponse): string {
  const shown = Object.entries(headers)
    .filter(([name]) => !OF_THE_REQUEST.includes(name) && !(name === 'etag' && CURSOR_OF_CHANGES.test(body)))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();
  const requestId = String(headers['x-request-id']);
  return [statusCode, ...shown, withNumberedElections(body.replaceAll(requestId, 'REQUEST_ID'))].join('\n');
}

/**
 * Replaces the global ids of elections, the cursors with their keys and those of the feed of changes by the order in which they appear. The keys are
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
    .replaceAll(new RegExp(CURSOR_OF_CHANGES, 'g'), named('CURSOR'))
    .replaceAll(/\b[\w-]{66}\b/g, (text) => (isCursor(text) ? named('CURSOR')(text) : text));
}

function titleOf({ url, payload }: Request): string {
  return payload === undefined ? url : (JSON.parse(String(payload)).query ?? String(payload));
}
