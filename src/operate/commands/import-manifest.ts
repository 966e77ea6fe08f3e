import { writeFile } from 'node:fs/promises';
import { writeLine } from '../../base/progress.ts';
import { type ReportLine, reportCsv } from '../../importers/import.ts';
import { reportOfJoin } from '../../importers/load/persons/join-persons.ts';
import { readManifest } from '../../importers/manifest.ts';
import { type DoneStep, ManifestError, runManifest } from '../../importers/run-manifest.ts';
import { ACCEPTABLE, inspections } from './accepted-faults.ts';
import { print, printTable, withExclusiveDatabase } from './command.ts';
import { placedText } from './placement.ts';
import { withProgress } from './progress-bar.ts';

export interface ManifestCommandOptions {
  readonly data?: string;
  readonly report?: string;
  readonly dryRun?: boolean;
}

/** Runs the imports of a manifest; prints at the end the changes of each, and the skipped records by reason. */
export async function importManifest(file: string, options: ManifestCommandOptions): Promise<void> {
  const { data, report, dryRun = false } = options;
  const manifest = await readManifest(file, data, ACCEPTABLE);
  const inspectionOf = await inspections();
  const began = performance.now();
  const end = async (done: readonly DoneStep[], outcome: string) => {
    if (report !== undefined) await writeFile(report, reportCsv(done.flatMap(entriesOf)));
    printSteps(done);
    printReasons(done);
    print(`${outcome} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  };
  try {
    const done = await withExclusiveDatabase((db) =>
      runManifest(db, manifest, {
        dryRun,
        inspect: ({ accept = [] }) =>
          inspectionOf(accept, dryRun, (placement) =>
            writeLine(`${placedText(placement)}; the rows that are missing: npm run audit -- --manifest ${file}`),
          ),
        around(step, number, run) {
          writeLine(`${number} of ${manifest.steps.length}: ${step.title}`);
          return withProgress(run);
        },
      }),
    );
    await end(done, dryRun ? 'Dry run, nothing changed' : 'Done');
  } catch (error) {
    if (error instanceof ManifestError && error.done.length > 0) {
      await end(error.done, dryRun ? 'Dry run, nothing changed; stopped' : 'Stopped; running it again goes on');
    }
    throw error;
  }
}

const COUNTS = ['inserted', 'updated', 'unchanged', 'removed'] as const;

function printSteps(done: readonly DoneStep[]): void {
  const shown = (count: number) => count.toLocaleString('en');
  printTable(
    ['source', 'seconds', ...COUNTS, 'skipped', 'joined'],
    done.map(({ step, summary: { files, seconds, report, joins } }) => [
      step.title,
      seconds.toFixed(1),
      ...COUNTS.map((count) => shown(files.reduce((sum, file) => sum + file[count], 0))),
      shown(report.length),
      shown(joins.length),
    ]),
  );
}

/** Prints how often each reason for leaving out a record, or for joining persons, occurred, the most frequent first. */
function printReasons(done: readonly DoneStep[]): void {
  printCounts('skipped', 'reason', done, ({ summary }) => summary.report);
  printCounts('persons joined', 'by the rule', done, joinsOf);
}

function printCounts(
  what: string,
  why: string,
  done: readonly DoneStep[],
  entries: (step: DoneStep) => readonly ReportLine[],
): void {
  const rows = done.flatMap((step) =>
    [...Map.groupBy(entries(step), ({ sentence }) => sentence)]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([sentence, { length }]) => [step.step.title, length.toLocaleString('en'), sentence]),
  );
  if (rows.length === 0) return;
  print('');
  printTable(['source', what, why], rows);
  print('');
}

function joinsOf({ step, summary }: DoneStep): ReportLine[] {
  return summary.joins.map((join) => reportOfJoin(step.title, join));
}

/** Returns the report entries of a step. In a report of several imports the source is named with its path. */
function entriesOf(done: DoneStep): ReportLine[] {
  const { step, summary } = done;
  return [...summary.report.map((entry) => ({ ...entry, source: step.title })), ...joinsOf(done)];
}
