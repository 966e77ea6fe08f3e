import { isIP } from 'node:net';
import { z } from 'zod';
import { isCalendarDate, isTimeZone } from '../dates.ts';
import { exportVariables } from './export-config.ts';
import { PRESETS } from './presets.ts';
import { tracingVariables } from './tracing-config.ts';
import { flag, postgresAddress, wholeNumber, wholeNumberWithin } from './values.ts';

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone, for example America/Denver');

const PRESET_NAMES = Object.keys(PRESETS);
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every environment variable of the gateway. A test checks that the table in docs/configuration.md matches it. */
export const environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all'),
  PORT: wholeNumber(0, 65_535, 4000).describe('Port to listen on'),
  REUSE_PORT: flag(false).describe(
    'Whether several gateways on this machine may listen on the same port, one per core; Linux distributes the connections',
  ),
  DATABASE_URL: postgresAddress
    .optional()
    .describe('PostgreSQL 15+ with PostGIS 3.3+; the embedded database if not set'),
  PRIMARY_DATABASE_URL: postgresAddress
    .optional()
    .describe(
      'The primary, if `DATABASE_URL` is a standby: the hour in which a key was last used is recorded there; without it, by no gateway on a standby',
    ),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database'),
  POOL_SIZE: wholeNumber(1, 200, 10).describe('Connections to PostgreSQL (the embedded database has one)'),
  MAX_CONNECTIONS_PER_KEY: wholeNumberWithin(1, 200)
    .optional()
    .describe('Maximum number of pool connections that the requests of one key use at once; 3 of 10 if not set'),
  MAX_CONNECTIONS_PER_REQUEST: wholeNumber(1, 200, 2).describe('The same for one request'),
  PREPARED_STATEMENTS: flag(true).describe(
    'Whether statements are prepared on each connection; `false` behind a pooler in transaction mode, with `jit = off` for the role',
  ),
  STATEMENT_TIMEOUT_MS: wholeNumberWithin(100, 600_000)
    .optional()
    .describe('Time limit of a statement; `3000` if not set, `2000` on the embedded database'),
  POOL_WAIT_MS: wholeNumberWithin(10, 600_000)
    .optional()
    .describe('Time limit for waiting for a connection; `2000` if not set, `5000` on the embedded database'),
  LIMITS: z
    .enum(PRESET_NAMES, `must be one of ${PRESET_NAMES.join(', ')}`)
    .default('public')
    .describe(
      'The defaults of several limits together: for a `small` machine, a `public` service, or one `behind-proxy`; a variable that is set overrides it',
    ),
  MAX_REPLICA_LAG_S: wholeNumber(0, 86_400, 30).describe(
    'Maximum lag in seconds of the standby that the gateway reads; requests are rejected with 503 while the lag is larger; 0 for no limit',
  ),
  DEADLINE_MS: wholeNumber(100, 600_000, 10_000).describe(
    'Time limit of a request, from its first byte to the response',
  ),
  HEADERS_TIMEOUT_MS: wholeNumber(100, 600_000, 10_000).describe('Time limit for the headers of a request to arrive'),
  ARRIVAL_TIMEOUT_MS: wholeNumber(100, 600_000, 15_000).describe('Time limit for a whole request to arrive'),
  KEEP_ALIVE_TIMEOUT_MS: wholeNumber(100, 600_000, 72_000).describe(
    'Time for which a connection stays open without another request, to within a second; longer than that of a load balancer in front',
  ),
  MAX_SOCKETS: wholeNumber(0, 1_000_000, 10_000).describe(
    'Maximum number of open connections of clients; for one more, an idle one is closed; 0 for no limit',
  ),
  MAX_SOCKETS_PER_ADDRESS: wholeNumber(0, 1_000_000, 1_000).describe(
    'The same for one address (IPv6: one /64 network), which may be that of a proxy',
  ),
  MAX_BODY_BYTES: wholeNumber(1_024, 16_777_216, 64 * 1024).describe('Maximum size of a request body'),
  MAX_URL_BYTES: wholeNumber(256, 16_000, 8 * 1024).describe('Maximum length of a URL with its query string'),
  MAX_HEADERS: wholeNumber(10, 1_000, 100).describe('Maximum number of header fields of a request'),
  MAX_JSON_DEPTH: wholeNumber(8, 1_000, 32).describe('Maximum nesting depth of a JSON body'),
  MAX_QUERY_TOKENS: wholeNumber(10, 100_000, 1_000).describe('Maximum number of tokens in a GraphQL document'),
  MAX_QUERY_DEPTH: wholeNumber(2, 50, 12).describe('Maximum depth of fields in a GraphQL operation'),
  MAX_QUERY_ALIASES: wholeNumber(0, 10_000, 30).describe('Maximum number of aliases in a GraphQL operation'),
  MAX_QUERY_DIRECTIVES: wholeNumber(0, 10_000, 10).describe('Maximum number of directives in a GraphQL operation'),
  MAX_QUERY_COST: wholeNumber(1, 1_000_000_000, 100_000).describe(
    'Maximum number of records in the response to a GraphQL operation: estimated before execution, where a geometry counts as up to 2,000, and counted during execution',
  ),
  MAX_RESPONSE_BYTES: wholeNumber(1_024, 268_435_456, 16_777_216).describe(
    'Maximum size of a response of GraphQL and the REST lookups before compression; downloads are not limited by this',
  ),
  MAX_IN_FLIGHT: wholeNumber(1, 100_000, 256).describe(
    'Maximum number of requests in flight; more wait, and keys take turns',
  ),
  MAX_IN_FLIGHT_PER_KEY: wholeNumber(1, 100_000, 8).describe(
    'The same for one key; requests that wait for exports are counted separately',
  ),
  MAX_WAITING_PER_KEY: wholeNumber(0, 100_000, 128).describe(
    'Maximum number of requests of one key, or without a key of one address, that wait for others to end, for up to half of `DEADLINE_MS`; more are rejected with 429',
  ),
  MAX_EXPORTS_PER_KEY: wholeNumber(1, 100_000, 128).describe(
    'Maximum number of requests of one key that wait for exports; more wait for those',
  ),
  MAX_READERS_PER_KEY: wholeNumber(1, 100_000, 1_000).describe(
    'Maximum number of requests of one key that wait for changes of the data (`subscription { changes }`, `/data/changes?wait=25`); more are rejected with 429',
  ),
  CHANGES_KEPT_DAYS: wholeNumber(0, 36_500, 90).describe(
    'Days for which the feed of changes keeps every change; of older ones commands that change the data keep the newest of each record, which tells of all of them, so that no cursor becomes too old',
  ),
  DELETIONS_KEPT_DAYS: wholeNumberWithin(0, 36_500)
    .optional()
    .describe(
      'Days for which the feed of changes keeps deletions; for ever if not set. Commands that change the data remove older ones, and with them the cursors before: readers with such a cursor are told to begin a new copy',
    ),
  MAX_PAGES_IN_FLIGHT: wholeNumber(1, 100_000, 128).describe(
    'Maximum number of concurrent requests for pages, which need no key, and apart from them of what the map page requests; more wait',
  ),
  MAX_PAGES_IN_FLIGHT_PER_ADDRESS: wholeNumber(1, 100_000, 16).describe(
    'The same for one address (IPv6: one /64 network)',
  ),
  MAX_EVENT_LOOP_DELAY_MS: wholeNumber(0, 60_000, 250).describe(
    'While the average event-loop delay exceeds this, a key has one request in flight at a time and requests without a key are rejected with 503; 0 for no limit',
  ),
  MAX_FAILED_KEYS_PER_SECOND: wholeNumber(1, 1_000_000, 10).describe(
    'Maximum number of invalid keys from one address (IPv6: one /64 network); more are rejected with 429',
  ),
  TRUSTED_PROXIES: z
    .string()
    .refine(areAddresses, 'must be addresses or networks, separated by commas, for example 10.0.0.0/8')
    .optional()
    .describe('Proxies whose `X-Forwarded-For` header is trusted for client addresses'),
  METRICS_PORT: wholeNumber(0, 65_535, 0).describe(
    'Separate port for `/metrics` (Prometheus), which needs no key; 0 disables metrics',
  ),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .optional()
    .describe(
      'Redis for request counts and cached responses that several gateways share; if not set, each gateway has its own',
    ),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('info')
    .describe('Minimum severity of log messages'),
  PERSISTED_DIR: z
    .string()
    .optional()
    .describe('Folder with manifests (`*.json`) of trusted GraphQL documents, which clients request by `documentId`'),
  PERSISTED_ONLY: flag(false).describe('Whether only trusted documents are executed'),
  GRAPHIQL: flag(true).describe('Whether `/graphql` shows GraphiQL to a browser'),
  MCP: flag(true).describe('Whether `/mcp` serves the Model Context Protocol'),
  MCP_API_KEY: z
    .string()
    .optional()
    .describe('The API key of `npm run mcp`; the demo key of the embedded sample by default'),
  PAGE_PACKAGE: z
    .string()
    .default('page')
    .describe(
      'The package of the map page and of the page of the widget, whose visitors need no key; its limits are for each address. A page without its package says that it is not set up',
    ),
  QUERY_PLANS: flag(true).describe('Enable the SQL query planner; `false` executes every operation by resolvers alone'),
  RESPONSE_CACHE_BYTES: wholeNumber(0, 17_179_869_184, 67_108_864).describe(
    'Size of the response cache in bytes; 0 disables it',
  ),
  INTROSPECTION: flag(true).describe(
    'Whether clients may query the schema (GraphQL introspection), download it from `/schema.graphql`, and get suggestions of similar names in errors',
  ),
  TIME_ZONE: timeZone
    .default('Pacific/Pago_Pago')
    .describe(
      'Time zone that determines which day is today; in the default one, American Samoa, the day of an election ends after the last polls of all states and territories have closed',
    ),
  TODAY: z
    .string()
    .refine(isCalendarDate, 'must be an existing day, YYYY-MM-DD')
    .optional()
    .describe('Fixes the current date, for demonstrations'),
  ...exportVariables,
  ...tracingVariables,
});

function areAddresses(list: string): boolean {
  return list.split(',').every((item) => {
    const [address = '', bits] = item.trim().split('/');
    return isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= 128));
  });
}
