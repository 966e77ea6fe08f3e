import type DataLoader from 'dataloader';
import type { Days } from '../../base/clock.ts';
import type { ResponseLimits } from '../../base/config/limits.ts';
import type { CurrentVersion } from '../../store/reading/data-version.ts';
import type { RequestTrace } from '../../store/reading/request-trace.ts';
import type { ReadKind } from '../../store/reading/shared-reads.ts';
import type { Database } from '../../store/sql/database.ts';
import type { Caller } from './caller.ts';
import type { ResponseSize } from './response-size.ts';

/** A stored query of the bulk download, as the schema describes it. */
export interface BulkQuery {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export interface QueryList {
  /** Returns the queries that the package of the caller includes, sorted by id. */
  list(caller: Caller): Promise<readonly BulkQuery[]>;
}

/** Does work when it is its turn among the requests of the key that have waited. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** What a request does that waits for changes of the data. */
export interface Waiting {
  /** The data version that was seen last. */
  readonly latest: CurrentVersion | undefined;
  /**
   * Gives up the place of the request among those under way; once. The returned function does what is to be done after a change.
   * @throws ServiceError TOO_MANY_AT_ONCE if too many requests of the key wait for changes.
   */
  pause(): Promise<InTurn>;
  /**
   * Waits until the data may have changed since a version was seen.
   * @returns false if they have not for some milliseconds, and if the gateway is about to stop.
   */
  change(before: CurrentVersion | undefined, ms?: number): Promise<boolean>;
}

/** The context that the resolvers of one execution share: the caller, the database, and the loaders. */
export interface Context extends Days {
  readonly db: Database;
  readonly caller: Caller;
  /** The languages that the client prefers, as `languageTags` has them; English if omitted. */
  readonly languages?: string | undefined;
  /** Aborted when no client waits for the response any more. Without it, the execution is never cancelled. */
  readonly abortSignal?: AbortSignal;
  /** Reads keys in one statement together with other requests. Without it, each request reads on its own. */
  readonly readShared?: <Key, Value>(kind: ReadKind<Key, Value>, keys: readonly Key[]) => Promise<readonly Value[]>;
  /** The maximum size of the response; unlimited if omitted. */
  readonly responseLimits?: ResponseLimits;
  /** Counts what one execution loads and builds; nothing is counted if it is omitted. */
  readonly responseSize?: ResponseSize | undefined;
  /** The stored queries of the bulk download; omitted if there are none. */
  readonly queries?: QueryList;
  /** Omitted where no request waits for changes. */
  readonly waiting?: Waiting | undefined;
  /** The trace of the request; undefined if the request is not traced. */
  readonly trace?: RequestTrace | undefined;
  /** Number of reads of this execution; undefined if they are not counted. */
  readonly reads?: number;
  /**
   * Discards the loaders and counters of the previous execution. The executions of one context run one after the other.
   */
  startExecution?(): void;
  /** The DataLoaders of this execution by their definition; created on first use. */
  loaders?: Map<object | string, DataLoader<never, unknown, unknown>> | undefined;
  /** The kinds of reads of this execution by their definition and variant; created on first use. */
  readKinds?: Map<object, Map<object | string, ReadKind<never, unknown>>> | undefined;
}
