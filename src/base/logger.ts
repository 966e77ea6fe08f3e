import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config/config.ts';
import { printable } from './progress.ts';

export type { Logger } from 'pino';

/**
 * Creates the logger: one JSON object per line on standard output, or readable lines on a terminal. What a caller sent
 * (address, query, headers, body) is never logged, since it may contain an API key or a home location.
 */
export function createLogger(level: Config['logLevel'], destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    },
    destination,
  );
}

function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) {
    const terminal = pretty({ colorize: true, translateTime: 'HH:MM:ss', sync: true });
    return { write: (line) => terminal.write(printableJson(line)) };
  }
  return pino.destination({ dest: 1, sync: true });
}

/** Returns a line of JSON whose texts are printable when they are parsed. */
function printableJson(line: string): string {
  return printable(line).replace(/\\(u[0-9a-f]{4}|.)/g, (found) => (found[1] === 'u' ? `\\${found}` : found));
}

/**
 * Returns the properties of an error to log. PostgreSQL errors also have `detail`, `where` and others, which may
 * contain values of the statement; these are omitted.
 */
function describeError(error: unknown): object | string {
  // The code of a request that failed.
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return { message: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
