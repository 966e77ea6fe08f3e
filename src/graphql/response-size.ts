import { ServiceError } from '../errors.ts';

/** The most that the response to one request may hold. */
export interface ResponseLimits {
  /** Bytes of the body before compression. */
  readonly bytes: number;
  /** Objects that the gateway builds for it; of what the database serialises only the bytes count. */
  readonly objects: number;
}

export const DEFAULT_RESPONSE_BYTES = 16_777_216;

/** What is loaded may be longer than the response: REST has shorter names. `stringifyJson` checks the response itself. */
const LOADED_BYTES_PER_BYTE = 2;
/** Objects that are built in one turn of the event loop, some milliseconds of work. */
const OBJECTS_PER_TURN = 2_000;

/**
 * Counts what one run of an operation loads and builds for its response while it does so: the cost of an operation is
 * only an estimate. Both counters end the run with ServiceError RESPONSE_TOO_LARGE.
 */
export class ResponseSize {
  readonly limits: ResponseLimits;
  readonly #exceeded = new AbortController();
  #bytes = 0;
  #objects = 0;
  #objectsOfTurn = 0;
  #turn: Promise<void> | undefined;

  constructor(limits: ResponseLimits) {
    this.limits = limits;
  }

  /** Aborted, with the error as its reason, when a limit is exceeded. */
  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Counts bytes that were loaded. */
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
   * Counts objects that are about to be built, and divides the work among turns of the event loop.
   * @returns the turn in which to build them; undefined for the current one.
   */
  scheduleObjects(count: number): Promise<void> | undefined {
    this.countObjects(count);
    this.#objectsOfTurn += count;
    if (this.#objectsOfTurn > OBJECTS_PER_TURN) {
      this.#turn = nextTurn(this.#turn);
      this.#objectsOfTurn = count;
    }
    return this.#turn;
  }

  /** Counts objects from zero again, for another way to run the same operation. The loaded bytes stay counted. */
  restart(): void {
    this.#objects = 0;
    this.#objectsOfTurn = 0;
    this.#turn = undefined;
  }

  #end(error: ServiceError): never {
    this.#exceeded.abort(error);
    throw error;
  }
}

/** Resolves in the next turn of the event loop, or in the one behind another. */
export async function nextTurn(behind?: Promise<void>): Promise<void> {
  await behind;
  await new Promise((resolve) => setImmediate(resolve));
}

/** The error for a response with more bytes than allowed. */
export function responseTooLarge({ bytes }: Pick<ResponseLimits, 'bytes'>): ServiceError {
  return new ServiceError('RESPONSE_TOO_LARGE', `The response has more than ${bytes} bytes. ${ADVICE}`);
}

function tooManyObjects({ objects }: ResponseLimits): ServiceError {
  return new ServiceError('RESPONSE_TOO_LARGE', `The response has more than ${objects} records. ${ADVICE}`);
}

const ADVICE =
  'Ask for smaller pages, fewer points, fewer fields or simpler geometries (a higher tolerance), in several requests.';
