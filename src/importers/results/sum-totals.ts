import { PairNumbers } from './pair-numbers.ts';
import type { ResultCells } from './result-cells.ts';

/** The fewest parts of an area, the total among them, and the fewest votes that show that one of them is the sum of the others. */
const FEWEST_PARTS = 3;
const FEWEST_VOTES = 20;
/** A total may be in an area several times: the one of a county under two names. */
const MOST_REPEATS = 3;
/** The least share of the contests of a part in which it has to be the sum of the others. */
const LEAST_SHARE = 0.8;

/** The sums of numbers by two integers. */
export class Sums {
  readonly #pairs = new PairNumbers();
  readonly #sums: number[] = [];

  add(first: number, second: number, value: number): void {
    const number = this.#pairs.of(first, second);
    this.#sums[number] = (this.#sums[number] ?? 0) + value;
  }

  /** Returns a sum; 0 for a pair that has not been added. */
  of(first: number, second: number): number {
    return this.#sums[this.#pairs.of(first, second)] ?? 0;
  }

  forEach(visit: (first: number, second: number, sum: number) => void): void {
    for (const [number, sum] of this.#sums.entries())
      visit(this.#pairs.firstOf(number), this.#pairs.secondOf(number), sum);
  }
}

/** The parts of areas: the number of the area of each unit, and of the part of the area that the unit belongs to, or is. */
export interface Parts {
  readonly areaOf: Int32Array;
  readonly partOf: Int32Array;
}

/** What the contests say about a part that may be a total. */
interface Evidence {
  /** The contests with enough parts to tell. */
  tested: number;
  /** How many totals the area has, by the contests in which the part is the sum of the others. */
  readonly repeats: Map<number, number>;
  votes: number;
}

/**
 * Returns the parts that are the sum of the other parts of their area, in at least four of five contests, for every name; and
 * in one of them for two names or more.
 */
export function findTotals(cells: ResultCells, parts: Parts): ReadonlySet<number> {
  const likely = likelyTotals(cells, parts);
  if (likely.size === 0) return new Set();
  const { areaOf, partOf } = parts;
  const likelyAreas = new Set(
    units(partOf).flatMap((unit) => (likely.has(partOf[unit] ?? 0) ? [areaOf[unit] ?? 0] : [])),
  );
  const [inParts, inAreas] = [new Sums(), new Sums()];
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    if (!likelyAreas.has(areaOf[unit] ?? 0)) return;
    inParts.add(cells.nameOf(cell), partOf[unit] ?? 0, cells.votesOf(cell));
    inAreas.add(cells.nameOf(cell), areaOf[unit] ?? 0, cells.votesOf(cell));
  });
  const areaOfPart = areasOfParts(parts);
  const unequal = new Map<number, Set<number>>();
  const names = new Map<number, Map<number, number>>();
  inParts.forEach((name, part, votes) => {
    const contest = cells.names[name]?.contest ?? 0;
    const repeats = likely.get(part)?.repeats.get(contest);
    if (repeats === undefined) return;
    if (votes * (repeats + 1) !== inAreas.of(name, areaOfPart.get(part) ?? 0))
      unequal.set(part, (unequal.get(part) ?? new Set()).add(contest));
    const counts = names.get(part) ?? new Map<number, number>();
    names.set(part, counts.set(contest, (counts.get(contest) ?? 0) + (votes > 0 ? 1 : 0)));
  });
  const isTotal = (part: number, { tested, repeats }: Evidence) => {
    const equal = [...repeats.keys()].filter((contest) => !unequal.get(part)?.has(contest));
    const isOfNames = equal.some((contest) => (names.get(part)?.get(contest) ?? 0) >= 2);
    // Single names in two contests show it too.
    return equal.length >= tested * LEAST_SHARE && (isOfNames || equal.length >= 2);
  };
  return new Set([...likely].filter(([part, evidence]) => isTotal(part, evidence)).map(([part]) => part));
}

/** Returns the parts that have as many votes as the others of their area together, in most contests. */
function likelyTotals(cells: ResultCells, parts: Parts): ReadonlyMap<number, Evidence> {
  const areaOfPart = areasOfParts(parts);
  const ofParts = new Sums();
  cells.forEach((cell) => {
    ofParts.add(cells.contestOf(cell), parts.partOf[cells.unitOf(cell)] ?? 0, cells.votesOf(cell));
  });
  const [ofAreas, counts] = [new Sums(), new Sums()];
  ofParts.forEach((contest, part, votes) => {
    ofAreas.add(contest, areaOfPart.get(part) ?? 0, votes);
    counts.add(contest, areaOfPart.get(part) ?? 0, votes > 0 ? 1 : 0);
  });
  // How many parts of an area have the same votes in a contest
  const same = new Map<string, number>();
  const repeatsOf = (votes: number, all: number) => {
    const repeats = all / votes - 1;
    return Number.isInteger(repeats) && repeats >= 1 && repeats <= MOST_REPEATS ? repeats : undefined;
  };
  ofParts.forEach((contest, part, votes) => {
    const area = areaOfPart.get(part) ?? 0;
    if (votes === 0 || repeatsOf(votes, ofAreas.of(contest, area)) === undefined) return;
    const key = `${contest} ${area} ${votes}`;
    same.set(key, (same.get(key) ?? 0) + 1);
  });
  const found = new Map<number, Evidence>();
  const tested = new Map<number, number>();
  ofParts.forEach((contest, part, votes) => {
    const area = areaOfPart.get(part) ?? 0;
    if (votes === 0 || counts.of(contest, area) < FEWEST_PARTS) return;
    tested.set(part, (tested.get(part) ?? 0) + 1);
    const repeats = repeatsOf(votes, ofAreas.of(contest, area));
    // Parts with equal votes are as many totals only if at least two others add up to them.
    if (repeats === undefined || same.get(`${contest} ${area} ${votes}`) !== repeats) return;
    if (counts.of(contest, area) - repeats < 2) return;
    const evidence = found.get(part) ?? { tested: 0, repeats: new Map(), votes: 0 };
    found.set(part, evidence);
    evidence.repeats.set(contest, repeats);
    evidence.votes += votes;
  });
  for (const [part, evidence] of found) {
    evidence.tested = tested.get(part) ?? 0;
    if (evidence.votes < FEWEST_VOTES || evidence.repeats.size < evidence.tested * LEAST_SHARE) found.delete(part);
  }
  return found;
}

function areasOfParts({ areaOf, partOf }: Parts): ReadonlyMap<number, number> {
  return new Map(units(partOf).map((unit) => [partOf[unit] ?? 0, areaOf[unit] ?? 0]));
}

function units(of: Int32Array): number[] {
  return [...of.keys()];
}
