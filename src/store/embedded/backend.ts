import type { PGlite } from '@electric-sql/pglite';
import { messagesIn } from './wire.ts';

/** What PGlite's exit status says when PostgreSQL raised an ordinary error. */
const ORDINARY_ERROR = 100;
/** The loop in PGlite that runs a message never ends once the backend is gone. */
const HOPELESS_FAULTS = 100;
const GEOMETRY_EXCEPTION = 'an exception of the geometry library';

/** What PGlite's module has, beyond its declared type. */
type BackendModule = PGlite['Module'] & {
  ___stack_pointer: { value: number };
  /** How many exceptions of C++ were thrown that nothing has caught. */
  ___cxa_uncaught_exceptions(): number;
};

/** What the backend said to a message. */
export interface BackendAnswer {
  readonly bytes: Buffer;
  /** The types of the messages in it. */
  readonly types: ReadonlySet<string>;
  /** Whether it ends outside of any transaction; undefined when it does not say. */
  readonly idle: boolean | undefined;
  /** What PGlite swallowed, if it did: nothing is known about the state of the backend any more. */
  readonly fault: string | undefined;
}

/**
 * The backend of PGlite, message by message, with what PGlite keeps to itself. It drops exceptions in two ways: those
 * that get to its main loop, and those of C++ that PostgreSQL's own handling of errors takes for a return without a
 * value, after which a query simply has no more rows.
 */
export class Backend {
  readonly #db: PGlite;
  readonly #module: BackendModule;
  #faults: string[] = [];
  #uncaught: number;

  constructor(db: PGlite) {
    this.#db = db;
    this.#module = db.Module as BackendModule;
    this.#uncaught = this.#module.___cxa_uncaught_exceptions();
    this.#watchTheMainLoop();
  }

  async execute(request: Buffer): Promise<BackendAnswer> {
    const chunks: Buffer[] = [];
    this.#faults = [];
    try {
      // The bytes lie in the memory of the WebAssembly module and are overwritten: copied.
      await this.#db.execProtocolRawStream(request, {
        syncToFs: false,
        onRawData: (data) => chunks.push(Buffer.from(data)),
      });
    } catch (error) {
      this.#faults.push(describe(error));
    }
    const uncaught = this.#module.___cxa_uncaught_exceptions();
    // PostGIS catches none of its exceptions here, so each that is thrown has cut something short.
    if (uncaught > this.#uncaught) this.#faults.push(GEOMETRY_EXCEPTION);
    this.#uncaught = uncaught;

    const bytes = Buffer.concat(chunks);
    const types = new Set<string>();
    let idle: boolean | undefined;
    for (const { type, bytes: message } of messagesIn(bytes)) {
      types.add(type);
      if (type === 'Z') idle = message[5] === 'I'.charCodeAt(0);
    }
    return { bytes, types, idle, fault: this.#faults[0] };
  }

  /**
   * PGlite drops every exception; only the exit status tells PostgreSQL's own errors from all others. It also leaves
   * the stack where the error was raised: after some 1,700 errors every statement would fail with 54001.
   */
  #watchTheMainLoop(): void {
    const backend = this.#module;
    const runOnce = backend._PostgresMainLoopOnce;
    backend._PostgresMainLoopOnce = () => {
      const stack = backend.___stack_pointer.value;
      try {
        runOnce();
      } catch (error) {
        backend.___stack_pointer.value = stack;
        if (backend._pgl_getPGliteExitStatus() !== ORDINARY_ERROR) {
          this.#faults.push(describe(error));
          if (this.#faults.length > HOPELESS_FAULTS) process.exit(70);
        }
        throw error;
      }
    };
  }
}

function describe(error: unknown): string {
  if (typeof error === 'number') return GEOMETRY_EXCEPTION;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A statement that the backend did not finish, and what became of what it had done. */
export interface Fault {
  readonly reason: string;
  /** Whether its transaction had ended with it before the fault was seen: a simple query outside of a transaction. */
  readonly isKept: boolean;
}

/** The error that a client gets for a statement whose error PGlite swallowed. */
export function swallowedError({ reason, isKept }: Fault): { code: string; text: string; hint: string } {
  const outcome = isKept ? 'what it had done until then was kept' : 'its transaction was rolled back';
  return {
    code: 'XX000',
    text: `The embedded store could not finish this statement (${reason}); ${outcome}.`,
    hint: 'The store is being reopened. A PostgreSQL server (DATABASE_URL) reports what is wrong with the statement.',
  };
}
