import { type ImportContext, ImportError } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';

/** Options of the sources of election results. */
export interface ResultOptions {
  /** A CSV file with the districts of offices for which the source does not name one. */
  readonly officeMap?: string | undefined;
  /** Skips and reports a file that cannot be read, instead of failing the import. */
  readonly keepGoing?: boolean | undefined;
}

/**
 * Reads files one after the other.
 * @throws ImportError of the first file that cannot be read; with `keepGoing` only if none can.
 */
export async function readEach(
  files: readonly NamedFile[],
  { keepGoing = false }: ResultOptions,
  { report }: ImportContext,
  read: (file: NamedFile) => Promise<void>,
): Promise<void> {
  let failed: ImportError | undefined;
  let done = 0;
  for (const file of files) {
    try {
      await read(file);
      done++;
    } catch (error) {
      if (!keepGoing || !(error instanceof ImportError)) throw error;
      failed ??= error;
      const prefix = `${file.name}:`;
      const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length).trim() : error.message;
      report.add(file.name, `the file is left out: ${reason}`, 'the file is left out');
    }
  }
  if (failed && done === 0) throw failed;
}
