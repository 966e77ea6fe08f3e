import type { Command } from 'commander';
import { ValidationErrors } from '../../importers/exchange/validation-errors.ts';
import { acceptedCheck, inspections } from './accepted-faults.ts';
import { pathArgument, withExclusiveDatabase } from './command.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

interface LoadCommandOptions {
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly accept?: readonly string[];
}

export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .description('load a folder in the exchange format in one transaction')
    .argument(
      '<folder>',
      'folder with districts.csv, boundaries.geojsonl and so on; files may be missing',
      pathArgument,
    )
    .option('--replace', 'delete rows that are not in the folder, in the tables for which it has files')
    .option('--accept <check>', 'load the folder although a check finds faults in it; can be repeated', acceptedCheck)
    .option('--dry-run', 'validate and count everything without changing anything')
    .action(async (folder: string, { accept = [], ...options }: LoadCommandOptions) => {
      const { loadFolder } = await import('../../importers/load/load.ts');
      const { openFolder } = await import('../../importers/load/stage/folder.ts');
      await openFolder(folder, new ValidationErrors());
      const inspect = (await inspections())(accept, options.dryRun ?? false);
      const load = withProgress((onProgress) =>
        withExclusiveDatabase((db) => loadFolder(db, folder, { ...options, onProgress, inspect })),
      );
      printSummary(await load);
    });
}
