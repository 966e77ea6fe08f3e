import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { inTime } from '../../src/gateway/graphql/plugins/use-subscriptions.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';

interface Result {
  readonly data?: {
    readonly changes: { readonly next: string; readonly nodes: { readonly kind: string; readonly type: string }[] };
  };
  readonly errors?: {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly next?: string };
  }[];
}

const FIELDS = 'nodes { kind type recordId fields record { id } } next isUpToDate';
const subscription = (args = '') => `subscription { changes${args && `(${args})`} { ${FIELDS} } }`;

describe('Subscription.changes', () => {
  const database = useDatabase();
  const service = useApp(database, {
    MAX_READERS_PER_KEY: '3',
    MAX_IN_FLIGHT_PER_KEY: '1',
    MAX_WAITING_PER_KEY: '1',
    DEADLINE_MS: '1500',
  });
  let port = 0;
  const run = (statement: string) => sql.raw(statement).execute(database.db);
  const votes = (count: number) =>
    run(`update candidates set votes_for_cand = ${count} where id = (select min(id) from candidates)`);
  const rename = (name: string) => run(`update persons set name = '${name}' where id = (select min(id) from persons)`);

  beforeAll(async () => {
    await createElectionWorld(database.db);
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (service.app.server.address() as AddressInfo).port;
  });

  function post(query: string, { accept = 'text/event-stream', packageName = 'full' } = {}) {
    const headers = { accept, 'content-type': 'application/json', 'x-api-key': service.key(packageName) };
    return fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  }

  /** Opens a subscription; `next` returns its next result, and undefined at its end. */
  async function open(query: string, packageName?: string) {
    const response = await post(query, packageName === undefined ? {} : { packageName });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = '';
    return {
      status: response.status,
      headers: response.headers,
      close: () => reader.cancel(),
      async next(): Promise<Result | undefined> {
        for (;;) {
          const found = /event: next\ndata: (.*)\n\n/.exec(text);
          if (found) {
            text = text.slice(found.index + found[0].length);
            return JSON.parse(found[1] as string);
          }
          const { value, done } = await reader.read();
          if (done) return undefined;
          text += decoder.decode(value, { stream: true });
        }
      },
    };
  }

  it('tells of what followed a cursor, then of each change as it happens, with the cursor to resume by', async () => {
    const reader = await open(subscription('after: "start", first: 100, types: ["Person"]'));
    expect([reader.status, reader.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const first = (await reader.next())?.data?.changes;
    expect(first?.nodes.length).toBeGreaterThan(0);
    const query = subscription('after: "start", first: 100, types: ["Person"]').replace('subscription', 'query');
    expect((await (await post(query, { accept: 'application/json' })).json()).data.changes).toEqual(first);
    const began = performance.now();
    await rename('Robin');
    const second = await reader.next();
    expect(second?.data?.changes.nodes).toMatchObject([{ kind: 'UPDATED', type: 'Person', fields: ['name'] }]);
    expect(performance.now() - began).toBeLessThan(1_000);
    await reader.close();
    await rename('Sasha');
    const resumed = await open(subscription(`after: "${second?.data?.changes.next}"`));
    expect((await resumed.next())?.data?.changes.nodes).toMatchObject([{ kind: 'UPDATED', type: 'Person' }]);
    await resumed.close();
  });

  it('has more than the time of a request, and no place among the requests of its key', async () => {
    const reader = await open(subscription());
    expect((await reader.next())?.data?.changes).toMatchObject({ nodes: [], isUpToDate: true });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await post('{ __typename }', { accept: 'application/json' })).status).toBe(200);
    await votes(7);
    expect((await reader.next())?.data?.changes.nodes).toMatchObject([{ type: 'Candidate', fields: ['votes'] }]);
    await reader.close();
  });

  it('tells all readers of a key of a change, though they are more than may be under way and wait', async () => {
    const readers = [await open(subscription()), await open(subscription()), await open(subscription())];
    for (const reader of readers) await reader.next();
    await rename('Toni');
    for (const reader of readers)
      expect((await reader.next())?.data?.changes.nodes).toMatchObject([{ kind: 'UPDATED', type: 'Person' }]);
    for (const reader of readers) await reader.close();
  });

  it('tells nothing of a change that the package does not show', async () => {
    const reader = await open(subscription(), 'no-results');
    await reader.next();
    await votes(8);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await rename('Kim');
    const next = await reader.next();
    expect(next?.data?.changes.nodes).toMatchObject([{ type: 'Person' }]);
    await reader.close();
  });

  it.each([
    ['an unknown cursor', subscription(`after: "${'f'.repeat(72)}"`), 'text/event-stream', 410, 'GONE'],
    ['a wrong argument', subscription('types: ["Contact"]'), 'text/event-stream', 400, 'INVALID_PARAMETER'],
    ['another media type', subscription(), 'application/json', 406, 'NOT_ACCEPTABLE'],
    ['a query', '{ __typename }', 'text/event-stream', 406, 'NOT_ACCEPTABLE'],
    ['a field that there is not', 'subscription { other }', 'text/event-stream', 200, 'GRAPHQL_VALIDATION_FAILED'],
  ])('answers %s with an error', async (_, query, accept, status, code) => {
    const response = await post(query, { accept });
    const body = await response.text();
    expect([response.status, body], body).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  });

  it('rejects one reader of a key too many', async () => {
    const readers = [await open(subscription()), await open(subscription()), await open(subscription())];
    for (const reader of readers) await reader.next();
    const rejected = await open(subscription());
    expect((await rejected.next())?.errors?.[0]?.extensions.code).toBe('TOO_MANY_AT_ONCE');
    const other = await open(subscription(), 'no-results');
    expect((await other.next())?.data?.changes.next).toBeDefined();
    for (const reader of [...readers, other]) await reader.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const again = await open(subscription());
    expect((await again.next())?.data?.changes.next).toBeDefined();
    await again.close();
  });
});

describe('a reader that takes too long to read', () => {
  /** The results of three events, and whether the connection was closed, for a client that waits before it reads the second one. */
  async function read(waitMs: number) {
    let isClosed = false;
    async function* events() {
      for (const next of ['1', '2', '3']) yield { data: { changes: { next } } };
    }
    const request = {
      raw: { id: 'request', errorCode: null },
      reply: {
        raw: {
          destroy() {
            isClosed = true;
          },
        },
      },
      context: {},
      operation: undefined,
    } as unknown as Parameters<typeof inTime>[1];
    const results: Result[] = [];
    for await (const { stringify, ...result } of inTime(events(), request, 100)) {
      results.push(JSON.parse(stringify(result as never)));
      if (results.length === 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    return { results, isClosed, code: request.raw.errorCode };
  }
  const data = ['1', '2', '3'].map((next) => ({ data: { changes: { next } } }));

  it('is told so in place of the next event, and has the cursor of the last one', async () => {
    expect(await read(0)).toEqual({ results: data, isClosed: false, code: null });
    const { results, isClosed, code } = await read(150);
    expect(results).toMatchObject([data[0], { errors: [{ extensions: { code: 'LAGGED' } }] }]);
    expect([isClosed, code]).toEqual([false, 'LAGGED']);
  });

  it('is disconnected if its connection takes nothing for twice as long', async () => {
    expect((await read(300)).isClosed).toBe(true);
  });
});
