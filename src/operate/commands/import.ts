import { writeFile } from 'node:fs/promises';
import { type Command, Help, type Option } from 'commander';
import { writeLine } from '../../base/progress.ts';
import {
  importOpened,
  isSourceName,
  openSource,
  type ReportLine,
  reportCsv,
  SOURCES,
  type SourceName,
} from '../../importers/import.ts';
import { reportOfJoin } from '../../importers/load/persons/join-persons.ts';
import { ADDRESS_PRESETS } from '../../importers/sources/addresses/address-presets.ts';
import { DISTRICT_PRESETS } from '../../importers/sources/districts/district-presets.ts';
import { PLACE_PRESETS } from '../../importers/sources/voting-places/place-presets.ts';
import { acceptedCheck, inspections } from './accepted-faults.ts';
import { pathArgument, pathArguments, withExclusiveDatabase } from './command.ts';
import { placedText } from './placement.ts';
import { withProgress } from './progress-bar.ts';
import { addSourceOptions, DATA_OPTION, type GivenSourceOptions, importOptionsOf } from './source-options.ts';
import { printSummary } from './summary.ts';

const SHOWN_ENTRIES = 10;

interface CommandOptions extends GivenSourceOptions {
  readonly manifest?: string;
  readonly data?: string;
  readonly report?: string;
  readonly accept?: readonly string[];
}

export function addImportCommand(program: Command): void {
  const sources = Object.entries(SOURCES).map(([name, { title }]) => `  ${name.padEnd(22)}${title}`);
  const presets = (list: Readonly<Record<string, { readonly title: string }>>) =>
    Object.entries(list).map(([name, { title }]) => `  ${name.padEnd(24)}${title}`);
  const command = program
    .command('import')
    .description(
      'import open data in the format of its source; importing it again changes nothing and preserves all ids',
    )
    .argument('[source]', 'one of the sources below')
    .argument('[path...]', 'files or folders of the source', pathArguments);
  addSourceOptions(command)
    .option('--accept <check>', 'import the source although a check finds faults in it; can be repeated', acceptedCheck)
    .option('--manifest <file>', 'run the imports listed in a YAML file, in order, instead of one source', pathArgument)
    .option(...DATA_OPTION)
    .option('--report <file>', 'write the skipped records and joined persons to a CSV file, with reasons', pathArgument)
    .option('--dry-run', 'read, match and count everything without changing anything')
    .configureHelp({ visibleOptions: optionsOfSource })
    .addHelpText('after', ({ command: { args } }) => {
      const source = sourceIn(args);
      const own: readonly string[] = source === undefined ? ['from', 'fields', 'join'] : SOURCES[source].options;
      const shown = [
        ...(own.includes('from') && (source === undefined || own.includes('preset')) ? presets(DISTRICT_PRESETS) : []),
        ...(own.includes('fields') && (source === undefined || !own.includes('join')) ? presets(ADDRESS_PRESETS) : []),
        ...(own.includes('join') ? presets(PLACE_PRESETS) : []),
      ];
      const listed = source === undefined ? sources : [`  ${source}: ${SOURCES[source].title}`];
      return `\nSources:\n${listed.join('\n')}${shown.length > 0 ? `\n\nPresets:\n${shown.join('\n')}` : ''}`;
    })
    .action(async (source: string | undefined, paths: string[] = [], options: CommandOptions, command: Command) => {
      if (options.manifest === undefined && source !== undefined && options.data === undefined)
        return importSource(source, paths, options);
      const ofSources = Object.keys(options).filter((option) => !OF_MANIFEST.includes(option));
      if (options.manifest !== undefined && source === undefined && ofSources.length === 0)
        return (await import('./import-manifest.ts')).importManifest(options.manifest, options);
      command.error(`error: ${USAGE}`);
    });
}

function sourceIn(args: readonly string[]): SourceName | undefined {
  return args.find(isSourceName);
}

/** Options of every source, and the properties that are one option of a source. */
const OF_ALL = ['accept', 'report', 'dryRun', 'help'];
const OF_PROPERTIES = ['nameProperty', 'geoidProperty', 'ocdidProperty'];

/** Returns the options to show: with the name of a source in the arguments its own and those of every source. */
function optionsOfSource(command: Command): Option[] {
  const all = new Help().visibleOptions(command);
  const source = sourceIn(command.args);
  if (source === undefined) return all;
  const own: readonly string[] = SOURCES[source].options;
  return all.filter((option) => {
    const name = OF_PROPERTIES.includes(option.attributeName()) ? 'properties' : option.attributeName();
    return OF_ALL.includes(name) || own.includes(name);
  });
}

const OF_MANIFEST = ['manifest', 'data', 'report', 'dryRun'];
const USAGE =
  'specify either a source with its paths and options, or --manifest with --data, --report and --dry-run: the manifest contains the options of its sources';

async function importSource(source: string, paths: readonly string[], options: CommandOptions): Promise<void> {
  const { report, accept = [], ...given } = options;
  let placed: string | undefined;
  const inspect = (await inspections())(accept, given.dryRun ?? false, (placement) => {
    placed = placedText(placement);
  });
  const importOptions = { ...importOptionsOf(given), inspect };
  const opened = await openSource(source, paths, importOptions);
  const summary = await withProgress((onProgress) =>
    withExclusiveDatabase((db) => importOpened(db, source, opened, { ...importOptions, onProgress })),
  );
  printSummary(summary);
  const joins = summary.joins.map((join) => reportOfJoin(source, join));
  if (report !== undefined) await writeFile(report, reportCsv([...summary.report, ...joins]));
  showEntries('Skipped', summary.report, report);
  showEntries('Joined as one person', joins, report);
  if (placed) writeLine(`${placed}; the rows that are missing: npm run audit -- --of ${source} ${paths.join(' ')}`);
}

function showEntries(title: string, entries: readonly ReportLine[], file: string | undefined): void {
  if (entries.length === 0) return;
  const all = file === undefined ? ' (--report FILE lists all)' : ` (see ${file})`;
  writeLine(`${title}: ${entries.length.toLocaleString('en')}${all}`);
  for (const { record, reason } of entries.slice(0, SHOWN_ENTRIES)) writeLine(`  ${record}: ${reason}`);
}
