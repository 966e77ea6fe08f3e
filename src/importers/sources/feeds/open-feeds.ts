import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { findFiles } from '../../read/read-files.ts';

/** The data in the header of a feed that apply to all of it. */
export interface FeedHead {
  /** The scheme of its ids: the kind of feed and its publisher. */
  readonly scheme: string;
  readonly source: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/**
 * Opens one feed: an XML file, compressed or not, or a folder that contains one.
 * @throws ImportError if there is none or more than one, since a later feed may correct an earlier one.
 */
export async function openFeed(
  paths: readonly string[],
  headOf: (file: NamedFile) => Promise<FeedHead>,
  rowsOf: (file: NamedFile, head: FeedHead, context: ImportContext) => AsyncIterable<ImportRow>,
): Promise<OpenedSource> {
  const [file, ...more] = await findFiles(paths, ['.xml']);
  if (!file || more.length > 0) {
    const names = [file, ...more].map((each) => each?.name).join(', ');
    throw new ImportError(`${names}: import feeds one at a time, the oldest first`);
  }
  const head = await headOf(file);
  return {
    provenance: { name: head.scheme, source: head.source, license: null, asOf: head.day },
    rows: (context) => rowsOf(file, head, context),
  };
}
