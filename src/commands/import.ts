import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  ImportError,
  type ImportOptions,
  isSourceName,
  type ReportEntry,
  reportCsv,
  runImport,
  SOURCES,
} from '../import/import.ts';
import { say } from '../progress.ts';
import { pathGiven, withStore } from './command.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

const SHOWN_ENTRIES = 10;

export function addImportCommand(program: Command): void {
  const sources = Object.entries(SOURCES).map(([name, { title }]) => `  ${name.padEnd(22)}${title}`);
  program
    .command('import')
    .description('import open data as its source publishes it; importing it again changes nothing and keeps all ids')
    .argument('<source>', 'one of the sources below')
    .argument('[path...]', 'files or folders of the source', (path: string, before: string[] = []) => [
      ...before,
      pathGiven(path),
    ])
    .option('--from <date>', 'first day on which the boundaries are in effect, YYYY-MM-DD')
    .option('--to <date>', 'last day on which they are; without it they are until further notice')
    .option('--type <type>', 'district type, where the files do not tell it')
    .option('--precise', 'the boundaries are precise')
    .option('--at-large', 'us-atlas: give its boundary of a state to the only Congress district of that state')
    .option(
      '--properties <list>',
      'properties that name a district, for example name=NAME,geoid=GEOID10',
      readProperties,
    )
    .option('--as-of <date>', 'day of the snapshot, YYYY-MM-DD')
    .option('--name <text>', 'name of the data set, kept as provenance')
    .option('--source <text>', 'where it is from, kept as provenance')
    .option('--license <text>', 'its licence, kept as provenance')
    .option('--report <file>', 'write what was left out, and why, to a CSV file', pathGiven)
    .option('--dry-run', 'read, join and count everything, and change nothing')
    .addHelpText('after', `\nSources:\n${sources.join('\n')}`)
    .action(async (source: string, paths: string[] = [], given: ImportOptions & { report?: string }) => {
      if (!isSourceName(source)) {
        throw new ImportError(`There is no source ${source}. There are: ${Object.keys(SOURCES).join(', ')}.`);
      }
      const { report, ...options } = given;
      const summary = await withProgress((onProgress) =>
        withStore((db) => runImport(db, source, paths, { ...options, onProgress })),
      );
      printSummary(summary);
      await tellLeftOut(summary.report, report);
    });
}

const PROPERTIES = ['name', 'geoid', 'ocdid', 'state'];

function readProperties(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => pair.split('='));
  const isUsable = pairs.every(([key = '', value, ...rest]) => PROPERTIES.includes(key) && value && rest.length === 0);
  if (isUsable) return Object.fromEntries(pairs);
  throw new InvalidArgumentError(`It is a list of key=property; the keys are ${PROPERTIES.join(', ')}.`);
}

async function tellLeftOut(entries: readonly ReportEntry[], file: string | undefined): Promise<void> {
  if (file !== undefined) await writeFile(file, reportCsv(entries));
  if (entries.length === 0) return;
  say(
    `Left out: ${entries.length.toLocaleString('en')}${file === undefined ? ' (--report FILE lists all)' : ` (see ${file})`}`,
  );
  for (const { record, reason } of entries.slice(0, SHOWN_ENTRIES)) say(`  ${record}: ${reason}`);
}
