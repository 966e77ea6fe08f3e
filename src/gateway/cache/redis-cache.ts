import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { openFailFastRedis } from '../redis/fail-fast-redis.ts';
import type { RejectedValues } from '../redis/rejected-values.ts';
import type { SharedSecret } from '../redis/shared-secret.store.ts';
import { openValue, signValue } from '../redis/signed-value.ts';

/** Expiry of a response in seconds. Responses of an older data version are never requested again. */
const LIFE_SECONDS = 3_600;
/** Maximum size in bytes: creating a larger response again is cheaper than transferring it. */
const LARGEST = 512 * 1_024;

/** The response cache that all gateways with the same Redis share. */
export interface SharedCache {
  /** Returns the responses for keys, in their order; undefined for all of them while Redis does not respond. */
  get(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]>;
  /** Stores responses, in the background. */
  set(entries: readonly (readonly [key: string, body: Buffer])[]): void;
  close(): void;
}

export interface SharedCacheOptions {
  /** Signs the values, so that only values of gateways with the same database are accepted. */
  readonly secret: SharedSecret;
  readonly rejected: RejectedValues;
  readonly log?: Logger | undefined;
}

/**
 * Opens the response cache in Redis, which may be unreachable at any time. The key of a value is a hash of everything
 * that the response depends on, including the program: another release may respond differently. A value without a valid
 * signature for its key is a miss.
 */
export function openSharedCache(url: string, { secret, rejected, log }: SharedCacheOptions): SharedCache {
  const redis = openFailFastRedis(url, {
    log,
    without: 'this gateway uses only its own response cache',
    with: 'cached responses are shared by all gateways',
  });
  const program = digestOfProgram();
  const nameOf = (key: string) => `ballotgraph:response:${hash('sha256', `${program} ${key}`, 'base64url')}`;

  function verified(name: string, value: Buffer | null | undefined, accepted: readonly Buffer[]): Buffer | undefined {
    if (!value) return undefined;
    const body = openValue(name, value, accepted);
    if (!body) rejected.add('response');
    return body;
  }

  async function store(entries: Parameters<SharedCache['set']>[0]): Promise<void> {
    const signing = (await secret())?.signing;
    const small = entries.filter(([, body]) => body.length <= LARGEST).map(([id, body]) => [nameOf(id), body] as const);
    if (!signing || small.length === 0) return;
    await redis.run(
      async (client) => {
        await Promise.all(
          small.map(([name, body]) => client.set(name, signValue(name, body, signing), 'EX', LIFE_SECONDS)),
        );
      },
      () => undefined,
    );
  }

  return {
    async get(keys) {
      const accepted = (await secret())?.accepted;
      const none = () => keys.map(() => undefined);
      if (!accepted) return none();
      const names = keys.map(nameOf);
      const values = await redis.run<readonly (Buffer | null | undefined)[]>(
        (client) => client.mgetBuffer(names),
        none,
      );
      return names.map((name, index) => verified(name, values[index], accepted));
    },
    set: (entries) => void store(entries),
    close: () => redis.close(),
  };
}

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Returns a hash of everything that determines the form of a response: the version of Node, the source files, and
 * `package.json` with the versions of the libraries.
 */
function digestOfProgram(): string {
  const own = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const files = own.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash('sha256').update(process.version);
  for (const file of [...files, join(ROOT, 'package.json')].sort()) digest.update(readFileSync(file)).update('\0');
  return digest.digest('base64url');
}
