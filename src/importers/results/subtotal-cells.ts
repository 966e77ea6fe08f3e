import type { ResultCells, Unit } from './result-cells.ts';

/** A precinct, or a county, whose votes are the sums of others; or precincts that do not add up to a stated total. */
export interface Subtotal {
  /** The office of the contest, of a total that is not the sum of its parts. */
  readonly office?: string | undefined;
  readonly county_name: string;
  readonly precinct: string;
  readonly reason: 'name' | 'sum' | 'near the sum' | 'more than the total' | 'less than the total' | 'not the total';
  readonly cells: number;
  /** The votes of the counts that are not added, or added in their place. */
  readonly votes: number;
  /** The votes of the parts of a total that is not their sum. */
  readonly parts?: number;
}

/** Returns whether the name of a county is one: a subtotal without a county is one of the state. */
export function isCounty(name: string): boolean {
  return !/^(|NA|NAN)$/i.test(name);
}

/** Returns the name of the county of a unit in capitals. */
export function countyOf(cells: ResultCells, unit: number): string {
  return cells.units[unit]?.county_name.toUpperCase() ?? '';
}

/** Returns whether a unit is in a county, or a total of one. */
export function isInCounty(cells: ResultCells, unit: number): boolean {
  return isCounty(countyOf(cells, unit));
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

/** Returns a stated total that is not the sum of its parts. */
export function totalApart(
  cells: ResultCells,
  contest: number,
  { county_name }: Unit,
  precinct: string,
  votes: number,
  parts: number,
): Subtotal {
  const office = cells.contests[contest]?.office;
  return { office, county_name, precinct, reason: 'not the total', cells: 1, votes, parts };
}

/** Removes cells; returns their number by county and precinct. */
export function removeCells(
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
    const known = removed.get(key);
    const votes = (known?.votes ?? 0) + cells.votesOf(cell);
    removed.set(key, { county_name, precinct, reason, cells: (known?.cells ?? 0) + 1, votes });
  });
  return [...removed.values()];
}
