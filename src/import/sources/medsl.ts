import { readOfficeMap } from '../elections/office-map.ts';
import type { WantedColumn } from '../elections/read-results.ts';
import { RESULT_COLUMNS, type ResultColumn } from '../elections/result-reader.ts';
import { ResultRows } from '../elections/result-rows.ts';
import { sumResults } from '../elections/result-sums.ts';
import type { OpenedSource } from '../import-rows.ts';
import { openResults, type ResultOptions, type ResultSource } from './result-files.ts';

const MEDSL: ResultSource = {
  name: 'MEDSL precinct results',
  source: 'https://github.com/MEDSL',
  license: null,
  extensions: ['.csv'],
  usage: 'medsl needs files of precinct results: CSV files, or zips that contain them',
};

const OPTIONAL = ['magnitude', 'county_fips', 'jurisdiction_fips', 'dataverse'];
/** Other names of columns in some files, which have the year of the election instead of its day: those of 2016, Wisconsin 2018. */
const OTHER_NAMES: Partial<Record<ResultColumn, string>> = {
  state_po: 'state_postal',
  date: 'year',
  county_name: 'county',
  jurisdiction_name: 'jurisdiction',
  party_detailed: 'party',
};
const COLUMNS: readonly WantedColumn[] = RESULT_COLUMNS.map((name) => ({
  name,
  from: [name, OTHER_NAMES[name] ?? name],
  optional: OPTIONAL.includes(name),
}));

/**
 * Opens precinct results of the MIT Election Data and Science Lab, zipped or not: the contests of a file, summed over
 * precincts and voting modes.
 */
export async function openMedsl(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  const map = await readOfficeMap(options.officeMap);
  return openResults(MEDSL, paths, options, (rows, context) => {
    const results = new ResultRows(rows, context, map);
    return {
      read: async (file) => results.add(file.name, await sumResults(file, COLUMNS)),
      finish: () => results.finish(),
    };
  });
}
