import {
  type ImportContext,
  ImportError,
  type ImportRow,
  type OpenedSource,
  UnusableFileError,
} from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { findFiles, watchFiles } from '../../read/read-files.ts';
import type { Column, Dialect } from '../../results/dialect.ts';
import { ElectionRows } from '../../results/election-rows.ts';
import { keepStored } from '../../results/keep-stored.store.ts';
import { readOfficeRows } from '../../results/office-rows.ts';
import { ResultsPipeline } from '../../results/pipeline.ts';
import type { Given } from '../../results/read-rows.ts';

/** Options of the sources of election results. */
export interface ResultOptions {
  /** The day of the election, and the state (two letters), if neither a file nor its name states them. */
  readonly date?: string | undefined;
  readonly state?: string | undefined;
  /** A CSV file with the districts of offices for which the source does not name one. */
  readonly officeMap?: string | undefined;
  /** Stores the votes of precincts too. */
  readonly precincts?: boolean | undefined;
  /** Skips and reports a file that cannot be read, instead of failing the import. */
  readonly keepGoing?: boolean | undefined;
}

/** A publisher of files with contests. */
export interface ResultSource {
  readonly name: string;
  readonly source: string;
  readonly license: string | null;
  /** The ends of the names of its files. */
  readonly extensions: readonly string[];
}

/** Adds contests to the rows of an import. */
export interface ResultReader {
  /** Adds the contests of a file. */
  read(file: NamedFile): Promise<void>;
  /** Adds the contests that need all files. */
  finish?(): Promise<void>;
}

/**
 * Opens the files of a source at the paths. `reader` is called once for each import.
 * @throws ImportError if there is no file of the source at a path.
 */
export async function openResults(
  { name, source, license, extensions }: ResultSource,
  paths: readonly string[],
  options: ResultOptions,
  reader: (rows: ElectionRows, context: ImportContext) => ResultReader,
): Promise<OpenedSource> {
  const files = await findFiles(paths, extensions);
  return {
    provenance: { name, source, license, asOf: null },
    settle: keepStored,
    async *rows(context): AsyncIterable<ImportRow> {
      const rows = new ElectionRows();
      const { read, finish } = reader(rows, context);
      await readEach(watchFiles(files, context.onRead), options, context, read);
      await finish?.();
      yield* rows.rows(context, name);
    },
  };
}

/**
 * Reads files one after the other. Throws the error of the first one that cannot be read; with `keepGoing`, and for files of which
 * nothing can be imported, only if none can.
 */
async function readEach(
  files: readonly NamedFile[],
  { keepGoing = false }: ResultOptions,
  { report }: ImportContext,
  read: (file: NamedFile) => Promise<void>,
): Promise<void> {
  let failed: ImportError | undefined;
  let done = 0;
  for (const file of files) {
    report.locate(file.name, file.name);
    try {
      await read(file);
      done++;
    } catch (error) {
      const isSkipped = keepGoing ? error instanceof ImportError : error instanceof UnusableFileError;
      if (!isSkipped || !(error instanceof ImportError)) throw error;
      failed ??= error;
      const reason = error.line === null ? error.reason : `line ${error.line}: ${error.reason}`;
      report.add(file.name, 'unreadable-files', 'the file is skipped', reason);
    }
  }
  if (failed && done === 0) throw failed;
}

/** Opens the tables of results of a publisher. `fileOf` returns a file under the name in reports, with what its name states. */
export async function openResultTables(
  dialect: Dialect,
  paths: readonly string[],
  options: ResultOptions,
  fileOf: (file: NamedFile) => { readonly file: NamedFile; readonly given: Partial<Record<Column, Given>> },
): Promise<OpenedSource> {
  const rows = await readOfficeRows(options.officeMap);
  const { name, source } = dialect;
  let pipeline: ResultsPipeline | undefined;
  const opened = await openResults(
    { name, source, license: null, extensions: ['.csv'] },
    paths,
    options,
    (out, context) => {
      const own = new ResultsPipeline({ dialect, rows, precincts: options.precincts ?? false }, context, out);
      pipeline = own;
      return {
        read: (each) => {
          const { file, given } = fileOf(each);
          return own.add(file, given);
        },
        finish: () => own.finish(),
      };
    },
  );
  return {
    ...opened,
    editions: () => pipeline?.editions ?? [],
    verify: async (db, report) => pipeline?.verify(db, report),
    finish: async (db, sourceId) => pipeline?.store(db, sourceId),
  };
}
