import { basename } from 'node:path';
import type { State } from '../../../base/words/states.ts';
import { ImportError } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { type CsvRecord, readCsvTable } from '../../results/csv-tables.ts';
import type { CandidateFacts, ElectionRows } from '../../results/election-rows.ts';
import {
  countyOffice,
  houseOffice,
  legislativeOffice,
  type Office,
  senateOffice,
  statewideOffice,
} from '../../results/offices.ts';
import { partyName } from '../../results/parties.ts';
import { countyOcdid, namedPlace, placeWithin, statePlace } from '../../results/places.ts';

/** The columns of every list; newer ones mark ranked-choice contests in the column Type. */
const NEEDED = ['Office', 'Dist', 'County', 'Party', 'LastName', 'FirstName', 'MiddleName', 'Suffix'];

/** Days on which Maine's parties held primaries; other elections of the source are general ones, in November. */
export const PRIMARIES = ['2018-06-12', '2020-03-03', '2020-07-14'];

/**
 * Returns the election day of the month in the file's name: of a primary, or the Tuesday after the first Monday of
 * November; undefined if no election of that month is known.
 */
function electionDay(file: string): string | undefined {
  const [, year, month] = /^candidates-(\d{4})-(\d{2})\.csv$/.exec(file) ?? [];
  if (!year)
    throw new ImportError(
      `${file}: the file name must be like candidates-2020-11.csv, with the year and month of an election`,
    );
  if (month !== '11') return PRIMARIES.find((day) => day.startsWith(`${year}-${month}-`));
  const weekday = new Date(`${year}-${month}-01T00:00:00Z`).getUTCDay();
  return `${year}-${month}-${String(2 + ((8 - weekday) % 7)).padStart(2, '0')}`;
}

interface Listed {
  readonly office: Office;
  readonly isRanked: boolean;
  /** The party of a primary; null in a general election. */
  readonly party: string | null;
  readonly record: string;
  readonly candidates: CandidateFacts[];
}

/** Adds the candidates of a list, with their links. */
export async function addCandidates(rows: ElectionRows, state: State, file: NamedFile, report: Report): Promise<void> {
  const races = new Map<string, Listed>();
  const name = basename(file.name);
  const date = electionDay(name);
  if (date === undefined) {
    report.add(file.name, 'left-out', 'no election of that month is known, so its candidates were skipped');
    return;
  }
  const isPrimary = PRIMARIES.includes(date);
  await readCsvTable(file, NEEDED, (record) => addCandidate(races, state, { date, isPrimary }, name, record, report));
  const stage = isPrimary ? 'Primary' : 'General';
  const election = { place: statePlace(state), date, type: stage };
  for (const { office, isRanked, party, candidates, record } of races.values()) {
    const race = { election, office, type: 'Regular' as const, stage, seats: 1 };
    const details = { ...(party ? { stageParty: party } : {}), ...(isRanked ? { isRankedChoice: true } : {}) };
    rows.race({ ...race, ...details }, candidates, record);
  }
}

function addCandidate(
  races: Map<string, Listed>,
  state: State,
  { date, isPrimary }: { readonly date: string; readonly isPrimary: boolean },
  file: string,
  { line, cell }: CsvRecord,
  report: Report,
): void {
  const [title, district, county] = [cell('Office'), cell('Dist'), cell('County')];
  const record = [file, title, county, district].filter(Boolean).join(' | ');
  const office = officeOf(state, date, title, district, county);
  if (typeof office === 'string') {
    report.add(`${record}: line ${line}`, 'left-out', office);
    return;
  }
  const party = cell('Party') === '' ? null : partyName(cell('Party'), state.postal);
  if (isPrimary && !party) {
    report.add(`${record}: line ${line}`, 'left-out', 'the party of the primary is missing');
    return;
  }
  const raceParty = isPrimary ? party : null;
  const key = `${office.id.value}|${raceParty ?? ''}`;
  const isRanked = cell('Type') === 'RCV';
  const race = races.get(key) ?? { office, isRanked, party: raceParty, record, candidates: [] };
  races.set(key, race);
  const name = [cell('FirstName'), cell('MiddleName'), cell('LastName'), cell('Suffix')].filter(Boolean).join(' ');
  const isUrl = (text: string) => /^https?:\/\/\S+$/.test(text);
  const ballotpedia = cell('ballotpedia');
  race.candidates.push({
    name,
    parties: party ? [party] : [],
    isWriteIn: false,
    ...(isUrl(ballotpedia) ? { personUrl: ballotpedia } : {}),
    contacts: isUrl(cell('website')) ? [websiteOf(cell('website'))] : [],
  });
}

function websiteOf(contact: string) {
  const network = /^https?:\/\/(?:\w+\.)?(facebook|twitter|instagram)\.com\//i.exec(contact)?.[1]?.toLowerCase();
  if (!network) return { collection: 'contact' as const, type: 'Website', contact };
  return { collection: 'social' as const, type: network.charAt(0).toUpperCase() + network.slice(1), contact };
}

/** The counties of Maine; other spellings are reported so that they can be corrected. */
const COUNTIES = new Set(
  'Androscoggin Aroostook Cumberland Franklin Hancock Kennebec Knox Lincoln Oxford Penobscot Piscataquis Sagadahoc Somerset Waldo Washington York'.split(
    ' ',
  ),
);

function officeOf(state: State, date: string, title: string, district: string, county: string): Office | string {
  if (title === 'United States Senate') {
    return senateOffice(state, Number(date.slice(0, 4))) ?? 'the class of the seat is not known';
  }
  if (title === 'United States House of Representatives') return houseOffice(state, Number(district || 0));
  const chamber = { 'State Senate': 'Upper', 'State House of Representatives': 'Lower' }[title];
  if (chamber && district) return legislativeOffice(state, chamber as 'Upper' | 'Lower', district);
  if (!county) return statewideOffice(state, title) ?? 'the source does not name the county';
  if (!COUNTIES.has(county.replace(/ County$/, ''))) return `Maine has no county named ${county}`;
  const shown = `${county.replace(/ County$/, '')} County`;
  const within =
    title === 'County Commissioner' && district
      ? placeWithin(
          `${countyOcdid(state, shown.replace(/ County$/, ''))}/council_district:${district}`,
          'County subdivision',
          `${shown} Commissioner District ${district}`,
          state,
        )
      : /Committee$/.test(title) && district
        ? namedPlace(state, 'County subdivision', `${shown} ${title.replace('County ', '')} District ${district}`)
        : undefined;
  if (/Commissioner$|Committee$/.test(title) && !within) return 'the source does not name the district';
  return countyOffice(within ?? countyByName(state, shown), title) ?? 'the office is not known';
}

/** Returns a county whose GEOID the source does not have. */
function countyByName(state: State, shown: string) {
  const ocdid = countyOcdid(state, shown.replace(/ County$/, ''));
  const id = { scheme: 'ocdid', value: ocdid };
  const values = { type: 'County', name: shown, state: state.postal, ocdid };
  return { id, row: { table: 'districts' as const, ids: [id], values, match: { by: 'district' as const } } };
}
