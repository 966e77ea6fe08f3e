import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Database } from '../sql/database.ts';
import { isStandby } from '../sql/functions.ts';
import { fixedQuery } from '../sql/named-query.ts';
import { query } from '../sql/query-builder.ts';
import { createOwnLoader } from './batch-loader.ts';

/** The data version of a database. Every transaction that changes the data creates a new one (migration 0008). */
export interface DataVersion {
  /** Random; never the same for two versions of the data, in any database. */
  readonly state: string;
  /** Counts the changes of this database. */
  readonly version: number;
  /** Whether it was read from a standby, which lags behind its primary. */
  readonly isStandby: boolean;
}

const findVersion = fixedQuery('dataVersion.read', () =>
  query.selectFrom('data_version as v').select(['v.state', 'v.version', isStandby.as('isStandby')]),
);

/**
 * Reads the current data version.
 * @throws Error if the database has never contained data.
 */
export async function readDataVersion(db: Database): Promise<DataVersion> {
  const [only] = await findVersion(db);
  if (!only) throw new Error('The database has no row in data_version');
  return only;
}

/** What a response depends on: the version of all data, and whether the server that has it may lag behind. */
export type CurrentVersion = Pick<DataVersion, 'state' | 'isStandby'>;

declare const PROVED: unique symbol;

/** The version of everything that was read between two moments; only `DataVersionWatch.prove` returns one. */
export interface ProvedVersion {
  readonly state: string;
  readonly [PROVED]: true;
}

/** A version with the times at which it was requested and first seen, in milliseconds of a monotonic clock. */
interface SeenVersion extends CurrentVersion {
  readonly readAt: number;
  readonly since: number;
}

/** What is known of the data version: the checks of consistency and the response cache share it. */
export interface DataVersionWatch {
  /** The last version that was seen, however long ago; undefined before the first. */
  readonly latest: SeenVersion | undefined;
  /** The last version if it was requested less than half a second ago. */
  readonly fresh: SeenVersion | undefined;
  /** Reads the version after the call, in one statement for concurrent callers. */
  read(): Promise<CurrentVersion>;
  /**
   * Records a version that another statement read with its data. Two statements may overtake each other: the one that
   * started later counts.
   * @param readAt when the statement was started.
   */
  see(version: CurrentVersion, readAt: number): void;
  /**
   * Reads the version again. If it is still the one from before the work, everything in between was read from it, because no
   * two versions are the same. Only under a proved version may a result of the work be kept.
   * @param before the version that was seen before the work.
   * @returns undefined if the version has changed, or if another server behind the address of the database may have another:
   * it was read from a standby, and first seen less than two seconds ago.
   */
  prove(before: CurrentVersion): Promise<ProvedVersion | undefined>;
  /**
   * Waits until the version is another one. It is read four times a second for all that wait, however many they are:
   * NOTIFY reaches neither the clients of a standby nor those of a pool of connections. Where another server behind the address
   * may have had the data of an earlier version, it also ends when that is no longer so.
   * @param before the version that was seen last before the work whose result is to be renewed.
   */
  change(before: CurrentVersion | undefined, signal: AbortSignal): Promise<void>;
}

/**
 * Milliseconds for which a data version is valid after it was requested: a cached response is never older than this and
 * one statement.
 */
const FRESH_MS = 500;
/**
 * Milliseconds after a change of the data version during which a standby is not trusted: of several behind one address, one
 * may have the new version while another still has the old data.
 */
const STANDBY_SETTLING_MS = 2_000;
/** Milliseconds between two reads for those that wait for another version. */
const WATCHED_MS = 250;

/**
 * Creates the watch of the data version. It reads nothing on its own.
 * @param read reads the version from the database.
 * @param now the monotonic clock.
 */
export function watchDataVersion(
  read: () => Promise<CurrentVersion>,
  now: () => number = () => performance.now(),
): DataVersionWatch {
  let latest: SeenVersion | undefined;

  function see({ state, isStandby }: CurrentVersion, readAt: number): void {
    if (latest && readAt < latest.readAt) return;
    latest = { state, isStandby, readAt, since: latest?.state === state ? latest.since : now() };
  }

  const reads = createOwnLoader<'version', CurrentVersion>(
    async (callers) => {
      const readAt = now();
      const version = await read();
      see(version, readAt);
      return callers.map(() => version);
    },
    { atOnce: 1, maxBatchSize: Number.POSITIVE_INFINITY },
  );
  function isSettled({ state, isStandby }: CurrentVersion): boolean {
    return !isStandby || (latest?.state === state && now() - latest.since >= STANDBY_SETTLING_MS);
  }

  let watching: Promise<void> | undefined;

  async function watch(): Promise<void> {
    try {
      await sleep(WATCHED_MS);
      await reads.load('version');
    } finally {
      watching = undefined;
    }
  }

  return {
    get latest() {
      return latest;
    },
    get fresh() {
      return latest && now() - latest.readAt < FRESH_MS ? latest : undefined;
    },
    read: () => reads.load('version'),
    see,
    async prove(before) {
      if (!isSettled(before)) return undefined;
      const after = await reads.load('version');
      return after.state === before.state && isSettled(after) ? (after as CurrentVersion & ProvedVersion) : undefined;
    },
    async change(before, signal) {
      const wasSettled = before === undefined || isSettled(before);
      while (latest?.state === before?.state && wasSettled === (before === undefined || isSettled(before))) {
        watching ??= watch();
        await untilAborted(watching, signal);
      }
    },
  };
}
