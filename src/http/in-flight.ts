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

/** The work that is under way. */
export interface InFlight {
  readonly count: number;
  /** @throws ServiceError OVERLOADED when there is as much work as there may be, or what there is waits too long. */
  enter(): Place;
}

/** The place of one request among the work that is under way. */
export interface Place {
  /** @throws ServiceError OVERLOADED when the key has as much work as it may have. */
  takeKey(keyId: number): void;
  /** To be left once. */
  leave(): void;
}

/** @param queueMs for how many milliseconds a request that comes now will wait for a connection to the store. */
export function createInFlight(limits: LoadLimits, queueMs = () => 0): InFlight {
  let count = 0;
  const countOf = new Map<number, number>();

  function enterKey(keyId: number): void {
    const ofKey = countOf.get(keyId) ?? 0;
    if (ofKey >= limits.inFlightPerKey) {
      throw new ServiceError(
        'OVERLOADED',
        `Limit Exceeded: this key has ${ofKey} requests under way, at most ${limits.inFlightPerKey} are allowed. Try again in a second.`,
      );
    }
    countOf.set(keyId, ofKey + 1);
  }

  function leaveKey(keyId: number): void {
    const ofKey = countOf.get(keyId) ?? 0;
    if (ofKey > 1) countOf.set(keyId, ofKey - 1);
    else countOf.delete(keyId);
  }

  return {
    get count() {
      return count;
    },
    enter() {
      if (count >= limits.inFlight) {
        throw new ServiceError('OVERLOADED', 'The service has too many requests at once. Try again in a second.');
      }
      // A refusal now is worth more to the caller than an answer that comes late.
      if (limits.queue > 0 && queueMs() > limits.queue) {
        throw new ServiceError('OVERLOADED', 'Requests wait too long for the data store. Try again in a second.');
      }
      count++;
      let key: number | undefined;
      return {
        takeKey(keyId) {
          enterKey(keyId);
          key = keyId;
        },
        leave() {
          count--;
          if (key !== undefined) leaveKey(key);
        },
      };
    },
  };
}
