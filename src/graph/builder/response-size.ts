import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResponseLimits } from '../../base/config/limits.ts';
import { ServiceError } from '../../base/errors.ts';

/**
 * The loaded data may be longer than the response: REST has shorter names. `stringifyJson` checks the response itself.
 */
const LOADED_BYTES_PER_BYTE = 2;
/** Objects built in one turn of the event loop: a few milliseconds of work. */
const OBJECTS_PER_TURN = 100;

/**
 * Counts what one execution of an operation loads and builds, while it does so, and the work of fields that depends on
 * their objects, before it is done: the cost of an operation is only an estimate. Both counters end the execution with ServiceError RESPONSE_TOO_LARGE.
 */
export class ResponseSize {
  readonly limits: ResponseLimits;
  #error: ServiceError | undefined;
  #abort: ((error: ServiceError) => void) | undefined;
  #bytes = 0;
  #objects = 0;
  #objectsOfTurn = 0;
  #turn: Promise<void> | undefined;

  constructor(limits: ResponseLimits) {
    this.limits = limits;
  }

  /** Sets the function that aborts the execution when a limit is exceeded. */
  onExceeded(abort: (error: ServiceError) => void): void {
    this.#abort = abort;
  }

  /** The error of the exceeded limit; undefined if none is exceeded. */
  get error(): ServiceError | undefined {
    return this.#error;
  }

  /** How many objects and how much work were counted. */
  get objects(): number {
    return this.#objects;
  }

  /** Counts loaded bytes. */
  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.limits.bytes * LOADED_BYTES_PER_BYTE) this.#end(responseTooLarge(this.limits));
  }

  /** Counts objects that are about to be built. */
  countObjects(count: number): void {
    this.#objects += count;
    if (this.#objects > this.limits.objects) this.#end(tooManyObjects(this.limits));
  }

  /**
   * Counts work that is about to be done, for fields whose work is known only when their objects are.
   * @param records how many records would take as long.
   */
  countWork(records: number): void {
    this.#objects += records;
    if (this.#objects > this.limits.objects) this.#end(tooMuchWork(this.limits));
  }

  /**
   * Counts objects that are about to be built, and spreads the work over turns of the event loop.
   * @returns a promise that resolves in the turn in which to build them; undefined for the current turn.
   */
  scheduleObjects(count: number): Promise<void> | undefined {
    this.countObjects(count);
    this.#objectsOfTurn += count;
    if (this.#objectsOfTurn > OBJECTS_PER_TURN) {
      this.#turn = turnBehind(this.#turn);
      this.#objectsOfTurn = count;
    }
    return this.#turn;
  }

  #end(error: ServiceError): never {
    this.#error ??= error;
    this.#abort?.(error);
    throw error;
  }
}

/** Resolves in the next turn of the event loop, or in the turn after `behind` resolves. */
async function turnBehind(behind?: Promise<void>): Promise<void> {
  await behind;
  await nextTurn();
}

/** Returns the error for a response with more bytes than allowed. */
export function responseTooLarge({ bytes }: Pick<ResponseLimits, 'bytes'>): ServiceError {
  return new ServiceError('RESPONSE_TOO_LARGE', `The response has more than ${bytes} bytes. ${ADVICE}`);
}

function tooManyObjects({ objects }: ResponseLimits): ServiceError {
  return new ServiceError('RESPONSE_TOO_LARGE', `The response has more than ${objects} records. ${ADVICE}`);
}

function tooMuchWork({ objects }: ResponseLimits): ServiceError {
  return new ServiceError(
    'RESPONSE_TOO_LARGE',
    `The operation takes more work than ${objects} records. Request fewer districts in districts, smaller areas or fewer simplified geometries, in several requests.`,
  );
}

const ADVICE =
  'Request smaller pages, fewer points, fewer fields or simpler geometries (a higher tolerance), in several requests.';
