import { isIP } from 'node:net';
import { z } from 'zod';
import { isCalendarDate } from '../dates.ts';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../graphql/limits.ts';
import { DEFAULT_RESPONSE_BYTES, type ResponseLimits } from '../graphql/response-size.ts';
import { DEFAULT_LOAD_LIMITS, type LoadLimits } from '../http/in-flight.ts';
import { DEFAULT_LIMITS, type Limits } from '../http/limits.ts';
import { DEFAULT_PAGE_LIMITS, type PageLimits } from '../http/page-admission.ts';
import { type ExportConfig, exportConfig, exportProblem, exportVariables } from './export-config.ts';
import { type TracingConfig, tracingConfig, tracingVariables } from './tracing-config.ts';
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
  DEADLINE_MS: wholeNumber(100, 600_000, DEFAULT_LIMITS.handlerTimeout).describe(
    'A request that takes longer, from its first byte to its answer, is ended',
  ),
  HEADERS_TIMEOUT_MS: wholeNumber(100, 600_000, DEFAULT_LIMITS.headersTimeout).describe(
    'Time for the headers of a request to arrive',
  ),
  ARRIVAL_TIMEOUT_MS: wholeNumber(100, 600_000, DEFAULT_LIMITS.requestTimeout).describe(
    'Time for a whole request to arrive',
  ),
  MAX_BODY_BYTES: wholeNumber(1_024, 16_777_216, DEFAULT_LIMITS.body).describe('Largest request body'),
  MAX_URL_BYTES: wholeNumber(256, 16_000, DEFAULT_LIMITS.url).describe('Longest address, with its query'),
  MAX_HEADERS: wholeNumber(10, 1_000, DEFAULT_LIMITS.headers).describe('Most header fields of a request'),
  MAX_JSON_DEPTH: wholeNumber(8, 1_000, DEFAULT_LIMITS.nesting).describe('Deepest nesting of a JSON body'),
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

/** Default timeouts in milliseconds. */
const PATIENCE = {
  server: { statement: 3_000, poolWait: 2_000 },
  // All requests share its single connection, so they wait until a runaway statement is ended and the database is
  // reopened.
  embedded: { statement: 2_000, poolWait: 5_000 },
} as const;

export interface Config {
  /** `reusePort`: other processes may listen on the same port if they set it as well. */
  readonly listen: { readonly host: string; readonly port: number; readonly reusePort: boolean };
  readonly store: {
    /** The connection URL of PostgreSQL; `undefined` for the embedded database in `dataDir`. */
    readonly url: string | undefined;
    readonly dataDir: string;
    readonly poolSize: number;
    /** Maximum number of connections that one API key uses at once; a share of the pool if undefined. */
    readonly connectionsPerKey: number | undefined;
    readonly connectionsPerRequest: number;
    /** Whether connections use prepared statements. */
    readonly prepared: boolean;
    readonly statementTimeoutMs: number;
    readonly poolWaitMs: number;
    /** Maximum replica lag of a standby in seconds; 0 for any lag. */
    readonly maxReplicaLagS: number;
  };
  /** The limits of HTTP requests and of GraphQL operations. */
  readonly limits: {
    readonly http: Limits;
    readonly operation: OperationLimits;
    readonly response: ResponseLimits;
    readonly load: LoadLimits;
    readonly pages: PageLimits;
    readonly failedKeysPerSecond: number;
  };
  readonly persisted: { readonly dir: string | undefined; readonly only: boolean };
  readonly trustedProxies: string | undefined;
  readonly redisUrl: string | undefined;
  readonly metricsPort: number | undefined;
  /** How requests are traced; undefined if they are not. */
  readonly tracing: TracingConfig | undefined;
  readonly logLevel: z.infer<typeof environment>['LOG_LEVEL'];
  readonly graphiql: boolean;
  readonly introspection: boolean;
  /** Whether the SQL query planner is enabled. */
  readonly queryPlans: boolean;
  /** Size of the response cache in bytes; 0 disables it. */
  readonly cacheBytes: number;
  readonly clock: { readonly timeZone: string; readonly today: string | undefined };
  readonly exports: ExportConfig;
}

/** The error of `readConfig`; its message lists every problem on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables (see `environment`). An empty variable counts as not set.
 * @throws ConfigError with all invalid variables and their valid values.
 */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    // A value may violate several rules with the same message.
    const problems = new Set(parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`));
    throw new ConfigError(`The configuration is not usable:\n${[...problems].join('\n')}`);
  }
  const read = parsed.data;
  const problem = exportProblem(read);
  if (problem) throw new ConfigError(`The configuration is not usable:\n  ${problem}`);
  const patience = PATIENCE[read.DATABASE_URL === undefined ? 'embedded' : 'server'];
  return {
    listen: { host: read.HOST, port: read.PORT, reusePort: read.REUSE_PORT },
    store: {
      url: read.DATABASE_URL,
      dataDir: read.DATA_DIR,
      poolSize: read.POOL_SIZE,
      connectionsPerKey: read.MAX_CONNECTIONS_PER_KEY,
      connectionsPerRequest: read.MAX_CONNECTIONS_PER_REQUEST,
      prepared: read.PREPARED_STATEMENTS,
      statementTimeoutMs: read.STATEMENT_TIMEOUT_MS ?? patience.statement,
      poolWaitMs: read.POOL_WAIT_MS ?? patience.poolWait,
      maxReplicaLagS: read.MAX_REPLICA_LAG_S,
    },
    limits: limitsOf(read),
    persisted: { dir: read.PERSISTED_DIR, only: read.PERSISTED_ONLY },
    trustedProxies: read.TRUSTED_PROXIES,
    redisUrl: read.REDIS_URL,
    metricsPort: read.METRICS_PORT || undefined,
    tracing: tracingConfig(read),
    logLevel: read.LOG_LEVEL,
    graphiql: read.GRAPHIQL,
    introspection: read.INTROSPECTION,
    queryPlans: read.QUERY_PLANS,
    cacheBytes: read.CACHE,
    clock: { timeZone: read.TIME_ZONE, today: read.TODAY },
    exports: exportConfig(read, read.DATA_DIR),
  };
}

function limitsOf(read: z.infer<typeof environment>): Config['limits'] {
  return {
    http: {
      body: read.MAX_BODY_BYTES,
      url: read.MAX_URL_BYTES,
      headers: read.MAX_HEADERS,
      nesting: read.MAX_JSON_DEPTH,
      headersTimeout: read.HEADERS_TIMEOUT_MS,
      requestTimeout: read.ARRIVAL_TIMEOUT_MS,
      handlerTimeout: read.DEADLINE_MS,
    },
    operation: {
      tokens: read.MAX_QUERY_TOKENS,
      depth: read.MAX_QUERY_DEPTH,
      aliases: read.MAX_QUERY_ALIASES,
      directives: read.MAX_QUERY_DIRECTIVES,
      cost: read.MAX_QUERY_COST,
    },
    response: { bytes: read.MAX_RESPONSE_BYTES, objects: read.MAX_QUERY_COST },
    load: {
      inFlight: read.MAX_IN_FLIGHT,
      inFlightPerKey: read.MAX_IN_FLIGHT_PER_KEY,
      exportsPerKey: read.MAX_EXPORTS_PER_KEY,
      queue: read.MAX_QUEUE_MS,
      eventLoopDelay: read.MAX_EVENT_LOOP_DELAY_MS,
    },
    pages: {
      inFlight: read.MAX_PAGES_IN_FLIGHT,
      inFlightPerAddress: read.MAX_PAGES_IN_FLIGHT_PER_ADDRESS,
    },
    failedKeysPerSecond: read.MAX_FAILED_KEYS_PER_SECOND,
  };
}

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
