import { z } from 'zod';
import { isCalendarDate } from './calendar.ts';

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

const wholeNumber = (smallest: number, largest: number, fallback: number) =>
  z.coerce
    .number(`must be a whole number from ${smallest} to ${largest}`)
    .int(`must be a whole number from ${smallest} to ${largest}`)
    .min(smallest, `must be a whole number from ${smallest} to ${largest}`)
    .max(largest, `must be a whole number from ${smallest} to ${largest}`)
    .default(fallback);

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone, for example America/Denver');

/** Every variable that the service reads from its environment. The README's table is held against this by a test. */
export const environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all'),
  PORT: wholeNumber(0, 65_535, 4000).describe('Port to listen on'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL 15+ with PostGIS 3.3+; when not set, the embedded store'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded store'),
  POOL_SIZE: wholeNumber(1, 200, 10).describe('Connections to PostgreSQL (the embedded store has one)'),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000, 3_000).describe('A statement that takes longer is ended'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line that is written'),
  GRAPHIQL: flag(true).describe('Whether `/graphql` shows GraphiQL to a browser'),
  TIME_ZONE: timeZone.default('UTC').describe('Where it is decided which day is today'),
  TODAY: z
    .string()
    .refine(isCalendarDate, 'must be an existing day, YYYY-MM-DD')
    .optional()
    .describe('Fixes today, for demonstrations'),
});

export interface Config {
  readonly listen: { readonly host: string; readonly port: number };
  readonly store: {
    /** PostgreSQL's address; `undefined` for the embedded store in `dataDir`. */
    readonly url: string | undefined;
    readonly dataDir: string;
    readonly poolSize: number;
    readonly statementTimeoutMs: number;
  };
  readonly logLevel: z.infer<typeof environment>['LOG_LEVEL'];
  readonly graphiql: boolean;
  readonly clock: { readonly timeZone: string; readonly today: string | undefined };
}

/** Thrown by `readConfig`; the message lists every problem, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The configuration in an environment (see `environment` for the variables). An empty variable counts as not set.
 * @throws ConfigError naming all variables that are wrong, and what would be right.
 */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not usable:\n${problems.join('\n')}`);
  }
  const read = parsed.data;
  return {
    listen: { host: read.HOST, port: read.PORT },
    store: {
      url: read.DATABASE_URL,
      dataDir: read.DATA_DIR,
      poolSize: read.POOL_SIZE,
      statementTimeoutMs: read.STATEMENT_TIMEOUT_MS,
    },
    logLevel: read.LOG_LEVEL,
    graphiql: read.GRAPHIQL,
    clock: { timeZone: read.TIME_ZONE, today: read.TODAY },
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
