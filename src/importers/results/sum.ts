import { normalName } from '../../base/words/normal-name.ts';
import { stateByPostal } from '../../base/words/states.ts';
import { pseudoCandidate } from '../facts/counted-words.ts';
import { countyNamed } from '../facts/counties.ts';
import type { Cells } from './cells.ts';
import { isTotalName } from './dialect.ts';
import { grown, numbering, PairNumbers } from './pair-numbers.ts';

/** What was found while the votes of a file were added up. */
export interface Finding {
  readonly kind:
    | 'rows-are-a-total'
    | 'total-of-incomplete-parts'
    | 'total-below-its-parts'
    | 'total-near-its-parts'
    | 'rows-without-a-precinct'
    | 'modes-are-the-total'
    | 'modes-contradict-total'
    | 'repeated-rows';
  readonly county: string;
  readonly precinct: string;
  /** The contest of repeated rows and the first of them. */
  readonly contest?: string;
  readonly record?: number;
  readonly counts: number;
  readonly votes: number;
  /** The votes of the parts, or of the other statement. */
  readonly others: number;
}

/** The numbers of the contests and names of a file that are the same under several spellings: `State House 26` and `HD026`. */
export interface SameNames {
  readonly contests: readonly number[];
  readonly names: readonly number[];
}

/** The votes of the cells of a file. */
export interface Sums {
  /** The votes of each cell, and the fewest and the most that they may be where the file contradicts itself. */
  readonly votes: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** 1 for the cells of units that add up others: they are not added. */
  readonly isTotal: Uint8Array;
  /** The votes of a cell that only a total of several units has: it is not known in which of them they were cast. */
  readonly ofTotals: ReadonlyMap<number, number>;
  readonly findings: readonly Finding[];
}

/** Modes of voting with equal numbers in this share of the counts of a county, and at least so many, are each the total. */
const EQUAL_SHARE = 0.9;
const FEWEST_EQUAL = 3;
/** The share of the names of a unit that are not below the sum of the others: the unit is their total. */
const TOTAL_SHARE = 0.95;
/** The parts of a total may be there so many times; with more, the unit is a small one of its own. */
const MOST_TIMES = 3;
/** As many units of a place may be totals of one contest. */
const MOST_TOTALS = 3;
/** A town is the sum of so many precincts. */
const FEWEST_PRECINCTS = 2;
/** It is so in this share of its contests: precincts may have other labels of counts. */
const TOWN_SHARE = 0.5;
/** A unit without a name of a total is one only if it equals the sum of so many others in so many contests. */
const [FEWEST_PARTS, FEWEST_CONTESTS] = [3, 2];
/** The sum of two others it is in so many contests. */
const FEWEST_OF_TWO = 3;
/** With a slip in one of them, in so many. */
const MANY_CONTESTS = 5;
/** In one contest, it is one by so many names with so many votes. */
const [FEWEST_NAMES, FEWEST_VOTES] = [2, 100];

/**
 * Adds up the modes of voting of each cell, and finds the units that are totals of others: by the numbers, never by names alone.
 * Nothing takes the place of votes in silence: each finding is told.
 */
export function sumCells(cells: Cells, same: SameNames): Sums {
  const votes = new Float64Array(cells.size);
  const least = new Float64Array(cells.size);
  const most = new Float64Array(cells.size);
  const findings: Finding[] = [];
  const eachIsTotal = countiesOfEqualModes(cells, findings);
  const contradicted = new Set([...cells.contradicted].map((cell) => countyOf(cells, cell)));
  const told = new Map<string, Finding>();
  const tell = (kind: Finding['kind'], cell: number, own: number, others: number) => {
    const { area = 0, precinct = '' } = cells.units[cells.unitOf[cell] ?? 0] ?? {};
    const county = cells.areas[area]?.county ?? '';
    const known = told.get(`${kind} ${county}`);
    // One count is named; several are those of a county.
    const one = known ? { precinct: '' } : { precinct, contest: textOf(cells, cell) };
    const sum = {
      counts: (known?.counts ?? 0) + 1,
      votes: (known?.votes ?? 0) + own,
      others: (known?.others ?? 0) + others,
    };
    told.set(`${kind} ${county}`, { kind, county, ...one, ...sum });
  };
  for (let cell = 0; cell < cells.size; cell++) {
    const total = cells.total[cell] ?? 0;
    const isEqual = (cells.modes[cell] ?? 0) > 1 && eachIsTotal.has(countyOf(cells, cell));
    const byMode = isEqual ? (cells.byMode[cell] ?? 0) / (cells.modes[cell] ?? 1) : (cells.byMode[cell] ?? 0);
    const own = total === 0 ? byMode : total;
    votes[cell] = own;
    least[cell] = own;
    most[cell] = own;
    if (total > 0 && byMode > 0 && total !== byMode) {
      // A total above its modes of voting: some of them are not listed. One below them contradicts them.
      tell(total > byMode ? 'total-of-incomplete-parts' : 'modes-contradict-total', cell, total, byMode);
      least[cell] = total > byMode ? total : Math.min(total, byMode);
      most[cell] = Math.max(total, byMode);
    }
    // In a county in which modes are more than their total, the totals may be without them.
    const beside = cells.besideTotal.get(cell) ?? 0;
    if (cells.contradicted.has(cell)) tell('modes-contradict-total', cell, own, beside);
    if (contradicted.has(countyOf(cells, cell))) most[cell] = own + beside;
  }
  const ofTotals = new Map<number, number>();
  settleRepeated(cells, { votes, least, most }, findings);
  const isTotal = findTotals(cells, same, { votes, least, most }, ofTotals, findings);
  return { votes, least, most, isTotal, ofTotals, findings: [...findings, ...told.values()] };
}

/** Returns the number of the contest of a cell, under its own spelling. */
const writtenContestOf = (cells: Cells, cell: number) => cells.names[cells.nameOf[cell] ?? 0]?.contest ?? 0;

/** The contest and the name of a cell, as the file writes them. */
function textOf(cells: Cells, cell: number): string {
  const { text = '' } = cells.names[cells.nameOf[cell] ?? 0] ?? {};
  const { office = '', district = '' } = cells.contests[writtenContestOf(cells, cell)] ?? {};
  return [office, district, text].filter(Boolean).join(' | ');
}

const countyOf = (cells: Cells, cell: number) =>
  cells.areas[cells.units[cells.unitOf[cell] ?? 0]?.area ?? 0]?.county ?? '';

/** Returns the counties whose modes of voting have equal numbers in nearly all counts. */
function countiesOfEqualModes(cells: Cells, findings: Finding[]): ReadonlySet<string> {
  const counts = new Map<string, { all: number; equal: number; votes: number }>();
  for (let cell = 0; cell < cells.size; cell++) {
    if ((cells.modes[cell] ?? 0) < 2 || cells.byMode[cell] === 0) continue;
    const county = countyOf(cells, cell);
    const known = counts.get(county) ?? { all: 0, equal: 0, votes: 0 };
    counts.set(county, known);
    known.all++;
    if (cells.hasEqualModes(cell))
      [known.equal, known.votes] = [known.equal + 1, known.votes + (cells.first[cell] ?? 0)];
  }
  const found = [...counts].filter(([, { all, equal }]) => equal >= FEWEST_EQUAL && equal >= all * EQUAL_SHARE);
  for (const [county, { equal, votes }] of found)
    findings.push({ kind: 'modes-are-the-total', county, precinct: '', counts: equal, votes, others: votes });
  return new Set(found.map(([county]) => county));
}

type Bounds = Pick<Sums, 'votes' | 'least' | 'most'>;

/**
 * Records that repeat others: if all counts of a contest in a unit are repeated, the block is there twice, and counts once. If only
 * some are, two parts of the unit may have equal numbers: they are added, and may be fewer.
 */
function settleRepeated(cells: Cells, { votes, least }: Bounds, findings: Finding[]): void {
  if (cells.repeated.size === 0) return;
  const blocks = new PairNumbers();
  const blockOf = (cell: number) => blocks.of(writtenContestOf(cells, cell), cells.unitOf[cell] ?? 0);
  const wanted = new Set([...cells.repeated.keys()].map(blockOf));
  const isWhole = new Map([...wanted].map((block) => [block, true]));
  for (let cell = 0; cell < cells.size; cell++) {
    if (votes[cell] === 0 || !cells.isCounted(cell)) continue;
    const block = blockOf(cell);
    if (wanted.has(block) && cells.repeated.get(cell)?.votes !== (votes[cell] ?? 0) / 2) isWhole.set(block, false);
  }
  for (const [, repeated] of Map.groupBy(cells.repeated, ([cell]) => writtenContestOf(cells, cell))) {
    const [[first, { record }] = [0, { record: 0 }]] = repeated;
    const sum = repeated.reduce((all, [, { votes: own }]) => all + own, 0);
    const counts = repeated.length;
    findings.push({
      kind: 'repeated-rows',
      county: '',
      precinct: '',
      contest: textOf(cells, first),
      record,
      counts,
      votes: sum,
      others: 0,
    });
    for (const [cell, { votes: own }] of repeated) {
      if (isWhole.get(blockOf(cell))) votes[cell] = (votes[cell] ?? 0) - own;
      least[cell] = (votes[cell] ?? 0) - (isWhole.get(blockOf(cell)) ? 0 : own);
    }
  }
}

type Level = 'town' | 'county' | 'state';

/** Numbers the towns and counties of the units of a file; one county may have several spellings. */
function placesOf(cells: Cells): readonly Readonly<Record<Level, number>>[] {
  const [{ state = '', date = '' } = {}, ...others] = cells.contests;
  const isOfOne = others.every((each) => each.state === state);
  const counties = new Map<string, string>();
  const idOf = (text: string) => {
    const id = counties.get(text) ?? ((isOfOne && countyNamed(state, text, date)?.geoid) || text);
    counties.set(text, id);
    return id;
  };
  const numberOf = numbering();
  return cells.units.map(({ area }) => {
    const { county: text = '', town = '' } = cells.areas[area] ?? {};
    const county = idOf(text);
    return { town: numberOf(`${county}\n${town}`), county: numberOf(county), state: 0 };
  });
}

/** The sums of each name over the units of a place that are no totals, with the first cell of each. */
class PlaceSums {
  readonly #numbers = new PairNumbers();
  #votes = new Float64Array(1024);
  #first = new Int32Array(1024);

  add(name: number, place: number, cell: number, votes: number): void {
    const known = this.#numbers.size;
    const number = this.#numbers.of(name, place);
    if (number === this.#votes.length) [this.#votes, this.#first] = [grown(this.#votes), grown(this.#first)];
    if (number === known) this.#first[number] = cell;
    this.#votes[number] = (this.#votes[number] ?? 0) + votes;
  }

  /** Returns the sum of a name in a place; undefined if no unit has a count of it. */
  of(name: number, place: number): { readonly votes: number; readonly first: number } | undefined {
    const number = this.#numbers.find(name, place);
    return number < 0 ? undefined : { votes: this.#votes[number] ?? 0, first: this.#first[number] ?? 0 };
  }
}

/** The name of a unit: of its precinct, or of the town in its place. Where a county is its only town, that is no name. */
function nameOf(cells: Cells, unit: number): string {
  const { area = 0, precinct = '' } = cells.units[unit] ?? {};
  const { county = '', town = '' } = cells.areas[area] ?? {};
  if (precinct !== '' || town !== county) return precinct || town;
  return cells.areas.some((each) => each.county === county && each.town !== town) ? town : '';
}

const isTotalOrBlank = (text: string) => text === '' || isTotalName(text);

/** The units that a unit may add up: those of its town, of its county, or of the state. */
function partsOf(cells: Cells, unit: number, isStateName: (text: string) => boolean): Level | undefined {
  const { area = 0, precinct = '' } = cells.units[unit] ?? {};
  const { county = '', town = '' } = cells.areas[area] ?? {};
  if (isTotalOrBlank(county) || isStateName(county)) return isTotalOrBlank(precinct) ? 'state' : undefined;
  const isNamed = (text: string) => isTotalOrBlank(text) || normalName(text) === normalName(county);
  if (isNamed(town)) return isNamed(precinct) ? 'county' : undefined;
  return isTotalOrBlank(precinct) || normalName(precinct) === normalName(town) ? 'town' : undefined;
}

/** A contest in a unit that may be a total: its cells, their votes, and those of the parts of its place. */
interface Compared {
  readonly contest: number;
  readonly cells: readonly number[];
  readonly votes: number;
  readonly parts: number;
  /** Each of its names has the votes that the parts have. */
  readonly isEachEqual: boolean;
}

/**
 * Finds the units that add up others, contest by contest. A unit that is named as a total, or without a precinct beside others with one,
 * is compared with the sum of the others of its place. Any other unit is a total only if it is exactly their sum in all contests.
 * Returns the cells that are not added.
 */
function findTotals(
  cells: Cells,
  same: SameNames,
  bounds: Bounds,
  ofTotals: Map<number, number>,
  findings: Finding[],
): Uint8Array {
  const { votes } = bounds;
  const dropped = new Uint8Array(cells.size);
  const days = [...new Map(cells.contests.map((contest) => [`${contest.state} ${contest.date}`, contest])).values()];
  // Idaho has a county of its name.
  const states = new Set(
    days.flatMap(({ state, date }) => {
      const name = stateByPostal(state)?.name;
      return name && !countyNamed(state, name, date) ? [normalName(name)] : [];
    }),
  );
  // Of the texts in the column of the county, those of no county may mean the state.
  const isCounty = (text: string) => days.some(({ state, date }) => countyNamed(state, text, date) !== undefined);
  const counties = new Map([...new Set(cells.areas.map(({ county }) => county))].map((text) => [text, isCounty(text)]));
  const isOfState = (text: string) => states.has(normalName(text)) || counties.get(text) === false;
  const levels = cells.units.map((_, unit) => partsOf(cells, unit, isOfState));
  const unitNames = cells.units.map((_, unit) => nameOf(cells, unit));
  const isPlain = cells.units.map(({ area }, unit) => {
    const { county = '' } = cells.areas[area] ?? {};
    const isKnown = isTotalOrBlank(county) || counties.get(county) === true || states.has(normalName(county));
    return isKnown && isTotalOrBlank(unitNames[unit] ?? '');
  });
  const places = placesOf(cells);
  // Labels of counts are not the same in all units.
  const isLabel = cells.names.map(({ text }) => pseudoCandidate(text) !== null);
  findTownsOfPrecincts(cells, same, votes, isLabel, places, dropped, findings);
  // Units that are named as their place are either totals of it, or among the parts of one.
  const steps = (['town', 'county', 'state'] as const).flatMap((level) =>
    [false, true].map((plain) => ({ level, plain })),
  );
  for (const { level, plain } of steps) {
    const isCandidate = (unit: number) => levels[unit] === level && isPlain[unit] === plain;
    if (!cells.units.some((_, unit) => isCandidate(unit))) continue;
    const placeOf = (cell: number) => places[cells.unitOf[cell] ?? 0]?.[level] ?? 0;
    const [ofNames, ofContests, ofAll] = [new PlaceSums(), new PlaceSums(), new PlaceSums()];
    const totals = new Map<string, number[]>();
    /** The number of units of each contest and place that may be its total. */
    const claims = new Map<string, number>();
    for (let cell = 0; cell < cells.size; cell++) {
      if (dropped[cell] === 1) continue;
      const [unit, contest] = [cells.unitOf[cell] ?? 0, contestOf(cells, same, cell)];
      const own = isLabel[cells.nameOf[cell] ?? 0] ? 0 : (votes[cell] ?? 0);
      if (levels[unit] === undefined) ofAll.add(contest, 0, cell, own);
      if (levels[unit] !== level) {
        ofNames.add(nameIn(cells, same, cell), placeOf(cell), cell, votes[cell] ?? 0);
        ofContests.add(contest, placeOf(cell), cell, own);
        continue;
      }
      if (!isCandidate(unit)) continue;
      const key = `${unit} ${contest}`;
      const known = totals.get(key);
      if (known) known.push(cell);
      else {
        totals.set(key, [cell]);
        claims.set(`${contest} ${placeOf(cell)}`, (claims.get(`${contest} ${placeOf(cell)}`) ?? 0) + 1);
      }
    }
    const compared = [...totals.values()].flatMap((own): (Compared & { unit: number })[] => {
      const [first = 0] = own;
      const [unit, contest] = [cells.unitOf[first] ?? 0, contestOf(cells, same, first)];
      const parts = ofContests.of(contest, placeOf(first));
      const sum = own.reduce((all, cell) => all + (isLabel[cells.nameOf[cell] ?? 0] ? 0 : (votes[cell] ?? 0)), 0);
      // Contests that no other unit has are no total of anything, nor are many units of one.
      if (!parts || (claims.get(`${contest} ${placeOf(first)}`) ?? 0) > MOST_TOTALS) return [];
      const named = own.filter((cell) => !isLabel[cells.nameOf[cell] ?? 0]);
      const inParts = named.map((cell) => ofNames.of(nameIn(cells, same, cell), placeOf(cell))?.votes);
      // Votes for other names than those of the parts are no sum of them; a total may have some of the names only.
      const isOfParts = named.some((cell, at) => inParts[at] !== undefined && (votes[cell] ?? 0) > 0);
      if (sum > 0 && !isOfParts) return [];
      const isEachEqual = named.every((cell, at) => (votes[cell] ?? 0) === (inParts[at] ?? 0));
      const ofThese = inParts.reduce<number>((all, each) => all + (each ?? 0), 0);
      const whole = { unit, contest, cells: own, votes: sum, parts: parts.votes, isEachEqual };
      const inNames = { ...whole, parts: ofThese };
      const name = unitNames[unit] ?? '';
      // Precincts may write names, or parties, otherwise than the total: what its own names do not show, the contest does.
      const isShown = totalKind(name, inNames) === EQUAL || totalKind(name, whole) === undefined;
      return [named.length > 0 && isShown ? inNames : whole];
    });
    for (const [unit, group] of Map.groupBy(compared, (each) => each.unit)) {
      const name = unitNames[unit] ?? '';
      const isSum = group.filter((each) => each.votes === each.parts).length >= group.length * TOTAL_SHARE;
      const kinds = group.map((each) => (plain ? totalKind(name, each) : isSum ? EQUAL : undefined));
      // What is called a total, and is none of its place, may be one of other units: nothing rests on its votes.
      if (plain)
        for (const [at, each] of group.entries())
          if (kinds[at] === undefined) for (const cell of each.cells) bounds.least[cell] = 0;
      for (const [kind, found] of Map.groupBy(group.keys(), (at) => kinds[at])) {
        if (kind === undefined) continue;
        const own = found.map((at) => group[at] as Compared);
        const sum = (of: (each: Compared) => number) => own.reduce((all, each) => all + of(each), 0);
        const counts = sum((each) => each.cells.length);
        findings.push({
          kind,
          ...describe(cells, unit),
          counts,
          votes: sum((each) => each.votes),
          others: sum((each) => each.parts),
        });
        for (const each of own) {
          const all = ofAll.of(each.contest, 0)?.votes ?? 0;
          const isWider = Math.abs(all - each.votes) <= all * (1 - TOTAL_SHARE);
          settle(kind, each, isWider, (cell) => ofNames.of(nameIn(cells, same, cell), placeOf(cell)));
        }
      }
    }
    if (!plain) for (const unit of cells.units.keys()) if (isCandidate(unit)) levels[unit] = undefined;
  }
  findSums(cells, same, bounds, levels, places, dropped, findings);
  return dropped;

  /**
   * Gives what a total has more or less than its parts to them.
   * @param isWider true if it has the votes of all places: it is the total of them, not of its own.
   */
  function settle(
    kind: Finding['kind'],
    { cells: own, votes: all, parts }: Compared,
    isWider: boolean,
    partsOfName: (cell: number) => { readonly votes: number; readonly first: number } | undefined,
  ): void {
    for (const cell of own) {
      const inParts = partsOfName(cell);
      // A name that the parts lack, in a total that has more than they: nothing else has its votes.
      if (!inParts && kind !== EQUAL && all > parts && !isWider) continue;
      dropped[cell] = 1;
      if (!inParts || kind === EQUAL) continue;
      const difference = (votes[cell] ?? 0) - inParts.votes;
      const change = (of: Float64Array, by: number) => {
        of[inParts.first] = (of[inParts.first] ?? 0) + by;
        if (of === votes) ofTotals.set(inParts.first, (ofTotals.get(inParts.first) ?? 0) + by);
      };
      // Rows without a precinct that are no total: nothing says whose votes they are, so that they are in doubt.
      if (kind === 'rows-without-a-precinct') change(bounds.most, votes[cell] ?? 0);
      else if (kind === 'total-below-its-parts') {
        // Some of its parts are there twice: the total is counted, and the parts are the most that it may be.
        change(votes, difference);
        change(bounds.least, difference);
      } else if (difference < 0) change(bounds.least, difference);
      else if (difference > 0 && !isWider) {
        change(votes, difference);
        change(bounds.most, difference);
      } else if (difference > 0) change(bounds.most, difference);
    }
  }
}

const EQUAL = 'rows-are-a-total';

const contestOf = (cells: Cells, { contests }: SameNames, cell: number) => contests[writtenContestOf(cells, cell)] ?? 0;
const nameIn = (cells: Cells, { names }: SameNames, cell: number) => names[cells.nameOf[cell] ?? 0] ?? 0;

/** Returns what the numbers of a contest make a unit that is named as a total, or not at all; undefined for a unit of its own. */
function totalKind(name: string, { votes, parts, isEachEqual }: Compared): Finding['kind'] | undefined {
  if (votes === parts && isEachEqual) return EQUAL;
  if (Math.abs(votes - parts) <= parts * (1 - TOTAL_SHARE)) return 'total-near-its-parts';
  if (name === '') return votes > parts ? 'total-of-incomplete-parts' : 'rows-without-a-precinct';
  if (votes > parts && votes <= parts * MOST_TIMES) return 'total-of-incomplete-parts';
  // Its parts are there twice. A unit with still fewer votes is a small one of its own, whatever its name says.
  return parts > votes && parts <= votes * MOST_TIMES ? 'total-below-its-parts' : undefined;
}

function describe(cells: Cells, unit: number): { county: string; precinct: string } {
  const { area = 0 } = cells.units[unit] ?? {};
  return { county: cells.areas[area]?.county ?? '', precinct: nameOf(cells, unit) };
}

/**
 * Finds the towns that stand beside their precincts: `Essex` beside `Essex 1` and `Essex 2`, and `Essex City` again. Only a town that
 * is the sum of the units whose names begin with its own, or half of it, is one.
 */
function findTownsOfPrecincts(
  cells: Cells,
  same: SameNames,
  votes: Float64Array,
  isLabel: readonly boolean[],
  places: readonly Readonly<Record<Level, number>>[],
  dropped: Uint8Array,
  findings: Finding[],
): void {
  const groups = new Map<number, readonly number[]>();
  const wanted = new Set<number>();
  for (const [, units] of Map.groupBy(places.keys(), (unit) => places[unit]?.county ?? 0)) {
    const named = units
      .map((unit) => ({ unit, name: normalName(nameOf(cells, unit)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const [at, { unit, name }] of named.entries()) {
      if (name === '') continue;
      let end = at + 1;
      while (named[end]?.name.startsWith(`${name} `)) end++;
      if (end - at - 1 < FEWEST_PRECINCTS) continue;
      groups.set(
        unit,
        named.slice(at + 1, end).map((each) => each.unit),
      );
      for (let each = at; each < end; each++) wanted.add(named[each]?.unit ?? 0);
    }
  }
  if (groups.size === 0) return;
  const inUnits = new Map([...wanted].map((unit) => [unit, new Map<number, number>()]));
  for (let cell = 0; cell < cells.size; cell++) {
    const sums = isLabel[cells.nameOf[cell] ?? 0] ? undefined : inUnits.get(cells.unitOf[cell] ?? 0);
    const contest = contestOf(cells, same, cell);
    sums?.set(contest, (sums.get(contest) ?? 0) + (votes[cell] ?? 0));
  }
  const towns = new Map<number, ReadonlySet<number>>();
  for (const [unit, parts] of groups) {
    const compared = [...(inUnits.get(unit) ?? [])].flatMap(([contest, all]) => {
      const shown = parts.flatMap((part) => inUnits.get(part)?.get(contest) ?? []);
      const sum = shown.reduce((total, each) => total + each, 0);
      return shown.length >= FEWEST_PRECINCTS && (all > 0 || sum > 0) ? [{ contest, all, sum }] : [];
    });
    const [once, twice] = [1, 2].map((times) => compared.filter(({ all, sum }) => sum === all * times)) as [
      typeof compared,
      typeof compared,
    ];
    const equal = once.length + twice.length;
    if (equal < FEWEST_CONTESTS || equal < compared.length * TOWN_SHARE) continue;
    // Of the precincts, one is the town again.
    const again = parts.find(
      (part) => twice.length > 0 && twice.every(({ contest, all }) => inUnits.get(part)?.get(contest) === all),
    );
    if (twice.length > 0 && again === undefined) continue;
    const contests = new Set(compared.map(({ contest }) => contest));
    towns.set(unit, contests);
    if (again !== undefined) towns.set(again, contests);
    const sum = compared.reduce((all, each) => all + each.all, 0);
    findings.push({ kind: EQUAL, ...describe(cells, unit), counts: compared.length, votes: sum, others: sum });
  }
  for (let cell = 0; cell < cells.size; cell++)
    if (towns.get(cells.unitOf[cell] ?? 0)?.has(contestOf(cells, same, cell))) dropped[cell] = 1;
}

/**
 * Finds units with another name that are the sum of all others of their county, in each count or in nearly all: a slip in one precinct
 * makes no precinct of a total. Where the two differ, either may be right.
 */
function findSums(
  cells: Cells,
  same: SameNames,
  { votes, least, most }: Bounds,
  levels: readonly (Level | undefined)[],
  places: readonly Readonly<Record<Level, number>>[],
  dropped: Uint8Array,
  findings: Finding[],
): void {
  const sums = new PlaceSums();
  const counties = Map.groupBy(places.keys(), (unit) => places[unit]?.county ?? 0);
  const countyOfCell = (cell: number) => places[cells.unitOf[cell] ?? 0]?.county ?? 0;
  for (let cell = 0; cell < cells.size; cell++)
    if (dropped[cell] === 0) sums.add(nameIn(cells, same, cell), countyOfCell(cell), cell, votes[cell] ?? 0);
  const partsOfCell = (cell: number) =>
    (sums.of(nameIn(cells, same, cell), countyOfCell(cell))?.votes ?? 0) - (votes[cell] ?? 0);
  const partsIn = (unit: number) => (counties.get(places[unit]?.county ?? 0)?.length ?? 0) - 1;
  const compared = new Map<number, { contests: Set<number>; names: number; votes: number; unequal: number[] }>();
  for (let cell = 0; cell < cells.size; cell++) {
    const [unit, own] = [cells.unitOf[cell] ?? 0, votes[cell] ?? 0];
    if (dropped[cell] === 1 || levels[unit] !== undefined || (own === 0 && partsOfCell(cell) === 0)) continue;
    if (partsIn(unit) < 2) continue;
    const known = compared.get(unit) ?? { contests: new Set(), names: 0, votes: 0, unequal: [] };
    compared.set(unit, known);
    if (own !== partsOfCell(cell)) known.unequal.push(cell);
    else {
      known.contests.add(contestOf(cells, same, cell));
      known.names++;
      known.votes += own;
    }
  }
  const found = [...compared].filter(([unit, { contests, names, votes: sum, unequal }]) =>
    partsIn(unit) < FEWEST_PARTS
      ? unequal.length === 0 && contests.size >= FEWEST_OF_TWO && sum >= FEWEST_VOTES
      : unequal.length > 0
        ? contests.size >= MANY_CONTESTS && names >= (names + unequal.length) * EQUAL_SHARE && sum >= FEWEST_VOTES
        : contests.size >= FEWEST_CONTESTS || (names >= FEWEST_NAMES && sum >= FEWEST_VOTES),
  );
  if (found.length === 0) return;
  const units = new Set(found.map(([unit]) => unit));
  const changes = new Map<string, number>();
  const keyOf = (cell: number) => `${nameIn(cells, same, cell)} ${countyOfCell(cell)}`;
  for (const [unit, { contests, votes: sum, unequal }] of found) {
    const place = describe(cells, unit);
    findings.push({ kind: EQUAL, ...place, counts: contests.size, votes: sum, others: sum });
    for (const cell of unequal) {
      const [own, parts] = [votes[cell] ?? 0, partsOfCell(cell)];
      changes.set(keyOf(cell), own - parts);
      const kind = 'total-near-its-parts';
      findings.push({ kind, ...place, contest: textOf(cells, cell), counts: 1, votes: own, others: parts });
    }
  }
  for (let cell = 0; cell < cells.size; cell++) {
    if (dropped[cell] === 1) continue;
    if (units.has(cells.unitOf[cell] ?? 0)) dropped[cell] = 1;
    else if (changes.size > 0) {
      const change = changes.get(keyOf(cell));
      if (change === undefined) continue;
      if (change > 0) most[cell] = (most[cell] ?? 0) + change;
      else least[cell] = (least[cell] ?? 0) + change;
      changes.delete(keyOf(cell));
    }
  }
}
