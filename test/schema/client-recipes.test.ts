import { readFileSync } from 'node:fs';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { type RetryExchangeOptions, retryExchange } from '@urql/exchange-retry';
import { getNamedType, getNullableType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/base/errors.ts';
import { schema } from '../../src/graph/schema.ts';

const recipes = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const recipeOf = (client: string) => recipes.split(`\n## ${client}\n`)[1]?.split('\n## ')[0] ?? '';

const PAGING = new Set(['first', 'after', 'last', 'before', 'page']);
const queryFields = Object.values(schema.getQueryType()?.getFields() ?? {});
const connections = queryFields.filter(({ type }) => getNamedType(type).name.endsWith('Connection'));
const objectTypes = Object.values(schema.getTypeMap()).filter(isObjectType);

describe('the recipe for Apollo Client', () => {
  it('names all arguments of each connection except those of paging', () => {
    const listOf = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const filtered = listOf(/const filtered = (.*);/.exec(recipeOf('Apollo Client'))?.[1] ?? '');
    const policies = [...recipeOf('Apollo Client').matchAll(/(\w+): (filtered|relayStylePagination\(\[([^\]]*)\]\))/g)];
    const listed = policies.map(([, name, policy, names]) => [
      name,
      policy === 'filtered' ? filtered : listOf(names ?? ''),
    ]);
    const expected = connections.map(({ name, args }) => [
      name,
      args.map((argument) => argument.name).filter((argument) => !PAGING.has(argument)),
    ]);
    const sorted = (entries: typeof listed) => entries.map(([name, names]) => [name, [...(names ?? [])].sort()]).sort();
    expect(sorted(listed)).toEqual(sorted(expected as typeof listed));
  });
});

describe('the recipe for urql', () => {
  it('pages all connections', () => {
    const paged = [...recipeOf('urql').matchAll(/(\w+): relayPagination\(\)/g)].map(([, name]) => name);
    expect(paged.sort()).toEqual(connections.map(({ name }) => name).sort());
  });

  it('embeds all types without an id', () => {
    const embedded = [...recipeOf('urql').matchAll(/(\w+): embedded/g)].map(([, name]) => name);
    const isPart = (name: string) => /^__|Connection$|Edge$|^PageInfo$|^Query$|^Subscription$/.test(name);
    const withoutId = objectTypes.filter((type) => !isPart(type.name) && !getNullableType(type.getFields().id?.type));
    expect(embedded.sort()).toEqual(withoutId.map(({ name }) => name).sort());
  });
});

describe("the recipe for retries with Apollo's RetryLink", () => {
  /** Returns how often a query is sent whose first two answers are 429, in the media type that was asked for. */
  async function timesSent(headers: Record<string, string>): Promise<number> {
    let count = 0;
    const respond: typeof fetch = async (_, init) => {
      const accepted = new Headers(init?.headers).get('accept') ?? '';
      const type = accepted.includes('graphql-response') ? 'application/graphql-response+json' : 'application/json';
      const errors = [{ message: 'Too many', extensions: { code: 'TOO_MANY_AT_ONCE' } }];
      const [status, body] = ++count > 2 ? [200, { data: { a: 1 } }] : [429, { errors }];
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
    };
    const http = new HttpLink({ uri: 'http://gateway.example/graphql', headers, fetch: respond });
    const link = ApolloLink.from([new RetryLink({ delay: { initial: 1, jitter: false } }), http]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    await client.query({ query: gql`{ a }`, errorPolicy: 'all' });
    return count;
  }

  it('needs the header that it names', async () => {
    const [, name = '', value = ''] = /RetryLink` sees .* header `(\w+): ([^`]+)`/.exec(recipeOf('Retries')) ?? [];
    expect(await timesSent({ [name]: value })).toBe(3);
    expect(await timesSent({})).toBe(1);
  });
});

describe("the recipe for retries with urql's retryExchange", () => {
  const [, options = ''] = /const retry = retryExchange\((\{[\s\S]*?\n {2}\})\);/.exec(recipeOf('Retries')) ?? [];
  const [, codes = ''] = /const AGAIN = (new Set\(.*\));/.exec(recipeOf('Retries')) ?? [];
  const recipe = new Function('AGAIN', `return ${options}`)(new Function(`return ${codes}`)());

  /** Returns how often a query is sent whose first answer has an error with the code and the status. */
  async function timesSent(code: string, status: number, retry: RetryExchangeOptions): Promise<number> {
    let count = 0;
    const respond: typeof fetch = async () => {
      const isFirst = ++count === 1;
      const body = isFirst ? { errors: [{ message: 'No', extensions: { code } }] } : { data: { a: 1 } };
      return new Response(JSON.stringify(body), {
        status: isFirst ? status : 200,
        headers: { 'content-type': 'application/graphql-response+json' },
      });
    };
    const client = new UrqlClient({
      url: 'http://gateway.example/graphql',
      preferGetMethod: false,
      fetch: respond,
      exchanges: [retryExchange(retry), fetchExchange],
    });
    const { error } = await client.query('{ a }', {}).toPromise();
    expect(error === undefined).toBe(count > 1);
    return count;
  }
  const quick = { ...recipe, initialDelayMs: 1, maxDelayMs: 1 };

  it.each(Object.entries(ERRORS).filter(([, { status }]) => [429, 503, 504].includes(status)))(
    'repeats a request after %s',
    async (code, { status }) => {
      expect(await timesSent(code, status, quick)).toBe(2);
      // Without the recipe, the error is a result like any other.
      expect(await timesSent(code, status, { initialDelayMs: 1, maxDelayMs: 1 })).toBe(1);
    },
  );

  it('does not repeat what would fail again', async () => {
    expect(await timesSent('FORBIDDEN', 403, quick)).toBe(1);
  });
});
