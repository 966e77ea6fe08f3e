import { ServiceError } from '../errors.ts';

/** The most requests at once. */
export interface InFlightLimits {
  readonly total: number;
  readonly perKey: number;
}

/** The requests in flight, by what they are counted for: the id of an API key, or an address. */
export interface InFlight<Key> {
  /** Number of admitted requests that have not ended. */
  readonly count: number;
  /** Returns the number of those of a key. */
  of(key: Key): number;
  /**
   * Counts a request. A rejected one is never counted.
   * @returns a function that stops counting the request, to be called once.
   * @throws ServiceError OVERLOADED when there are too many of the key, or in total. An immediate rejection is more useful
   * to the caller than a late response.
   */
  enter(key: Key): () => void;
}

/**
 * Creates a counter of requests. No plugin of Fastify limits concurrent work by API key.
 * @param texts the messages of the errors.
 */
export function createInFlight<Key>(
  limits: InFlightLimits,
  texts: { readonly ofKey: (active: number) => string; readonly inTotal: string },
): InFlight<Key> {
  const ofKey = new Map<Key, number>();
  let total = 0;

  function change(key: Key, by: 1 | -1): void {
    const active = (ofKey.get(key) ?? 0) + by;
    if (active > 0) ofKey.set(key, active);
    else ofKey.delete(key);
    total += by;
  }

  return {
    get count() {
      return total;
    },
    of: (key) => ofKey.get(key) ?? 0,
    enter(key) {
      const active = ofKey.get(key) ?? 0;
      if (active >= limits.perKey)
        throw new ServiceError('OVERLOADED', `${texts.ofKey(active)} Try again in a second.`);
      if (total >= limits.total) throw new ServiceError('OVERLOADED', `${texts.inTotal} Try again in a second.`);
      change(key, 1);
      return () => change(key, -1);
    },
  };
}
