import type { Database } from '../store/sql/database.ts';
import { type ImportOptions, type ImportSummary, importOrLoad } from './import.ts';
import type { Inspect } from './load/inspect.ts';
import { inOneRun } from './load/run-lock.ts';
import { inOneTransaction } from './load/transaction.ts';
import type { Manifest, ManifestStep } from './manifest.ts';

/** A completed step of a manifest. */
export interface DoneStep {
  readonly step: ManifestStep;
  readonly summary: ImportSummary;
}

export interface ManifestOptions {
  /** Reads, matches and counts all steps, each after those before it, and changes nothing. */
  readonly dryRun?: boolean;
  /** Returns what looks at the result of a step before its transaction ends; an error undoes the step. */
  readonly inspect?: (step: ManifestStep) => Inspect;
  /** Wraps a step, to show its progress; `number` counts from 1. */
  readonly around?: (step: ManifestStep, number: number, run: RunStep) => Promise<ImportSummary>;
}

export type RunStep = (onProgress?: ImportOptions['onProgress']) => Promise<ImportSummary>;

/** Thrown when a step fails. The steps before it are committed, unless it was a dry run. */
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
 * Runs the imports of a manifest in order. Each is a transaction of its own: a reader never sees part of a source, a
 * gateway that shares the database waits for the longest source and not for all of them, and completed steps persist if
 * a later source fails; a repeated run changes nothing in them and continues. No other load or import can run between
 * two of them. A dry run is one transaction that is rolled back.
 * @throws ManifestError if a step fails.
 * @throws LoadInProgressError immediately if another load or import is running on the database.
 */
export function runManifest(db: Database, manifest: Manifest, options: ManifestOptions = {}): Promise<DoneStep[]> {
  const { dryRun = false, inspect, around = (_, __, run) => run() } = options;
  const runAll = async (connection: Database) => {
    const done: DoneStep[] = [];
    for (const [index, step] of manifest.steps.entries()) {
      const run: RunStep = (onProgress) =>
        importOrLoad(connection, step.source, step.paths, {
          ...step.options,
          dryRun,
          onProgress,
          inspect: inspect?.(step),
        });
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
