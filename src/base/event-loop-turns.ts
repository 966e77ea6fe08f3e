import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

/** Milliseconds of synchronous work after which the event loop gets a turn: a small request of another API key has about four. */
const PORTION_MS = 3;

/** There is one event loop, so one portion at a time, whatever the number of requests. */
const portions = new FairQueue({ size: 1, perKey: 1 });
/** Milliseconds of work since the event loop last had a turn. */
let spentMs = 0;

/** The request that work is done for. */
export interface WorkingRequest {
  readonly caller: { readonly keyId: number };
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * Runs synchronous work whose size a caller decides, in portions of a few milliseconds between which the event loop serves
 * others. API keys with such work take turns. Work of a request that is over stops after the portion that it is in.
 * @param steps does the work, and yields wherever it may be interrupted: a step has to be short.
 * @returns what `steps` returns.
 * @throws the reason of the signal if it is aborted; what `steps` throws.
 */
export async function inPortions<Result>(
  { caller, abortSignal }: WorkingRequest,
  steps: Iterator<unknown, Result>,
): Promise<Result> {
  for (;;) {
    const done = await portions.run(caller.keyId, () => portion(steps), abortSignal);
    if (done) return done.value;
  }
}

/** Runs a short piece of synchronous work in a portion, for work that many fields of one request have. */
export function inPortion<Result>(request: WorkingRequest, work: () => Result): Promise<Result> {
  return inPortions(request, oneStep(work));
}

/**
 * Runs short asynchronous work that cannot be interrupted, in a portion of its own.
 * @param work may not run other work in portions: there is one portion at a time.
 */
export function inTurn<Result>({ caller, abortSignal }: WorkingRequest, work: () => Promise<Result>): Promise<Result> {
  return portions.run(
    caller.keyId,
    async () => {
      const began = performance.now();
      const result = await work();
      await rest(performance.now() - began);
      return result;
    },
    abortSignal,
  );
}

// biome-ignore lint/correctness/useYield: the work is one step
function* oneStep<Result>(work: () => Result): Generator<void, Result> {
  return work();
}

/** Does as much of the work as fits into the turn of the event loop; returns its end, or undefined. */
async function portion<Result>(steps: Iterator<unknown, Result>): Promise<IteratorReturnResult<Result> | undefined> {
  const began = performance.now();
  const before = spentMs;
  let step: IteratorResult<unknown, Result>;
  do {
    step = steps.next();
    spentMs = before + performance.now() - began;
  } while (!step.done && spentMs < PORTION_MS);
  if (spentMs >= PORTION_MS) {
    await rest(spentMs);
    spentMs = 0;
  }
  return step.done ? step : undefined;
}

/** Gives the event loop a turn for each portion of the time that work took: some steps are longer than a portion. */
async function rest(ms: number): Promise<void> {
  for (let owed = Math.max(ms, PORTION_MS); owed >= PORTION_MS; owed -= PORTION_MS) await nextTurn();
}
