import { ServiceError } from '../errors.ts';

/** How much work may be under way at once. */
export interface LoadLimits {
  /** Requests with a key, whether it is known already or still being looked up. */
  readonly inFlight: number;
  readonly inFlightPerKey: number;
  /** Milliseconds that a request will wait for a connection to the store at most when it is let in; 0 for as long as may be. */
  readonly queue: number;
  /** Milliseconds that the event loop may be late on average before work is refused; 0 for as late as may be. */
  readonly eventLoopDelay: number;
}

export const DEFAULT_LOAD_LIMITS: LoadLimits = { inFlight: 256, inFlightPerKey: 8, queue: 500, eventLoopDelay: 250 };

/** The work that is under way, counted by request: entered once or twice, left once. */
export interface InFlight<Request> {
  readonly count: number;
  /** @throws ServiceError OVERLOADED when there is as much work as there may be, or what there is waits too long. */
  enter(request: Request): void;
  /** @throws ServiceError OVERLOADED when the key has as much work as it may have. */
  enterKey(request: Request, keyId: number): void;
  leave(request: Request): void;
}

/** @param queueMs for how many milliseconds a request that comes now will wait for a connection to the store. */
export function createInFlight<Request extends object>(limits: LoadLimits, queueMs = () => 0): InFlight<Request> {
  const keyOf = new Map<Request, number | undefined>();
  const countOf = new Map<number, number>();

  return {
    get count() {
      return keyOf.size;
    },
    enter(request) {
      if (keyOf.has(request)) return;
      if (keyOf.size >= limits.inFlight) {
        throw new ServiceError('OVERLOADED', 'The service has too many requests at once. Try again in a second.');
      }
      // A refusal now is worth more to the caller than an answer that comes late.
      if (limits.queue > 0 && queueMs() > limits.queue) {
        throw new ServiceError('OVERLOADED', 'Requests wait too long for the data store. Try again in a second.');
      }
      keyOf.set(request, undefined);
    },
    enterKey(request, keyId) {
      const count = countOf.get(keyId) ?? 0;
      if (count >= limits.inFlightPerKey) {
        throw new ServiceError(
          'OVERLOADED',
          `Limit Exceeded: this key has ${count} requests under way, at most ${limits.inFlightPerKey} are allowed. Try again in a second.`,
        );
      }
      keyOf.set(request, keyId);
      countOf.set(keyId, count + 1);
    },
    leave(request) {
      const keyId = keyOf.get(request);
      keyOf.delete(request);
      if (keyId === undefined) return;
      const count = countOf.get(keyId) ?? 0;
      if (count > 1) countOf.set(keyId, count - 1);
      else countOf.delete(keyId);
    },
  };
}
