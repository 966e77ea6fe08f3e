import type { PGlite } from '@electric-sql/pglite';
import { messagesIn } from './wire.ts';

/** PGlite's exit status after an ordinary PostgreSQL error. */
const ORDINARY_ERROR = 100;
/**
 * Number of errors in one message after which the process exits: PGlite's message loop never ends once the backend is
 * dead.
 */
const MAX_FAILURES = 100;
const GEOMETRY_EXCEPTION = 'an exception of the geometry library';

/** Members of PGlite's module that are missing from its declared type. */
type BackendModule = PGlite['Module'] & {
  ___stack_pointer: { value: number };
  /** Returns the number of C++ exceptions that were thrown and not caught. */
  ___cxa_uncaught_exceptions(): number;
};

/** The backend's response to a message. */
export interface BackendResponse {
  readonly bytes: Buffer;
  /** The types of the messages in it. */
  readonly types: ReadonlySet<string>;
  /** Whether the backend is outside any transaction afterwards; undefined if the response does not contain this. */
  readonly idle: boolean | undefined;
  /** An error that PGlite swallowed: the state of the backend is unknown afterwards. Undefined if there was none. */
  readonly failure: string | undefined;
}

/**
 * Runs PGlite's backend message by message and detects the errors that PGlite hides. It swallows exceptions in two
 * ways: those that reach its main loop, and C++ exceptions that PostgreSQL's error handling mistakes for a return
 * without a value, after which a query simply has no more rows.
 */
export class Backend {
  readonly #db: PGlite;
  readonly #module: BackendModule;
  #failures: string[] = [];
  #uncaught: number;

  constructor(db: PGlite) {
    this.#db = db;
    this.#module = db.Module as BackendModule;
    this.#uncaught = this.#module.___cxa_uncaught_exceptions();
    this.#wrapMainLoop();
  }

  async execute(request: Buffer): Promise<BackendResponse> {
    const chunks: Buffer[] = [];
    this.#failures = [];
    try {
      // Copy the bytes: they are in the memory of the WebAssembly module and will be overwritten.
      await this.#db.execProtocolRawStream(request, {
        syncToFs: false,
        onRawData: (data) => chunks.push(Buffer.from(data)),
      });
    } catch (error) {
      this.#failures.push(describe(error));
    }
    const uncaught = this.#module.___cxa_uncaught_exceptions();
    // PostGIS catches none of its exceptions here, so each thrown exception has interrupted a computation.
    if (uncaught > this.#uncaught) this.#failures.push(GEOMETRY_EXCEPTION);
    this.#uncaught = uncaught;

    const bytes = Buffer.concat(chunks);
    const types = new Set<string>();
    let idle: boolean | undefined;
    for (const { type, bytes: message } of messagesIn(bytes)) {
      types.add(type);
      if (type === 'Z') idle = message[5] === 'I'.charCodeAt(0);
    }
    return { bytes, types, idle, failure: this.#failures[0] };
  }

  /**
   * Wraps PGlite's main loop, which swallows every exception; only the exit status distinguishes PostgreSQL's own
   * errors from all others. It also does not unwind the stack after an error: after about 1,700 errors every statement
   * would fail with 54001.
   */
  #wrapMainLoop(): void {
    const backend = this.#module;
    const runOnce = backend._PostgresMainLoopOnce;
    backend._PostgresMainLoopOnce = () => {
      const stack = backend.___stack_pointer.value;
      try {
        runOnce();
      } catch (error) {
        backend.___stack_pointer.value = stack;
        if (backend._pgl_getPGliteExitStatus() !== ORDINARY_ERROR) {
          this.#failures.push(describe(error));
          if (this.#failures.length > MAX_FAILURES) process.exit(70);
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

/** A statement that the backend did not finish, and whether its changes were committed. */
export interface SwallowedFailure {
  readonly reason: string;
  /** Whether its transaction was committed before the error was detected: a simple query outside a transaction. */
  readonly isCommitted: boolean;
}

/** Returns the error for the client whose statement failed with an error that PGlite swallowed. */
export function swallowedError({ reason, isCommitted }: SwallowedFailure): {
  code: string;
  text: string;
  hint: string;
} {
  const outcome = isCommitted ? 'its changes were committed' : 'its transaction was rolled back';
  return {
    code: 'XX000',
    text: `The embedded database could not finish this statement (${reason}); ${outcome}.`,
    hint: 'The database is being reopened. A PostgreSQL server (DATABASE_URL) reports what is wrong with the statement.',
  };
}
