import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { commandsToday } from '../../base/clock.ts';
import { readConfig } from '../../base/config/config.ts';
import { writeLine } from '../../base/progress.ts';
import { EXCHANGE_FORMAT, SOURCES, type SourceOfFile } from '../../importers/import.ts';
import { readManifest } from '../../importers/manifest.ts';
import { openBackend } from '../../store/backend.ts';
import { migrate } from '../../store/migrate.ts';
import type { Database } from '../../store/sql/database.ts';
import { ACCEPTABLE } from './accepted-faults.ts';
import { auditFiles, auditManifest } from './audit-files.ts';
import { pathArgument, pathArguments, print, withExclusiveDatabase } from './command.ts';
import { officeRows } from './placement.ts';
import { withProgress } from './progress-bar.ts';
import { addSourceOptions, DATA_OPTION, type GivenSourceOptions, importOptionsOf } from './source-options.ts';

/** The rows of each check that are shown, and that the JSON has. */
const SHOWN = 5;
const MOST_IN_JSON = 1_000;
const NAMES = [...Object.keys(SOURCES), EXCHANGE_FORMAT];

interface AuditCommandOptions extends GivenSourceOptions {
  readonly of?: SourceOfFile;
  readonly json?: boolean;
  readonly rows?: string;
  readonly manifest?: string;
  readonly data?: string;
}

export function addAuditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description(
      'import files in a transaction that is rolled back, and show what contradicts itself or the data; the exit status is 1 for faults, 0 for warnings',
    )
    .argument('[path...]', 'files or folders of one source, or a folder in the exchange format', pathArguments)
    .addOption(new Option('--of <source>', 'the source of the files').choices(NAMES))
    .option('--json', `print the findings as JSON, with up to ${MOST_IN_JSON.toLocaleString('en')} rows of each check`);
  addSourceOptions(command)
    .option(
      '--rows <file>',
      'write the rows that would place all contests that are not placed to a CSV file',
      pathArgument,
    )
    .option('--manifest <file>', 'audit the imports listed in a YAML file, each after those before it', pathArgument)
    .option(...DATA_OPTION)
    .action(async (paths: string[] = [], { of, json = false, rows, manifest, data, ...given }: AuditCommandOptions) => {
      if (manifest === undefined && (paths.length === 0 || of === undefined))
        command.error(
          `error: there is nothing to audit: give paths of one source and its name with --of, or --manifest. The sources are: ${NAMES.join(', ')}`,
        );
      if (manifest !== undefined && paths.length > 0)
        command.error('error: give either paths of one source or --manifest, not both');
      if (manifest === undefined && data !== undefined) command.error('error: --data belongs to --manifest');
      if (manifest !== undefined && (of !== undefined || Object.keys(given).length > 0))
        command.error('error: the manifest has the source and the options of each import');
      const today = commandsToday();
      const most = json ? MOST_IN_JSON : SHOWN;
      const steps = manifest === undefined ? undefined : await readManifest(manifest, data, ACCEPTABLE);
      const source = manifest ?? of;
      const audit = await withAuditDatabase(async (db) => {
        if (steps !== undefined)
          return auditManifest(db, steps, {
            today,
            most,
            around(step, number, run) {
              writeLine(`${number}: ${step.title}`);
              return withProgress(run);
            },
          });
        return withProgress((onProgress) =>
          auditFiles(db, source as SourceOfFile, paths, {
            options: { ...importOptionsOf(given), onProgress },
            today,
            most,
          }),
        );
      });
      if (rows !== undefined) await writeFile(rows, officeRows(audit.placement?.offices ?? []));
      if (json) print(JSON.stringify({ source, ...audit }, null, 2));
      else {
        writeLine(`Source: ${source}`);
        (await import('./audit-output.ts')).printAudit(audit, SHOWN);
      }
      if (audit.faults > 0) process.exitCode = 1;
    });
}

/** Runs an audit in the configured database; in an empty embedded one, which is removed, if there is none. */
async function withAuditDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const { database } = readConfig(process.env);
  const isThere = database.url !== undefined || (await stat(database.dataDir).catch(() => undefined)) !== undefined;
  if (isThere) return withExclusiveDatabase(work);
  const dataDir = await mkdtemp(join(tmpdir(), 'ballotgraph-audit-'));
  try {
    const backend = await openBackend({ ...database, dataDir }, { purpose: 'command', onProgress: writeLine });
    try {
      await migrate(backend.db);
      return await work(backend.db);
    } finally {
      await backend.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
