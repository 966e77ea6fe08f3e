import { basename } from 'node:path';
import { isCalendarDate } from '../../../base/dates.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import type { OpenedSource } from '../../exchange/import-rows.ts';
import { readOfficeMap } from '../../results/office-map.ts';
import type { WantedColumn } from '../../results/read-results.ts';
import { RESULT_COLUMNS, type ResultColumn } from '../../results/result-reader.ts';
import { ResultRows } from '../../results/result-rows.ts';
import { sumResults } from '../../results/result-sums.ts';
import { openResults, type ResultOptions, type ResultSource } from './result-files.ts';

const MEDSL: ResultSource = {
  name: 'MEDSL precinct results',
  source: 'https://github.com/MEDSL',
  license: null,
  extensions: ['.csv'],
};

const OPTIONAL = new Set<ResultColumn>([
  'district',
  'dataverse',
  'magnitude',
  'county_fips',
  'jurisdiction_name',
  'jurisdiction_fips',
  'precinct',
  'writein',
]);
/** Other names of columns in some files, which have the year of the election instead of its day: those of 2016, Wisconsin 2018. */
const OTHER_NAMES: Partial<Record<ResultColumn, string>> = {
  state_po: 'state_postal',
  date: 'year',
  county_name: 'county',
  jurisdiction_name: 'jurisdiction',
  party_detailed: 'party',
};
/** What the name of a file may state: `2018-wi-precinct-general.csv`, `20181106__wi__general.csv`. */
const DAY = /(?<!\d)(\d{4})[-_]?(\d\d)[-_]?(\d\d)(?!\d)/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const STATE = /(?<![a-z])[a-z]{2}(?![a-z])/gi;

/** Returns the columns of a file; the values of some that are missing are taken from the options or its name. */
function columnsOf(file: string, options: ResultOptions): WantedColumn[] {
  const name = basename(file);
  const [, year, month, day] = DAY.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  const [state, another] = new Set(
    name
      .match(STATE)
      ?.map((code) => stateByPostal(code)?.postal)
      .filter(Boolean),
  );
  const isOf = (kind: string) => new RegExp(`(?<![a-z])${kind}(?![a-z])`, 'i').test(name);
  const stage = isOf('primary') ? 'PRI' : isOf('general') ? 'GEN' : undefined;
  const otherwise: Partial<Record<ResultColumn, string | undefined>> = {
    date: options.date ?? (isCalendarDate(date) ? date : YEAR.exec(name)?.[0]),
    state_po: options.state ?? (another ? undefined : state),
    stage: stage && isOf('runoff') ? `${stage} RUNOFF` : stage,
    special: isOf('special') ? 'TRUE' : 'FALSE',
    mode: 'TOTAL',
  };
  const hints: Partial<Record<ResultColumn, string>> = {
    date: 'the name of the file may state the day, or --date',
    state_po: 'the name of the file may state the state, or --state',
    stage: 'the name of the file may say general, primary or runoff',
  };
  return RESULT_COLUMNS.map((column) => ({
    name: column,
    from: [column, OTHER_NAMES[column] ?? column],
    optional: OPTIONAL.has(column),
    otherwise: otherwise[column],
    hint: hints[column],
  }));
}

/**
 * Opens precinct results of the MIT Election Data and Science Lab, zipped or not: the contests of a file, summed over
 * precincts and voting modes.
 */
export async function openMedsl(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  const map = await readOfficeMap(options.officeMap);
  return openResults(MEDSL, paths, options, (rows, context) => {
    const results = new ResultRows(rows, context, map);
    return {
      read: async (file) => results.add(file.name, await sumResults(file, columnsOf(file.name, options))),
      finish: () => results.finish(),
    };
  });
}
