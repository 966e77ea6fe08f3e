import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/store/sql/database.ts';
import type { AccessGrant } from '../../../src/store/sql/tables.ts';
import { createDraw } from '../../drawn/random.ts';
import { ALL_GRANTS } from '../../support/graph.ts';
import type { CopierOptions, Copy } from './copier.ts';
import { differencesOf, dumpOf, type Records } from './dump.ts';
import { isImport, runStep, STEPS } from './steps.ts';
import { askOver, type TransportName } from './transports.ts';

/** The packages whose callers keep a copy, with their grants. */
export const CALLERS: Readonly<Record<string, readonly AccessGrant[]>> = {
  full: ALL_GRANTS,
  'no-results': ALL_GRANTS.filter((grant) => grant !== 'results'),
};

export interface CopyOptions {
  readonly db: Database;
  readonly url: string;
  /** A copy is kept by each of these callers. */
  readonly callers: readonly { readonly name: string; readonly key: string; readonly grants: readonly string[] }[];
  readonly transport: TransportName;
  readonly seed: number;
  readonly imports: number;
  readonly kills: number;
}

export interface CopyRun {
  imports: number;
  /** Changes of the data of all ways, and those that were rejected. */
  readonly steps: Record<string, number>;
  rejected: number;
  kills: number;
  readonly records: Record<string, number>;
  readonly differences: string[];
}

/** The maximum number of listed differences, since one defect causes many. */
const MOST_DIFFERENCES = 10;

/**
 * Changes the data at random, while copies are kept by the feed alone and their processes are killed at random moments, and
 * compares them at the end with all records of the tables, read by the same callers.
 */
export async function runCopy(options: CopyOptions): Promise<CopyRun> {
  const { db, url, seed, transport, imports, kills } = options;
  const draw = createDraw(seed);
  const folder = await mkdtemp(join(tmpdir(), 'copies-'));
  const run: CopyRun = { imports: 0, steps: {}, rejected: 0, kills: 0, records: {}, differences: [] };
  const copiers = options.callers.map(
    ({ name, key, grants }) => new Copier({ url, key, grants, transport, file: join(folder, `${name}.json`) }),
  );
  let isOver = false;
  const killing = (async () => {
    // The moments are drawn apart from the changes: the same seed gives the same changes.
    const moments = createDraw(seed + 1);
    while (!isOver || run.kills < kills) {
      await sleep(moments.integer(150, 900));
      if (run.kills < kills) run.kills += await moments.pick(copiers).kill();
    }
  })();
  try {
    const names = Object.keys(STEPS);
    while (run.imports < imports) {
      const name = run.imports === 0 ? (names[0] ?? '') : draw.pick(names);
      if (!(await runStep(db, name, draw))) run.rejected++;
      else {
        run.steps[name] = (run.steps[name] ?? 0) + 1;
        if (isImport(name)) run.imports++;
      }
    }
    isOver = true;
    await killing;
    for (const [index, { name, key, grants }] of options.callers.entries()) {
      const ask = askOver({ url, key });
      const { changes } = await ask('{ changes { next } }');
      const copy = await copiers[index]?.at((changes as { next: string }).next);
      const store = await dumpOf(db, ask, grants);
      run.records[name] = store.size;
      run.differences.push(
        ...differencesOf(copy ?? new Map(), store)
          .slice(0, MOST_DIFFERENCES)
          .map((each) => `${name}: ${each}`),
      );
    }
    return run;
  } finally {
    isOver = true;
    for (const copier of copiers) await copier.stop();
    await rm(folder, { recursive: true });
  }
}

/** A process that keeps a copy, and is started again when it is killed. */
class Copier {
  readonly #options: CopierOptions;
  #child: ChildProcess;

  constructor(options: CopierOptions) {
    this.#options = options;
    this.#child = this.#start();
  }

  /** @returns 1 if the process was running. */
  async kill(): Promise<number> {
    const killed = await this.stop();
    this.#child = this.#start();
    return killed;
  }

  async stop(): Promise<number> {
    const ended = once(this.#child, 'close');
    if (this.#child.exitCode !== null) throw new Error(`The copier ended by itself with ${this.#child.exitCode}`);
    this.#child.kill('SIGKILL');
    const [, signal] = await ended;
    return signal === 'SIGKILL' ? 1 : 0;
  }

  /** Waits until the copy has a cursor. */
  async at(cursor: string): Promise<Records> {
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(50)) {
      const copy: Copy | undefined = await readFile(this.#options.file, 'utf8').then(JSON.parse, () => undefined);
      if (copy?.cursor === cursor) return new Map(copy.records) as Records;
    }
    throw new Error('The copy does not reach the newest change');
  }

  #start(): ChildProcess {
    return spawn(process.execPath, [join(import.meta.dirname, 'copier.ts'), JSON.stringify(this.#options)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
}
