import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ServiceError } from '../../base/errors.ts';
import type { Caller, RateLimits } from '../../graph/builder/caller.ts';
import { clientNetwork } from './client-network.ts';

/** A number of requests (`quota`) in a number of seconds (`window`). */
interface Policy {
  readonly name: 'burst' | 'day';
  readonly quota: number;
  readonly window: number;
}

/** The remaining quota of a policy. */
interface Allowance extends Policy {
  readonly remaining: number;
  /** Seconds until the next window starts. */
  readonly reset: number;
}

export type Headers = Readonly<Record<string, string>>;

/** Thrown when a limit is exceeded; `headers` state when to retry. */
export class RateLimitError extends ServiceError {
  readonly headers: Headers;

  constructor(exceeded: Allowance, headers: Headers) {
    const { quota, window, reset } = exceeded;
    super(
      'RATE_LIMITED',
      `Limit Exceeded: ${plural(quota, 'request')} in ${plural(window, 'second')}. Try again in ${plural(reset, 'second')}.`,
    );
    this.headers = { ...headers, 'retry-after': String(reset) };
  }
}

export interface RateLimiter {
  /**
   * Counts a request of a caller; of the map page, those of each address by themselves.
   * @returns the headers that report the remaining quota; undefined for a package without limits.
   * @throws RateLimitError.
   */
  take(caller: Caller, address?: string): Promise<Headers> | undefined;
  /**
   * Counts a request with an invalid key from an address; the addresses of an IPv6 network (/64) count together.
   * @throws RateLimitError when there were too many from the same address within a second. Valid keys are not affected.
   */
  takeFailure(address: string): Promise<undefined>;
}

/** Counts that all gateways share (see `openSharedCounts`). */
export interface SharedCounts {
  /** Counts in Redis like the local counter would, and in the local counter while Redis does not respond. */
  count(local: RateLimiterMemory, key: string): Promise<RateLimiterRes>;
  close(): void;
}

/**
 * Creates a limiter that counts requests in windows: a rate of 5 a second with bursts of 100 is 100 requests in 20
 * seconds. Counts are per process, or shared by all gateways that use the same Redis; while Redis is unavailable each
 * gateway counts on its own.
 */
export function createRateLimiter(failedKeysPerSecond: number, shared?: SharedCounts): RateLimiter {
  const counters = new Map<string, RateLimiterMemory>();
  const failures = new RateLimiterMemory({ points: failedKeysPerSecond, duration: 1, keyPrefix: 'failed' });

  function counter({ name, quota, window }: Policy): RateLimiterMemory {
    const keyPrefix = `${name}:${quota}:${window}`;
    const known = counters.get(keyPrefix);
    if (known) return known;
    const made = new RateLimiterMemory({ points: quota, duration: window, keyPrefix });
    counters.set(keyPrefix, made);
    return made;
  }

  async function count(policy: Policy, key: string): Promise<Allowance> {
    const local = counter(policy);
    const result = await (shared ? shared.count(local, key) : rejectedAsResult(local.consume(key)));
    const reset = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    return { ...policy, remaining: policy.quota - result.consumedPoints, reset };
  }

  async function countAll(policies: readonly Policy[], key: string): Promise<Headers> {
    const allowances: Allowance[] = [];
    for (const policy of policies) {
      const allowance = await count(policy, key);
      allowances.push(allowance);
      if (allowance.remaining < 0) throw new RateLimitError(allowance, headersOf(allowances));
    }
    return headersOf(allowances);
  }

  return {
    take({ keyId, rateLimits, isPage }, address = '') {
      const policies = rateLimits ? policiesOf(rateLimits) : [];
      return policies.length > 0
        ? countAll(policies, isPage ? `page ${clientNetwork(address)}` : String(keyId))
        : undefined;
    },
    async takeFailure(address) {
      const { consumedPoints } = await rejectedAsResult(failures.consume(clientNetwork(address)));
      if (consumedPoints <= failedKeysPerSecond) return;
      const exceeded = { name: 'burst', quota: failedKeysPerSecond, window: 1, remaining: -1, reset: 1 } as const;
      throw new RateLimitError(exceeded, {});
    },
  };
}

/** Returns the result of a count also when the limit is exceeded, for which the library rejects the promise. */
export function rejectedAsResult(consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  return consumed.catch((rejected: unknown) => {
    if (rejected instanceof RateLimiterRes) return rejected;
    throw rejected;
  });
}

const DAY_SECONDS = 24 * 60 * 60;

function policiesOf({ perSecond, burst, perDay }: RateLimits): Policy[] {
  const policies: Policy[] = [];
  if (perSecond !== null) {
    const quota = burst ?? perSecond;
    policies.push({ name: 'burst', quota, window: Math.max(1, Math.ceil(quota / perSecond)) });
  }
  if (perDay !== null) policies.push({ name: 'day', quota: perDay, window: DAY_SECONDS });
  return policies;
}

/** Returns the headers as defined by the IETF draft "RateLimit header fields for HTTP". */
function headersOf(allowances: readonly Allowance[]): Headers {
  const list = (item: (allowance: Allowance) => string) => allowances.map(item).join(', ');
  return {
    'ratelimit-policy': list(({ name, quota, window }) => `"${name}";q=${quota};w=${window}`),
    ratelimit: list(({ name, remaining, reset }) => `"${name}";r=${Math.max(0, remaining)};t=${reset}`),
  };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
