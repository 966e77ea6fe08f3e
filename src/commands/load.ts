import type { Command } from 'commander';
import { pathArgument, withExclusiveDatabase } from './command.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

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
    .option('--dry-run', 'validate and count everything without changing anything')
    .action(async (folder: string, options: { replace?: boolean; dryRun?: boolean }) => {
      const { loadFolder } = await import('../import/load.ts');
      const load = withProgress((onProgress) =>
        withExclusiveDatabase((db) => loadFolder(db, folder, { ...options, onProgress })),
      );
      printSummary(await load);
    });
}
