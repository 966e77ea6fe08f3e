import { basename } from 'node:path';
import { isCalendarDate } from '../../dates.ts';
import { type CsvRecord, readCsvTable, readVotes } from '../elections/csv-tables.ts';
import { type CandidateFacts, ElectionRows } from '../elections/election-rows.ts';
import { NOBODYS, personName } from '../elections/names.ts';
import { houseOffice, legislativeOffice, type Office, senateOffice, statewideOffice } from '../elections/offices.ts';
import { isKnownCode, partyName } from '../elections/parties.ts';
import { statePlace } from '../elections/places.ts';
import { type Contest, Contests, votesOf } from '../elections/tallies.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { findFiles, watchFiles } from '../read-files.ts';
import type { Report } from '../report.ts';
import { type State, stateByPostal } from '../states.ts';

const NAME = 'OpenElections';

interface Facts {
  readonly file: string;
  readonly state: State;
  readonly date: string;
  readonly stage: 'General' | 'Primary';
  readonly office: string;
  readonly district: string;
  /** The code of the party that holds the primary. */
  readonly party: string;
}

/** `20180821__ak__primary__precinct.csv` */
const FILE_NAME = /^(\d{4})(\d\d)(\d\d)__([a-z]{2})__(general|primary)__[a-z]+\.csv$/;
const NEEDED = ['office', 'district', 'candidate', 'party', 'votes'];

/** Opens files of the OpenElections project, whose names contain the day, the state and the kind of election. */
export async function openOpenElections(paths: readonly string[]): Promise<OpenedSource> {
  if (paths.length === 0) throw new ImportError('openelections takes CSV files, as 20181106__me__general__town.csv');
  const files = await findFiles(paths, ['.csv']);
  return {
    provenance: { name: NAME, source: 'https://github.com/openelections', license: null, asOf: null },
    rows: (context) => rowsOf(files, context),
  };
}

async function* rowsOf(files: readonly NamedFile[], context: ImportContext): AsyncIterable<ImportRow> {
  const rows = new ElectionRows();
  const contests = new Contests<Facts>();
  for (const file of watchFiles(files, context.onRead)) {
    const name = basename(file.name);
    const election = electionOf(name);
    await readCsvTable(file, NEEDED, (record) => addRow(contests, election, name, record));
  }
  for (const contest of contests.all) addRace(rows, contest, context.report);
  yield* rows.rows(context, NAME);
}

function electionOf(file: string): Pick<Facts, 'file' | 'state' | 'date' | 'stage'> {
  const [, year, month, day, postal = '', kind] = FILE_NAME.exec(file) ?? [];
  const state = stateByPostal(postal);
  const date = `${year}-${month}-${day}`;
  if (!state || !isCalendarDate(date))
    throw new ImportError(
      `${file}: the name is not like 20181106__me__general__town.csv (day, state, general or primary)`,
    );
  return { file, state, date, stage: kind === 'primary' ? 'Primary' : 'General' };
}

function addRow(
  contests: Contests<Facts>,
  election: Pick<Facts, 'file' | 'state' | 'date' | 'stage'>,
  file: string,
  record: CsvRecord,
): void {
  const { cell } = record;
  const [office, party] = [cell('office'), cell('party')];
  // Registered voters and similar counts are for all parties.
  const ofParty = election.stage === 'Primary' ? party : '';
  const district = cell('district').replace(/^0+(?=.)/, '');
  const contest = contests.of(`${file}|${office}|${district}|${ofParty}`, () => ({
    ...election,
    office,
    district,
    party: ofParty,
  }));
  contest.add({
    name: personName(cell('candidate')),
    party,
    writeIn: false,
    precinct: [cell('county'), cell('town'), cell('precinct')].join('|'),
    isTotal: true,
    votes: readVotes(file, record),
  });
}

function addRace(rows: ElectionRows, contest: Contest<Facts>, report: Report): void {
  const { facts } = contest;
  const { file, state, date, stage, party } = facts;
  const record = [file, facts.office, facts.district, party].filter(Boolean).join(' | ');
  const pseudo = contest.pseudo.map((tally) => `${tally.name} ${votesOf(tally) ?? '*'}`);
  if (pseudo.length > 0) report.add(record, `${NOBODYS}: ${pseudo.join(', ')}`, NOBODYS);
  if (contest.names.length === 0) return;
  const office = officeOf(facts);
  if (typeof office === 'string') {
    report.add(record, office);
    return;
  }
  const candidates = contest.names.map((tally): CandidateFacts => {
    const isKnown = tally.party === '' || isKnownCode(tally.party);
    if (!isKnown)
      report.add(
        `${record}: ${tally.name}`,
        `the party code ${tally.party} is not known`,
        'the party code is not known',
      );
    return { name: tally.name, parties: tally.party && isKnown ? [partyName(tally.party)] : [], votes: votesOf(tally) };
  });
  rows.race(
    {
      election: { place: statePlace(state), date, type: stage },
      office,
      type: 'Regular',
      stage,
      ...(party ? { stageParty: partyName(party) } : {}),
      seats: 1,
    },
    candidates,
    record,
  );
}

function officeOf({ state, date, office, district }: Facts): Office | string {
  const plain = office.toUpperCase().replaceAll('.', '');
  if (plain === 'US SENATE')
    return senateOffice(state, Number(date.slice(0, 4))) ?? 'the class of the seat is not known';
  // Alaska's rows have a state district next to the only Congress district.
  if (plain === 'US HOUSE') return houseOffice(state, isAtLarge(state) ? 0 : Number(district || 0));
  if (/^STATE (HOUSE|SENATE)$/.test(plain)) {
    const chamber = plain === 'STATE HOUSE' ? 'Lower' : 'Upper';
    return district
      ? legislativeOffice(state, chamber, district.toLowerCase())
      : 'the source does not name the district';
  }
  return statewideOffice(state, office) ?? 'the office is not known';
}

/** Returns whether a state has had one member of the House in every year since 2018. */
function isAtLarge({ postal }: State): boolean {
  return ['AK', 'DE', 'ND', 'SD', 'VT', 'WY'].includes(postal);
}
