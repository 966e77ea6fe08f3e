import type { StagedColumn } from '../elections/csv-staging.ts';
import { type OfficeMap, readOfficeMap } from '../elections/office-map.ts';
import { ResultRows } from '../elections/result-rows.ts';
import { RESULT_COLUMNS, sumResults } from '../elections/result-sums.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { findFiles, watchFiles } from '../read-files.ts';
import { type ResultOptions, readEach } from './result-options.ts';

const NAME = 'MEDSL precinct results';

const OPTIONAL = ['magnitude', 'jurisdiction_fips'];
const COLUMNS: readonly StagedColumn[] = RESULT_COLUMNS.map((name) => ({ name, optional: OPTIONAL.includes(name) }));

/**
 * Opens precinct results of the MIT Election Data and Science Lab, zipped or not: the contests of a file, summed over
 * precincts and voting modes.
 */
export async function openMedsl(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  if (paths.length === 0)
    throw new ImportError('medsl needs files of precinct results: CSV files, or zips that contain them');
  const files = await findFiles(paths, ['.csv']);
  const map = await readOfficeMap(options.officeMap);
  return {
    provenance: { name: NAME, source: 'https://github.com/MEDSL', license: null, asOf: null },
    rows: (context) => rowsOf(files, map, options, context),
  };
}

async function* rowsOf(
  files: readonly NamedFile[],
  map: OfficeMap,
  options: ResultOptions,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const results = new ResultRows(context, map);
  await readEach(watchFiles(files, context.onRead), options, context, async (file) =>
    results.add(file.name, await sumResults(context.db, file, COLUMNS)),
  );
  yield* results.rows.rows(context, NAME);
}
