import { sql } from 'kysely';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';

/** Where a standby is in the write-ahead log of its primary. */
export interface ReplicaPosition {
  readonly isStandby: boolean;
  /** The end of what it has received; null where it does not stream, and for a primary. */
  readonly received: bigint | null;
  readonly replayed: bigint | null;
  /** Whether it is connected to its primary now. */
  readonly isStreaming: boolean;
  /** Milliseconds since the last transaction that it replayed was committed; null when there was none. */
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
  if (!row) throw new Error('The server does not tell its position');
  const position = (text: string | null) => (text === null ? null : BigInt(text));
  return { ...row, received: position(row.received), replayed: position(row.replayed) };
}

/** Two hours, at one sample a second. */
const MOST_SAMPLES = 7_200;

/**
 * Computes how far a standby is behind from its positions, one after the other. What it has received but not replayed
 * for n seconds makes it n seconds late; so does a connection to the primary that was lost n seconds ago, as nobody
 * knows what it misses. The age of the last replayed transaction alone is no lag: an idle primary has no newer one. It
 * only counts where nothing better is known: at the first sample, and for a standby that reads an archive.
 */
export function createLagMeter() {
  let unreplayed: { readonly received: bigint; readonly at: number }[] = [];
  let connectedAt: number | undefined;

  function behindSince({ received, replayed, lastCommitAgoMs }: ReplicaPosition, at: number): number {
    const known = at - (lastCommitAgoMs ?? 0);
    if (received === null) return known;
    const isFirst = connectedAt === undefined;
    const last = unreplayed.at(-1)?.received ?? -1n;
    if (received > last && unreplayed.length < MOST_SAMPLES) unreplayed.push({ received, at: isFirst ? known : at });
    unreplayed = unreplayed.filter((sample) => sample.received > (replayed ?? -1n));
    return unreplayed[0]?.at ?? at;
  }

  /**
   * @param at milliseconds of a clock that never goes back.
   * @returns the lag in milliseconds; 0 for a primary.
   */
  return function measure(position: ReplicaPosition, at: number): number {
    if (!position.isStandby) {
      unreplayed = [];
      connectedAt = at;
      return 0;
    }
    const behind = behindSince(position, at);
    if (position.isStreaming) connectedAt = at;
    connectedAt ??= at - (position.lastCommitAgoMs ?? 0);
    return position.received === null ? at - behind : at - Math.min(behind, connectedAt);
  };
}

/** Whether the data of a gateway are too old to answer with. */
export interface ReplicaLag {
  /** The reason not to answer, for operators; undefined while the data are recent enough. */
  problem(): string | undefined;
  close(): void;
}

const SAMPLE_MS = 1_000;

/** Measures the lag of a store once a second. While the store does not answer, the last lag grows. */
export function watchReplicaLag(
  db: Database,
  { maxSeconds, log }: { maxSeconds: number; log?: Logger | undefined },
): ReplicaLag {
  const measure = createLagMeter();
  let last = { lag: 0, at: performance.now() };
  let isSampling = false;
  let wasTooFar = false;

  const lagNow = () => (last.lag > 0 ? last.lag + performance.now() - last.at : 0);

  async function sample(): Promise<void> {
    if (isSampling) return;
    isSampling = true;
    try {
      const position = await replicaPosition(db);
      const at = performance.now();
      last = { lag: measure(position, at), at };
    } catch {
      // A store that is away is told by its readiness.
    } finally {
      isSampling = false;
    }
    const isTooFar = problem() !== undefined;
    if (isTooFar !== wasTooFar) {
      const told = { lag_s: Math.round(lagNow() / 1_000), max_s: maxSeconds };
      if (isTooFar) log?.warn(told, 'the standby is too far behind: requests are refused');
      else log?.info(told, 'the standby has caught up');
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

/** @throws ServiceError STORE_UNAVAILABLE while the data are too old to answer with. */
export function refuseOldData(lag: ReplicaLag | undefined): void {
  if (lag?.problem() === undefined) return;
  throw new ServiceError('STORE_UNAVAILABLE', 'The data of this gateway are out of date. Try again in a few seconds.');
}
