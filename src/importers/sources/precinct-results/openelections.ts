import { basename } from 'node:path';
import { isCalendarDate } from '../../../base/dates.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import { type OpenedSource, UnusableFileError } from '../../exchange/import-rows.ts';
import { isGeneralElectionDay } from '../../results/contest-elections.ts';
import { readOfficeMap } from '../../results/office-map.ts';
import type { WantedColumn } from '../../results/read-results.ts';
import { ResultRows } from '../../results/result-rows.ts';
import { sumResults } from '../../results/result-sums.ts';
import { openResults, type ResultOptions, type ResultSource } from './result-files.ts';

/** The day, the state and the parts of a name: `20181106__fl__general__miami-dade.csv`. */
const FILE_NAME = /^(\d{4})(\d\d)(\d\d)__([a-z]{2})__(.+)\.csv$/i;
/** The words for the kind of an election, alone or joined in the first parts of a name: `general_runoff`, `special__primary`. */
const KIND =
  /^(?:(?:general|primary|special|runoff|recall|presidential|democrat|democratic|republican|libertarian|green)(?:[_-]|$))+$/i;
const PARTY = /^(democrat|democratic|republican|libertarian|green)$/;
const EXAMPLE = '20181106__me__general__town.csv';
const OPEN_ELECTIONS: ResultSource = {
  name: 'OpenElections',
  source: 'https://github.com/openelections',
  license: null,
  extensions: ['.csv'],
};

/** Opens files of the OpenElections project, whose names contain the day, the state and the kind of election. */
export async function openOpenElections(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  const map = await readOfficeMap(options.officeMap);
  return openResults(OPEN_ELECTIONS, paths, options, (rows, context) => {
    const results = new ResultRows(rows, context, map);
    return {
      async read(file) {
        const name = withDoubleLines(basename(file.name));
        await results.add(name, await sumResults({ ...file, name }, columnsOf(name, options)));
      },
      finish: () => results.finish(),
    };
  });
}

/** Returns the name of a file whose parts are separated by one underscore each, as the others are by two. */
function withDoubleLines(name: string): string {
  return name.includes('__') ? name : name.replaceAll('_', '__');
}

/** Returns the words for the kind of an election at the beginning of the parts of a name. */
function kindsOf(rest: string): readonly string[] {
  const parts = rest.split('__');
  const count = parts.findIndex((part) => !KIND.test(part));
  return parts.slice(0, count < 0 ? undefined : count).flatMap((part) => part.toLowerCase().split(/[_-]/));
}

/** Returns the columns of a file; the day, the state and the kind of the election are taken from its name, or the options. */
function columnsOf(file: string, options: ResultOptions): WantedColumn[] {
  const [name, year, month, day, postal = options.state ?? '', rest = ''] = FILE_NAME.exec(file) ?? [];
  const state = stateByPostal(postal.toUpperCase());
  const date = name ? `${year}-${month}-${day}` : (options.date ?? '');
  const inName = name ? kindsOf(rest) : file.toLowerCase().split(/[^a-z]+/);
  // On the day of the general elections, a file whose name says nothing else is one of them.
  const kinds = !name && isCalendarDate(date) && isGeneralElectionDay(date) ? [...inName, 'general'] : inName;
  const isOf = (kind: string) => kinds.includes(kind);
  const isPrimary = isOf('primary');
  const party = isPrimary ? (kinds.find((kind) => PARTY.test(kind)) ?? '') : '';
  if (!state || !isCalendarDate(date) || !kinds.some((kind) => /^(general|primary|special|runoff|recall)$/.test(kind)))
    throw new UnusableFileError(
      `${file}: the file name must be like ${EXAMPLE} (day, state, and general, primary, special, runoff or recall); or set --date and --state`,
    );
  // Who is elected after a recall holds the office for the rest of the term.
  const special = isOf('special') || isOf('recall');
  const stage = `${isPrimary ? 'PRI' : 'GEN'}${isOf('runoff') ? ' RUNOFF' : ''}`;
  return [
    { name: 'state_po', value: state.postal },
    { name: 'date', value: date },
    { name: 'stage', value: stage },
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
        { name: 'party_detailed', from: ['party'], optional: !isPrimary }
      : { name: 'party_detailed', value: party },
    { name: 'writein', from: ['write_in', 'writein'], optional: true },
    { name: 'mode', value: 'TOTAL' },
    { name: 'votes', from: ['votes', 'total_votes', 'total'], sumOf: /_votes$/ },
  ];
}
