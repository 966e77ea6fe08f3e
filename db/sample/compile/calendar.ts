import type { State } from './districts.ts';
import { electionId, stateId } from './ids.ts';
import { required, type Source } from './source.ts';
import type { Row } from './tables.ts';

/** An election of a state: its day, type and remark. */
export interface Election {
  date: string;
  state: State;
  type: string;
  description: string | null;
}

/** Years of the coming federal general elections in the sample. */
const comingYears = [2026, 2028];

/** Remarks on the totals of an election that readers must know, by state and day. */
const remarks: Record<string, string> = {
  'AK 2022-08-16': 'Special election; votes as computed from the published ballots',
  'ME 2022-11-08': 'Votes are sums of the towns; the source has none for ballots from overseas',
  'NM 2022-11-08': 'Votes are sums of the precincts, where the source hides counts under 6',
};

/**
 * Returns the day of the federal general election of a year: the Tuesday after the first Monday of November (2 U.S.C. §
 * 7).
 */
export function generalElectionDay(year: number): string {
  const firstWeekday = new Date(Date.UTC(year, 10, 1)).getUTCDay();
  const firstMonday = 1 + ((8 - firstWeekday) % 7);
  return `${year}-11-${String(firstMonday + 1).padStart(2, '0')}`;
}

/**
 * Reads the statewide elections from 2018 on whose type the source states, and adds the coming federal general
 * elections of the 50 states and DC. A source's "referendum" alone is no election type; a city's election has no
 * district.
 */
export function readElections(source: Source, states: State[]): Election[] {
  const past = source
    .csv('derived/election-dates.csv')
    .filter(({ date = '', description = '' }) => date >= '2018' && !/^Referendum|Municipal/.test(description))
    .map(({ state: postal, date = '', type = '' }) => ({
      date,
      state: required(
        states.find((state) => state.postal === postal),
        `the state ${postal}`,
      ),
      type,
      description: remarks[`${postal} ${date}`] ?? null,
    }));
  const coming = comingYears.flatMap((year) =>
    states
      .filter(({ ocdid }) => !ocdid.includes('/territory:'))
      .map((state) => ({ date: generalElectionDay(year), state, type: 'General', description: null })),
  );
  const byId = new Map(
    [...past, ...coming].map((election) => [electionId(election.date, election.state.fips), election]),
  );
  return [...byId.values()].sort((a, b) => a.date.localeCompare(b.date) || a.state.fips.localeCompare(b.state.fips));
}

/**
 * Returns the rows of elections.csv. No list of candidates is complete: the sample has federal and statewide races
 * only.
 */
export const electionRows = (elections: Election[]): Row<'elections'>[] =>
  elections.map(({ date, state, type, description }) => ({
    id: electionId(date, state.fips),
    date,
    type,
    district_id: stateId(state.fips),
    description,
    candidate_lists_complete: false,
  }));
