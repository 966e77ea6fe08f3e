import type { Command } from 'commander';
import { loadFolder } from '../import/load.ts';
import { pathGiven, withExclusiveDatabase } from './command.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .description('load a folder in the exchange format, all of it or nothing')
    .argument('<folder>', 'with districts.csv, boundaries.geojsonl and so on; files may be absent', pathGiven)
    .option('--replace', 'remove the rows that the folder does not have, in the tables that it brings')
    .option('--dry-run', 'check and count everything, and change nothing')
    .action(async (folder: string, options: { replace?: boolean; dryRun?: boolean }) => {
      const load = withProgress((onProgress) =>
        withExclusiveDatabase((db) => loadFolder(db, folder, { ...options, onProgress })),
      );
      printSummary(await load);
    });
}
