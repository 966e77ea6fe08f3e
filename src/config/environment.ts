import { isIP } from 'node:net';
import { z } from 'zod';
import { isCalendarDate } from '../dates.ts';
import { exportVariables } from './export-config.ts';
import {
  DEFAULT_HTTP_LIMITS,
  DEFAULT_LOAD_LIMITS,
  DEFAULT_OPERATION_LIMITS,
  DEFAULT_PAGE_LIMITS,
  DEFAULT_RESPONSE_BYTES,
} from './limits.ts';
import { tracingVariables } from './tracing-config.ts';
import { flag, postgresAddress, wholeNumber, wholeNumberWithin } from './values.ts';

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone, for example America/Denver');

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every environment variable of the gateway. A test checks that the table in docs/configuration.md matches it. */
export const environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all'),
  PORT: wholeNumber(0, 65_535, 4000).describe('Port to listen on'),
  REUSE_PORT: flag(false).describe(
    'Whether several gateways of this machine may listen on the same port, one for each core; Linux deals the connections out',
  ),
  DATABASE_URL: postgresAddress
    .optional()
    .describe('PostgreSQL 15+ with PostGIS 3.3+; when not set, the embedded store'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded store'),
  POOL_SIZE: wholeNumber(1, 200, 10).describe('Connections to PostgreSQL (the embedded store has one)'),
  MAX_CONNECTIONS_PER_KEY: wholeNumberWithin(1, 200)
    .optional()
    .describe('Connections of the pool that the requests of one key take at once; 3 of 10 when not set'),
  MAX_CONNECTIONS_PER_REQUEST: wholeNumber(1, 200, 2).describe('The same, of one request'),
  PREPARED_STATEMENTS: flag(true).describe(
    'Whether connections keep statements prepared; `false` behind a pooler that hands out transactions',
  ),
  STATEMENT_TIMEOUT_MS: wholeNumberWithin(100, 600_000)
    .optional()
    .describe('A statement that takes longer is ended; `3000` when not set, `2000` on the embedded store'),
  POOL_WAIT_MS: wholeNumberWithin(10, 600_000)
    .optional()
    .describe(
      'A request that waits longer for a connection is refused; `2000` when not set, `5000` on the embedded store',
    ),
  MAX_REPLICA_LAG_S: wholeNumber(0, 86_400, 30).describe(
    'Requests are refused with 503 while the standby of the gateway is more seconds behind its primary; 0 for never',
  ),
  DEADLINE_MS: wholeNumber(100, 600_000, DEFAULT_HTTP_LIMITS.handlerTimeout).describe(
    'A request that takes longer, from its first byte to its answer, is ended',
  ),
  HEADERS_TIMEOUT_MS: wholeNumber(100, 600_000, DEFAULT_HTTP_LIMITS.headersTimeout).describe(
    'Time for the headers of a request to arrive',
  ),
  ARRIVAL_TIMEOUT_MS: wholeNumber(100, 600_000, DEFAULT_HTTP_LIMITS.requestTimeout).describe(
    'Time for a whole request to arrive',
  ),
  MAX_BODY_BYTES: wholeNumber(1_024, 16_777_216, DEFAULT_HTTP_LIMITS.body).describe('Largest request body'),
  MAX_URL_BYTES: wholeNumber(256, 16_000, DEFAULT_HTTP_LIMITS.url).describe('Longest address, with its query'),
  MAX_HEADERS: wholeNumber(10, 1_000, DEFAULT_HTTP_LIMITS.headers).describe('Most header fields of a request'),
  MAX_JSON_DEPTH: wholeNumber(8, 1_000, DEFAULT_HTTP_LIMITS.nesting).describe('Deepest nesting of a JSON body'),
  MAX_QUERY_TOKENS: wholeNumber(10, 100_000, DEFAULT_OPERATION_LIMITS.tokens).describe('Longest GraphQL document'),
  MAX_QUERY_DEPTH: wholeNumber(2, 50, DEFAULT_OPERATION_LIMITS.depth).describe(
    'Most levels of fields in a GraphQL operation',
  ),
  MAX_QUERY_ALIASES: wholeNumber(0, 10_000, DEFAULT_OPERATION_LIMITS.aliases).describe(
    'Most aliases in a GraphQL operation',
  ),
  MAX_QUERY_DIRECTIVES: wholeNumber(0, 10_000, DEFAULT_OPERATION_LIMITS.directives).describe(
    'Most directives in a GraphQL operation',
  ),
  MAX_QUERY_COST: wholeNumber(1, 1_000_000_000, DEFAULT_OPERATION_LIMITS.cost).describe(
    'Most records that the response to a GraphQL operation may hold: by an estimate before it runs, in which a geometry counts as up to 2,000, and by counting while it runs',
  ),
  MAX_RESPONSE_BYTES: wholeNumber(1_024, 268_435_456, DEFAULT_RESPONSE_BYTES).describe(
    'Largest response of GraphQL and of the REST lookups, before compression; downloads are not limited by this',
  ),
  MAX_IN_FLIGHT: wholeNumber(1, 100_000, DEFAULT_LOAD_LIMITS.inFlight).describe(
    'Most requests under way at once; more are refused with 503',
  ),
  MAX_IN_FLIGHT_PER_KEY: wholeNumber(1, 100_000, DEFAULT_LOAD_LIMITS.inFlightPerKey).describe(
    'The same, of one key; those that wait for exports count apart',
  ),
  MAX_EXPORTS_PER_KEY: wholeNumber(1, 100_000, DEFAULT_LOAD_LIMITS.exportsPerKey).describe(
    'Most requests of one key that wait for exports at once; more are refused with 503',
  ),
  MAX_PAGES_IN_FLIGHT: wholeNumber(1, 100_000, DEFAULT_PAGE_LIMITS.inFlight).describe(
    'Most requests at once for pages, which need no key; more are refused with 503',
  ),
  MAX_PAGES_IN_FLIGHT_PER_ADDRESS: wholeNumber(1, 100_000, DEFAULT_PAGE_LIMITS.inFlightPerAddress).describe(
    'The same, from one address (IPv6: one /64 network)',
  ),
  MAX_QUEUE_MS: wholeNumber(0, 600_000, DEFAULT_LOAD_LIMITS.queue).describe(
    'Work of a key is refused with 503 while it would wait longer for a connection to PostgreSQL; 0 for never',
  ),
  MAX_EVENT_LOOP_DELAY_MS: wholeNumber(0, 60_000, DEFAULT_LOAD_LIMITS.eventLoopDelay).describe(
    'While the event loop is later than this on average, a key may have one request under way, and requests without a key are refused with 503; 0 for never',
  ),
  MAX_FAILED_KEYS_PER_SECOND: wholeNumber(1, 1_000_000, 10).describe(
    'Keys that open nothing, from one address (IPv6: one /64 network); more are refused with 429',
  ),
  TRUSTED_PROXIES: z
    .string()
    .refine(areAddresses, 'must be addresses or networks, separated by commas, for example 10.0.0.0/8')
    .optional()
    .describe('Proxies whose `X-Forwarded-For` is believed, to tell addresses apart'),
  METRICS_PORT: wholeNumber(0, 65_535, 0).describe(
    'Port of its own for `/metrics` (Prometheus), which needs no key; 0 for no metrics',
  ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .optional()
    .describe(
      'Redis in which several gateways count the requests of a key together and share what they keep; when not set, each does so alone',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('Least severe log line that is written'),
  PERSISTED_DIR: z
    .string()
    .optional()
    .describe('Folder with manifests (`*.json`) of trusted GraphQL documents, which clients ask for by `documentId`'),
  PERSISTED_ONLY: flag(false).describe('Whether the trusted documents are the only ones that are answered'),
  GRAPHIQL: flag(true).describe('Whether `/graphql` shows GraphiQL to a browser'),
  QUERY_PLANS: flag(true).describe('Enable the SQL query planner; `false` executes every operation by resolvers alone'),
  CACHE: wholeNumber(0, 17_179_869_184, 67_108_864).describe('Size of the response cache in bytes; 0 disables it'),
  INTROSPECTION: flag(true).describe('Whether GraphQL answers questions about its schema'),
  TIME_ZONE: timeZone.default('UTC').describe('Where it is decided which day is today'),
  TODAY: z
    .string()
    .refine(isCalendarDate, 'must be an existing day, YYYY-MM-DD')
    .optional()
    .describe('Fixes today, for demonstrations'),
  ...exportVariables,
  ...tracingVariables,
});

function areAddresses(list: string): boolean {
  return list.split(',').every((item) => {
    const [address = '', bits] = item.trim().split('/');
    return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= 128));
  });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
