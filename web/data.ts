import type { BallotQuery, PlaceQuery } from './generated/operations.ts';

/** A district of the point with its boundary. */
export type Rung = NonNullable<PlaceQuery['location']['districtsWithBoundary']>[number];
export type District = Rung['district'];
export type Office = NonNullable<District['offices']>[number];
export type Holder = NonNullable<Office['officeholders']>[number];
export type Election = NonNullable<PlaceQuery['location']['elections']>[number];

export type Ballot = NonNullable<BallotQuery['location']['ballot']>;
export type BallotPart = Ballot['districts'][number];
export type Race = BallotPart['races'][number];
export type Candidate = Race['candidates'][number];
export type Measure = BallotPart['ballotMeasures'][number];

/** The days on which there are elections at the point. */
export interface ElectionDay {
  readonly date: string;
  /** What the election is, for example `General`. */
  readonly label: string;
  /** The number of races and questions on its ballot; undefined if it has not been counted. */
  readonly races: number | undefined;
  readonly questions: number;
}

/** Returns the name of a place, from the smallest of its districts that has one: `Augusta, Maine`. */
export function placeName(rungs: readonly Rung[]): string {
  const named = (type: string) => rungs.find(({ district }) => district.type === type)?.district.name;
  const state = named('STATE');
  const local = named('CITY_TOWN') ?? named('COUNTY');
  return [local, state].filter(Boolean).join(', ') || rungs[0]?.district.name || 'This point';
}

/** Returns the days of elections, oldest first, with the sizes of their ballots as far as they are known. */
export function electionDays(
  elections: readonly Election[],
  sizes: ReadonlyMap<string, { readonly races: number; readonly questions: number }>,
): ElectionDay[] {
  const byDay = Map.groupBy(elections, ({ date }) => date);
  return [...byDay]
    .map(([date, [first]]) => ({
      date,
      label: first?.type ?? 'Election',
      races: sizes.get(date)?.races,
      questions: sizes.get(date)?.questions ?? 0,
    }))
    .sort((one, other) => one.date.localeCompare(other.date));
}

/** Whether the ballot of a day can be opened. */
export const hasBallot = ({ races = 0, questions }: ElectionDay) => races + questions > 0;
