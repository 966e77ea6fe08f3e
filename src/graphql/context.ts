import type { Caller } from '../access/caller.ts';
import type { Day } from '../calendar.ts';
import type { QueryLibrary } from '../exports/query-library.ts';
import type { Database } from '../store/database.ts';

/** What every resolver of one request shares. Loaders hang on its identity, so it is made once per request. */
export interface Context {
  readonly db: Database;
  readonly caller: Caller;
  /** The day that counts as today throughout the request. */
  readonly today: Day;
  readonly requestId: string;
  /** The stored queries of the bulk download; none where they are not asked for. */
  readonly queries?: QueryLibrary;
}
