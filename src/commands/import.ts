import { writeFile } from 'node:fs/promises';
import { type Command, Help, InvalidArgumentError, type Option } from 'commander';
import {
  ImportError,
  type ImportOptions,
  isSourceName,
  type ReportEntry,
  reportCsv,
  runImport,
  SOURCES,
  type SourceName,
} from '../import/import.ts';
import { reportOfJoin } from '../import/persons/join-persons.ts';
import { ADDRESS_FIELDS, ADDRESS_PRESETS } from '../import/sources/address-presets.ts';
import { DISTRICT_PRESETS } from '../import/sources/district-presets.ts';
import { writeLine } from '../progress.ts';
import { pathArgument, withExclusiveDatabase } from './command.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

const SHOWN_ENTRIES = 10;

interface CommandOptions extends ImportOptions {
  readonly manifest?: string;
  readonly data?: string;
  readonly report?: string;
  readonly nameProperty?: string;
  readonly geoidProperty?: string;
  readonly ocdidProperty?: string;
}

export function addImportCommand(program: Command): void {
  const sources = Object.entries(SOURCES).map(([name, { title }]) => `  ${name.padEnd(22)}${title}`);
  const presets = (list: Readonly<Record<string, { readonly title: string }>>) =>
    Object.entries(list).map(([name, { title }]) => `  ${name.padEnd(24)}${title}`);
  program
    .command('import')
    .description(
      'import open data in the format of its source; importing it again changes nothing and preserves all ids',
    )
    .argument('[source]', 'one of the sources below')
    .argument('[path...]', 'files or folders of the source', (path: string, before: string[] = []) => [
      ...before,
      pathArgument(path),
    ])
    .option('--from <date>', 'first day on which the boundaries are in effect, YYYY-MM-DD')
    .option('--to <date>', 'last day on which the boundaries are in effect; until further notice if omitted')
    .option('--preset <name>', 'a predefined format of boundary files, see below')
    .option('--type <type>', 'district type, if the files do not contain it')
    .option('--precise', 'the boundaries are precise')
    .option('--partial', 'import a map even if it misses districts of a covered state')
    .option('--replaces', 'end the older counties that a map of counties does not have')
    .option('--at-large', 'us-atlas: use the boundary of a state for its only congressional district')
    .option(
      '--properties <list>',
      'properties that name a district, for example name=NAME,geoid=GEOID10',
      readProperties,
    )
    .option(
      '--fields <list>',
      'fields with the parts of an address, for example number=NUM,street=NAME+TYPE',
      readFields,
    )
    .option('--name-property <name>', 'property with the name of a district')
    .option('--geoid-property <name>', 'property with the GEOID of a district')
    .option('--ocdid-property <name>', 'property with the OCD id of a district')
    .option(
      '--state <state>',
      'state of all districts, if no property contains it; for ocd-division-ids: only these states, for example AK,VT',
    )
    .option(
      '--office-map <file>',
      'CSV file with the districts of offices for which the source does not name one',
      pathArgument,
    )
    .option('--keep-going', 'skip and report files that cannot be read')
    .option('--layer <name>', 'layer of a TopoJSON file')
    .option('--date <date>', 'day of the election if the source does not state it, YYYY-MM-DD')
    .option('--as-of <date>', 'day of the snapshot, YYYY-MM-DD')
    .option('--name <text>', 'name of the data set, stored as provenance')
    .option('--source <text>', 'source of the data set, stored as provenance')
    .option('--license <text>', 'licence of the data set, stored as provenance')
    .option('--manifest <file>', 'run the imports listed in a YAML file, in order, instead of one source', pathArgument)
    .option(
      '--data <folder>',
      'base folder for the paths in the manifest; by default the folder of the manifest',
      pathArgument,
    )
    .option('--report <file>', 'write the skipped records and joined persons to a CSV file, with reasons', pathArgument)
    .option('--dry-run', 'read, match and count everything without changing anything')
    .configureHelp({ visibleOptions: optionsOfSource })
    .addHelpText('after', ({ command: { args } }) => {
      const source = sourceIn(args);
      const own: readonly string[] = source === undefined ? ['from', 'fields'] : SOURCES[source].options;
      const shown = [
        ...(own.includes('from') && (source === undefined || own.includes('preset')) ? presets(DISTRICT_PRESETS) : []),
        ...(own.includes('fields') ? presets(ADDRESS_PRESETS) : []),
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
const OF_ALL = ['report', 'dryRun', 'help'];
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
  if (!isSourceName(source)) {
    throw new ImportError(`There is no source ${source}. The sources are: ${Object.keys(SOURCES).join(', ')}.`);
  }
  const { report, nameProperty, geoidProperty, ocdidProperty, ...importOptions } = options;
  const named = { name: nameProperty, geoid: geoidProperty, ocdid: ocdidProperty };
  const properties = Object.values(named).some(Boolean)
    ? { ...importOptions.properties, ...named }
    : importOptions.properties;
  const summary = await withProgress((onProgress) =>
    withExclusiveDatabase((db) => runImport(db, source, paths, { ...importOptions, properties, onProgress })),
  );
  printSummary(summary);
  const joins = summary.joins.map((join) => reportOfJoin(source, join));
  if (report !== undefined) await writeFile(report, reportCsv([...summary.report, ...joins]));
  showEntries('Skipped', summary.report, report);
  showEntries('Joined as one person', joins, report);
}

function readFields(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => pair.split('='));
  const isUsable = pairs.every(
    ([key = '', value, ...rest]) => (ADDRESS_FIELDS as readonly string[]).includes(key) && value && rest.length === 0,
  );
  if (isUsable) return Object.fromEntries(pairs);
  throw new InvalidArgumentError(`It must be a list of part=field; the parts are ${ADDRESS_FIELDS.join(', ')}.`);
}

const PROPERTIES = ['name', 'geoid', 'ocdid', 'state', 'county'];

function readProperties(list: string): Record<string, string> {
  const pairs = list.split(',').map((pair) => pair.split('='));
  const isUsable = pairs.every(([key = '', value, ...rest]) => PROPERTIES.includes(key) && value && rest.length === 0);
  if (isUsable) return Object.fromEntries(pairs);
  throw new InvalidArgumentError(`It must be a list of key=property; the keys are ${PROPERTIES.join(', ')}.`);
}

function showEntries(title: string, entries: readonly ReportEntry[], file: string | undefined): void {
  if (entries.length === 0) return;
  const all = file === undefined ? ' (--report FILE lists all)' : ` (see ${file})`;
  writeLine(`${title}: ${entries.length.toLocaleString('en')}${all}`);
  for (const { record, reason } of entries.slice(0, SHOWN_ENTRIES)) writeLine(`  ${record}: ${reason}`);
}
