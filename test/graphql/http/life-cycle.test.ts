import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApiKey, setPackage } from '../../../src/gateway/access/access.store.ts';
import { PAGE_KEY } from '../../../src/gateway/access/page-key.ts';
import { sha256, writeManifest } from '../../../src/gateway/graphql/documents/trusted-documents.ts';
import { graphqlRoutes } from '../../../src/gateway/graphql/routes.ts';
import { readPageDocuments } from '../../../src/gateway/pages/page-documents.ts';
import { schema } from '../../../src/graph/schema.ts';
import { buildDatabaseApp } from '../../support/build-app.ts';
import { useDatabase } from '../../support/database.ts';
import { knowDocuments } from '../../support/responses/check.ts';
import { createWorld, POINTS, WORLD } from '../../support/world.ts';

const folder = await mkdtemp(join(tmpdir(), 'life-cycle-'));
afterAll(() => rm(folder, { recursive: true }));
const TRUSTED = 'query Trusted($state: String) {\n  districts(state: $state) {\n    totalCount\n  }\n}';
await writeFile(join(folder, 'client.graphql'), TRUSTED);
await writeManifest(folder, schema);
const pages = readPageDocuments();
knowDocuments([TRUSTED, ...[...pages.values()].map(({ text }) => text)]);

/** The hooks of Yoga that have run when a request ends in a step, in their order. */
const RECEIVED = ['onRequest'];
const READ = [...RECEIVED, 'onRequestParse'];
const NOT_READ = [...READ, 'onResultProcess'];
const FOUND = [...READ, 'onParams'];
const NOT_FOUND = [...FOUND, 'onResultProcess'];
const NOT_PARSED = [...FOUND, 'onParse', 'onResultProcess'];
const EXECUTED = [...FOUND, 'onParse', 'onValidate', 'onExecute', 'onResultProcess'];

/** The hooks that have run for the last request. */
let ran: string[] = [];
/** A plugin in front of all others. */
const watch = Object.fromEntries(
  EXECUTED.map((name) => [
    name,
    () => {
      ran.push(name);
    },
  ]),
);

const lines: Record<string, unknown>[] = [];
const log = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});

const database = useDatabase();
const ENVIRONMENTS = {
  cached: { PERSISTED_DIR: folder, PAGE_PACKAGE: 'visitors', MAX_RESPONSE_BYTES: '2000' },
  uncached: { RESPONSE_CACHE_BYTES: '0', MAX_RESPONSE_BYTES: '2000' },
  closed: { PERSISTED_DIR: folder, PERSISTED_ONLY: 'true', INTROSPECTION: 'false' },
  'without introspection': { INTROSPECTION: 'false', MAX_QUERY_COST: '50' },
};
const services = new Map<string, FastifyInstance>();
const keys: Record<string, string> = { page: PAGE_KEY };

beforeAll(async () => {
  await createWorld(database.db);
  await setPackage(database.db, { name: 'visitors', grants: ['districts'] });
  for (const name of ['full', 'visitors']) keys[name] = await createApiKey(database.db, name);
  for (const [name, environment] of Object.entries(ENVIRONMENTS)) {
    const fixed = { RESPONSE_CACHE_BYTES: '1000000', ...environment };
    services.set(name, await buildDatabaseApp(database, fixed, { log, routes: [graphqlRoutes([watch])] }));
  }
});
afterAll(() => Promise.all([...services.values()].map((app) => app.close())));

interface Case {
  /** The service; `cached` if omitted. */
  readonly at?: keyof typeof ENVIRONMENTS;
  readonly key?: string;
  readonly accept?: string;
  /** The body of a POST, or the parameters of the URL for another method. */
  readonly sent: unknown;
  readonly method?: 'GET' | 'HEAD';
  readonly hooks: readonly string[];
}

const GRAPHQL_TYPE = 'application/graphql-response+json';
const COUNT = '{ districts { totalCount } }';
const { southWest, beta } = POINTS;
const AT = `query ($a: Latitude!, $b: Longitude!) { location(latitude: $a, longitude: $b) { id districts { name } } }`;
const NAMED_ONLY = 'query A { __typename } query B { a: __typename }';
const at = ({ latitude: a, longitude: b }: typeof southWest | typeof beta) => ({ a, b });
const HIDDEN = `{ district(databaseId: ${WORLD.alpha}) { name offices { name } } }`;
const MANY = 'query ($points: [PointInput!]!) { locations(points: $points) { latitude districts { name } } }';
const HIDDEN_AT = { query: AT.replace('{ name }', '{ offices { name } }'), variables: at(southWest) };
const long = { points: Array.from({ length: 60 }, () => southWest) };
/** With a response that is too large, though nothing is loaded for it: what is loaded may be refused earlier. */
const WIDE = `{ ${'x'.repeat(2_000)}: __typename }`;
const ofHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
const hashed = { extensions: ofHash(sha256(COUNT)) };

/** In this order: some depend on what those before them have cached or registered. */
const CASES: readonly (readonly [name: string, Case])[] = [
  ['a document that is not known', { sent: { query: COUNT }, hooks: EXECUTED }],
  ['a response from the cache', { sent: { query: COUNT }, hooks: RECEIVED }],
  ['the same document in other words, from the cache', { sent: { query: `query ${COUNT} ` }, hooks: EXECUTED }],
  ['the same again', { sent: { query: `query ${COUNT} ` }, hooks: RECEIVED }],
  ['a response from the cache by GET', { method: 'GET', sent: { query: COUNT }, hooks: RECEIVED }],
  ['a response from the cache by HEAD', { method: 'HEAD', sent: { query: COUNT }, hooks: RECEIVED }],
  ['the other media type', { accept: GRAPHQL_TYPE, sent: { query: COUNT }, hooks: RECEIVED }],
  ['no media type', { accept: 'text/csv', sent: { query: COUNT }, hooks: [] }],
  ['no key', { key: 'none', sent: { query: COUNT }, hooks: [] }],
  ['an operation by its name', { sent: { query: NAMED_ONLY, operationName: 'B' }, hooks: EXECUTED }],
  ['an operation by its name, again', { sent: { query: NAMED_ONLY, operationName: 'B' }, hooks: EXECUTED }],
  ['an operation by GET', { method: 'GET', sent: { query: NAMED_ONLY, operationName: 'A' }, hooks: EXECUTED }],
  ['an operation by HEAD', { method: 'HEAD', sent: { query: NAMED_ONLY, operationName: 'A' }, hooks: EXECUTED }],
  ['no operation of several', { sent: { query: NAMED_ONLY }, hooks: NOT_PARSED }],
  ['an operation that is not there', { sent: { query: NAMED_ONLY, operationName: 'C' }, hooks: NOT_PARSED }],
  ['a name that is a number', { sent: { query: NAMED_ONLY, operationName: 1 }, hooks: NOT_PARSED }],
  ['a mutation', { sent: { query: 'mutation { a }' }, hooks: NOT_PARSED }],
  ['a mutation by GET', { method: 'GET', sent: { query: 'mutation { a }' }, hooks: NOT_PARSED }],
  ['a subscription', { sent: { query: 'subscription { a }' }, hooks: NOT_PARSED }],
  ['a point', { sent: { query: AT, variables: at(southWest) }, hooks: EXECUTED }],
  ['a point from the cache', { sent: { query: AT, variables: at(southWest) }, hooks: RECEIVED }],
  ['another point', { sent: { query: AT, variables: at(beta) }, hooks: EXECUTED }],
  ['points', { sent: { query: MANY, variables: { points: [southWest] } }, hooks: EXECUTED }],
  ['points, some from the cache', { sent: { query: MANY, variables: { points: [southWest, beta] } }, hooks: EXECUTED }],
  ['points from the cache', { sent: { query: MANY, variables: { points: [beta, southWest] } }, hooks: RECEIVED }],
  ['too large a response from the cache', { sent: { query: MANY, variables: long }, hooks: EXECUTED }],
  ['too large a response', { at: 'uncached', sent: { query: WIDE }, hooks: [...EXECUTED, 'onResultProcess'] }],
  ['a response without a cache', { at: 'uncached', sent: { query: COUNT }, hooks: EXECUTED }],
  ['a response without a cache by GET', { at: 'uncached', method: 'GET', sent: { query: COUNT }, hooks: EXECUTED }],
  ['a literal point', { sent: { query: '{ location(latitude: 42, longitude: -98) { latitude } }' }, hooks: EXECUTED }],
  ['a wrong point', { sent: { query: AT, variables: { a: 91, b: 0 } }, hooks: EXECUTED }],
  ['a missing variable', { accept: GRAPHQL_TYPE, sent: { query: AT }, hooks: EXECUTED }],
  ['variables of the wrong type', { sent: { query: AT, variables: [1] }, hooks: NOT_FOUND }],
  ['extensions of the wrong type', { sent: { query: COUNT, extensions: 1 }, hooks: NOT_FOUND }],
  ['an unknown parameter', { sent: { query: COUNT, other: 1 }, hooks: RECEIVED }],
  ['a query of the wrong type', { sent: { query: 1 }, hooks: NOT_FOUND }],
  ['no query', { sent: {}, hooks: NOT_FOUND }],
  ['a batch', { sent: [{ query: COUNT }], hooks: NOT_READ }],
  ['a text', { sent: '"a"', hooks: NOT_READ }],
  ['no JSON', { sent: '{', hooks: [] }],
  ['variables that are no JSON', { method: 'GET', sent: { query: COUNT, variables: '{' }, hooks: NOT_READ }],
  [
    'variables that are too deep',
    { method: 'GET', sent: { query: COUNT, variables: '['.repeat(40) }, hooks: NOT_READ },
  ],
  ['variables that are a number', { method: 'GET', sent: { query: COUNT, variables: '1' }, hooks: NOT_FOUND }],
  ['a syntax error', { sent: { query: '{' }, hooks: NOT_PARSED }],
  ['a syntax error, again', { accept: GRAPHQL_TYPE, sent: { query: '{' }, hooks: NOT_PARSED }],
  ['a syntax error by GET', { method: 'GET', sent: { query: '{' }, hooks: NOT_PARSED }],
  ['unknown fields', { sent: { query: '{ a b }' }, hooks: NOT_PARSED }],
  ['unknown fields, again', { accept: GRAPHQL_TYPE, sent: { query: '{ a b }' }, hooks: NOT_PARSED }],
  ['unknown fields by HEAD', { method: 'HEAD', sent: { query: '{ a b }' }, hooks: NOT_PARSED }],
  ['too many tokens', { sent: { query: `{ ${'a: __typename '.repeat(400)} }` }, hooks: NOT_PARSED }],
  [
    'too many records',
    {
      at: 'without introspection',
      sent: { query: '{ districts(first: 100) { edges { node { offices { name } } } } }' },
      hooks: NOT_PARSED,
    },
  ],
  ['fields that are not in the package', { key: 'visitors', sent: { query: HIDDEN }, hooks: EXECUTED }],
  ['fields that are not in the package, cached', { key: 'visitors', sent: { query: HIDDEN }, hooks: RECEIVED }],
  ['a point without fields of the package', { key: 'visitors', sent: HIDDEN_AT, hooks: EXECUTED }],
  ['the same point, from the cache', { key: 'visitors', sent: HIDDEN_AT, hooks: RECEIVED }],
  ['introspection', { sent: { query: '{ __type(name: "Date") { name } }' }, hooks: EXECUTED }],
  [
    'introspection that is disabled',
    { at: 'without introspection', sent: { query: '{ __type(name: "Date") { name } }' }, hooks: NOT_PARSED },
  ],
  ['a hash that is not known', { sent: { extensions: ofHash('0'.repeat(64)) }, hooks: NOT_FOUND }],
  ['a hash of another text', { sent: { query: COUNT, extensions: ofHash('0'.repeat(64)) }, hooks: NOT_FOUND }],
  ['a hash before its text', { sent: hashed, hooks: NOT_FOUND }],
  ['a hash with its text', { sent: { query: COUNT, ...hashed }, hooks: EXECUTED }],
  ['a hash after its text, from the cache', { sent: hashed, hooks: RECEIVED }],
  ['a hash by GET', { method: 'GET', sent: { extensions: JSON.stringify(hashed.extensions) }, hooks: RECEIVED }],
  [
    'a hash with a text that is not valid',
    { sent: { query: '{ c }', extensions: ofHash(sha256('{ c }')) }, hooks: NOT_PARSED },
  ],
  ['the hash of a text that is not valid', { sent: { extensions: ofHash(sha256('{ c }')) }, hooks: NOT_FOUND }],
  ['a malformed hash', { sent: { extensions: { persistedQuery: {} } }, hooks: NOT_FOUND }],
  ['a trusted document', { sent: { documentId: sha256(TRUSTED) }, hooks: EXECUTED }],
  ['a trusted document from the cache', { sent: { documentId: sha256(TRUSTED) }, hooks: RECEIVED }],
  ['a trusted document by its hash', { sent: { extensions: ofHash(sha256(TRUSTED)) }, hooks: RECEIVED }],
  ['an unknown id', { sent: { documentId: 'a' }, hooks: NOT_FOUND }],
  ['an id beside a text', { sent: { query: COUNT, documentId: 'a' }, hooks: NOT_FOUND }],
  ['a text where only trusted documents are allowed', { at: 'closed', sent: { query: COUNT }, hooks: NOT_FOUND }],
  ['a trusted document there', { at: 'closed', sent: { documentId: sha256(TRUSTED) }, hooks: EXECUTED }],
  ['another document with the key of the page', { key: 'page', sent: { query: COUNT }, hooks: NOT_FOUND }],
  [
    'a document of the page with its key',
    { key: 'page', sent: { documentId: pages.get('Sources')?.id }, hooks: EXECUTED },
  ],
  ['the same, from the cache', { key: 'page', sent: { documentId: pages.get('Sources')?.id }, hooks: RECEIVED }],
];

async function ask({ at: service = 'cached', key = 'full', accept, sent, method }: Case) {
  const asked = { 'x-api-key': keys[key] ?? key, accept: accept ?? 'application/json' };
  const app = services.get(service) as FastifyInstance;
  const options: InjectOptions = method
    ? { method, url: `/graphql?${new URLSearchParams(sent as Record<string, string>)}`, headers: asked }
    : {
        ...{ method: 'POST', url: '/graphql', headers: { ...asked, 'content-type': 'application/json' } },
        payload: typeof sent === 'string' ? sent : JSON.stringify(sent),
      };
  [ran, lines.length] = [[], 0];
  const response = await app.inject(options);
  const { 'x-request-id': id, date: _date, connection: _connection, ...headers } = response.headers;
  const logged = lines.map(({ level, msg, status, error, package: of, err }) =>
    [level, msg, status, error, of, (err as Error | undefined)?.message].filter((each) => each !== undefined).join(' '),
  );
  const sentBack = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const body = response.body.replaceAll(String(id), 'ID');
  return { hooks: ran, answer: [response.statusCode, ...sentBack.sort(), body, ...logged].join('\n') };
}

// The expected responses were recorded before Yoga's hooks had the steps of a request.
describe('the steps of a request in the hooks of Yoga', () => {
  it.each(CASES)('%s', async (_, each) => {
    // A response is cached once its data version is proved, which no request waits for.
    const answer = await vi.waitFor(async () => {
      const asked = await ask(each);
      expect(asked.hooks).toEqual(each.hooks);
      return asked.answer;
    });
    expect(answer).toMatchSnapshot();
  });

  it('an error of the database', async () => {
    await sql`alter table offices rename to hidden_offices`.execute(database.db);
    try {
      const query = `{ office(databaseId: ${WORLD.president}) { name } }`;
      const { hooks, answer } = await ask({ sent: { query }, hooks: EXECUTED });
      expect(answer).toMatchSnapshot();
      expect(hooks).toEqual(EXECUTED);
    } finally {
      await sql`alter table hidden_offices rename to offices`.execute(database.db);
    }
  });
});
