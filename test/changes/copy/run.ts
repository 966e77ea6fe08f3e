import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/store/sql/database.ts';
import type { AccessGrant } from '../../../src/store/sql/tables.ts';
import { createDraw, type Draw } from '../../drawn/random.ts';
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

interface Caller {
  readonly name: string;
  readonly key: string;
  readonly grants: readonly string[];
}

export interface CopyOptions {
  readonly db: Database;
  /** The gateways: all of them at one address, or several. */
  readonly urls: Readonly<Record<TransportName, readonly string[]>>;
  /** A copy is kept by each of these callers in each of these ways. */
  readonly callers: readonly Caller[];
  readonly transports: readonly TransportName[];
  readonly seed: number;
  readonly imports: number;
  readonly kills: number;
  /** How many change the data at once. */
  readonly writers?: number;
  /**
   * What is done once, after half of the imports.
   * @param untilRead waits until the copies of some ways have the newest change.
   */
  readonly halfway?: (untilRead: (names: readonly TransportName[]) => Promise<void>) => Promise<unknown>;
}

export interface CopyRun {
  imports: number;
  /** Changes of the data of all ways, and those that were rejected. */
  readonly steps: Record<string, number>;
  rejected: number;
  kills: number;
  /** How often a copy was begun again. */
  restarts: number;
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
  const { db, urls, seed, transports, imports, kills, writers = 1, halfway } = options;
  const folder = await mkdtemp(join(tmpdir(), 'copies-'));
  const run: CopyRun = { imports: 0, steps: {}, rejected: 0, kills: 0, restarts: 0, records: {}, differences: [] };
  const copiers = options.callers.flatMap((caller) =>
    transports.map((transport) => {
      const { name, key, grants } = caller;
      const file = join(folder, `${name}-${transport}.json`);
      return { transport, caller, copier: new Copier({ urls: urls[transport], key, grants, transport, file }) };
    }),
  );
  const askAs = ({ key }: Caller) => askOver({ url: urls.graphql[0] as string, key });
  /** Waits until a copy has the newest change, and returns it. */
  async function newestOf({ copier, caller }: { readonly copier: Copier; readonly caller: Caller }): Promise<Copy> {
    // What a gateway knew half a second ago is the newest by then.
    await sleep(1_000);
    const { changes } = await askAs(caller)('{ changes { next } }');
    return copier.at((changes as { next: string }).next);
  }
  let isOver = false;
  const killing = (async () => {
    // The moments are drawn apart from the changes: the same seed gives the same changes.
    const moments = createDraw(seed + 1);
    while (!isOver || run.kills < kills) {
      await sleep(moments.integer(150, 900));
      if (run.kills < kills) run.kills += await moments.pick(copiers).copier.kill();
    }
  })();
  async function write(draw: Draw, until: number): Promise<void> {
    const names = Object.keys(STEPS);
    while (run.imports < until) {
      const name = run.imports === 0 ? (names[0] ?? '') : draw.pick(names);
      if (!(await runStep(db, name, draw))) run.rejected++;
      else {
        run.steps[name] = (run.steps[name] ?? 0) + 1;
        if (isImport(name)) run.imports++;
      }
    }
  }
  const draws = Array.from({ length: writers }, (_, writer) => createDraw(seed + 2 * writer));
  const writeUntil = (until: number) => Promise.all(draws.map((draw) => write(draw, until)));
  try {
    await writeUntil(Math.ceil(imports / 2));
    await halfway?.(async (names) => {
      for (const each of copiers.filter(({ transport }) => names.includes(transport))) await newestOf(each);
    });
    await writeUntil(imports);
    isOver = true;
    await killing;
    const stores = new Map<string, Records>();
    for (const { transport, copier, caller } of copiers) {
      const { records, restarts } = await newestOf({ copier, caller });
      const store = stores.get(caller.name) ?? (await dumpOf(db, askAs(caller), caller.grants));
      stores.set(caller.name, store);
      run.records[caller.name] = store.size;
      run.restarts += restarts;
      const differences = differencesOf(new Map(records) as Records, store).slice(0, MOST_DIFFERENCES);
      run.differences.push(...differences.map((each) => `${caller.name}, ${transport}: ${each}`));
    }
    return run;
  } finally {
    isOver = true;
    for (const { copier } of copiers) await copier.stop();
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
  async at(cursor: string): Promise<Copy> {
    for (const end = performance.now() + 240_000; performance.now() < end; await sleep(50)) {
      const copy: Copy | undefined = await readFile(this.#options.file, 'utf8').then(JSON.parse, () => undefined);
      if (copy?.cursor === cursor) return copy;
    }
    throw new Error(`The copy by ${this.#options.transport} does not reach the newest change`);
  }

  #start(): ChildProcess {
    return spawn(process.execPath, [join(import.meta.dirname, 'copier.ts'), JSON.stringify(this.#options)], {
      stdio: ['pipe', 'inherit', 'inherit'],
    });
  }
}
