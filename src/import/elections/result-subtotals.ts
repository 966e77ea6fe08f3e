import { stateByPostal } from '../../words/states.ts';
import { pseudoCandidate } from './counted-words.ts';
import type { ResultCells, Unit } from './result-cells.ts';
import { findTotals, type Parts, Sums } from './sum-totals.ts';

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

export interface FoundSubtotals {
  readonly subtotals: readonly Subtotal[];
  /** The contests whose stated totals of the state are the sums of the votes: no precinct is missing. */
  readonly complete: ReadonlySet<number>;
}

/** Matches the name of a precinct that is a subtotal: `COUNTY TOTAL`, `Total`, `Subtotal: North`. */
const NAMES_SUBTOTAL =
  /^((grand|county|state|statewide|city|town|precinct|district|election|cumulative) )*(sub-?)?totals?(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(sub-?)?totals?[.:]?$|^cumulative$/iu;

/** Returns whether the name of a county is one: a subtotal without a county is one of the state. */
export function isCounty(name: string): boolean {
  return !/^(|NA|NAN)$/i.test(name);
}

/**
 * Removes subtotals, in whatever column they are: the votes of precincts and counties named so for names that have votes in
 * others; units, towns and counties whose votes are those of all others together; and precincts named like their county that
 * have nearly as many. The total of a town is found among the precincts whose names begin with its name.
 */
export function removeSubtotals(cells: ResultCells): FoundSubtotals {
  readCountyColumn(cells);
  const named = new Set(cells.units.keys().filter((unit) => NAMES_SUBTOTAL.test(cells.units[unit]?.precinct ?? '')));
  const found: Subtotal[] = [];
  const stated = statedTotals(cells, named);
  if (named.size > 0) {
    found.push(...replaceRepeated(cells, named, inStates(cells, named)));
    found.push(...replaceRepeated(cells, named, inCounties(cells)), ...addMissing(cells, named));
    const [inCounty, inState] = [true, false].map((of) =>
      named.values().filter((unit) => isInCounty(cells, unit) === of),
    );
    found.push(...removeNamed(cells, new Set(inCounty), (unit) => countyOf(cells, unit)));
    found.push(...removeNamed(cells, new Set(inState), () => ''));
  }
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

function totalApart(
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

/** The total of a name in a county, or in the state, that the source states. */
interface StatedTotal {
  readonly contest: number;
  readonly place: Unit;
  readonly votes: number;
}

/** Returns the keys of the totals of a cell: of its name in the county, which is empty for the state, and in the state. */
function totalKeys(cells: ResultCells, cell: number): readonly [own: string, ofState: string] {
  const [name, unit] = [cells.nameOf(cell), cells.unitOf(cell)];
  return [`${name} ${isInCounty(cells, unit) ? countyOf(cells, unit) : ''}`, `${name} `];
}

/** Returns the largest stated totals by name and county; those of the state have no county. */
function statedTotals(cells: ResultCells, named: ReadonlySet<number>): Map<string, StatedTotal> {
  const totals = new Map<string, StatedTotal>();
  if (named.size === 0) return totals;
  cells.forEach((cell) => {
    if (!named.has(cells.unitOf(cell))) return;
    const [[key], votes] = [totalKeys(cells, cell), cells.votesOf(cell)];
    if (votes > (totals.get(key)?.votes ?? 0))
      totals.set(key, { contest: cells.contestOf(cell), place: cells.placeOf(cell), votes });
  });
  return totals;
}

/** Compares stated totals with the votes that are counted: returns those that are not their sum, and the contests without one. */
function compareTotals(
  cells: ResultCells,
  stated: ReadonlyMap<string, StatedTotal>,
): { readonly apart: readonly Subtotal[]; readonly complete: ReadonlySet<number> } {
  const complete = new Set([...stated].filter(([key]) => key.endsWith(' ')).map(([, { contest }]) => contest));
  if (stated.size === 0) return { apart: [], complete };
  const counted = new Map<string, number>();
  cells.forEach((cell) => {
    for (const key of new Set(totalKeys(cells, cell)))
      if (stated.has(key)) counted.set(key, (counted.get(key) ?? 0) + cells.votesOf(cell));
  });
  const apart = [...stated].flatMap(([key, { contest, place, votes }]) => {
    const parts = counted.get(key) ?? 0;
    if (parts === votes) return [];
    complete.delete(contest);
    return parts === 0 ? [] : [totalApart(cells, contest, place, place.precinct, votes, parts)];
  });
  return { apart, complete };
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
  /** Those of the first record of each precinct before the stated total. */
  firstBefore: number;
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

/** Returns the area of a unit whose votes a stated total counts; undefined if no such total does. */
type AreaOf = (unit: number) => string | undefined;

function inCounties(cells: ResultCells): AreaOf {
  return (unit) => (isInCounty(cells, unit) ? countyOf(cells, unit) : undefined);
}

/** Returns the state for all units but the totals of counties. */
function inStates(cells: ResultCells, named: ReadonlySet<number>): AreaOf {
  return (unit) => (named.has(unit) && isInCounty(cells, unit) ? undefined : '');
}

/** Returns the areas with stated totals, by contest and area. */
function statedAreas(cells: ResultCells, named: ReadonlySet<number>, areaOf: AreaOf): Map<string, StatedCounty> {
  const counties = new Map<string, StatedCounty>();
  const found = (cell: number) => {
    const [contest, county] = [cells.contestOf(cell), areaOf(cells.unitOf(cell)) ?? ''];
    const key = `${contest} ${county}`;
    const known = counties.get(key) ?? { contest, county, names: new Map(), units: new Set() };
    counties.set(key, known);
    const name = cells.nameOf(cell);
    const stated = known.names.get(name) ?? {
      total: undefined,
      cell,
      precincts: undefined,
      before: undefined,
      firstBefore: 0,
      units: 0,
    };
    known.names.set(name, stated);
    return { known, stated };
  };
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    if (!named.has(unit) || areaOf(unit) === undefined) return;
    const { stated } = found(cell);
    const votes = cells.votesOf(cell);
    if (stated.total === undefined || votes > stated.total) Object.assign(stated, { total: votes, cell });
  });
  const withNamed = new Set([...named].map(areaOf));
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    const area = areaOf(unit);
    if (named.has(unit) || area === undefined || !withNamed.has(area)) return;
    const { known, stated } = found(cell);
    const votes = cells.votesOf(cell);
    known.units.add(unit);
    stated.units++;
    stated.precincts = (stated.precincts ?? 0) + votes;
    if (stated.total === undefined || cell > stated.cell) return;
    stated.before = (stated.before ?? 0) + votes;
    stated.firstBefore += cells.firstVotesOf(cell);
  });
  return counties;
}

/**
 * Removes the precincts of a county, or of the state, whose votes add up to more than its stated total, for at least one name
 * and for none to less: a source that lists towns as well as their wards repeats votes. The stated total remains. A total that
 * lacks a name with votes replaces them only if it is the sum of the precincts before it, for most of its names: a town that has
 * the name of its county may follow the total of the county, with the same words.
 */
function replaceRepeated(cells: ResultCells, named: ReadonlySet<number>, areaOf: AreaOf): Subtotal[] {
  const repeated = new Set<string>();
  for (const [key, { names, county }] of statedAreas(cells, named, areaOf)) {
    const persons = [...names].filter(([name]) => pseudoCandidate(cells.names[name]?.candidate ?? '') === null);
    const all = persons.map(([, each]) => each).filter(({ total = 0, precincts = 0 }) => total > 0 || precincts > 0);
    const stated = all.filter(({ total = 0 }) => total > 0);
    const isMore = all.some(
      ({ total, precincts }) => total !== undefined && precincts !== undefined && precincts > total,
    );
    const isNotLess = stated.length > 0 && stated.every(({ total = 0, precincts = 0 }) => precincts >= total);
    const before = stated.filter(({ total, before, firstBefore }) => before === total || firstBefore === total);
    const isOfAll = county !== '' && all.length === stated.length;
    if (isMore && isNotLess && (isOfAll || 2 * before.length > stated.length)) repeated.add(key);
  }
  return removeCells(
    cells,
    'more than the total',
    (cell) => {
      const unit = cells.unitOf(cell);
      const area = areaOf(unit);
      // The total itself remains; those of counties are parts of that of the state.
      if (named.has(unit) && area !== undefined) return false;
      return repeated.has(`${cells.contestOf(cell)} ${area ?? ''}`);
    },
    () => '',
  );
}

/**
 * Adds the votes that the stated total of a county has in addition to its precincts, for a name that has no row in some of
 * them, if the precincts add up to the total for another name and to no more for any: the missing rows cannot be read, or
 * belong to no contest.
 */
function addMissing(cells: ResultCells, named: ReadonlySet<number>): Subtotal[] {
  const added = new Map<string, { cells: number; votes: number }>();
  const unitOfRest = new Map<number, number>();
  for (const { county, names, units } of statedAreas(cells, named, inCounties(cells)).values()) {
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
      const known = added.get(county);
      added.set(county, { cells: (known?.cells ?? 0) + 1, votes: (known?.votes ?? 0) + total - precincts });
    }
  }
  return [...added].map(([county_name, counts]) => {
    return { county_name, precinct: '', reason: 'less than the total', ...counts };
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
    const known = removed.get(key);
    const votes = (known?.votes ?? 0) + cells.votesOf(cell);
    removed.set(key, { county_name, precinct, reason, cells: (known?.cells ?? 0) + 1, votes });
  });
  return [...removed.values()];
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

function within<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const known = maps.get(key) ?? new Map<K, V>();
  maps.set(key, known);
  return known;
}
