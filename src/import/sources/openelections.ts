import { basename } from 'node:path';
import { isCalendarDate } from '../../dates.ts';
import { readOfficeMap } from '../elections/office-map.ts';
import type { WantedColumn } from '../elections/read-results.ts';
import { ResultRows } from '../elections/result-rows.ts';
import { sumResults } from '../elections/result-sums.ts';
import { ImportError, type OpenedSource } from '../import-rows.ts';
import { stateByPostal } from '../states.ts';
import { openResults, type ResultOptions, type ResultSource } from './result-files.ts';

/**
 * `20180821__ak__primary__precinct.csv`, `20200811__mn__special__general__county.csv`, `20181106__fl__general__miami-dade.csv`,
 * `20120424__ny__republican__primary__president.csv`, `20160209__wa__special__county.csv`, `20121106_ne_general_boyd_precinct.csv`
 */
const FILE_NAME =
  /^(\d{4})(\d\d)(\d\d)__([a-z]{2})__(special__)?(?:(democrat|democratic|republican|libertarian|green)__(?=primary))?((?:general__|primary__)?runoff|general|primary|(?<=special__)(?!general|primary|runoff))(?:(?:^|__|(?<=special__))[\p{L}\d_ .'’-]+)*\.csv$/iu;
const EXAMPLE = '20181106__me__general__town.csv';
const OPEN_ELECTIONS: ResultSource = {
  name: 'OpenElections',
  source: 'https://github.com/openelections',
  license: null,
  extensions: ['.csv'],
  usage: `openelections takes CSV files, as ${EXAMPLE}`,
};

/** Opens files of the OpenElections project, whose names contain the day, the state and the kind of election. */
export async function openOpenElections(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  const map = await readOfficeMap(options.officeMap);
  return openResults(OPEN_ELECTIONS, paths, options, (rows, context) => {
    const results = new ResultRows(rows, context, map);
    return {
      async read(file) {
        const name = withDoubleLines(basename(file.name));
        await results.add(name, await sumResults({ ...file, name }, columnsOf(name)));
      },
      finish: () => results.finish(),
    };
  });
}

/** Returns the name of a file whose parts are separated by one underscore each, as the others are by two. */
function withDoubleLines(name: string): string {
  return name.includes('__') ? name : name.replaceAll('_', '__');
}

const STAGES: Readonly<Record<string, string>> = {
  '': 'GEN',
  general: 'GEN',
  primary: 'PRI',
  runoff: 'GEN RUNOFF',
  general__runoff: 'GEN RUNOFF',
  primary__runoff: 'PRI RUNOFF',
};

/** Returns the columns of a file; values of missing columns are taken from its name. */
function columnsOf(file: string): WantedColumn[] {
  const [, year, month, day, postal = '', special, party = '', kind = ''] = FILE_NAME.exec(file) ?? [];
  const state = stateByPostal(postal.toUpperCase());
  const date = `${year}-${month}-${day}`;
  if (!state || !isCalendarDate(date))
    throw new ImportError(`${file}: the file name must be like ${EXAMPLE} (day, state, general or primary)`);
  return [
    { name: 'state_po', value: state.postal },
    { name: 'date', value: date },
    { name: 'stage', value: STAGES[kind.toLowerCase()] ?? '' },
    { name: 'special', value: special ? 'TRUE' : 'FALSE' },
    { name: 'office' },
    { name: 'district', optional: true },
    { name: 'dataverse', value: '' },
    { name: 'magnitude', value: '' },
    { name: 'county_name', from: ['county', 'parish'], optional: true },
    { name: 'county_fips', value: '' },
    { name: 'jurisdiction_name', from: ['town', 'jurisdiction', 'municipality'], optional: true },
    { name: 'jurisdiction_fips', value: '' },
    { name: 'precinct', from: ['precinct', 'ward'], optional: true },
    { name: 'candidate' },
    party === ''
      ? // Contests of a primary differ by their party.
        { name: 'party_detailed', from: ['party'], optional: !/^primary/i.test(kind) }
      : { name: 'party_detailed', value: party },
    { name: 'writein', from: ['write_in', 'writein'], optional: true },
    { name: 'mode', value: 'TOTAL' },
    { name: 'votes', from: ['votes', 'total_votes', 'total'] },
  ];
}
