import { stateByPostal } from '../../base/words/states.ts';
import type { ResultCells, Unit } from './result-cells.ts';
import { compareTotals, removeStatedTotals, statedTotals } from './stated-totals.ts';
import { isCounty, numbersOf, removeCells, type Subtotal, totalApart } from './subtotal-cells.ts';
import { findTotals, type Parts, Sums } from './sum-totals.ts';

export interface FoundSubtotals {
  readonly subtotals: readonly Subtotal[];
  /** The contests whose stated totals of the state are the sums of the votes: no precinct is missing. */
  readonly complete: ReadonlySet<number>;
}

/** Matches the name of a precinct that is a subtotal: `COUNTY TOTAL`, `Total`, `Subtotal: North`. */
const NAMES_SUBTOTAL =
  /^((grand|county|state|statewide|city|town|precinct|district|election|cumulative) )*(sub-?)?totals?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(sub-?)?totals?[.:]?$|^cumulative$/iu;

/**
 * Removes subtotals, in whatever column they are: the votes of precincts and counties named so for names that have votes in
 * others; units, towns and counties whose votes are those of all others together; and precincts named like their county that
 * have nearly as many. The total of a town is found among the precincts whose names begin with its name.
 */
export function removeSubtotals(cells: ResultCells): FoundSubtotals {
  readCountyColumn(cells);
  const named = new Set(cells.units.keys().filter((unit) => NAMES_SUBTOTAL.test(cells.units[unit]?.precinct ?? '')));
  const stated = statedTotals(cells, named);
  const found = removeStatedTotals(cells, named);
  const counties = numbersOf(cells.units, ({ county_name }) => county_name.toUpperCase());
  const areas = numbersOf(cells.units, ({ county_name, jurisdiction_name }) => `${county_name}\n${jurisdiction_name}`);
  const units = Int32Array.from(cells.units.keys());
  const precinctOf = ({ precinct }: Unit) => precinct;
  found.push(...removeTotals(cells, { areaOf: townsByName(cells), partOf: units }, precinctOf));
  if (cells.units.some(({ jurisdiction_name, county_name }) => jurisdiction_name !== county_name))
    found.push(...removeTotals(cells, { areaOf: areas, partOf: units }, precinctOf));
  found.push(...removeTotals(cells, { areaOf: counties, partOf: units }, precinctOf));
  found.push(...removeLikeCounties(cells, counties));
  found.push(...removeTotals(cells, { areaOf: new Int32Array(units.length), partOf: counties }, () => ''));
  const { apart, complete } = compareTotals(cells, stated);
  return { subtotals: [...found, ...apart], complete };
}

/** States that have a county of their name. */
const COUNTY_OF_ITS_STATE = new Set([...'ARKANSAS HAWAII IDAHO IOWA OKLAHOMA UTAH'.split(' '), 'NEW YORK']);

/**
 * Moves the rows that have the name of a total in the column of the county, or are totals beside the name of the state there, to the
 * state: they are totals of others in counties. In
 * a file that has the name of the state in all rows, that column is not the county but the one after it is. Where others have
 * counties, rows of the state may be a total or the votes from overseas: only their sums show it.
 */
function readCountyColumn(cells: ResultCells): void {
  const isTotal = ({ county_name }: Unit) => NAMES_SUBTOTAL.test(county_name);
  const state = stateByPostal(cells.contests[0]?.state_po.toUpperCase() ?? '')?.name.toUpperCase() ?? '';
  const isOfState = ({ county_name }: Unit) => county_name.toUpperCase() === state && !COUNTY_OF_ITS_STATE.has(state);
  const isAll = cells.units.every((unit) => isTotal(unit) || isOfState(unit));
  for (const [number, unit] of cells.units.entries()) {
    const { county_name, precinct } = unit;
    if (isAll && isOfState(unit) && isCounty(precinct) && !NAMES_SUBTOTAL.test(precinct))
      cells.units[number] = {
        ...unit,
        area: -1 - number,
        county_name: precinct,
        jurisdiction_name: precinct,
        precinct: '',
      };
    else if (isTotal(unit) || (isOfState(unit) && (isAll || NAMES_SUBTOTAL.test(precinct))))
      cells.units[number] = {
        ...unit,
        area: -1 - number,
        county_name: '',
        precinct: `Total (${precinct || county_name})`,
      };
  }
}

/** Numbers each unit by the town that names it: `Essex 1` and `Essex 2` are in the area of `Essex`, and others in their own. */
function townsByName(cells: ResultCells): Int32Array {
  const keyOf = ({ county_name, jurisdiction_name }: Unit, name: string) =>
    `${county_name}\n${jurisdiction_name}\n${name}`;
  const known = new Map(cells.units.map((unit, number) => [keyOf(unit, unit.precinct.toUpperCase()), number]));
  return Int32Array.from(cells.units, (unit, number) => {
    const precinct = unit.precinct.toUpperCase();
    for (const { index } of [...precinct.matchAll(/[\s,#:-]+/g)].reverse()) {
      const town = known.get(keyOf(unit, precinct.slice(0, index)));
      if (town !== undefined && index > 0) return town;
    }
    return number;
  });
}

/** Removes the votes of the parts that are the sum of the other parts of their area. */
function removeTotals(cells: ResultCells, parts: Parts, precinctOf: (unit: Unit) => string): Subtotal[] {
  const totals = findTotals(cells, parts);
  if (totals.size === 0) return [];
  const { areaOf, partOf } = parts;
  const [own, others] = [new Sums(), new Sums()];
  cells.forEach((cell) => {
    const [contest, unit] = [cells.contestOf(cell), cells.unitOf(cell)];
    const [area, part] = [areaOf[unit] ?? 0, partOf[unit] ?? 0];
    if (totals.has(part)) own.add(contest, part, cells.votesOf(cell));
    else others.add(contest, area, cells.votesOf(cell));
  });
  const unitOfPart = new Map(partOf.keys().map((unit) => [partOf[unit] ?? 0, unit]));
  const apart: Subtotal[] = [];
  own.forEach((contest, part, total) => {
    const unit = unitOfPart.get(part) ?? 0;
    const rest = others.of(contest, areaOf[unit] ?? 0);
    const place = cells.units[unit];
    if (place && total > 0 && rest >= total * (1 - NEAR) && rest !== total && rest % total !== 0)
      apart.push(totalApart(cells, contest, place, precinctOf(place), total, rest));
  });
  // A total stands for its parts in a contest that the source lists without them.
  const hasParts = (contest: number, unit: number) =>
    others.of(contest, areaOf[unit] ?? 0) >= own.of(contest, partOf[unit] ?? 0) * (1 - NEAR);
  const removed = removeCells(
    cells,
    'sum',
    (cell) => {
      const unit = cells.unitOf(cell);
      return totals.has(partOf[unit] ?? 0) && hasParts(cells.contestOf(cell), unit);
    },
    precinctOf,
  );
  return [...apart, ...removed];
}

/** The most by which the total of a county may differ from its precincts, of which sources correct some and not the other. */
const NEAR = 0.02;

/**
 * Removes the votes of precincts that are named like their county, with its state or misspelt by a letter, if they have nearly
 * the votes of the other precincts together in most contests: a source may count some ballots only in one of the two.
 */
function removeLikeCounties(cells: ResultCells, counties: Int32Array): Subtotal[] {
  const postal = cells.contests[0]?.state_po ?? '';
  const alike = new Set(cells.units.keys().filter((unit) => isLikeCounty(cells.units[unit], postal)));
  if (alike.size === 0) return [];
  const wanted = new Set([...alike].map((unit) => counties[unit]));
  const [ofAlike, others, counts] = [new Sums(), new Sums(), new Sums()];
  const touched = new Set<string>();
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    const county = counties[unit] ?? 0;
    if (!wanted.has(county)) return;
    const contest = cells.contestOf(cell);
    (alike.has(unit) ? ofAlike : others).add(contest, alike.has(unit) ? unit : county, cells.votesOf(cell));
    if (alike.has(unit) || cells.votesOf(cell) === 0 || touched.has(`${contest} ${unit}`)) return;
    touched.add(`${contest} ${unit}`);
    counts.add(contest, county, 1);
  });
  const tested = new Map<number, { all: number; near: number }>();
  ofAlike.forEach((contest, unit, votes) => {
    const county = counties[unit] ?? 0;
    if (votes === 0 || counts.of(contest, county) < 2) return;
    const of = tested.get(unit) ?? { all: 0, near: 0 };
    tested.set(unit, of);
    of.all++;
    if (Math.abs(votes - others.of(contest, county)) <= Math.max(2, votes * NEAR)) of.near++;
  });
  const totals = new Set([...tested].filter(([, { all, near }]) => near > 0 && near * 2 > all).map(([unit]) => unit));
  return removeCells(
    cells,
    'near the sum',
    (cell) => {
      const unit = cells.unitOf(cell);
      return totals.has(unit) && counts.of(cells.contestOf(cell), counties[unit] ?? 0) >= 2;
    },
    ({ precinct }) => precinct,
  );
}

/** Returns whether a precinct is named like its county: `ROCKINGHAM NH`, `Rockingham County`, `MARRIMACK`. */
function isLikeCounty(unit: Unit | undefined, postal: string): boolean {
  if (!unit || !isCounty(unit.county_name)) return false;
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/[^A-Z ]+/g, ' ')
      .replace(new RegExp(` (${postal.toUpperCase()}|COUNTY|CO|TOTALS?)$`), '')
      .replace(/[^A-Z]/g, '');
  const [precinct, county] = [plain(unit.precinct), plain(unit.county_name)];
  return precinct !== '' && (precinct === county || (county.length > 5 && differsByOne(precinct, county)));
}

/** Returns whether two words of the same length differ in one letter. */
function differsByOne(one: string, other: string): boolean {
  return one.length === other.length && [...one].filter((letter, index) => letter !== other[index]).length === 1;
}
