import type { z } from 'zod';
import { dictionary } from '../dictionary.ts';
import { environment } from './environment.ts';
import { exportConfig, exportProblem } from './export-config.ts';
import { limitsOf } from './limits.ts';
import { meantVariable } from './misspelt-variables.ts';
import { PRESETS } from './presets.ts';
import { tracingConfig } from './tracing-config.ts';

/** Default timeouts in milliseconds. */
const DEFAULT_TIMEOUTS = {
  server: { statement: 3_000, poolWait: 2_000 },
  // All requests share its single connection, so they wait until a runaway statement is ended and the database is
  // reopened.
  embedded: { statement: 2_000, poolWait: 5_000 },
} as const;

/** The error of `readConfig`; its message lists every problem on a line of its own. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Variables of earlier versions, with what replaces them. */
const REMOVED: Readonly<Record<string, string>> = dictionary({
  CACHE: 'was renamed; set RESPONSE_CACHE_BYTES instead',
  MAX_QUEUE_MS: 'was removed; POOL_WAIT_MS limits how long a statement waits for a connection',
});

/**
 * Reads the configuration from environment variables (see `environment`). An empty variable counts as not set.
 * @throws ConfigError with all invalid variables and their valid values.
 */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse({ ...PRESETS[present.LIMITS ?? ''], ...present });
  // A value may violate several rules with the same message.
  const problems = new Set(parsed.error?.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`));
  for (const name of Object.keys(present).filter((each) => !Object.hasOwn(environment.shape, each))) {
    const meant = REMOVED[name] ? undefined : meantVariable(name, Object.keys(environment.shape));
    if (meant !== undefined) problems.add(`  ${name}: is not a variable of Ballotgraph; use ${meant} instead`);
    if (REMOVED[name]) problems.add(`  ${name}: ${REMOVED[name]}`);
  }
  if (!parsed.success || problems.size > 0) {
    throw new ConfigError(`The configuration is not usable:\n${[...problems].join('\n')}`);
  }
  const read = parsed.data;
  const problem = exportProblem(read) ?? proxyProblem(read);
  if (problem) throw new ConfigError(`The configuration is not usable:\n  ${problem}`);
  return configOf(read);
}

/** Behind a proxy, the gateway cannot know by which address clients reach it, and does not believe what requests say. */
function proxyProblem({ TRUSTED_PROXIES, PUBLIC_URL }: z.output<typeof environment>): string | undefined {
  if (TRUSTED_PROXIES === undefined || PUBLIC_URL !== undefined) return undefined;
  return 'PUBLIC_URL: must be set with TRUSTED_PROXIES, to the address by which clients reach the proxy, for example https://data.example.org';
}

/** The values that the gateway works with. */
export type Config = ReturnType<typeof configOf>;

function configOf(read: z.output<typeof environment>) {
  const timeouts = DEFAULT_TIMEOUTS[read.DATABASE_URL === undefined ? 'embedded' : 'server'];
  return {
    /** `reusePort`: other processes may listen on the same port if they set it as well. */
    listen: { host: read.HOST, port: read.PORT, reusePort: read.REUSE_PORT },
    database: {
      /** The connection URL of PostgreSQL; `undefined` for the embedded database in `dataDir`. */
      url: read.DATABASE_URL,
      /** The connection URL of the primary if `url` is that of a standby. */
      primaryUrl: read.PRIMARY_DATABASE_URL,
      dataDir: read.DATA_DIR,
      poolSize: read.POOL_SIZE,
      /** Maximum number of connections that one API key uses at once; a share of the pool if undefined. */
      connectionsPerKey: read.MAX_CONNECTIONS_PER_KEY,
      connectionsPerRequest: read.MAX_CONNECTIONS_PER_REQUEST,
      /** Whether connections use prepared statements. */
      prepared: read.PREPARED_STATEMENTS,
      statementTimeoutMs: read.STATEMENT_TIMEOUT_MS ?? timeouts.statement,
      poolWaitMs: read.POOL_WAIT_MS ?? timeouts.poolWait,
      /** Maximum replica lag of a standby in seconds; 0 for any lag. */
      maxReplicaLagS: read.MAX_REPLICA_LAG_S,
    },
    /** The limits of HTTP requests and of GraphQL operations. */
    limits: limitsOf(read),
    /** For how many days changes, and deletions, are kept. */
    feed: { changesKeptDays: read.CHANGES_KEPT_DAYS, deletionsKeptDays: read.DELETIONS_KEPT_DAYS },
    persisted: { dir: read.PERSISTED_DIR, only: read.PERSISTED_ONLY },
    trustedProxies: read.TRUSTED_PROXIES,
    redisUrl: read.REDIS_URL,
    metricsPort: read.METRICS_PORT || undefined,
    /** How requests are traced; undefined if they are not. */
    tracing: tracingConfig(read),
    logLevel: read.LOG_LEVEL,
    graphiql: read.GRAPHIQL,
    /** Whether the Model Context Protocol is served. */
    mcp: read.MCP,
    /** The API key for MCP on standard input and output; undefined if there is none. */
    mcpApiKey: read.MCP_API_KEY,
    /** The package of the map page. */
    pagePackage: read.PAGE_PACKAGE,
    introspection: read.INTROSPECTION,
    /** Whether the SQL query planner is enabled. */
    queryPlans: read.QUERY_PLANS,
    /** Size of the response cache in bytes; 0 disables it. */
    cacheBytes: read.RESPONSE_CACHE_BYTES,
    clock: { timeZone: read.TIME_ZONE, today: read.TODAY },
    exports: exportConfig(read, read.DATA_DIR),
  } as const;
}
