import { join } from 'node:path';
import { findFiles, readWhole } from '../../../src/importers/read/read-files.ts';
import { csvRows, required, type Source } from './source.ts';

/** The votes for one name in one contest, over all precincts and voting modes. */
export interface Tally {
  name: string;
  party: string;
  writeIn: boolean;
  votes: number;
  precincts: Set<string>;
}

/** A contest or question in the precinct results, with every listed name, including pseudo-candidates. */
export interface Contest {
  office: string;
  district: string;
  precincts: Set<string>;
  tallies: Tally[];
}

/** Labels that are not a person: ballots without a valid choice, and write-in votes that are not counted by name. */
const notPersons = new Set(['BLANK', 'BLANK VOTES', 'OVERVOTES', 'UNDERVOTES']);
const unnamed = new Set(['WRITEIN', 'WRITE-IN', 'OTHERS', 'OTHER WRITE-INS']);

/**
 * Reads the contests and questions of a whole state, or of a Congress district, from the precinct results of one state.
 */
export async function readContests(source: Source, path: string): Promise<Contest[]> {
  const contests = new Map<string, Contest & { byName: Map<string, Tally>; modes: Set<string> }>();
  const [file] = await findFiles([join(source.folder, path)], ['.csv']);
  const bytes = await readWhole(required(file, path));
  for (const row of csvRows(bytes.toString('utf8'))) {
    const { office = '', dataverse = '', stage, special, magnitude = '', mode = '' } = row;
    if (!isStatewide(office, dataverse)) continue;
    if (stage !== 'GEN' || special?.toUpperCase() !== 'FALSE' || Number(magnitude) !== 1) {
      throw new Error(`${path}: ${office} is not a regular general election for one seat`);
    }
    // In Vermont's 2022 file the blank ballots of the at-large House contest have no district.
    const district = dataverse === 'HOUSE' ? row.district?.replace(/^(000|AT-LARGE)$/, '') : row.district;
    const key = `${office}|${district}`;
    const contest = contests.get(key) ?? {
      office,
      district: district ?? '',
      precincts: new Set(),
      tallies: [],
      byName: new Map(),
      modes: new Set(),
    };
    contests.set(key, contest);
    contest.modes.add(mode);
    addRow(contest, row);
  }
  for (const { office, modes } of contests.values()) {
    if (modes.has('TOTAL') && modes.size > 1)
      throw new Error(`${path}: ${office} has totals in addition to the modes of voting`);
  }
  return [...contests.values()];
}

const isStatewide = (office: string, dataverse: string): boolean =>
  ['HOUSE', 'SENATE'].includes(dataverse) || (dataverse === 'STATE' && !/^STATE (HOUSE|SENATE)$/.test(office));

function addRow(contest: Contest & { byName: Map<string, Tally> }, row: Record<string, string>): void {
  const { candidate: name = '', party_detailed: party = '', writein, votes = '' } = row;
  if (!/^\d+$/.test(votes)) throw new Error(`${contest.office}: "${votes}" is not a number of votes`);
  const precinct = [row.county_name, row.jurisdiction_name, row.precinct].join('|');
  let tally = contest.byName.get(name);
  if (!tally) {
    tally = { name, party, writeIn: true, votes: 0, precincts: new Set() };
    contest.byName.set(name, tally);
    contest.tallies.push(tally);
  }
  // A printed name that was also written in has rows of both kinds; all votes are for the same person.
  tally.party ||= party;
  tally.writeIn &&= writein?.toUpperCase() === 'TRUE';
  tally.votes += Number(votes);
  tally.precincts.add(precinct);
  contest.precincts.add(precinct);
}

/** Returns all votes cast for a person, candidate or not: the base for a majority. */
export const validVotes = ({ tallies }: Contest): number =>
  tallies.filter(({ name }) => !notPersons.has(name)).reduce((sum, { votes }) => sum + votes, 0);

/** Returns the candidates of a contest, the one with the most votes first. */
export function candidatesOf(contest: Contest, state: string): Tally[] {
  // Vermont reports every written-in name, and marks some printed names as write-ins: a name counts as a candidate if
  // it has votes in most precincts. Printed names have votes in at least 79 % of the precincts, others in at most 62 %.
  const isCandidate = ({ precincts }: Tally) => state !== 'VT' || precincts.size >= contest.precincts.size * 0.7;
  return contest.tallies
    .filter((tally) => !notPersons.has(tally.name) && !unnamed.has(tally.name) && isCandidate(tally))
    .map((tally) => (state === 'VT' ? { ...tally, writeIn: false } : tally))
    .sort((a, b) => b.votes - a.votes || a.name.localeCompare(b.name, 'en'));
}
