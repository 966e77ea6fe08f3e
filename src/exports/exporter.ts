import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Day } from '../calendar.ts';
import { ServiceError, toServiceError } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { dataState } from '../store/data-state.ts';
import type { Database } from '../store/database.ts';
import { codeOf } from '../store/faults.ts';
import { untilAborted } from '../until-aborted.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { FORMATS, type FormatName } from './formats.ts';
import { SandboxUnavailableError } from './jail.store.ts';
import type { StoredQuery } from './query-file.ts';
import { type RowSource, readRows, tooLarge } from './read-rows.ts';

/** Who wants a file, as far as it matters. */
export interface FileRequest {
  /** The store as long as the request lasts. */
  readonly db: Database;
  readonly today: Day;
  /** The id of the API key. */
  readonly keyId: number;
  /** Aborted when the caller goes away. */
  readonly ending: AbortSignal;
}

export interface ExporterOptions {
  readonly source: RowSource;
  readonly files: FileStore;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** A finished file is given out again for this long, unless the data change. */
  readonly reuseSeconds: number;
  /** A link works for this long. */
  readonly linkSeconds: number;
  readonly timeoutMs: number;
  /** Queries that run at once; further ones wait. One API key never takes them all, unless there is only one. */
  readonly atOnce: number;
  readonly largestBytes: number;
  readonly now?: () => number;
}

export interface Exporter {
  /**
   * A file with the whole result of a query, of the data as they are now. Whoever asks for the same file while it is
   * being made waits for that one; when all who wait have gone, its making ends.
   */
  fileOf(query: StoredQuery, format: FormatName, request: FileRequest): Promise<StoredFile>;
  /** Removes files that no link leads to any more. */
  clean(): Promise<void>;
  /** Ends what runs. */
  close(): void;
}

interface Run {
  readonly file: Promise<StoredFile>;
  /** Queues the run for an API key as well; the first key whose turn it is runs it. */
  readonly queueFor: (keyId: number) => void;
  readonly ending: AbortController;
  waiting: number;
}

/** Of the file system: it is full, or the share of this user is. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Clocks of machines differ, and a file is as old as the beginning of its making. */
const CLEANING_SLACK_MS = 60 * 60 * 1_000;

/** Makes files of stored queries: each once, however many ask at once. */
export function createExporter(options: ExporterOptions): Exporter {
  const { files, log, now = Date.now } = options;
  const queue = createFairQueue({ size: options.atOnce, perKey: Math.max(1, options.atOnce - 1) });
  const running = new Map<string, Run>();
  const finished = new Map<string, { readonly file: StoredFile; readonly at: number }>();
  let sandboxWarning: string | undefined;

  async function fileOf(
    query: StoredQuery,
    format: FormatName,
    { db, today, keyId, ending }: FileRequest,
  ): Promise<StoredFile> {
    const { state } = await dataState(db);
    const key = [query.id, query.digest, format, today, state].join(' ');
    const kept = finished.get(key);
    if (kept && now() - kept.at < options.reuseSeconds * 1_000 && (await files.has(kept.file))) return kept.file;
    const run = running.get(key) ?? start(key, query, format, today);
    run.waiting++;
    run.queueFor(keyId);
    try {
      return await untilAborted(run.file, ending);
    } finally {
      run.waiting--;
      if (run.waiting === 0) {
        run.ending.abort(new ServiceError('STORE_UNAVAILABLE', 'The export was ended.'));
        if (running.get(key) === run) running.delete(key);
      }
    }
  }

  function start(key: string, query: StoredQuery, format: FormatName, today: Day): Run {
    const ending = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<StoredFile>();
    const queuedFor = new Set<number>();
    let isBegun = false;
    async function begin(): Promise<void> {
      if (isBegun) return;
      isBegun = true;
      await make(query, format, today, ending.signal).then(resolve, reject);
    }
    const run: Run = {
      ending,
      waiting: 0,
      file: promise,
      queueFor: (keyId) => {
        if (isBegun || queuedFor.has(keyId)) return;
        queuedFor.add(keyId);
        queue.run(keyId, begin, ending.signal).catch(reject);
      },
    };
    running.set(key, run);
    run.file
      .then((file) => {
        forgetOld();
        finished.set(key, { file, at: now() });
      })
      .catch(() => undefined)
      .finally(() => {
        if (running.get(key) === run) running.delete(key);
      });
    return run;
  }

  async function make(query: StoredQuery, format: FormatName, today: Day, signal: AbortSignal): Promise<StoredFile> {
    const began = performance.now();
    const { extension } = FORMATS[format];
    const file = { key: randomUUID(), name: `${query.id}_${today}.${extension}`, format };
    const told = { query: query.id, format };
    let bytes = 0;
    async function* counted(blocks: AsyncIterable<Buffer>) {
      for await (const block of blocks) {
        bytes += block.length;
        if (bytes > options.largestBytes) {
          throw tooLarge(options.largestBytes);
        }
        yield block;
      }
    }
    try {
      const rows = readRows(options.source, query, format, {
        timeoutMs: options.timeoutMs,
        largestBytes: options.largestBytes,
        today,
        signal,
      });
      await files.write(file, counted(rows), signal);
      log.info({ ...told, bytes, ms: Math.round(performance.now() - began) }, 'exported');
      return file;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof SandboxUnavailableError) warnOfSandbox(error.reason);
      const fileFault = codeOf(error);
      if (NO_ROOM.has(fileFault)) {
        log.warn({ ...told, bytes, reason: fileFault }, 'there is no room for the file of a stored query');
        throw new ServiceError(
          'STORE_UNAVAILABLE',
          'There is no room to keep the file at the moment. Try again later.',
        );
      }
      if (toServiceError(error).code !== 'INTERNAL') throw error;
      throw new Error(`the stored query "${query.id}" cannot be exported as ${format}`, { cause: error });
    }
  }

  function warnOfSandbox(reason: string): void {
    if (reason !== sandboxWarning)
      log.warn({ reason }, 'bulk download is refused: db/queries/README.md, "The sandbox"');
    sandboxWarning = reason;
  }

  function forgetOld(): void {
    for (const [key, { at }] of finished) if (now() - at >= options.reuseSeconds * 1_000) finished.delete(key);
  }

  async function clean(): Promise<void> {
    const age = (options.reuseSeconds + options.linkSeconds) * 1_000 + options.timeoutMs + CLEANING_SLACK_MS;
    await files.clean(new Date(now() - age));
  }

  function close(): void {
    for (const { ending } of running.values()) {
      ending.abort(new ServiceError('STORE_UNAVAILABLE', 'The service is stopping. Try again in a few seconds.'));
    }
  }

  return { fileOf, clean, close };
}
