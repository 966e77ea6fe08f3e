import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { untilAborted } from '../until-aborted.ts';
import { afterPromiseJobs } from './batch-loader.ts';
import type { Database } from './database.ts';
import { type ObserveStatement, observeAll } from './observe-statement.ts';
import { STATEMENTS_PER_KEY, StatementSlots, type WaitingBatch } from './statement-slots.ts';

/** Reads the values of keys, one for each, in their order. */
export type Fetch<Key, Value> = (db: Database, keys: readonly Key[]) => Promise<readonly Value[]>;

/** A kind of read. Reads with the same id may have one statement, with the `fetch` of any of them. */
export interface ReadKind<Key, Value> {
  /** Identifies everything that the values depend on except the keys. */
  readonly id: string;
  readonly fetch: Fetch<Key, Value>;
}

/** The request that a read belongs to. */
export interface ReadingRequest {
  /** The id of its API key. */
  readonly keyId: number;
  readonly abortSignal: AbortSignal;
  readonly observe?: ObserveStatement | undefined;
}

/** The requests of one statement: all their API keys, a signal that is aborted when all of them are, their observers. */
export interface StatementRequests extends Omit<ReadingRequest, 'keyId'> {
  readonly keyIds: readonly [number, ...number[]];
}

export type SharedRead = <Key, Value>(
  kind: ReadKind<Key, Value>,
  keys: readonly Key[],
  request: ReadingRequest,
) => Promise<readonly Value[]>;

interface Read {
  readonly keys: readonly unknown[];
  readonly request: ReadingRequest;
}

type Values = readonly unknown[];

/** The maximum number of keys of a small read. */
const FEW_KEYS = 3;
/** The maximum number of reads in one batch of a DataLoader; several small batches may have one statement. */
const READS_PER_BATCH = 3;
/** Only kinds with running or waiting reads are stored, so none is evicted under the limits for requests. */
const MAX_KINDS = 1_000;

/**
 * Creates the function that reads the same kind of data for several concurrent requests in one statement, or in several
 * if the database would otherwise be underused. Nothing is cached: a request receives data that was read after its
 * call. If no statement of the kind is running, a read starts without waiting for others.
 *
 * There is a DataLoader for each kind and API key; `StatementSlots` decides when it dispatches its batches, and which
 * batches of several API keys are combined in one statement.
 *
 * @param open returns the database handle for one statement, which is aborted with the signal.
 */
export function createSharedReads(open: (requests: StatementRequests) => Database): SharedRead {
  // Not a Map: V8 treats the contents of a map's old tables as alive until it collects the old generation.
  const queues = new LRUCache<string, KindQueue>({ max: MAX_KINDS });
  let running = 0;

  function start(queue: KindQueue): void {
    for (;;) {
      const batches = queue.slots.take(Math.max(1, STATEMENTS_PER_KEY - running));
      if (batches.length === 0) break;
      running++;
      void queue.run(batches, open).finally(() => {
        running--;
        queue.slots.release(batches);
        start(queue);
      });
    }
    if (queue.slots.isIdle) queues.delete(queue.kind.id);
  }

  return async <Key, Value>(kind: ReadKind<Key, Value>, keys: readonly Key[], request: ReadingRequest) => {
    let queue = queues.get(kind.id);
    if (!queue) {
      queue = new KindQueue(kind as unknown as AnyKind, start);
      queues.set(kind.id, queue);
    }
    const values = await untilAborted(queue.load({ keys, request }), request.abortSignal);
    return values as readonly Value[];
  };
}

type AnyKind = ReadKind<unknown, unknown>;
type CollectedBatch = { readonly reads: readonly Read[] } & PromiseWithResolvers<readonly Values[]>;

/** The reads of one kind: those that wait, by API key and size, and those that run. */
class KindQueue {
  readonly kind: AnyKind;
  readonly slots = new StatementSlots();
  readonly #start: (queue: KindQueue) => void;
  readonly #loaders = new Map<string, DataLoader<Read, Values>>();
  #isScheduled = false;
  /** The batches that DataLoader passed on since the last statement started. */
  #collected: CollectedBatch[] = [];

  constructor(kind: AnyKind, start: (queue: KindQueue) => void) {
    this.kind = kind;
    this.#start = start;
  }

  load(read: Read): Promise<Values> {
    const { keyId } = read.request;
    const isLarge = read.keys.length > FEW_KEYS;
    const id = `${keyId} ${isLarge}`;
    let loader = this.#loaders.get(id);
    if (!loader) {
      loader = new DataLoader((reads) => this.#collect(reads), {
        cache: false,
        maxBatchSize: READS_PER_BATCH,
        batchScheduleFn: (dispatch) => this.#schedule({ keyId, isLarge, dispatch }),
      });
      this.#loaders.set(id, loader);
    }
    return loader.load(read);
  }

  #schedule(batch: WaitingBatch): void {
    this.slots.add(batch);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const start = () => {
      this.#isScheduled = false;
      this.#start(this);
    };
    // A lone read starts after the current promise jobs. While others run, reads of the same turn are gathered.
    if (this.slots.running === 0) afterPromiseJobs(start);
    else setImmediate(start);
  }

  #collect(reads: readonly Read[]): Promise<readonly Values[]> {
    const batch = { reads, ...Promise.withResolvers<readonly Values[]>() };
    this.#collected.push(batch);
    return batch.promise;
  }

  /** Reads batches in one statement. The promise does not reject; errors are those of the reads. */
  async run(batches: readonly WaitingBatch[], open: (requests: StatementRequests) => Database): Promise<void> {
    for (const { dispatch } of batches) dispatch();
    const collected = this.#collected;
    this.#collected = [];
    const reads = collected.flatMap((batch) => batch.reads);
    const requests = reads.map(({ request }) => request);
    const [first, ...others] = new Set(requests.map(({ keyId }) => keyId));
    const combined = allAborted(requests.map(({ abortSignal }) => abortSignal));
    try {
      combined.signal.throwIfAborted();
      const db = open({
        keyIds: [first as number, ...others],
        abortSignal: combined.signal,
        observe: observeAll(requests.map(({ observe }) => observe)),
      });
      const values = await this.kind.fetch(
        db,
        reads.flatMap(({ keys }) => keys),
      );
      let from = 0;
      const takeNext = ({ keys }: Read) => {
        from += keys.length;
        return values.slice(from - keys.length, from);
      };
      for (const batch of collected) batch.resolve(batch.reads.map(takeNext));
    } catch (error) {
      for (const batch of collected) batch.reject(error);
    } finally {
      combined.release();
    }
  }
}

/** Returns a signal that is aborted when all of the given ones are, and the function that removes its listeners. */
function allAborted(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; release(): void } {
  const [first] = signals;
  if (first && signals.length === 1) return { signal: first, release: () => undefined };
  const all = new AbortController();
  const onAbort = () => {
    if (signals.every(({ aborted }) => aborted)) all.abort(first?.reason);
  };
  onAbort();
  for (const signal of signals) signal.addEventListener('abort', onAbort);
  return {
    signal: all.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}
