import { PairNumbers } from './pair-numbers.ts';
import type { ResultCells, Unit } from './result-cells.ts';

/** A precinct, or a county, whose votes are the sums of others; or precincts that do not add up to a stated total. */
export interface Subtotal {
  readonly county_name: string;
  readonly precinct: string;
  readonly reason: 'name' | 'sum' | 'more than the total' | 'less than the total';
  readonly cells: number;
}

/** Matches the name of a precinct that is a subtotal: `COUNTY TOTAL`, `Total`, `Subtotal: North`. */
const NAMES_SUBTOTAL =
  /^((grand|county|state|statewide|city|town|precinct|district|election|cumulative) )*(sub-?)?totals?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(sub-?)?totals?[.:]?$|^cumulative$/iu;

/** The fewest parts of an area that can add up to one of them, and the fewest votes that show it. */
const FEWEST_PARTS = 3;
const FEWEST_VOTES = 20;

/** Returns whether the name of a county is one: a subtotal without a county is one of the state. */
export function isCounty(name: string): boolean {
  return !/^(|NA|NAN)$/i.test(name);
}

/**
 * Removes subtotals: the votes of precincts named so for names that have votes in others of the county or state, and units
 * whose votes are those of all others together, for every name of every contest.
 */
export function removeSubtotals(cells: ResultCells): Subtotal[] {
  const named = new Set(cells.units.keys().filter((unit) => NAMES_SUBTOTAL.test(cells.units[unit]?.precinct ?? '')));
  const found: Subtotal[] = [];
  if (named.size > 0) {
    found.push(...replaceRepeated(cells, named), ...addMissing(cells, named));
    const [inCounty, inState] = [true, false].map((of) =>
      named.values().filter((unit) => isInCounty(cells, unit) === of),
    );
    found.push(...removeNamed(cells, new Set(inCounty), (unit) => countyOf(cells, unit)));
    found.push(...removeNamed(cells, new Set(inState), () => ''));
  }
  const counties = numbersOf(cells.units, ({ county_name }) => county_name);
  const areas = numbersOf(cells.units, ({ county_name, jurisdiction_name }) => `${county_name}\n${jurisdiction_name}`);
  const units = Int32Array.from(cells.units.keys());
  found.push(...removeSums(cells, new Int32Array(units.length), counties, () => ''));
  const precinctOf = ({ precinct }: Unit) => precinct;
  found.push(...removeSums(cells, counties, units, precinctOf));
  if (cells.units.some(({ jurisdiction_name, county_name }) => jurisdiction_name !== county_name))
    found.push(...removeSums(cells, areas, units, precinctOf));
  return found;
}

/**
 * Removes the parts of areas that have half of the votes of their area for each name of each contest, and thus are the sum of
 * the other parts.
 * @param areaOf the number of the area of each unit.
 * @param partOf the number of the part of the area that each unit belongs to, or is.
 */
function removeSums(
  cells: ResultCells,
  areaOf: Int32Array,
  partOf: Int32Array,
  precinctOf: (unit: Unit) => string,
): Subtotal[] {
  const areaOfPart = new Map([...partOf].map((part, unit) => [part, areaOf[unit] ?? 0]));
  const ofParts = new Sums();
  cells.forEach((cell) => {
    ofParts.add(cells.contestOf(cell), partOf[cells.unitOf(cell)] ?? 0, cells.votesOf(cell));
  });
  const ofAreas = new Sums();
  const partsWithVotes = new Sums();
  ofParts.forEach((contest, part, votes) => {
    const area = areaOfPart.get(part) ?? 0;
    ofAreas.add(contest, area, votes);
    partsWithVotes.add(contest, area, votes > 0 ? 1 : 0);
  });
  const votesOf = new Map<number, number>();
  const others = new Set<number>();
  ofParts.forEach((contest, part, votes) => {
    const area = areaOfPart.get(part) ?? 0;
    if (partsWithVotes.of(contest, area) < FEWEST_PARTS) return;
    if (2 * votes === ofAreas.of(contest, area)) votesOf.set(part, (votesOf.get(part) ?? 0) + votes);
    else others.add(part);
  });
  const likely = new Set(
    [...votesOf].filter(([part, votes]) => votes >= FEWEST_VOTES && !others.has(part)).map(([part]) => part),
  );
  if (likely.size === 0) return [];

  const inParts = new Sums();
  const inAreas = new Sums();
  const likelyAreas = new Set([...likely].map((part) => areaOfPart.get(part)));
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    if (!likelyAreas.has(areaOf[unit])) return;
    inParts.add(cells.nameOf(cell), partOf[unit] ?? 0, cells.votesOf(cell));
    inAreas.add(cells.nameOf(cell), areaOf[unit] ?? 0, cells.votesOf(cell));
  });
  const namesWithVotes = new Map<number, number>();
  const unequal = new Set<number>();
  inParts.forEach((name, part, votes) => {
    if (votes > 0) namesWithVotes.set(part, (namesWithVotes.get(part) ?? 0) + 1);
    if (2 * votes !== inAreas.of(name, areaOfPart.get(part) ?? 0)) unequal.add(part);
  });
  return removeCells(
    cells,
    'sum',
    (cell) => {
      const part = partOf[cells.unitOf(cell)] ?? 0;
      return likely.has(part) && !unequal.has(part) && (namesWithVotes.get(part) ?? 0) >= 2;
    },
    precinctOf,
  );
}

/**
 * Removes the votes of precincts named as subtotals from contests in which others have votes. Votes for a name that only
 * the subtotal has remain, unless they are those of another spelling: a name that only the others have has as many.
 */
function removeNamed(cells: ResultCells, named: ReadonlySet<number>, areaOf: (unit: number) => string): Subtotal[] {
  if (named.size === 0) return [];
  const areas = new Map([...named].map((unit) => [unit, areaOf(unit)]));
  const withNamed = new Set(areas.values());
  const totals = new Map<string, Map<number, { votes: number; unit: number }>>();
  const others = new Map<string, Map<number, number>>();
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    const area = areas.get(unit) ?? areaOf(unit);
    if (!withNamed.has(area)) return;
    const key = `${cells.contestOf(cell)} ${area}`;
    const [name, votes] = [cells.nameOf(cell), cells.votesOf(cell)];
    if (named.has(unit)) {
      const ofName = within(totals, key).get(name);
      within(totals, key).set(name, {
        votes: Math.max(votes, ofName?.votes ?? 0),
        unit: Math.min(unit, ofName?.unit ?? unit),
      });
    } else if (votes > 0) within(others, key).set(name, (others.get(key)?.get(name) ?? 0) + votes);
  });
  const isKept = (key: string, name: number, unit: number) => {
    const [total, own] = [totals.get(key), others.get(key)];
    const stated = total?.get(name);
    if (!stated || stated.votes === 0 || stated.unit !== unit || own?.has(name)) return false;
    return ![...(own ?? [])].some(([other, votes]) => votes === stated.votes && !total?.has(other));
  };
  return removeCells(
    cells,
    'name',
    (cell) => {
      const unit = cells.unitOf(cell);
      const key = `${cells.contestOf(cell)} ${areas.get(unit)}`;
      return named.has(unit) && others.has(key) && !isKept(key, cells.nameOf(cell), unit);
    },
    ({ precinct }) => precinct,
  );
}

/** What a county states of a name, and what its precincts have. */
interface Stated {
  /** The largest stated total, and its cell; undefined if there is none. */
  total: number | undefined;
  cell: number;
  /** The votes in precincts, and those of the precincts before the stated total; undefined if there are none. */
  precincts: number | undefined;
  before: number | undefined;
  /** The number of precincts with a row for the name. */
  units: number;
}

interface StatedCounty {
  readonly contest: number;
  readonly county: string;
  readonly names: Map<number, Stated>;
  /** The precincts with a row for any name. */
  readonly units: Set<number>;
}

/** Returns the counties with stated totals, by contest and county as `keyOf` writes them. */
function statedCounties(cells: ResultCells, named: ReadonlySet<number>): Map<string, StatedCounty> {
  const counties = new Map<string, StatedCounty>();
  const found = (cell: number) => {
    const [contest, county] = [cells.contestOf(cell), countyOf(cells, cells.unitOf(cell))];
    const key = keyOf(cells, cell);
    const known = counties.get(key) ?? { contest, county, names: new Map(), units: new Set() };
    counties.set(key, known);
    const name = cells.nameOf(cell);
    const stated = known.names.get(name) ?? {
      total: undefined,
      cell,
      precincts: undefined,
      before: undefined,
      units: 0,
    };
    known.names.set(name, stated);
    return { known, stated };
  };
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    if (!named.has(unit) || !isInCounty(cells, unit)) return;
    const { stated } = found(cell);
    const votes = cells.votesOf(cell);
    if (stated.total === undefined || votes > stated.total) Object.assign(stated, { total: votes, cell });
  });
  const withNamed = new Set([...named].map((unit) => countyOf(cells, unit)));
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    if (named.has(unit) || !isInCounty(cells, unit) || !withNamed.has(countyOf(cells, unit))) return;
    const { known, stated } = found(cell);
    const votes = cells.votesOf(cell);
    known.units.add(unit);
    stated.units++;
    stated.precincts = (stated.precincts ?? 0) + votes;
    if (stated.total !== undefined && cell < stated.cell) stated.before = (stated.before ?? 0) + votes;
  });
  return counties;
}

/**
 * Removes the precincts of a county whose votes add up to more than the stated total of the county, for at least one name
 * and for none to less: a source that lists towns as well as their wards repeats votes. The stated total remains. A total that
 * lacks a name with votes replaces them only if it is the sum of the precincts before it, for most of its names.
 */
function replaceRepeated(cells: ResultCells, named: ReadonlySet<number>): Subtotal[] {
  const repeated = new Set<string>();
  for (const [key, { names }] of statedCounties(cells, named)) {
    const all = [...names.values()].filter(({ total = 0, precincts = 0 }) => total > 0 || precincts > 0);
    const stated = all.filter(({ total = 0 }) => total > 0);
    const isMore = all.some(
      ({ total, precincts }) => total !== undefined && precincts !== undefined && precincts > total,
    );
    const isNotLess = stated.length > 0 && stated.every(({ total = 0, precincts = 0 }) => precincts >= total);
    const before = stated.filter(({ total, before }) => before === total);
    if (isMore && isNotLess && (all.length === stated.length || 2 * before.length > stated.length)) repeated.add(key);
  }
  return removeCells(
    cells,
    'more than the total',
    (cell) => !named.has(cells.unitOf(cell)) && repeated.has(keyOf(cells, cell)),
    () => '',
  );
}

/**
 * Adds the votes that the stated total of a county has in addition to its precincts, for a name that has no row in some of
 * them, if the precincts add up to the total for another name and to no more for any: the missing rows cannot be read, or
 * belong to no contest.
 */
function addMissing(cells: ResultCells, named: ReadonlySet<number>): Subtotal[] {
  const added = new Map<string, number>();
  const unitOfRest = new Map<number, number>();
  for (const { county, names, units } of statedCounties(cells, named).values()) {
    const both = [...names.values()].flatMap(({ total, precincts, cell, units: own }) =>
      total !== undefined && precincts !== undefined ? [{ total, precincts, cell, own }] : [],
    );
    const isEqual = both.some(({ total, precincts }) => total === precincts && total > 0);
    if (!isEqual || both.some(({ total, precincts }) => total < precincts)) continue;
    for (const { total, precincts, cell, own } of both) {
      if (total === precincts || own >= units.size) continue;
      const unit = cells.unitOf(cell);
      const rest = unitOfRest.get(unit) ?? cells.units.push({ ...cells.placeOf(cell), precinct: '' }) - 1;
      unitOfRest.set(unit, rest);
      cells.move(cell, rest, total - precincts);
      added.set(county, (added.get(county) ?? 0) + 1);
    }
  }
  return [...added].map(([county_name, count]) => {
    return { county_name, precinct: '', reason: 'less than the total', cells: count };
  });
}

/** Removes cells; returns their number by county and precinct. */
function removeCells(
  cells: ResultCells,
  reason: Subtotal['reason'],
  isRemoved: (cell: number) => boolean,
  precinctOf: (unit: Unit) => string,
): Subtotal[] {
  const removed = new Map<string, Subtotal>();
  cells.forEach((cell) => {
    if (!isRemoved(cell)) return;
    cells.remove(cell);
    const place = cells.placeOf(cell);
    const [county_name, precinct] = [place.county_name, precinctOf(place)];
    const key = `${county_name}\n${precinct}`;
    removed.set(key, { county_name, precinct, reason, cells: (removed.get(key)?.cells ?? 0) + 1 });
  });
  return [...removed.values()];
}

/** The sums of numbers by two integers. */
class Sums {
  readonly #pairs = new PairNumbers();
  readonly #sums: number[] = [];

  add(first: number, second: number, value: number): void {
    const number = this.#pairs.of(first, second);
    this.#sums[number] = (this.#sums[number] ?? 0) + value;
  }

  /** Returns a sum; the pair must have been added. */
  of(first: number, second: number): number {
    return this.#sums[this.#pairs.of(first, second)] ?? 0;
  }

  forEach(visit: (first: number, second: number, sum: number) => void): void {
    for (const [number, sum] of this.#sums.entries())
      visit(this.#pairs.firstOf(number), this.#pairs.secondOf(number), sum);
  }
}

/** Returns a number for each unit, which is the same for units with the same text. */
export function numbersOf(units: readonly Unit[], textOf: (unit: Unit) => string): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(units, (unit) => {
    const number = numbers.get(textOf(unit)) ?? numbers.size;
    numbers.set(textOf(unit), number);
    return number;
  });
}

function countyOf(cells: ResultCells, unit: number): string {
  return cells.units[unit]?.county_name.toUpperCase() ?? '';
}

function isInCounty(cells: ResultCells, unit: number): boolean {
  return isCounty(countyOf(cells, unit));
}

/** Returns the contest and the county of a cell as a key. */
function keyOf(cells: ResultCells, cell: number): string {
  return `${cells.contestOf(cell)} ${countyOf(cells, cells.unitOf(cell))}`;
}

function within<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const known = maps.get(key) ?? new Map<K, V>();
  maps.set(key, known);
  return known;
}
