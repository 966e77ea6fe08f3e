import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { openImpatientRedis } from '../redis/impatient-redis.ts';
import type { RejectedValues } from '../redis/rejected-values.ts';
import type { SharedSecret } from '../redis/shared-secret.store.ts';
import { openValue, signValue } from '../redis/signed-value.ts';

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

export interface SharedAnswersOptions {
  /** Signs the values, so that only those of gateways of the same database count. */
  readonly secret: SharedSecret;
  readonly rejected: RejectedValues;
  readonly log?: Logger | undefined;
}

/**
 * Opens the cached responses in Redis, which may be unreachable at any time. The name of a value is a hash of all that
 * the response depends on, and of the program: another release may respond otherwise. A value that is not signed for
 * its name is a miss.
 */
export function openSharedAnswers(url: string, { secret, rejected, log }: SharedAnswersOptions): SharedAnswers {
  const redis = openImpatientRedis(url, {
    log,
    without: 'this gateway keeps answers for itself',
    with: 'answers are kept for all gateways together',
  });
  const program = digestOfProgram();
  const nameOf = (key: string) => `ballotgraph:answer:${hash('sha256', `${program} ${key}`, 'base64url')}`;

  function verified(name: string, value: Buffer | null | undefined, key: Buffer): Buffer | undefined {
    if (!value) return undefined;
    const body = openValue(name, value, key);
    if (!body) rejected.add('response');
    return body;
  }

  async function store(entries: Parameters<SharedAnswers['set']>[0]): Promise<void> {
    const key = await secret();
    const small = entries.filter(([, body]) => body.length <= LARGEST).map(([id, body]) => [nameOf(id), body] as const);
    if (!key || small.length === 0) return;
    await redis.ask(
      async (client) => {
        await Promise.all(
          small.map(([name, body]) => client.set(name, signValue(name, body, key), 'EX', LIFE_SECONDS)),
        );
      },
      () => undefined,
    );
  }

  return {
    async get(keys) {
      const key = await secret();
      const none = () => keys.map(() => undefined);
      if (!key) return none();
      const names = keys.map(nameOf);
      const values = await redis.ask<readonly (Buffer | null | undefined)[]>(
        (client) => client.mgetBuffer(names),
        none,
      );
      return names.map((name, index) => verified(name, values[index], key));
    },
    set: (entries) => void store(entries),
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
