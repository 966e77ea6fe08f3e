import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { openImpatientRedis } from '../redis/impatient-redis.ts';

/** Seconds after which an answer goes. What is of an older state of the data nobody asks for any more. */
const LIFE_SECONDS = 3_600;
/** Larger answers, in bytes, are rather made again than sent to and fro. */
const LARGEST = 512 * 1_024;

/** Answers that all gateways with the same Redis share. */
export interface SharedAnswers {
  /** The answers of keys, in their order; none while Redis does not answer. */
  get(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]>;
  /** Keeps answers, in the background. */
  set(entries: readonly (readonly [key: string, body: Buffer])[]): void;
  close(): void;
}

/**
 * Opens the answers that are kept in Redis; it may be away, also now. In a key, all that an answer hangs on is hashed,
 * together with the program: another release may answer otherwise.
 */
export function openSharedAnswers(url: string, log?: Logger): SharedAnswers {
  const redis = openImpatientRedis(url, {
    log,
    without: 'this gateway keeps answers for itself',
    with: 'answers are kept for all gateways together',
  });
  const program = digestOfProgram();
  const nameOf = (key: string) => `ballotgraph:answer:${hash('sha256', `${program} ${key}`, 'base64url')}`;

  return {
    get: (keys) =>
      redis.ask(
        async (client) => (await client.mgetBuffer(keys.map(nameOf))).map((body) => body ?? undefined),
        () => keys.map(() => undefined),
      ),
    set(entries) {
      const small = entries.filter(([, body]) => body.length <= LARGEST);
      void redis.ask(
        async (client) => {
          await Promise.all(small.map(([key, body]) => client.set(nameOf(key), body, 'EX', LIFE_SECONDS)));
        },
        () => undefined,
      );
    },
    close: () => redis.close(),
  };
}

const ROOT = join(import.meta.dirname, '../..');

/** Of everything that decides how an answer looks: our own files, and which libraries there are. */
function digestOfProgram(): string {
  const own = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const files = own.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash('sha256').update(process.version);
  for (const file of [...files, join(ROOT, 'package.json')].sort()) digest.update(readFileSync(file)).update('\0');
  return digest.digest('base64url');
}
