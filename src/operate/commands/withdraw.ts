import type { Command } from 'commander';
import { type WithdrawOptions, withdrawSource } from '../../importers/load/editions/withdraw.ts';
import { print, printTable, readDay, readState, withExclusiveDatabase } from './command.ts';

export function addWithdrawCommand(program: Command): void {
  program
    .command('withdraw')
    .description('remove what a source brought, in one transaction, and list it; what other sources have too stays')
    .argument('<source>', 'name of a source in commands, such as openelections, or of a data set')
    .option('--state <state>', 'only what is of a state: two letters', readState)
    .option('--date <day>', 'only what is of the elections of a day, or of the edition of a day: YYYY-MM-DD', readDay)
    .option('--dry-run', 'list everything without changing anything')
    .action(async (source: string, options: WithdrawOptions) => {
      const { records, counts, others } = await withExclusiveDatabase((db) => withdrawSource(db, source, options));
      printTable(
        ['kind', 'id', 'name', 'what becomes of it'],
        records.map(({ kind, id, name, stays, isOfNoEdition }) => [
          kind.replace('_', ' '),
          String(id),
          name,
          `${stays === null ? 'removed' : `stays: ${stays}`}${isOfNoEdition ? ' (no edition)' : ''}`,
        ]),
      );
      if (records.some(({ isOfNoEdition }) => isOfNoEdition))
        print(
          'No edition: imported before the database recorded which file brought a record (migration 0070), or from an older edition than the stored one. A newer edition of the file would not have removed it.',
        );
      const removed = records.filter(({ stays }) => stays === null).length;
      for (const [what, count] of Object.entries(counts))
        print(`Removed: ${count.toLocaleString('en')} ${what.replaceAll('_', ' ')}`);
      print(
        `Removed: ${removed.toLocaleString('en')} records; ${(records.length - removed).toLocaleString('en')} stay.`,
      );
      if (others.length > 0)
        print(
          `What ${source} wrote into records of ${others.join(', ')} stays there, names by which they are found included. To have only theirs, withdraw these and import them again.`,
        );
      if (options.dryRun) print('Dry run, nothing changed.');
    });
}
