import { type Command, InvalidArgumentError } from 'commander';
import { commandsToday } from '../../base/clock.ts';
import { withProgressLines } from '../../base/progress.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import { publish } from '../publish/publish.ts';
import { pathArgument, print, readDay, readState, withDatabase } from './command.ts';

export function addPublishCommand(program: Command): void {
  const listOf =
    <Value>(read: (text: string) => Value) =>
    (text: string) => [...new Set(text.split(',').map((each) => read(each.trim())))];
  program
    .command('publish')
    .description('write boundaries as static files, in which clients find the districts of a point themselves')
    .argument('<folder>', 'where the files are written; what is there already stays', pathArgument)
    .option('--layers <types>', 'only these types of districts, such as CONGRESS,COUNTY', listOf(readType))
    .option('--states <states>', 'only these states: two letters each, US for the country', listOf(readState))
    .option(
      '--date <days>',
      'the days, YYYY-MM-DD, on which the boundaries are in effect; today by default',
      listOf(readDay),
    )
    .option('--pack', 'write all cells to one file, of which clients request ranges')
    .action(async (folder: string, { layers, date, ...options }) => {
      const days = date ?? [commandsToday()];
      const { boundaries, files, bytes, written, obsolete } = await withDatabase((db) =>
        withProgressLines('Publishing', () => publish(db, folder, { ...options, types: layers, days })),
      );
      const [all, count, size, changed, old] = [boundaries, files, bytes, written.length, obsolete.length].map((each) =>
        each.toLocaleString('en'),
      );
      print(`${all} boundaries of ${days.join(', ')}: ${count} files, ${size} bytes; ${changed} files written.`);
      if (obsolete.length === 0) return;
      print(`Once no client uses an older index, the ${old} files that this one does not name may be deleted:`);
      for (const name of obsolete) print(name);
    });
}

function readType(text: string) {
  const name = text
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, '_')
    .replace(/_$/, '');
  const found = DISTRICT_TYPES.find((type) => type[0] === name);
  if (found) return found[1];
  throw new InvalidArgumentError(`"${text}" is none of ${DISTRICT_TYPES.map((type) => type[0]).join(', ')}.`);
}
