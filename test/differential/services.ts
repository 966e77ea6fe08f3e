import type { FastifyInstance, InjectOptions } from 'fastify';
import { type ExecutionResult, execute, parse } from 'graphql';
import { pino } from 'pino';
import { readConfig } from '../../src/base/config/config.ts';
import { createApiKey, findCaller } from '../../src/gateway/access/access.store.ts';
import { digestOf } from '../../src/gateway/access/api-key.ts';
import { openQueryLibrary } from '../../src/gateway/exports/query-library.ts';
import { prepareValid } from '../../src/gateway/graphql/documents/documents.ts';
import { checkLimits, computeComplexity } from '../../src/gateway/graphql/documents/query-complexity.ts';
import { createErrorFormat } from '../../src/gateway/graphql/execution/error-format.ts';
import type { Context } from '../../src/graph/builder/context.ts';
import { schema } from '../../src/graph/schema.ts';
import type { DatabaseBackend } from '../../src/store/backend.ts';
import type { DrawnRequest } from '../drawn/documents.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { setKnownSecret } from '../support/election-key.ts';
import { isSameResult } from './same-result.ts';
import { typeErrors } from './type-check.ts';

/** The configurations of the service: with and without the query planner and the cache. */
const CONFIGURATIONS = {
  plain: { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '0' },
  planner: { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '0' },
  cache: { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '4000000' },
  'planner and cache': { QUERY_PLANS: 'true', RESPONSE_CACHE_BYTES: '4000000' },
} as const;

export const PACKAGES = ['full', 'no-results', 'lookup'] as const;
const TODAY = '2026-07-01';
const ENVIRONMENT = {
  TODAY,
  ...{ MAX_QUERY_TOKENS: '100000', MAX_QUERY_DEPTH: '50', MAX_QUERY_ALIASES: '10000', MAX_QUERY_DIRECTIVES: '10000' },
  ...{
    MAX_QUERY_COST: '1000000000',
    MAX_IN_FLIGHT: '1000',
    MAX_IN_FLIGHT_PER_KEY: '1000',
    MAX_WAITING_PER_KEY: '1000',
  },
  ...{ DEADLINE_MS: '120000' },
};
const LIMITS = readConfig(ENVIRONMENT).limits.operation;

export interface Differential {
  /**
   * Sends a request to every configuration for some packages, twice with the cache, and compares each response with
   * that of graphql-js over resolvers.
   * @returns the differences.
   */
  differencesOf(request: DrawnRequest, packages?: readonly string[]): Promise<string[]>;
  /** The number of comparisons so far. */
  readonly compared: { responses: number; withErrors: number; withData: number };
  close(): Promise<void>;
}

type Requested = Pick<FastifyInstance, 'inject'>;

/** Builds the service in each configuration over an open database. */
export async function openDifferential(
  database: Pick<DatabaseBackend, 'db' | 'pool'>,
  kind: DatabaseBackend['kind'],
): Promise<Differential> {
  // The ids of elections in the documents depend on it.
  await setKnownSecret(database.db);
  const logged: string[] = [];
  const log = { write: (line: string) => void (/"level":[56]0/.test(line) && logged.push(line.trim())) };
  const apps: [string, FastifyInstance][] = [];
  for (const [name, configuration] of Object.entries(CONFIGURATIONS)) {
    apps.push([name, await buildDatabaseApp(database, { ...ENVIRONMENT, ...configuration }, { kind, log })]);
  }
  const keys: (readonly [name: string, key: string])[] = [];
  for (const name of PACKAGES) keys.push([name, await createApiKey(database.db, name)]);
  const queries = openQueryLibrary(readConfig({}).exports.queriesDir, pino({ level: 'silent' }));
  const compared = { responses: 0, withErrors: 0, withData: 0 };

  async function expectedOf({ query, variables, operationName }: DrawnRequest, key: string): Promise<ExecutionResult> {
    const caller = await findCaller(database.db, digestOf(key));
    if (!caller) throw new Error('The key is not known');
    const contextValue: Context = { db: database.db, caller, today: TODAY, queries };
    const { document, analysis } = prepareValid(schema, parse(query));
    // The highest limit that can be configured: a few of a million documents exceed it, and every configuration has to
    // reject them.
    const exceeded = checkLimits(computeComplexity(schema, analysis.definitions, variables), LIMITS);
    if (exceeded) return { errors: [exceeded] };
    const options = { maxCoercionErrors: 5 };
    const operation = { variableValues: variables, operationName };
    const result = await execute({ schema, document, ...operation, contextValue, options });
    const extensions = result.data ? analysis.findNotInPackage(operation, caller.grants) : undefined;
    return extensions ? { ...result, extensions } : result;
  }

  async function compare(app: Requested, request: DrawnRequest, key: string, expected: string): Promise<string[]> {
    const headers = { 'x-api-key': key, accept: 'application/json' };
    const { body } = await app.inject({ ...sent(request), headers });
    compared.responses++;
    return isSameResult(withoutRequestId(body), expected)
      ? []
      : [`${body.slice(0, 2_000)}\ninstead of\n${expected.slice(0, 2_000)}`];
  }

  return {
    compared,
    async differencesOf(request, packages = PACKAGES) {
      const requesting = keys.filter(([name]) => packages.includes(name));
      logged.length = 0;
      const [document, differences] = [parse(request.query), [] as string[]];
      const expected = new Map<string, string>();
      for (const [name, key] of requesting) {
        const result = await expectedOf(request, key);
        if (result.errors) compared.withErrors++;
        if (result.data) compared.withData++;
        const text = textOf(result);
        expected.set(key, text);
        // Parsed as by a client, so that the names of fields are those in the JSON.
        const problems = 'data' in result ? typeErrors(schema, document, request, JSON.parse(text).data) : [];
        differences.push(...problems.map((problem) => `graphql-js, ${name}: ${problem}`));
        if (text.includes('"code":"INTERNAL"')) differences.push(`graphql-js, ${name}: ${text.slice(0, 2_000)}`);
      }
      for (const turn of [1, 2]) {
        const requested = apps.filter(([configuration]) => turn === 1 || configuration.includes('cache'));
        const found = requested.flatMap(([configuration, app]) =>
          requesting.map(async ([name, key]) =>
            (await compare(app, request, key, expected.get(key) ?? '')).map(
              (each) => `${configuration}, ${name}, ${turn}: ${each}`,
            ),
          ),
        );
        differences.push(...(await Promise.all(found)).flat());
      }
      // A failure of the planner has a correct response, and is logged.
      return [...differences, ...logged];
    },
    async close() {
      for (const [, app] of apps) await app.close();
    },
  };
}

/** The body of a POST may have no member `__proto__`, which variables in a URL may. */
function sent(request: DrawnRequest): InjectOptions {
  if (!Object.hasOwn(request.variables, '__proto__')) return { method: 'POST', url: '/graphql', payload: request };
  const { query, variables, operationName } = request;
  return {
    method: 'GET',
    url: '/graphql',
    query: { query, variables: JSON.stringify(variables), ...(operationName !== undefined && { operationName }) },
  };
}

/** Returns the result as it is sent. */
function textOf(result: ExecutionResult): string {
  const format = createErrorFormat('');
  return withoutRequestId(JSON.stringify({ ...result, ...(result.errors && { errors: result.errors.map(format) }) }));
}

function withoutRequestId(body: string): string {
  return body.replace(/"requestId":"[^"]*"/g, '"requestId":""');
}
