import { isCalendarDate } from '../../dates.ts';
import type { CsvRecord } from '../elections/csv-tables.ts';
import { readVotes } from '../elections/csv-tables.ts';
import type { Contests } from '../elections/tallies.ts';
import { ImportError } from '../import-rows.ts';
import { type State, stateByPostal } from '../states.ts';

/** A contest as a file of MEDSL describes it. */
export interface MedslFacts {
  readonly file: string;
  readonly state: State;
  readonly date: string;
  readonly stage: string;
  /** The party of a primary. */
  readonly party: string;
  readonly special: boolean;
  readonly office: string;
  /** The district without leading zeros. */
  readonly district: string;
  /** The county, for a contest of a county; null for a contest of the whole state or of one of its districts. */
  readonly county: { readonly name: string; readonly fips: string } | null;
  readonly magnitudes: Set<number>;
  /** All counties that have rows of the contest. */
  readonly counties: Map<string, string>;
}

export const MEDSL_COLUMNS = [
  'precinct',
  'office',
  'party_detailed',
  'mode',
  'votes',
  'county_name',
  'county_fips',
  'jurisdiction_name',
  'candidate',
  'district',
  'magnitude',
  'dataverse',
  'stage',
  'special',
  'writein',
  'state_po',
  'date',
];

/** Contests of counties and their districts, by the beginning of the office name. */
const OF_COUNTY =
  /^(COUNTY (?!GROSS)|SHERIFF$|REGISTER OF |JUDGE OF PROBATE$|PROBATE JUDGE$|ASSISTANT JUDGE$|HIGH BAILIFF$|STATE'S ATTORNEY$|[A-Z]+ COUNTY (FINANCE|BUDGET) COMMITTEE|MAGISTRATE JUDGE$|MUNICIPAL JUDGE$)/;

/** Adds a row of a file to its contest. Throws ImportError with file and line for an invalid row. */
export function addMedslRow(contests: Contests<MedslFacts>, file: string, record: CsvRecord): void {
  const { line, cell } = record;
  const state = stateByPostal(cell('state_po'));
  const date = cell('date');
  if (!state) throw new ImportError(`${file}:${line}: state_po: ${JSON.stringify(cell('state_po'))} is not a state`);
  if (!isCalendarDate(date)) throw new ImportError(`${file}:${line}: date: ${JSON.stringify(date)} is not a day`);
  const office = cell('office');
  const stage = cell('stage').toUpperCase();
  const special = cell('special').toUpperCase() === 'TRUE';
  const district = districtOf(cell('dataverse'), cell('district'));
  const county = OF_COUNTY.test(office)
    ? { name: cell('county_name'), fips: cell('county_fips').replace(/\.0$/, '') }
    : null;
  const party = stage === 'PRI' ? cell('party_detailed') : '';
  const key = [state.postal, date, stage, party, special, office, district, county?.name].join('|');
  const contest = contests.of(key, () => ({
    file,
    state,
    date,
    stage,
    party,
    special,
    office,
    district,
    county,
    magnitudes: new Set(),
    counties: new Map(),
  }));
  contest.facts.magnitudes.add(Number(cell('magnitude')) || 1);
  contest.facts.counties.set(cell('county_name'), cell('county_fips').replace(/\.0$/, ''));
  contest.add({
    name: cell('candidate'),
    party: cell('party_detailed'),
    writeIn: cell('writein').toUpperCase() === 'TRUE',
    precinct: `${state.postal}|${cell('county_name')}|${cell('jurisdiction_name')}|${cell('precinct')}`,
    isTotal: cell('mode').toUpperCase() === 'TOTAL',
    votes: readVotes(file, record),
  });
}

/** Returns the district in one form: the whole state and a single district are written in several ways. */
function districtOf(dataverse: string, district: string): string {
  const plain = district
    .toUpperCase()
    .replace(/^(STATEWIDE(, )?|AT-LARGE$)/, '')
    .replace(/^0+(?=.)/, '');
  return dataverse === 'HOUSE' && plain === '0' ? '' : plain;
}
