import { sql } from 'kysely';
import { ServiceError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Database } from './sql/database.ts';

/** The position of a standby in the write-ahead log of its primary. */
export interface ReplicaPosition {
  readonly isStandby: boolean;
  /** The end of the received log; null if the standby does not stream, and for a primary. */
  readonly received: bigint | null;
  readonly replayed: bigint | null;
  /** Whether it is connected to its primary now. */
  readonly isStreaming: boolean;
  /** Milliseconds since the commit of the last replayed transaction; null if there was none. */
  readonly lastCommitAgoMs: number | null;
}

/** Returns the position of the server; `pg_stat_wal_receiver` shows `status` only to members of `pg_read_all_stats`. */
export async function replicaPosition(db: Database): Promise<ReplicaPosition> {
  const { rows } = await sql<
    Record<'received' | 'replayed', string | null> & Omit<ReplicaPosition, 'received' | 'replayed'>
  >`
    /* replica.position */
    select pg_is_in_recovery() as "isStandby",
      pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::text as received,
      pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as replayed,
      exists (select from pg_stat_wal_receiver where coalesce(status, 'streaming') = 'streaming') as "isStreaming",
      (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as "lastCommitAgoMs"`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('The server does not report its position');
  const position = (text: string | null) => (text === null ? null : BigInt(text));
  return { ...row, received: position(row.received), replayed: position(row.replayed) };
}

/**
 * Creates a function that computes the lag of a standby from its successive positions: the time since it was known to have
 * replayed what it had received, while it was connected to its primary. What a standby receives all the time it has never
 * replayed to the last byte, so the moment counts at which it received what it has replayed since; its lag may then appear
 * up to twice as large as it is, never smaller. The age of the last replayed transaction is not the lag, since an idle
 * primary has no newer one: it is used until something better is known, and for a standby that reads an archive.
 */
export function createLagMeter() {
  let upToDateAt: number | undefined;
  let pending: { readonly received: bigint; readonly at: number } | undefined;

  /**
   * Computes the lag.
   * @param at milliseconds of a monotonic clock.
   * @returns the lag in milliseconds; 0 for a primary.
   */
  return function computeLag(position: ReplicaPosition, at: number): number {
    const { isStandby, isStreaming, received, lastCommitAgoMs } = position;
    const replayed = position.replayed ?? -1n;
    if (isStandby && received === null) return lastCommitAgoMs ?? 0;
    if (!isStandby || (isStreaming && replayed >= (received ?? 0n))) {
      upToDateAt = at;
      pending = undefined;
    } else if (isStreaming && pending && replayed >= pending.received) {
      upToDateAt = pending.at;
      pending = undefined;
    }
    upToDateAt ??= at - (lastCommitAgoMs ?? 0);
    pending ??= { received: received ?? 0n, at };
    return at - upToDateAt;
  };
}

/** Monitors whether the data of a gateway is too old to be served. */
export interface ReplicaLag {
  /** Returns the reason to reject requests, for operators; undefined while the data is recent enough. */
  problem(): string | undefined;
  close(): void;
}

const SAMPLE_MS = 1_000;

/** Measures the lag of a database once per second. While the database is unavailable, the last lag grows. */
export function watchReplicaLag(
  db: Database,
  { maxSeconds, log }: { maxSeconds: number; log?: Logger | undefined },
): ReplicaLag {
  const computeLag = createLagMeter();
  let last = { lag: 0, at: performance.now() };
  let samplesSince = 0;
  let isSampling = false;
  let wasTooFar = false;

  /** At most one interval for each sample that was due: while the event loop is blocked, nothing is known to be missing. */
  const unknownMs = () => Math.min(performance.now() - last.at, (samplesSince + 1) * SAMPLE_MS);
  const lagNow = () => (last.lag > 0 ? last.lag + unknownMs() : 0);

  async function sample(): Promise<void> {
    samplesSince++;
    if (isSampling) return;
    isSampling = true;
    try {
      const position = await replicaPosition(db);
      const at = performance.now();
      last = { lag: computeLag(position, at), at };
      samplesSince = 0;
    } catch {
      // An unavailable database is reported by the readiness check.
    } finally {
      isSampling = false;
    }
    const isTooFar = problem() !== undefined;
    if (isTooFar !== wasTooFar) {
      const figures = { lag_s: Math.round(lagNow() / 1_000), max_s: maxSeconds };
      if (isTooFar) log?.warn(figures, 'the standby is too far behind: requests are rejected');
      else log?.info(figures, 'the standby has caught up');
    }
    wasTooFar = isTooFar;
  }

  function problem(): string | undefined {
    return lagNow() > maxSeconds * 1_000 ? `standby more than ${maxSeconds} s behind its primary` : undefined;
  }

  void sample();
  const timer = setInterval(() => void sample(), SAMPLE_MS).unref();
  return { problem, close: () => clearInterval(timer) };
}

/**
 * Rejects a request if the data is too old.
 * @throws ServiceError STORE_UNAVAILABLE while the data is too old to be served.
 */
export function rejectOutdatedData(lag: ReplicaLag | undefined): void {
  if (lag?.problem() === undefined) return;
  throw new ServiceError('STORE_UNAVAILABLE', 'The data of this gateway is out of date. Try again in a few seconds.');
}
