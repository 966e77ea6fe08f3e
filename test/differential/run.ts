import { schema } from '../../src/graph/schema.ts';
import { type DrawnRequest, drawDocument } from '../drawn/documents.ts';
import { seeded } from '../drawn/random.ts';
import { type Differential, PACKAGES } from './services.ts';
import { shrink } from './shrink.ts';

/** Number of repetitions of a document with other variables: neighbours share cached responses. */
const AGAIN = 0.25;

export interface RunOptions {
  readonly documents: number;
  readonly seed: number;
  /** The number of the first document that is sent; earlier documents are only drawn. Defaults to 1. */
  readonly from?: number;
  /** Whether each document is sent for one package, in rotation, instead of for all packages. */
  readonly onePackage?: boolean;
  /** Ends the run early. */
  readonly seconds?: number;
}

export interface RunResult {
  readonly documents: number;
  /** The first request with a difference, as small as it could be made; undefined when there is none. */
  readonly failure?: {
    readonly number: number;
    readonly smallest: DrawnRequest;
    readonly differences: readonly string[];
  };
}

/** Compares random documents until the first difference. */
export async function runDifferential(differential: Differential, options: RunOptions): Promise<RunResult> {
  const { documents, seed, from = 1, onePackage = false, seconds = Number.POSITIVE_INFINITY } = options;
  const random = seeded(seed);
  const began = performance.now();
  let drawn = drawDocument(schema, random);
  for (let number = 1; number <= documents; number++) {
    if (number > 1 && random() >= AGAIN) drawn = drawDocument(schema, random);
    const request = drawn.request();
    if (number < from) continue;
    const packages = onePackage ? PACKAGES.slice(number % PACKAGES.length).slice(0, 1) : PACKAGES;
    const found = await differential.differencesOf(request, packages);
    if (found.length > 0) {
      const fails = async (smaller: DrawnRequest) => (await differential.differencesOf(smaller, packages)).length > 0;
      const smallest = await shrink(schema, request, fails);
      const again = await differential.differencesOf(smallest, packages);
      // A difference that cannot be reproduced is reported without being shrunk.
      const failure = again.length > 0 ? { smallest, differences: again } : { smallest: request, differences: found };
      return { documents: number, failure: { number, ...failure } };
    }
    if (performance.now() - began > seconds * 1_000) return { documents: number };
  }
  return { documents };
}
