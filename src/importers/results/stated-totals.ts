import { pseudoCandidate } from './counted-words.ts';
import type { ResultCells, Unit } from './result-cells.ts';
import { countyOf, isInCounty, removeCells, type Subtotal, totalApart } from './subtotal-cells.ts';

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
export function statedTotals(cells: ResultCells, named: ReadonlySet<number>): Map<string, StatedTotal> {
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
export function compareTotals(
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

/**
 * Removes the totals that units named so state, or the votes of others that repeat them, and adds what only they have.
 * @param named the units that are totals by their names.
 */
export function removeStatedTotals(cells: ResultCells, named: ReadonlySet<number>): Subtotal[] {
  if (named.size === 0) return [];
  const ofStates = replaceRepeated(cells, named, inStates(cells, named));
  const ofCounties = replaceRepeated(cells, named, inCounties(cells));
  const added = addMissing(cells, named);
  const [inCounty, inState] = [true, false].map((of) =>
    named.values().filter((unit) => isInCounty(cells, unit) === of),
  );
  return [
    ...[...ofStates, ...ofCounties, ...added],
    ...removeNamed(cells, new Set(inCounty), (unit) => countyOf(cells, unit)),
    ...removeNamed(cells, new Set(inState), () => ''),
  ];
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

/** Returns the county of a unit; undefined for a unit of the state. */
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

function within<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const known = maps.get(key) ?? new Map<K, V>();
  maps.set(key, known);
  return known;
}
