import type DataLoader from 'dataloader';
import type { FairQueue } from '../../base/fair-queue.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Database } from '../sql/database.ts';
import { createBatchLoader } from './batch-loader.ts';
import type { Enter } from './connection-queue.ts';
import { type ObserveStatement, observeAll } from './observe-statement.ts';

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

/** The requests of one statement: a signal that is aborted when all of them are, their observers, and their turns. */
export interface StatementRequests extends Omit<ReadingRequest, 'keyId'> {
  readonly enter: Enter;
}

export type SharedRead = <Key, Value>(
  kind: ReadKind<Key, Value>,
  keys: readonly Key[],
  request: ReadingRequest,
) => Promise<readonly Value[]>;

interface Read {
  readonly kind: AnyKind;
  readonly keys: readonly unknown[];
  readonly request: ReadingRequest;
}

type AnyKind = ReadKind<unknown, unknown>;
type Values = readonly unknown[];

/** The maximum number of keys of a small read. */
const FEW_KEYS = 3;
/** The maximum number of small reads in one statement, whose rows are parsed in one turn of the event loop. */
const READS_PER_STATEMENT = 16;
/** The maximum number of larger reads in one statement. */
const LARGE_READS_PER_STATEMENT = 3;

/**
 * Creates the function that reads the same kind of data for several concurrent requests of an API key in one statement.
 * Nothing is cached: a request receives data that was read after its call. There is a DataLoader for each kind and API
 * key, whose batches run when the queue gives the key a connection: a lone read starts at once, and while the key uses all
 * of its connections, its reads gather. Reads of many keys gather among themselves, so that a small one never waits for
 * their result.
 *
 * @param open returns the database handle for one statement, which is aborted with the signal.
 */
export function createSharedReads(
  open: (requests: StatementRequests) => Database,
  queue: Pick<FairQueue, 'enter' | 'isIdle'>,
): SharedRead {
  /** The DataLoaders that have a batch that waits. */
  const gathering = new Map<string, DataLoader<Read, Values>>();

  function createLoader(id: string, keyId: number, maxBatchSize: number): DataLoader<Read, Values> {
    return createBatchLoader((reads, enter) => readTogether(reads, enter, open), {
      ...{ queue, keyId, maxBatchSize },
      onLastStart: () => gathering.delete(id),
    });
  }

  return <Key, Value>(kind: ReadKind<Key, Value>, keys: readonly Key[], request: ReadingRequest) => {
    const isLarge = keys.length > FEW_KEYS;
    const id = `${request.keyId} ${isLarge} ${kind.id}`;
    const loader =
      gathering.get(id) ?? createLoader(id, request.keyId, isLarge ? LARGE_READS_PER_STATEMENT : READS_PER_STATEMENT);
    gathering.set(id, loader);
    const values = loader.load({ kind: kind as unknown as AnyKind, keys, request });
    return untilAborted(values, request.abortSignal) as Promise<readonly Value[]>;
  };
}

/** Reads in one statement. */
async function readTogether(
  reads: readonly Read[],
  enter: Enter,
  open: (requests: StatementRequests) => Database,
): Promise<Values[]> {
  const requests = reads.map(({ request }) => request);
  const combined = allAborted(requests.map(({ abortSignal }) => abortSignal));
  try {
    combined.signal.throwIfAborted();
    const observe = observeAll(requests.map((request) => request.observe));
    const db = open({ abortSignal: combined.signal, observe, enter });
    const values = (await reads[0]?.kind.fetch(
      db,
      reads.flatMap(({ keys }) => keys),
    )) as Values;
    let from = 0;
    return reads.map(({ keys }) => {
      from += keys.length;
      return values.slice(from - keys.length, from);
    });
  } finally {
    combined.release();
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
