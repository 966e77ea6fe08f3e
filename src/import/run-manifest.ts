import type { Database } from '../store/database.ts';
import { type ImportOptions, type ImportSummary, runImport } from './import.ts';
import type { Manifest, ManifestStep } from './manifest.ts';
import { inOneRun } from './run-lock.ts';
import { inOneTransaction } from './transaction.ts';

/** A step of a manifest that has been done. */
export interface DoneStep {
  readonly step: ManifestStep;
  readonly summary: ImportSummary;
}

export interface ManifestOptions {
  /** All steps are read, joined and counted, each after those before it, and nothing is changed. */
  readonly dryRun?: boolean;
  /** Does a step, to show how far it is; `number` counts from 1. */
  readonly around?: (step: ManifestStep, number: number, run: RunStep) => Promise<ImportSummary>;
}

export type RunStep = (onProgress?: ImportOptions['onProgress']) => Promise<ImportSummary>;

/** Thrown when a step fails. Those before it have been done, unless it was a dry run. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly exitCode: number;
  readonly done: readonly DoneStep[];

  constructor(step: ManifestStep, done: readonly DoneStep[], cause: unknown) {
    super(`${step.title}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.exitCode =
      cause instanceof Error && 'exitCode' in cause && typeof cause.exitCode === 'number' ? cause.exitCode : 1;
    this.done = done;
  }
}

/**
 * Does the imports of a manifest in their order. Each is a transaction of its own: a reader never sees a part of a
 * source, a gateway that shares the store waits for the longest source and not for all of them, and what a run has done
 * stays when a later source fails; running it again changes nothing of that, and goes on. No other load or import can
 * come between two of them. A dry run is one transaction that is rolled back.
 * @throws ManifestError when a step fails.
 * @throws LoadInProgressError at once when another load or import is at work on the store.
 */
export function runManifest(db: Database, manifest: Manifest, options: ManifestOptions = {}): Promise<DoneStep[]> {
  const { dryRun = false, around = (_, __, run) => run() } = options;
  const runAll = async (connection: Database) => {
    const done: DoneStep[] = [];
    for (const [index, step] of manifest.steps.entries()) {
      const run: RunStep = (onProgress) =>
        runImport(connection, step.source, step.paths, { ...step.options, dryRun, onProgress });
      try {
        done.push({ step, summary: await around(step, index + 1, run) });
      } catch (error) {
        throw new ManifestError(step, done, error);
      }
    }
    return done;
  };
  return dryRun ? inOneTransaction(db, true, runAll) : inOneRun(db, runAll);
}
