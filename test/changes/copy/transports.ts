import { gunzipSync } from 'node:zlib';
import { type Ask, fieldsOf, inOrder, type Records, recordsOf } from './dump.ts';

type Kind = 'CREATED' | 'UPDATED' | 'DELETED';

export interface Page {
  /** What was told of a record, by its global id: the last change of the page. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /** The values of those of the records that are there. */
  readonly values: Records;
  readonly next: string;
}

/** The cursor is unknown, so that the copy has to be made again. */
export class GoneError extends Error {}

export interface Gateway {
  readonly url: string;
  readonly key: string;
  readonly grants: readonly string[];
}

/** Reads the changes after a cursor. */
export type Transport = (gateway: Gateway, after: string) => Promise<Page>;

/** As many changes as one request may cost with all of their fields. */
const MOST = 25;

interface Result {
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

function dataOf({ data, errors }: Result): Record<string, unknown> {
  if (errors?.[0]?.extensions.code === 'GONE') throw new GoneError();
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data;
}

const post = ({ url, key }: Omit<Gateway, 'grants'>, accept: string, query: string, variables: object) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { accept, 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });

/** Asks a gateway over HTTP. */
export const askOver =
  (gateway: Omit<Gateway, 'grants'>): Ask =>
  async (query, variables = {}) =>
    dataOf(await (await post(gateway, 'application/json', query, variables)).json());

/** The changes with the values of the records, which are of the same version of the data. */
const selection = (operation: string, grants: readonly string[]) => `${operation} ($after: String!) {
  changes(after: $after, first: ${MOST}) {
    nodes { kind id: recordId ${fieldsOf(grants).map(([type, fields]) => `${type}: record { ... on ${type} { id ${fields} } }`)} }
    next
  }
}`;

type Told = Readonly<Record<string, { readonly id?: string } | null>> & { readonly kind: Kind; readonly id: string };

function pageOf(changes: unknown): Page {
  const { nodes, next } = changes as { readonly nodes: readonly Told[]; readonly next: string };
  const values: Records = new Map();
  for (const { kind: _, id, ...byType } of nodes) {
    const record = Object.values(byType).find((each) => each?.id !== undefined);
    if (record) values.set(id, inOrder(record));
  }
  return { kinds: new Map(nodes.map(({ kind, id }) => [id, kind])), values, next };
}

const graphql: Transport = async (gateway, after) => {
  const { changes } = await askOver(gateway)(selection('query', gateway.grants), { after });
  return pageOf(changes);
};

/** Reads the events of a subscription, each of which is a page. */
async function* eventsOf(gateway: Gateway, after: string): AsyncGenerator<Page, undefined> {
  const response = await post(gateway, 'text/event-stream', selection('subscription', gateway.grants), { after });
  let text = '';
  for await (const chunk of (response.body ?? new Blob().stream()).pipeThrough(new TextDecoderStream())) {
    const events = `${text}${chunk}`.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^event: next\ndata: (.*)$/m.exec(event)?.[1];
      if (data) yield pageOf(dataOf(JSON.parse(data)).changes);
    }
  }
  // An error before the first event is a response of its own.
  if (text.startsWith('{')) dataOf(JSON.parse(text));
}

/** Reads on in a stream as long as it tells what follows; its end is a page without changes. */
function readStream(): Transport {
  let open: { readonly events: AsyncGenerator<Page, undefined>; at: string } | undefined;
  return async (gateway, after) => {
    if (open?.at !== after) open = { events: eventsOf(gateway, after), at: after };
    const stream = open;
    open = undefined;
    const { value } = await stream.events.next();
    if (!value) return { kinds: new Map(), values: new Map(), next: after };
    open = Object.assign(stream, { at: value.next });
    return value;
  };
}

interface RestChange {
  readonly kind: Kind;
  readonly id: string;
}

async function get({ url, key }: Gateway, path: string) {
  const response = await fetch(new URL(path, url), { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } });
  if (response.status === 410) throw new GoneError();
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** Adds the values to changes without them, from the same gateway. */
async function withValues(gateway: Gateway, changes: readonly RestChange[], next: string): Promise<Page> {
  const kinds = new Map(changes.map(({ id, kind }) => [id, kind]));
  const present = [...kinds].flatMap(([id, kind]) => (kind === 'DELETED' ? [] : [id]));
  return { kinds, values: await recordsOf(askOver(gateway), gateway.grants, present), next };
}

const rest: Transport = async (gateway, after) => {
  const { data } = await (await get(gateway, `/data/changes?first=100&after=${after}`)).json();
  return withValues(gateway, data.changes, data.next);
};

/** Reads a file if there is one, and otherwise a page. */
const files: Transport = async (gateway, after) => {
  const { data } = await (await get(gateway, `/data/changes/files?after=${after}`)).json();
  const [file] = data.files;
  if (!file) return rest(gateway, after);
  const bytes = new Uint8Array(await (await get(gateway, file.url)).arrayBuffer());
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  return withValues(
    gateway,
    lines.map((line) => JSON.parse(line)),
    file.to,
  );
};

/** The ways to read the feed. `rest` and `files` need the same gateway for the values as for the changes. */
export const TRANSPORTS = { graphql, sse: readStream(), rest, files } as const satisfies Record<string, Transport>;
export type TransportName = keyof typeof TRANSPORTS;
