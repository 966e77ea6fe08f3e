import { ask } from './api.ts';
import {
  type Ballot,
  type BallotSize,
  type Election,
  type ElectionDay,
  electionDays,
  hasBallot,
  placeName,
  type Rung,
} from './data.ts';
import type { Html } from './dom.ts';
import type { PlaceAddress, Point } from './place-address.ts';
import { type ElectionOffice, loadedElections } from './voting-help.ts';

/** The day on which the server has sent the page. */
export const today = document.body.dataset.today ?? '';

/** What is known about the point that the page shows. */
export interface Answer {
  readonly at: Point;
  readonly on: string | undefined;
  readonly rungs: readonly Rung[];
  /** Whether the package includes districts. */
  readonly hasDistricts: boolean;
  /** Null if the package does not include elections. */
  readonly elections: readonly Election[] | null;
  /** Today at the point, which need not be that of the gateway. */
  readonly today: string;
  readonly electionOffice: ElectionOffice | null | undefined;
  /** Which types of elections are in the data. */
  readonly loaded: Html;
  readonly ballots: Ballots;
  /** Whether the list has all days of elections. */
  isWhole: boolean;
  /** Whether the point is in no district, and would be in some with its two numbers exchanged. */
  readonly looksExchanged: boolean;
}

/** The ballots of a point, as far as they have been read. */
export interface Ballots {
  sizes?: readonly BallotSize[];
  /** Whether the package does not include ballots. */
  isExcluded?: boolean;
  readonly read: Map<string, Ballot>;
}

/** Returns the variables for the districts of a point and its elections, from ten years ago to four years from now. */
export function placeVariables(at: Point, on?: string) {
  const year = Number(today.slice(0, 4));
  return { ...at, on, from: `${year - 10}-01-01`, to: `${year + 4}-12-31` };
}

export async function readAnswer(
  at: Point,
  on: string | undefined,
  ballots: Ballots,
  signal: AbortSignal,
): Promise<Answer> {
  const { location: found } = await ask('Place', placeVariables(at, on), signal);
  const { districtsWithBoundary, elections: held, nextElections, states } = found;
  const electionOffice = states?.[0]?.electionOffice;
  const loaded = loadedElections(states);
  // Nobody represents a precinct: it is shown with where one votes.
  const rungs = (districtsWithBoundary ?? []).filter(({ district }) => district.type !== 'PRECINCT');
  const hasDistricts = districtsWithBoundary !== null;
  const looksExchanged =
    districtsWithBoundary?.length === 0 &&
    (await ask('LooksExchanged', { ...at }, signal)).location.looksExchanged === true;
  const about = { elections: held, today: nextElections?.today ?? today, electionOffice, loaded, looksExchanged };
  return { at, on, rungs, hasDistricts, ...about, ballots, isWhole: false };
}

/** Returns the sizes of the ballots of all days. */
export async function countRaces(at: Point, ballots: Ballots, signal: AbortSignal): Promise<readonly BallotSize[]> {
  if (!ballots.sizes) {
    const { location: found } = await ask('BallotSizes', placeVariables(at), signal);
    ballots.sizes = found.ballots ?? [];
    ballots.isExcluded = found.ballots === null;
  }
  return ballots.sizes;
}

export async function readBallot(at: Point, { read }: Ballots, date: string, signal: AbortSignal): Promise<Ballot> {
  const known = read.get(date);
  if (known) return known;
  const { location: found } = await ask('Ballot', { ...at, date }, signal);
  const ballot = found.ballot ?? { notKnown: [], districts: [] };
  read.set(date, ballot);
  return ballot;
}

export const daysOf = ({ elections, ballots }: Answer): ElectionDay[] =>
  electionDays(elections ?? [], ballots.sizes ?? []);

/** Returns the day of the ballot to show on a day: the last one with races, otherwise the next. */
export function dayToShow(days: readonly BallotSize[], on = today): string | undefined {
  const past = days.findLast((day) => hasBallot(day) && day.date <= on);
  return (past ?? days.find(hasBallot) ?? days.find(({ date }) => date >= today))?.date;
}

/** Returns the day whose ballot is shown: the chosen one, or that of `dayToShow`. */
export const ballotDay = (answer: Answer, { ballot, on }: PlaceAddress) =>
  ballot ?? dayToShow(answer.ballots.sizes?.length ? answer.ballots.sizes : daysOf(answer), on);

/** Returns the name of the place: what was found, with the whole name of its state, otherwise that of its districts. */
export function titleOf(rungs: readonly Rung[], name: string | undefined): string {
  if (!name) return placeName(rungs);
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district;
  const title = state?.state ? name.replace(new RegExp(`, ${state.state}$`), `, ${state.name}`) : name;
  return state && title === `${state.name}, ${state.name}` ? state.name : title;
}
