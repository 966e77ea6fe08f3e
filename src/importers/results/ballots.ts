import { numbering, PairNumbers } from './pair-numbers.ts';
import type { DraftRace } from './races.ts';

/** The votes of each race in each unit of a file. */
export class UnitVotes {
  readonly #numbers = new PairNumbers();
  readonly #votes: number[] = [];
  readonly #least: number[] = [];

  /** @param least without those that a total has more than its parts, which may be of any unit of its place. */
  add(race: number, unit: number, votes: number, least: number): void {
    if (race < 0) return;
    const number = this.#numbers.of(race, unit);
    this.#votes[number] = (this.#votes[number] ?? 0) + votes;
    this.#least[number] = (this.#least[number] ?? 0) + least;
  }

  forEach(visit: (race: number, unit: number, votes: number, least: number) => void): void {
    for (let number = 0; number < this.#numbers.size; number++)
      visit(
        this.#numbers.firstOf(number),
        this.#numbers.secondOf(number),
        this.#votes[number] ?? 0,
        this.#least[number] ?? 0,
      );
  }
}

/** What the votes of other offices tell about the ballots of the races of a file. */
export interface Ballots {
  /** Returns the number of units of a race. */
  units(race: number): number;
  /** Returns the ballots of a race by the other offices of its units; undefined if too few of them have any. */
  of(race: number): number | undefined;
  /** The races with far more votes in a unit than any other office there. */
  readonly outliers: readonly {
    readonly race: number;
    readonly unit: number;
    readonly votes: number;
    readonly others: number;
  }[];
  /** Returns the most votes for a candidate of a race in a unit, as far as other offices show how many voted there. */
  mostIn(race: number, unit: number): number;
  /** Returns the most votes that a race may lack: in units of its place without a count, or with far fewer votes than elsewhere. */
  missing(race: number): number;
}

/** A unit with less than this share of the votes that its ballots let expect lacks rows. */
const FEWEST_SHARE = 0.5;
/** From this ratio of its votes in a unit to those for any other office on, and so many more, one of the two is wrong. */
const [MOST_TIMES, FEWEST_MORE] = [3, 200];
/** The tolerated ratio of votes to ballots, since ballots are those of the contest with the most votes. */
export const MOST_PER_BALLOT = 1.1;
/** The least share of the votes of a race in units with ballots by other offices. */
const COMPARED_SHARE = 0.8;
/** Scopes of offices of the country. */
export const FEDERAL = new Set(['president', 'senate', 'congress']);
/** The fewest districts of a chamber of which a file has all. */
const FEWEST_DISTRICTS = 3;

/** The office with the most votes in a unit, and the most of another one. */
interface Largest {
  readonly unit: number;
  office: number;
  votes: number;
  second: number;
}

/**
 * Counts the ballots of units: a voter has one vote for each office of the whole state, so that each of them tells how many voters
 * the others had.
 */
export function countBallots(
  races: readonly DraftRace[],
  perUnit: UnitVotes,
  countyOf: (unit: number) => string | undefined,
): Ballots {
  // The districts of an office share its voters; the parties of a primary do not.
  const voters = numbered(races, ({ stage, raw, date }) => `${stage} ${raw.party} ${date}`);
  const offices = numbered(
    races,
    ({ named: { row }, isSpecial }, race) => `${voters[race]} ${row.scope} ${row.name} ${isSpecial}`,
  );
  // The electors of a president are elected by one vote.
  const hasOneVote = races.map(
    ({ named: { row } }) =>
      row.kind === '' &&
      (row.scope === 'president' || (row.seats === 1 && ['senate', 'congress', 'state'].includes(row.scope))),
  );
  const inUnits = new PairNumbers();
  const officeVotes: number[] = [];
  perUnit.forEach((race, unit, votes) => {
    const number = inUnits.of(offices[race] ?? 0, unit);
    officeVotes[number] = (officeVotes[number] ?? 0) + votes;
  });
  const largest = new Map<number, Largest>();
  const votersIn = new PairNumbers();
  perUnit.forEach((race, unit) => {
    if (!hasOneVote[race]) return;
    const office = offices[race] ?? 0;
    const votes = officeVotes[inUnits.of(office, unit)] ?? 0;
    const key = votersIn.of(voters[race] ?? 0, unit);
    const known = largest.get(key);
    if (!known) largest.set(key, { unit, office, votes, second: 0 });
    else if (known.office === office) return;
    else if (votes > known.votes) [known.office, known.votes, known.second] = [office, votes, known.votes];
    else known.second = Math.max(known.second, votes);
  });
  const others = (race: number, unit: number) => {
    const most = largest.get(votersIn.find(voters[race] ?? 0, unit));
    return most ? (most.office === offices[race] ? most.second : most.votes) : 0;
  };
  /** The votes of each race, those in units with ballots by other offices, and these ballots. */
  const [all, compared, ballots]: [number[], number[], number[]] = [[], [], []];
  const unitCounts: number[] = [];
  const [ballotsOf, votesOf]: [number[], number[]] = [[], []];
  const seen = new Set<number>();
  perUnit.forEach((race, unit, votes) => {
    const [own, office] = [others(race, unit), offices[race] ?? 0];
    all[race] = (all[race] ?? 0) + votes;
    unitCounts[race] = (unitCounts[race] ?? 0) + 1;
    ballots[race] = (ballots[race] ?? 0) + own;
    if (own > 0) compared[race] = (compared[race] ?? 0) + votes;
    const number = inUnits.of(office, unit);
    if (seen.has(number)) return;
    seen.add(number);
    if (own === 0) return;
    ballotsOf[office] = (ballotsOf[office] ?? 0) + own;
    votesOf[office] = (votesOf[office] ?? 0) + (officeVotes[number] ?? 0);
  });
  const outliers: { race: number; unit: number; votes: number; others: number }[] = [];
  perUnit.forEach((race, unit, _, votes) => {
    if (!hasOneVote[race] || races[race]?.stage.startsWith('Primary') || votes <= FEWEST_MORE) return;
    const most = others(race, unit);
    if (most > 0 && votes > most * MOST_TIMES && votes > most + FEWEST_MORE)
      outliers.push({ race, unit, votes, others: most });
  });
  const racesIn: number[] = [];
  perUnit.forEach((race, unit) => {
    const number = inUnits.of(offices[race] ?? 0, unit);
    racesIn[number] = (racesIn[number] ?? 0) + 1;
  });
  const missing: number[] = [];
  const add = (race: number, votes: number) => {
    missing[race] = (missing[race] ?? 0) + votes;
  };
  perUnit.forEach((race, unit) => {
    const office = offices[race] ?? 0;
    const expected = (others(race, unit) * (votesOf[office] ?? 0)) / (ballotsOf[office] ?? 1);
    const number = inUnits.of(office, unit);
    const votes = officeVotes[number] ?? 0;
    // Of voters abroad, who are one unit for all districts, fewer may vote on each.
    if (racesIn[number] === 1 && votes < expected * FEWEST_SHARE) add(race, Math.round(expected - votes));
  });
  const units = [...largest.entries()].map(([key, { unit }]) => ({ unit, voters: votersIn.firstOf(key) }));
  const withState = new Set<string>();
  const inCounties = new Set<string>();
  /** The votes of the office with the most, in a county and in all of them. */
  const most = new Map<string, number>();
  const perPlace = new Map<string, number>();
  perUnit.forEach((race, unit, votes) => {
    if (!FEDERAL.has(races[race]?.named.row.scope ?? '')) withState.add(`${voters[race]} ${unit}`);
    inCounties.add(`${offices[race]} ${countyOf(unit)}`);
    if (!hasOneVote[race]) return;
    for (const place of [`${voters[race]} ${countyOf(unit)}`, `${voters[race]} all`]) {
      const all = (perPlace.get(`${place} ${offices[race]}`) ?? 0) + votes;
      perPlace.set(`${place} ${offices[race]}`, all);
      most.set(place, Math.max(most.get(place) ?? 0, all));
    }
  });
  /** Returns the most votes for an office in the state or county of a race; undefined for a part of them. */
  const inPlace = (race: number): number | undefined => {
    const { named, counties } = races[race] as DraftRace;
    const places = isOfState(named.row) ? ['all'] : named.row.scope === 'county' ? [...counties] : undefined;
    return places?.reduce((sum, place) => sum + (most.get(`${voters[race]} ${place}`) ?? 0), 0);
  };
  const whole = wholeOffices(races, offices);
  for (const [race, { named, counties }] of races.entries()) {
    const { scope } = named.row;
    const office = offices[race] ?? 0;
    const isWhole = isOfState(named.row);
    if (!isWhole && scope !== 'county' && !whole.has(office)) continue;
    let without = 0;
    for (const { unit, voters: of } of units) {
      if (of !== voters[race] || inUnits.find(office, unit) >= 0) continue;
      // Some voters abroad vote for Congress and the president only.
      if (!FEDERAL.has(scope) && !withState.has(`${of} ${unit}`)) continue;
      const county = countyOf(unit);
      const isInPlace =
        isWhole ||
        (scope === 'county'
          ? county === undefined || counties.has(county)
          : county !== undefined && !inCounties.has(`${office} ${county}`));
      if (isInPlace) without += others(race, unit);
    }
    // Voters of its place who did not vote on it elsewhere leave so many at most.
    const voting = inPlace(race);
    const limit = voting === undefined ? without : voting - (all[race] ?? 0);
    add(race, Math.max(0, Math.min(without, limit)));
  }
  const of = (race: number) => {
    const [own = 0, inUnits = 0] = [all[race], compared[race]];
    if (inUnits < own * COMPARED_SHARE || inUnits === 0) return undefined;
    // Other contests may name their precincts otherwise: those of the place are the voters at most.
    return Math.max(((ballots[race] ?? 0) * own) / inUnits, inPlace(race) ?? 0);
  };
  const mostIn = (race: number, unit: number) =>
    Math.ceil((others(race, unit) || Number.POSITIVE_INFINITY) * MOST_PER_BALLOT);
  return { mostIn, units: (race) => unitCounts[race] ?? 0, outliers, of, missing: (race) => missing[race] ?? 0 };
}

function isOfState({ scope, kind }: DraftRace['named']['row']): boolean {
  return ['president', 'senate', 'state'].includes(scope) && kind !== 'retention';
}

/** Returns a number for each race: the same for those with the same key. */
function numbered(races: readonly DraftRace[], keyOf: (race: DraftRace, number: number) => string): number[] {
  const numberOf = numbering();
  return races.map((race, index) => numberOf(keyOf(race, index)));
}

/** Returns the offices of chambers of which a file has all districts, by their numbers: each unit is in one of them. */
function wholeOffices(races: readonly DraftRace[], offices: readonly number[]): ReadonlySet<number> {
  const ofChambers = [...races.entries()].filter(
    ([, { named, isSpecial }]) => ['congress', 'upper', 'lower'].includes(named.row.scope) && !isSpecial,
  );
  const groups = Map.groupBy(ofChambers, ([race]) => offices[race] ?? 0);
  const isWhole = ([, own]: [number, [number, DraftRace][]]) => {
    const codes = new Set(own.map(([, { named }]) => Number.parseInt(named.code, 10)));
    return (
      codes.size >= FEWEST_DISTRICTS && !codes.has(Number.NaN) && !codes.has(0) && Math.max(...codes) === codes.size
    );
  };
  return new Set([...groups].filter(isWhole).map(([office]) => office));
}
