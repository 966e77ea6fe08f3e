import type DataLoader from 'dataloader';
import type { Caller } from '../access/caller.ts';
import type { Day } from '../calendar.ts';
import type { QueryLibrary } from '../exports/query-library.ts';
import type { RequestTrace } from '../observe/request-trace.ts';
import type { Database } from '../store/database.ts';
import type { Fetch } from '../store/shared-reads.ts';
import type { ResponseLimits, ResponseSize } from './response-size.ts';

/** What the resolvers of one execution share: the caller, the database, and the loaders. */
export interface Context {
  readonly db: Database;
  readonly caller: Caller;
  /** The day that counts as today throughout the request. */
  readonly today: Day;
  /** Aborted when nobody waits for the answer any more; never where it is left out. */
  readonly ending?: AbortSignal;
  /** Reads what other requests may read in the same statement; by the request alone where it is left out. */
  readonly readShared?: <Key, Value>(fetch: Fetch<Key, Value>, keys: readonly Key[]) => Promise<readonly Value[]>;
  /** The most that the response may hold; unlimited where it is left out. */
  readonly responseLimits?: ResponseLimits;
  /** Counts what one execution loads and builds; nothing is counted where it is left out. */
  readonly responseSize?: ResponseSize | undefined;
  /** The stored queries of the bulk download; none where they are not asked for. */
  readonly queries?: QueryLibrary;
  /** Where the request is timed; nowhere when it is not traced. */
  readonly trace?: RequestTrace | undefined;
  /** The DataLoaders of this execution, by what defines each; made when the first one is needed. */
  loaders?: Map<unknown, DataLoader<never, unknown, unknown>> | undefined;
}
