import type { LoadLimits } from '../config/limits.ts';
import { ServiceError } from '../errors.ts';

/**
 * The work of a request: `export` waits for a file that several requests share, `none` needs only the API key and
 * counts for no limit, `lookup` is all other work.
 */
export type WorkKind = 'lookup' | 'export' | 'none';
/** Work that is limited. */
type Work = Exclude<WorkKind, 'none'>;

export interface LoadState {
  /**
   * Returns the estimated time in milliseconds that the next statement of a key would wait for a database connection.
   */
  queueMs(keyId: number): number;
  /** Returns whether the event loop is delayed. */
  isDelayed(): boolean;
}

/**
 * The requests in flight. A rejected request is never counted. No plugin of Fastify limits concurrent work by API key or
 * predicts the wait for a database connection. The limits complement each other: the queue is long when the database is
 * slow, the event loop is delayed when the process is.
 */
export interface InFlight {
  /** Number of admitted requests that have not ended. */
  readonly count: number;
  /**
   * Counts a request whose key is being looked up.
   * @returns a function that stops counting the request, to be called once; `enter` returns the same.
   * @throws ServiceError OVERLOADED when too many keys are being looked up.
   */
  enterLookup(): () => void;
  /**
   * Counts a request of a key.
   * @throws ServiceError OVERLOADED when the key has too many requests in flight, when its queue for the database is
   * too long, or when there are too many requests in total. While the event loop is delayed, a key may have one request
   * of each kind.
   */
  enter(keyId: number, kind: Work): () => void;
}

const IDLE: LoadState = { queueMs: () => 0, isDelayed: () => false };

export function createInFlight(limits: LoadLimits, { queueMs, isDelayed }: LoadState = IDLE): InFlight {
  const ofKey = { lookup: new Map<number, number>(), export: new Map<number, number>() };
  const total = { lookup: 0, export: 0 };
  let keyLookups = 0;

  function checkKey(keyId: number, kind: Work): void {
    const active = ofKey[kind].get(keyId) ?? 0;
    const most = kind === 'export' ? limits.exportsPerKey : limits.inFlightPerKey;
    if (active >= most) {
      const what = kind === 'export' ? 'requests for exports' : 'requests';
      throw new ServiceError(
        'OVERLOADED',
        `Limit Exceeded: this key has ${active} ${what} under way, at most ${most} are allowed. Try again in a second.`,
      );
    }
    if (active > 0 && isDelayed()) {
      throw new ServiceError(
        'OVERLOADED',
        'The service is busy, and admits one request of a key at a time. Try again in a second.',
      );
    }
  }

  function change(keyId: number, kind: Work, by: 1 | -1): void {
    const active = (ofKey[kind].get(keyId) ?? 0) + by;
    if (active > 0) ofKey[kind].set(keyId, active);
    else ofKey[kind].delete(keyId);
    total[kind] += by;
  }

  return {
    get count() {
      return total.lookup + total.export;
    },
    enterLookup() {
      if (keyLookups >= limits.inFlight) throw tooManyRequests();
      keyLookups++;
      return () => {
        keyLookups--;
      };
    },
    enter(keyId, kind) {
      checkKey(keyId, kind);
      // An immediate rejection is more useful to the caller than a late response.
      if (limits.queue > 0 && queueMs(keyId) > limits.queue) {
        throw new ServiceError(
          'OVERLOADED',
          'The requests of this key wait too long for the database. Try again in a second.',
        );
      }
      if (kind === 'lookup' && total.lookup >= limits.inFlight) throw tooManyRequests();
      change(keyId, kind, 1);
      return () => change(keyId, kind, -1);
    },
  };
}

function tooManyRequests(): ServiceError {
  return new ServiceError('OVERLOADED', 'The service has too many requests at once. Try again in a second.');
}
