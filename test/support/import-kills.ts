import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../drawn/random.ts';
import type { EditionKind } from './editions.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The exit code of an importer that finds another one running (EX_TEMPFAIL). */
const BUSY = 75;
const READERS = 4;

export interface KillOptions {
  readonly kills: number;
  /** The same seed gives the same kill times, relative to the duration of an import. */
  readonly seed: number;
  /** The kinds of data, used in rotation. */
  readonly kinds: readonly EditionKind[];
  /** Environment variables that name the database for an importer. */
  readonly environment: Readonly<Record<string, string>>;
  /** The URL of the gateway for the readers. */
  readonly url: string;
  readonly key: string;
  readonly writeLine?: (line: string) => void;
}

export interface KillCounts {
  /** Importers that were killed while running; those that exited just before are not counted. */
  kills: number;
  missed: number;
  /** Numbers of kills after which the database held the previous edition, and the new one. */
  old: number;
  new: number;
  /**
   * Responses with status 200, and how many of these mixed two editions, or had neither of the two possible editions.
   */
  responses: number;
  torn: number;
  /** Responses during an import with the previous edition, and with its own. */
  readOld: number;
  readNew: number;
  /**
   * Other responses by status: the embedded database has one session, and a gateway does not let requests wait for
   * long.
   */
  rejected: Record<string, number>;
  /** Imports that were repeated after a kill and then succeeded. */
  resumed: number;
  /** How often such an import found the killed one's transaction still open, and was retried. */
  busy: number;
  inconsistentResponses: string[];
}

/**
 * Kills importers with SIGKILL at random times, while readers continuously send requests to a gateway over HTTP, and
 * repeats the same import after each kill. Half of the kill times lie anywhere between the start of the transaction and
 * the end of the process, the other half after the last table has been written, when the transaction is committed.
 */
export async function killImports(options: KillOptions): Promise<KillCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'import-kills-'));
  const readers = new Readers(options);
  try {
    return await new Killer(options, folder, readers).run();
  } finally {
    await readers.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

class Killer {
  readonly #options: KillOptions;
  readonly #folder: string;
  readonly #readers: Readers;
  readonly #paces = new Map<EditionKind, Pace>();
  readonly #draw: () => number;

  constructor(options: KillOptions, folder: string, readers: Readers) {
    this.#options = options;
    this.#draw = seeded(options.seed);
    this.#folder = folder;
    this.#readers = readers;
  }

  async run(): Promise<KillCounts> {
    const { kills, kinds, writeLine } = this.#options;
    const { counts } = this.#readers;
    for (const kind of kinds) for (const edition of [1, 2]) await this.#measure(kind, edition);
    this.#readers.start();
    const editions = new Map(kinds.map((kind) => [kind, 2]));
    for (let attempt = 0; counts.kills < kills; attempt++) {
      const kind = kinds[attempt % kinds.length] as EditionKind;
      const edition = (editions.get(kind) ?? 0) + 1;
      editions.set(kind, edition);
      const args = kind.write(this.#folder, edition);
      this.#readers.expect(kind, edition - 1, edition);
      const part = this.#draw();
      const wasKilled = await this.#kill(kind, args, part, attempt % 2 === 1);
      await this.#requestUntilCompleted(kind);
      const changed = await this.#resume(kind, args);
      if (wasKilled) {
        counts.kills++;
        counts[changed ? 'old' : 'new']++;
        counts.resumed++;
      } else counts.missed++;
      this.#readers.expect(kind, edition, edition);
      await this.#requestUntilCompleted(kind, edition);
      writeLine?.(
        `${kind.name} ${edition}: ${wasKilled ? `killed at ${part.toFixed(3)}, ${changed ? 'old' : 'new'}` : 'ended before'}`,
      );
    }
    return counts;
  }

  async #measure(kind: EditionKind, edition: number): Promise<void> {
    const importer = this.#start(kind.write(this.#folder, edition));
    this.#readers.expect(kind, edition - 1, edition);
    const code = await importer.ended;
    if (code !== 0) throw new Error(`The importer ended with ${code}:\n${importer.output()}`);
    this.#readers.expect(kind, edition, edition);
    this.#paces.set(kind, importer.pace());
  }

  /**
   * Runs an import and kills it.
   * @returns false if the importer had exited before.
   */
  async #kill(kind: EditionKind, args: string[], part: number, isNearEnd: boolean): Promise<boolean> {
    const importer = this.#start(args);
    const pace = this.#paces.get(kind) ?? { whole: 0, end: 0 };
    await Promise.race([isNearEnd ? importer.writesLast : importer.begins, importer.ended]);
    await Promise.race([sleep(part * (isNearEnd ? pace.end : pace.whole)), importer.ended]);
    importer.child.kill('SIGKILL');
    const code = await importer.ended;
    if (code !== null && code !== 0) throw new Error(`The importer ended with ${code}:\n${importer.output()}`);
    return code === null;
  }

  /**
   * Repeats the same import.
   * @returns whether there was anything left to do.
   */
  async #resume(kind: EditionKind, args: string[]): Promise<boolean> {
    for (;;) {
      const importer = this.#start(args);
      const code = await importer.ended;
      if (code === 0) {
        // It was not interrupted: its duration is the estimate for the next import of this kind.
        if (importer.changed()) this.#paces.set(kind, importer.pace());
        return importer.changed();
      }
      if (code !== BUSY) throw new Error(`The importer ended with ${code}:\n${importer.output()}`);
      this.#readers.counts.busy++;
      await sleep(100);
    }
  }

  /**
   * Waits for a successful response.
   * @throws Error if there is none, or none with the edition, within half a minute.
   */
  async #requestUntilCompleted(kind: EditionKind, edition?: number): Promise<void> {
    for (const end = performance.now() + 30_000; performance.now() < end; await sleep(50)) {
      const found = await this.#readers.request(kind);
      if (found && (edition === undefined || (found.size === 1 && found.has(edition)))) return;
    }
    throw new Error(`No response has edition ${edition}`);
  }

  #start(args: readonly string[]): Importer {
    return new Importer(args, this.#options.environment);
  }
}

/**
 * Durations in milliseconds: from the start of the transaction to the end of the process, and from the last written
 * table.
 */
interface Pace {
  readonly whole: number;
  readonly end: number;
}

/** A process of `npm run import`, observed through its output. */
class Importer {
  readonly child: ChildProcess;
  /** Resolves with the exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
  readonly begins: Promise<void>;
  readonly writesLast: Promise<void>;
  #text = '';
  #began = 0;
  #wroteLast = 0;
  #endedAt = 0;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    this.child = spawn(process.execPath, [join(ROOT, 'src/cli.ts'), 'import', ...args], {
      cwd: ROOT,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...(TMPDIR && { TMPDIR }), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const begins = Promise.withResolvers<void>();
    const writesLast = Promise.withResolvers<void>();
    this.begins = begins.promise;
    this.writesLast = writesLast.promise;
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
        if (this.#began === 0 && /^Reading /m.test(this.#text)) {
          this.#began = performance.now();
          begins.resolve();
        }
        if (this.#wroteLast === 0 && /^Writing (boundaries|candidates)/m.test(this.#text)) {
          this.#wroteLast = performance.now();
          writesLast.resolve();
        }
      });
    }
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code) => {
        this.#endedAt = performance.now();
        resolve(code);
      }),
    );
  }

  pace(): Pace {
    return { whole: this.#endedAt - this.#began, end: this.#endedAt - this.#wroteLast };
  }

  /** Returns whether the summary reports inserted or updated rows. */
  changed(): boolean {
    return [...this.#text.matchAll(/^\w+\.\w+ +([\d,]+) +([\d,]+) /gm)].some(
      ([, inserted, updated]) => inserted !== '0' || updated !== '0',
    );
  }

  output(): string {
    return this.#text;
  }
}

/**
 * Readers that send requests continuously, and compare every response with the editions that are possible at that
 * moment.
 */
class Readers {
  readonly counts: KillCounts = {
    kills: 0,
    missed: 0,
    old: 0,
    new: 0,
    responses: 0,
    torn: 0,
    readOld: 0,
    readNew: 0,
    rejected: {},
    resumed: 0,
    busy: 0,
    inconsistentResponses: [],
  };
  readonly #options: KillOptions;
  readonly #expected = new Map<EditionKind, { old: number; new: number }>();
  #running: Promise<void>[] = [];
  #isOver = false;

  constructor(options: KillOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = Array.from({ length: READERS }, (_, reader) => this.#loop(reader));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Sets the only editions that responses may have from now on. */
  expect(kind: EditionKind, old: number, latest: number): void {
    this.#expected.set(kind, { old, new: latest });
  }

  async #loop(reader: number): Promise<void> {
    const { kinds } = this.#options;
    for (let turn = reader; !this.#isOver; turn++) {
      const completed = await this.request(kinds[turn % kinds.length] as EditionKind);
      if (!completed) await sleep(20);
    }
  }

  /**
   * Sends a request.
   * @returns the editions in the response; undefined without a response.
   */
  async request(kind: EditionKind): Promise<Set<number> | undefined> {
    const { url, key } = this.#options;
    const before = this.#expected.get(kind);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ query: kind.query }),
    }).catch(() => undefined);
    const text = (await response?.text().catch(() => undefined)) ?? '';
    const { counts } = this;
    if (response?.status !== 200 || text.includes('"errors":')) {
      const reason = `${response?.status ?? 'none'} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`.trim();
      counts.rejected[reason] = (counts.rejected[reason] ?? 0) + 1;
      return undefined;
    }
    counts.responses++;
    const editions = kind.editionsIn(JSON.parse(text));
    const after = this.#expected.get(kind);
    const possible = new Set([before?.old, before?.new, after?.old, after?.new]);
    if (editions.size !== 1 || ![...editions].every((edition) => possible.has(edition))) {
      counts.torn++;
      if (counts.inconsistentResponses.length < 3)
        counts.inconsistentResponses.push(
          `${kind.name}: ${[...editions]} of ${[...possible]}: ${text.slice(0, 2_000)}`,
        );
    }
    if (before && before.old !== before.new && editions.has(before.new)) counts.readNew++;
    else if (before && before.old !== before.new) counts.readOld++;
    return editions;
  }
}
