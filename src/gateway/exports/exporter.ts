import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Day } from '../../base/dates.ts';
import { codeOf, ServiceError, toServiceError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { readPastConflicts } from '../../store/past-conflicts.ts';
import { readDataVersion } from '../../store/reading/data-version.ts';
import type { Database } from '../../store/sql/database.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { StoredQuery } from './query-file.ts';
import { type RowSource, readRows, tooLarge } from './read-rows.ts';
import { SandboxUnavailableError } from './sandbox-transaction.store.ts';

/** The caller of an export. */
interface Requester {
  /** The id of the API key. */
  readonly keyId: number;
  /** Aborted when the client disconnects. */
  readonly abortSignal: AbortSignal;
}

/** The caller of a stored query. */
export interface FileRequest extends Requester {
  /** The database handle of the request. */
  readonly db: Database;
  readonly today: Day;
}

export interface ExporterOptions {
  readonly source: RowSource;
  readonly files: FileStore;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Seconds for which a finished file is reused, unless the data changes. */
  readonly reuseSeconds: number;
  /** Seconds for which a link works. */
  readonly linkSeconds: number;
  readonly timeoutMs: number;
  /**
   * Maximum number of concurrent queries; further ones are queued. One API key never occupies all slots, unless there
   * is only one.
   */
  readonly atOnce: number;
  readonly largestBytes: number;
  readonly now?: () => number;
}

export interface Exporter {
  /**
   * Returns a file with the complete result of a query on the current data. Concurrent requests for the same file share
   * one run; when all callers that wait for it have disconnected, the run is aborted.
   */
  fileOf(query: StoredQuery, format: FormatName, request: FileRequest): Promise<StoredFile>;
  /** Returns a file whose content stays as it is when the data change, in the same way. */
  lastingFileOf(file: LastingFile, request: Requester): Promise<StoredFile>;
  /** Removes files that no valid link refers to any more. */
  clean(): Promise<void>;
  /** Aborts all runs. */
  close(): void;
}

export interface LastingFile {
  /** What the file has: the same for the same content only. */
  readonly id: string;
  readonly name: string;
  blocks(): AsyncIterable<Buffer>;
}

/** What is written to a file. */
interface Content {
  readonly name: string;
  /** The file in the log, and in words. */
  readonly reported: object;
  readonly inWords: string;
  blocks(signal: AbortSignal, onVersion: (state: string) => void): AsyncIterable<Buffer>;
}

/** A file with the data version of its rows: the database of stored queries may be behind that of requests, or ahead. */
interface VersionedFile {
  readonly file: StoredFile;
  readonly state: string;
}

interface Run {
  readonly made: Promise<VersionedFile>;
  /** Also queues the run for this API key; it starts when the first of its keys gets a slot. */
  readonly queueFor: (keyId: number) => void;
  readonly controller: AbortController;
  waiting: number;
}

/** File system errors: the disk is full or the user's quota is exceeded. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Clocks of machines differ, and the age of a file counts from the start of its export. */
const CLEANING_SLACK_MS = 60 * 60 * 1_000;

/** Creates an exporter that writes the results of stored queries to files, once for all concurrent requests. */
export function createExporter(options: ExporterOptions): Exporter {
  const { files, log, now = Date.now } = options;
  const queue = new FairQueue({ size: options.atOnce, perKey: Math.max(1, options.atOnce - 1) });
  const running = new Map<string, Run>();
  const finished = new Map<string, { readonly file: StoredFile; readonly at: number }>();
  let sandboxWarning: string | undefined;

  async function fileOf(
    query: StoredQuery,
    format: FormatName,
    { db, today, ...request }: FileRequest,
  ): Promise<StoredFile> {
    const { state } = await readDataVersion(db);
    return sharedFile([query.id, query.digest, format, today].join(' '), state, request, {
      name: `${query.id}_${today}.${FORMATS[format].extension}`,
      reported: { query: query.id, format },
      inWords: `the stored query "${query.id}" cannot be exported as ${format}`,
      blocks: (signal, onVersion) => {
        const { timeoutMs, largestBytes } = options;
        return readRows(options.source, query, format, { timeoutMs, largestBytes, today, signal, onVersion });
      },
    });
  }

  function lastingFileOf({ id, name, blocks }: LastingFile, request: Requester) {
    const inWords = `the file ${name} cannot be written`;
    return sharedFile(id, '', request, { name, reported: { file: name }, inWords, blocks });
  }

  async function sharedFile(
    what: string,
    state: string,
    { keyId, abortSignal }: Requester,
    content: Content,
  ): Promise<StoredFile> {
    const key = `${what} ${state}`;
    const cached = finished.get(key);
    if (cached && now() - cached.at < options.reuseSeconds * 1_000 && (await files.has(cached.file)))
      return cached.file;
    const run = running.get(key) ?? start(key, what, (signal) => make(content, signal));
    run.waiting++;
    run.queueFor(keyId);
    try {
      return (await untilAborted(run.made, abortSignal)).file;
    } finally {
      run.waiting--;
      if (run.waiting === 0) {
        run.controller.abort(new ServiceError('STORE_UNAVAILABLE', 'The export was ended.'));
        if (running.get(key) === run) running.delete(key);
      }
    }
  }

  /** @param what the file that is made, without the data version, which is that of its rows. */
  function start(key: string, what: string, work: (signal: AbortSignal) => Promise<VersionedFile>): Run {
    const controller = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<VersionedFile>();
    const queuedFor = new Set<number>();
    let isBegun = false;
    async function begin(): Promise<void> {
      if (isBegun) return;
      isBegun = true;
      await work(controller.signal).then(resolve, reject);
    }
    const run: Run = {
      controller,
      waiting: 0,
      made: promise,
      queueFor: (keyId) => {
        if (isBegun || queuedFor.has(keyId)) return;
        queuedFor.add(keyId);
        queue.run(keyId, begin, controller.signal).catch(reject);
      },
    };
    running.set(key, run);
    run.made
      .then(({ file, state }) => {
        forgetOld();
        finished.set(`${what} ${state}`, { file, at: now() });
      })
      .catch(() => undefined)
      .finally(() => {
        if (running.get(key) === run) running.delete(key);
      });
    return run;
  }

  async function make({ name, reported, inWords, blocks }: Content, signal: AbortSignal): Promise<VersionedFile> {
    const began = performance.now();
    const file = { key: randomUUID(), name };
    let bytes = 0;
    let state = '';
    async function* counted(all: AsyncIterable<Buffer>) {
      for await (const block of all) {
        bytes += block.length;
        if (bytes > options.largestBytes) {
          throw tooLarge(options.largestBytes);
        }
        yield block;
      }
    }
    try {
      await readPastConflicts(async () => {
        bytes = 0;
        const all = blocks(signal, (found) => {
          state = found;
        });
        await files.write(file, counted(all), signal);
      }, signal);
      log.info({ ...reported, bytes, ms: Math.round(performance.now() - began) }, 'exported');
      return { file, state };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof SandboxUnavailableError) warnOfSandbox(error.reason);
      const fileError = codeOf(error);
      if (NO_ROOM.has(fileError)) {
        log.warn({ ...reported, bytes, reason: fileError }, 'there is not enough space for a file');
        throw new ServiceError(
          'STORE_UNAVAILABLE',
          'There is not enough space to store the file at the moment. Try again later.',
        );
      }
      if (toServiceError(error).code !== 'INTERNAL') throw error;
      throw new Error(inWords, { cause: error });
    }
  }

  function warnOfSandbox(reason: string): void {
    if (reason !== sandboxWarning)
      log.warn({ reason }, 'bulk download is rejected: db/queries/README.md, "The sandbox"');
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
    for (const { controller } of running.values()) {
      controller.abort(new ServiceError('STORE_UNAVAILABLE', 'The service is stopping. Try again in a few seconds.'));
    }
  }

  return { fileOf, lastingFileOf, clean, close };
}
