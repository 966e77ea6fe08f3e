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
import { DISTRICT_PRESETS } from '../import/sources/district-presets.ts';
import { say } from '../progress.ts';
import { pathGiven, withStoreAlone } from './command.ts';
import { importManifest } from './import-manifest.ts';
import { withProgress } from './progress-bar.ts';
import { printSummary } from './summary.ts';

const SHOWN_ENTRIES = 10;

interface GivenOptions extends ImportOptions {
  readonly manifest?: string;
  readonly data?: string;
  readonly report?: string;
  readonly nameProperty?: string;
  readonly geoidProperty?: string;
  readonly ocdidProperty?: string;
}

export function addImportCommand(program: Command): void {
  const sources = Object.entries(SOURCES).map(([name, { title }]) => `  ${name.padEnd(22)}${title}`);
  const presets = Object.entries(DISTRICT_PRESETS).map(([name, { title }]) => `  ${name.padEnd(24)}${title}`);
  program
    .command('import')
    .description('import open data as its source publishes it; importing it again changes nothing and keeps all ids')
    .argument('[source]', 'one of the sources below')
    .argument('[path...]', 'files or folders of the source', (path: string, before: string[] = []) => [
      ...before,
      pathGiven(path),
    ])
    .option('--from <date>', 'first day on which the boundaries are in effect, YYYY-MM-DD')
    .option('--to <date>', 'last day on which they are; without it they are until further notice')
    .option('--preset <name>', 'a known shape of boundaries, see below')
    .option('--type <type>', 'district type, where the files do not tell it')
    .option('--precise', 'the boundaries are precise')
    .option('--at-large', 'us-atlas: give its boundary of a state to the only Congress district of that state')
    .option(
      '--properties <list>',
      'properties that name a district, for example name=NAME,geoid=GEOID10',
      readProperties,
    )
    .option('--name-property <name>', 'property that holds the name of a district')
    .option('--geoid-property <name>', 'property that holds its GEOID')
    .option('--ocdid-property <name>', 'property that holds its OCD id')
    .option(
      '--state <state>',
      'state of all districts, where no property tells it; of ocd-division-ids: only these, AK,VT',
    )
    .option('--office-map <file>', 'CSV that names the district of offices which the source does not name', pathGiven)
    .option('--keep-going', 'leave a file out that cannot be read, and report it')
    .option('--layer <name>', 'layer of a TopoJSON file')
    .option('--date <date>', 'day of the election, where the source does not name it, YYYY-MM-DD')
    .option('--as-of <date>', 'day of the snapshot, YYYY-MM-DD')
    .option('--name <text>', 'name of the data set, kept as provenance')
    .option('--source <text>', 'where it is from, kept as provenance')
    .option('--license <text>', 'its licence, kept as provenance')
    .option(
      '--manifest <file>',
      'do the imports that a YAML file lists, in its order, instead of one source',
      pathGiven,
    )
    .option('--data <folder>', 'where the paths of the manifest start; its own folder by default', pathGiven)
    .option('--report <file>', 'write what was left out, and why, to a CSV file', pathGiven)
    .option('--dry-run', 'read, join and count everything, and change nothing')
    .addHelpText('after', `\nSources:\n${sources.join('\n')}\n\nPresets:\n${presets.join('\n')}`)
    .action(async (source: string | undefined, paths: string[] = [], given: GivenOptions, command: Command) => {
      if (given.manifest === undefined && source !== undefined && given.data === undefined)
        return importSource(source, paths, given);
      const ofSources = Object.keys(given).filter((option) => !OF_MANIFEST.includes(option));
      if (given.manifest !== undefined && source === undefined && ofSources.length === 0)
        return importManifest(given.manifest, given);
      command.error(`error: ${USAGE}`);
    });
}

const OF_MANIFEST = ['manifest', 'data', 'report', 'dryRun'];
const USAGE =
  'give either a source with its paths and options, or --manifest with --data, --report and --dry-run: the options of its sources stand in the manifest';

async function importSource(source: string, paths: readonly string[], given: GivenOptions): Promise<void> {
  if (!isSourceName(source)) {
    throw new ImportError(`There is no source ${source}. There are: ${Object.keys(SOURCES).join(', ')}.`);
  }
  const { report, nameProperty, geoidProperty, ocdidProperty, ...options } = given;
  const named = { name: nameProperty, geoid: geoidProperty, ocdid: ocdidProperty };
  const properties = Object.values(named).some(Boolean) ? { ...options.properties, ...named } : options.properties;
  const summary = await withProgress((onProgress) =>
    withStoreAlone((db) => runImport(db, source, paths, { ...options, properties, onProgress })),
  );
  printSummary(summary);
  await tellLeftOut(summary.report, report);
}

const PROPERTIES = ['name', 'geoid', 'ocdid', 'state', 'county'];

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
