import type { BallotQuery, BallotSizesQuery, PlaceQuery } from './generated/operations.ts';

/** A district of the point with its boundary. */
export type Rung = NonNullable<PlaceQuery['location']['districtsWithBoundary']>[number];
export type District = Rung['district'];
/** An office as the page and the widget show it; when it was updated, only the page says. */
export type Office = WithoutTimes<NonNullable<District['offices']>[number]>;
type WithoutTimes<Shown> = Shown extends readonly (infer Each)[]
  ? readonly WithoutTimes<Each>[]
  : Shown extends object
    ? { readonly [Field in keyof Shown as Exclude<Field, 'updatedAt'>]: WithoutTimes<Shown[Field]> }
    : Shown;
export type Holder = NonNullable<Office['officeholders']>[number];
export type Election = NonNullable<PlaceQuery['location']['elections']>[number];

export type Ballot = NonNullable<BallotQuery['location']['ballot']>;
export type BallotPart = Ballot['districts'][number];
export type Race = BallotPart['races'][number];
export type Candidate = Race['candidates'][number];
export type Measure = BallotPart['ballotMeasures'][number];

/** The number of races and questions on the ballot of a day; undefined if they have not been counted. */
export type BallotSize = Partial<NonNullable<BallotSizesQuery['location']['ballots']>[number]> & {
  readonly date: string;
};

/** A day on which there are elections at the point. */
export interface ElectionDay extends BallotSize {
  /** What the election is, for example `General election in Maine`. */
  readonly label: string;
  /** Whether none of its elections is held on the day: they are postponed or cancelled. */
  readonly isOff: boolean;
}

/** Returns the name of a place, from the smallest of its districts that has one: `Augusta, Maine`. */
export function placeName(rungs: readonly Rung[]): string {
  const named = (type: string) => rungs.find(({ district }) => district.type === type)?.district.name;
  const state = named('STATE');
  const local = named('CITY_TOWN') ?? named('COUNTY');
  return [...new Set([local, state])].filter(Boolean).join(', ') || rungs[0]?.district.name || 'This point';
}

/** Returns the days of elections, oldest first, with the sizes of their ballots as far as they are known. */
export function electionDays(elections: readonly Election[], sizes: readonly BallotSize[]): ElectionDay[] {
  const byDay = Map.groupBy(elections, ({ date }) => date);
  const sizeOf = new Map(sizes.map((size) => [size.date, size]));
  return [...byDay]
    .map(([date, ofDay]) => {
      const first = ofDay.find(isHeld) ?? ofDay[0];
      const isOff = first !== undefined && !isHeld(first);
      const name = first?.name ?? 'Election';
      return {
        ...(sizeOf.get(date) ?? { date }),
        label: isOff ? `${name}, ${first.status === 'POSTPONED' ? 'postponed' : 'cancelled'}` : name,
        isOff,
      };
    })
    .sort((one, other) => one.date.localeCompare(other.date));
}

const isHeld = ({ status }: Election) => status !== 'POSTPONED' && status !== 'CANCELLED';

/** Whether the ballot of a day can be opened. */
export const hasBallot = ({ raceCount = 0, measureCount = 0 }: BallotSize) => raceCount + measureCount > 0;
