import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Caller } from '../../graph/builder/caller.ts';
import { parseQueryFile, type StoredQuery } from './query-file.ts';
import { SqlRejection } from './sql-check.ts';

/** The stored queries of a folder, in the current state of its files. */
export interface QueryLibrary {
  /** Returns the queries that the package of the caller may see, sorted by position, then by id. */
  list(caller: Caller): Promise<StoredQuery[]>;
  /** Returns one of these queries; undefined when there is none for this caller. */
  find(id: string, caller: Caller): Promise<StoredQuery | undefined>;
}

type Log = Pick<FastifyBaseLogger, 'warn'>;

interface ReadFile {
  /** Size and modification time of the file; while both are unchanged, the parsed query is reused. */
  readonly state: string;
  readonly query: StoredQuery | undefined;
}

const EXTENSION = '.sql';
const LARGEST_FILE = 100_000;
/** Minimum interval between checks of the folder. */
const FRESH_MS = 1_000;

/**
 * Opens the stored queries of a folder: reads them now, and again when a file changes. Invalid files are skipped, and
 * the reason is logged once for each state of the file.
 */
export function openQueryLibrary(folder: string, log: Log, now = () => performance.now()): QueryLibrary {
  let files: ReadonlyMap<string, ReadFile> = new Map();
  let folderProblem = '';
  let checkedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function lookUp(): Promise<void> {
    const at = now();
    try {
      const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION));
      const read = await Promise.all(names.map(async (name) => [name, await readIfChanged(name)] as const));
      files = new Map(read);
      folderProblem = '';
    } catch (error) {
      // Queries that were already read remain available: the folder may be about to be replaced.
      const problem = error instanceof Error ? error.message : String(error);
      if (problem !== folderProblem)
        log.warn({ folder, problem }, 'the folder of the stored queries (QUERIES_DIR) cannot be read');
      folderProblem = problem;
    }
    checkedAt = at;
  }

  async function readIfChanged(name: string): Promise<ReadFile> {
    const path = join(folder, name);
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: -1, mtimeMs: 0 }));
    const state = `${size} ${mtimeMs}`;
    const known = files.get(name);
    if (known?.state === state) return known;
    try {
      return { state, query: parseQueryFile(name.slice(0, -EXTENSION.length), await readText(path, size)) };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      log.warn({ file: path, problem }, 'a stored query is left out');
      return { state, query: undefined };
    }
  }

  async function queriesFor(caller: Caller): Promise<StoredQuery[]> {
    if (now() - checkedAt > FRESH_MS) {
      looking ??= lookUp().finally(() => {
        looking = undefined;
      });
      await looking;
    }
    return [...files.values()]
      .flatMap(({ query }) => query ?? [])
      .filter((query) => query.grants.every((grant) => caller.grants.has(grant)))
      .sort((one, other) => {
        if (one.position !== other.position) return one.position < other.position ? -1 : 1;
        return one.id < other.id ? -1 : 1;
      });
  }

  // Problems are logged at startup, not at the first request.
  looking = lookUp().finally(() => {
    looking = undefined;
  });
  return {
    list: queriesFor,
    find: async (id, caller) => (await queriesFor(caller)).find((query) => query.id === id),
  };
}

async function readText(path: string, size: number): Promise<string> {
  if (size > LARGEST_FILE) throw new SqlRejection(`it is larger than ${LARGEST_FILE} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw error instanceof TypeError ? new SqlRejection('it is not UTF-8') : error;
  }
}
