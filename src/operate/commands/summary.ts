import { writeLine } from '../../base/progress.ts';
import type { LoadSummary } from '../../importers/exchange/load-summary.ts';
import { print, printTable } from './command.ts';

/** Prints the changes of a load or a dry run by file; warnings go to standard error. */
export function printSummary({ files, warnings, seconds, dryRun }: LoadSummary): void {
  for (const warning of warnings) writeLine(`warning: ${warning}`);
  printTable(
    ['file', 'inserted', 'updated', 'unchanged', 'removed', 'repaired'],
    files.map(({ file, inserted, updated, unchanged, removed, repaired }) => [
      file,
      ...[inserted, updated, unchanged, removed, repaired].map((count) => count.toLocaleString('en')),
    ]),
  );
  print(`${dryRun ? 'Dry run, nothing changed' : 'Done'} in ${seconds.toFixed(1)} s`);
}
