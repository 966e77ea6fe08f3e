import { basename } from 'node:path';
import { isCalendarDate } from '../../base/dates.ts';
import { normalName } from '../../base/words/normal-name.ts';
import { type State, stateByPostal } from '../../base/words/states.ts';
import type { ReportKind } from '../exchange/report-kinds.ts';
import { pseudoCandidate } from '../facts/counted-words.ts';
import { type County, countiesOf, countyNamed } from '../facts/counties.ts';
import { type Ballots, countBallots, FEDERAL, UnitVotes } from './ballots.ts';
import { alikeKey, countsNoChoice, isLastNameFirst, type NameVotes, type Precinct } from './candidates.ts';
import { withoutFraction } from './cell-text.ts';
import type { Area, Cells, RawContest } from './cells.ts';
import { isNoContest, isNoPerson, isTotalName } from './dialect.ts';
import type { KnownDistricts } from './known-districts.ts';
import { lawOn } from './laws.ts';
import type { ContestNames } from './name-contest.ts';
import { numbering, PairNumbers } from './pair-numbers.ts';
import { placeContest } from './place-contest.ts';
import type { DraftRace, FileCount, FileRace, UnplacedContest } from './races.ts';
import type { ReadRows } from './read-rows.ts';
import type { SameNames, Sums } from './sum.ts';

interface Part {
  readonly contest: number;
  readonly area: number;
  readonly race: number;
}

/** Returns the contests of a file that rows declare to be one, whatever their texts, and the names of each that are equal. */
export function sameNames({ contests, names: texts }: Cells, names: ContestNames): SameNames {
  const numberOf = numbering();
  const ofContests = contests.map((raw, index) => {
    const state = stateByPostal(raw.state);
    const named = state && names.of(state, raw);
    if (!named) return numberOf(`${index}`);
    const { row, code, position, isSpecial } = named;
    const isOne = row.kind === '' ? '' : `${raw.office} ${raw.district}`;
    return numberOf(
      JSON.stringify([
        raw.state,
        raw.date,
        raw.stage,
        raw.party,
        raw.isSpecial || isSpecial,
        row.scope,
        row.name,
        code,
        position,
        isOne,
      ]),
    );
  });
  const ofNames = texts.map(({ contest, text, party }) =>
    numberOf(`${ofContests[contest]} ${normalName(text)} ${party}`),
  );
  return { contests: ofContests, names: ofNames };
}

/**
 * Names and places the contests of a file, and adds up their votes by race.
 * @param withPrecincts whether the votes of each precinct are kept too.
 */
export function countRaces(
  file: string,
  { cells, malformed, lineOf }: ReadRows,
  sums: Sums,
  names: ContestNames,
  known: KnownDistricts,
  withPrecincts: boolean,
): FileCount {
  const draft = new Draft(file, cells, names, known);
  const partNumbers = new PairNumbers();
  const parts: Part[] = [];
  const partOf = (cell: number): Part => {
    const contest = cells.names[cells.nameOf[cell] ?? 0]?.contest ?? 0;
    const area = cells.units[cells.unitOf[cell] ?? 0]?.area ?? 0;
    const number = partNumbers.of(contest, area);
    parts[number] ??= { contest, area, race: draft.raceOf(contest, area) };
    return parts[number];
  };
  const isCell = (cell: number) => sums.isTotal[cell] === 0 && cells.isCounted(cell);
  const race = new Int32Array(cells.size);
  const alike = new AlikeNames();
  for (let cell = 0; cell < cells.size; cell++) {
    if (!isCell(cell)) continue;
    race[cell] = partOf(cell).race;
    const { text = '', party = '' } = cells.names[cells.nameOf[cell] ?? 0] ?? {};
    alike.add(race[cell] ?? 0, text, party);
  }
  const open = blankCells(cells, sums, (cell) => {
    const { contest = 0 } = cells.names[cells.nameOf[cell] ?? 0] ?? {};
    return parts[partNumbers.find(contest, cells.units[cells.unitOf[cell] ?? 0]?.area ?? 0)]?.race ?? -1;
  });
  for (const [cell, own] of open) {
    race[cell] = own;
    const { text = '', party = '' } = cells.names[cells.nameOf[cell] ?? 0] ?? {};
    alike.add(own, text, party);
  }
  const nameNumbers = new PairNumbers();
  const votes: (NameVotes & { readonly race: number })[] = [];
  const perUnit = new UnitVotes();
  const unitsOfContests = new PairNumbers();
  const precincts: Precinct[] = [];
  for (let cell = 0; cell < cells.size; cell++) {
    if (!isCell(cell) && !open.has(cell)) continue;
    const unit = cells.unitOf[cell] ?? 0;
    const own = race[cell] ?? 0;
    const name = cells.names[cells.nameOf[cell] ?? 0];
    if (!name) continue;
    const { text, party, record } = name;
    const number = nameNumbers.of(own, cells.nameOf[cell] ?? 0);
    votes[number] ??= {
      race: own,
      text,
      party,
      votes: 0,
      least: 0,
      most: 0,
      hidden: 0,
      isPartHidden: false,
      counts: 0,
      repeated: 0,
      isWriteIn: true,
      line: lineOf(record),
      bad: name.bad && `line ${lineOf(name.bad.record)}: votes: ${JSON.stringify(name.bad.text.slice(0, 80))}`,
      file,
      units: alike.has(own, text) ? new Set() : undefined,
      precincts: withPrecincts ? new Map() : undefined,
    };
    const of = votes[number];
    of.votes += sums.votes[cell] ?? 0;
    of.least += sums.least[cell] ?? 0;
    of.most += (sums.most[cell] ?? 0) + (cells.hiddenMost.get(cell) ?? 0);
    of.hidden += cells.hidden[cell] ?? 0;
    of.isPartHidden ||= cells.hiddenMost.has(cell) || open.has(cell);
    if (cells.isCounted(cell)) of.counts++;
    if ((cells.totals[cell] ?? 0) > 1) of.repeated++;
    of.isWriteIn &&= cells.isWriteIn(cell);
    if ((sums.votes[cell] ?? 0) > 0) of.units?.add(unit);
    const { area = 0, precinct = '' } = cells.units[unit] ?? {};
    if (of.precincts && precinct !== '') {
      const { county = '', town = '' } = cells.areas[area] ?? {};
      precincts[unit] ??= { file: basename(file), county, town, precinct };
      const isKnown = (cells.hidden[cell] ?? 0) === 0 && !cells.hiddenMost.has(cell) && !open.has(cell);
      of.precincts.set(precincts[unit], isKnown ? (sums.votes[cell] ?? 0) - (sums.ofTotals.get(cell) ?? 0) : null);
    }
    const label = pseudoCandidate(text);
    if (label !== 'turnout') perUnit.add(own, unit, sums.votes[cell] ?? 0, sums.least[cell] ?? 0);
    // Labels without a person contradict nothing: `3` with all candidates, and `003` with the write-ins.
    if (label === null) unitsOfContests.of(name.contest, unit);
    if (own < 0 && !countsNoChoice(text)) draft.addRest(own, unit, text, sums.votes[cell] ?? 0);
    draft.addMagnitude(own, cells.magnitude[cell] ?? 0);
  }
  const ballots = countBallots(draft.races, perUnit, (unit) => draft.countyOf(cells.units[unit]?.area ?? 0));
  for (const [cell, own] of open) {
    const of = votes[nameNumbers.find(own, cells.nameOf[cell] ?? 0)];
    if (of) of.most += ballots.mostIn(own, cells.unitOf[cell] ?? 0);
  }
  const contradictory = contradictoryRaces(draft, cells, unitsOfContests, parts);
  const outliers = ballots.outliers.map(({ race: number, unit, ...counts }) => {
    const { area = 0, precinct = '' } = cells.units[unit] ?? {};
    const { office = '', district = '' } = draft.races[number]?.raw ?? {};
    const where = [file, office, district, cells.areas[area]?.county, precinct];
    return { record: where.filter(Boolean).join(' | '), ...counts };
  });
  return { ...draft.finish({ votes, ballots, contradictory, malformed, strays: draft.strays(perUnit) }), outliers };
}

/**
 * Returns the cells of races, with the race, whose votes are not known: a count is left blank that another candidate of the contest
 * has in the unit. A unit in which all counts are blank does not vote on the contest.
 */
function blankCells(
  cells: Cells,
  { isTotal, votes }: Sums,
  raceOf: (cell: number) => number,
): ReadonlyMap<number, number> {
  const open = new Map<number, number>();
  if (!cells.blank.some((blanks) => blanks > 0)) return open;
  const units = new PairNumbers();
  const fewest: number[] = [];
  const isLabel = cells.names.map(({ text }) => pseudoCandidate(text) !== null && !isNoPerson(text));
  for (let cell = 0; cell < cells.size; cell++) {
    if (isTotal[cell] === 1 || (isLabel[cells.nameOf[cell] ?? 0] && votes[cell] === 0)) continue;
    const own = raceOf(cell);
    if (own < 0) continue;
    const number = units.of(own, cells.unitOf[cell] ?? 0);
    fewest[number] = Math.min(fewest[number] ?? Number.POSITIVE_INFINITY, cells.blanksOf(cell));
    if (!isLabel[cells.nameOf[cell] ?? 0] && cells.blanksOf(cell) > 0) open.set(cell, own);
  }
  for (const [cell, own] of open)
    if (cells.blanksOf(cell) <= (fewest[units.find(own, cells.unitOf[cell] ?? 0)] ?? 0)) open.delete(cell);
  return open;
}

/** A group of rows that is not placed. */
interface DraftRest {
  readonly raw: RawContest;
  readonly county: { readonly text: string; readonly isKnown: boolean };
  readonly reason: string | undefined;
  readonly kind: ReportKind;
  readonly date: string;
  /** The office that a row declares, though the district is not there. */
  readonly officeKey: string | undefined;
  /** Its votes without a name, by units. */
  readonly unnamed: Map<number, number>;
  isOfPersons: boolean;
}

/** Returns what the districts of an office have in common. */
function officeKey(
  { state, date, stage, isSpecial }: Pick<DraftRace, 'state' | 'date' | 'stage' | 'isSpecial'>,
  party: string,
  { scope, name }: DraftRace['named']['row'],
): string {
  return [state.postal, date, stage, isSpecial, party, scope, name].join('|');
}

const STAGES = new Map([
  ['GEN', 'General'],
  ['GENERAL', 'General'],
  ['PRI', 'Primary'],
  ['PRIMARY', 'Primary'],
  ['RUNOFF', 'General Runoff'],
  ['GEN RUNOFF', 'General Runoff'],
  ['GENERAL RUNOFF', 'General Runoff'],
  ['PRI RUNOFF', 'Primary Runoff'],
  ['PRIMARY RUNOFF', 'Primary Runoff'],
]);

/** The races of a file, and what is left, by the contests and areas of its rows. Numbers below 0 are what is left. */
class Draft {
  readonly races: DraftRace[] = [];
  readonly #rest: DraftRest[] = [];
  readonly #restNumbers = new Map<string, number>();
  readonly #raceNumbers = new Map<string, number>();
  readonly #file: string;
  readonly #cells: Cells;
  readonly #names: ContestNames;
  readonly #known: KnownDistricts;
  readonly #counties = new Map<string, County | undefined>();
  readonly #ofFile = new Map<string, Set<string>>();
  readonly #recalls: { readonly state: string; readonly date: string; readonly text: string }[] = [];
  readonly #ofAreas: (string | undefined)[] = [];

  constructor(file: string, cells: Cells, names: ContestNames, known: KnownDistricts) {
    this.#file = file;
    this.#cells = cells;
    this.#names = names;
    this.#known = known;
    for (const { office, state, date } of cells.contests) {
      const plain = normalName(office);
      if (` ${plain} `.includes(' recall ')) this.#recalls.push({ state, date, text: ` ${plain} ` });
    }
  }

  addMagnitude(race: number, seats: number): void {
    if (race >= 0 && seats > 0) this.races[race]?.magnitudes.add(seats);
  }

  /** Returns the number of the race of the rows of a contest in an area; below 0 if they are not placed. */
  raceOf(contest: number, area: number): number {
    const raw = this.#cells.contests[contest] as RawContest;
    const place = this.#cells.areas[area] as Area;
    const { county: countyText, town, townFips } = place;
    const state = stateByPostal(raw.state);
    let county: County | undefined;
    const rest = (reason: string | undefined, kind?: ReportKind, office?: string) =>
      this.#left(raw, { text: countyText, isKnown: county !== undefined }, reason, kind, office);
    if (!state) return rest(`${JSON.stringify(raw.state)} is not a state`);
    const date = dayOf(raw);
    if (!date) return rest(`${JSON.stringify(raw.date)} is not the day of the election: --date states it`);
    const isTotal = isTotalName(countyText);
    county = countyText === '' || isTotal ? undefined : this.#county(state, place, date);
    this.#ofAreas[area] = county?.geoid;
    if (county) this.#inFile(state.postal).add(county.geoid);
    const [ofStage = '', ofRecount] = raw.stage.split(' RECOUNT');
    const stage = STAGES.get(ofStage);
    if (!stage) return rest(`the stage ${raw.stage} is not known`);
    const named = this.#names.of(state, raw, county);
    if (!named) return rest(undefined);
    const isSpecial = raw.isSpecial || named.isSpecial;
    const placed = placeContest(
      named,
      { state, date, isSpecial, county, countyText: isTotal ? '' : countyText, town, townFips },
      this.#known,
    );
    const ofOffice = officeKey({ state, date, stage, isSpecial }, raw.party, named.row);
    if (typeof placed === 'string') return rest(placed, undefined, ofOffice);
    if ('reason' in placed) return rest(placed.reason, placed.kind, ofOffice);
    const question = named.row.kind === '' ? '' : normalName(`${raw.office} ${raw.district}`);
    const office = placed.office?.id.value ?? `${placed.place.id.value} ${named.row.scope}`;
    const key = [state.postal, date, stage, isSpecial, office, placed.position ?? '', raw.party, question].join('|');
    const recount = ofRecount === undefined ? 0 : Number(ofRecount) || 1;
    // A text that may be of a city or county is no other spelling of one that names the state, until its counties are known.
    const group = `${key} ${named.row.isOfWholeState} ${recount}`;
    const number = this.#raceNumbers.get(group) ?? this.races.length;
    if (number === this.races.length) {
      this.#raceNumbers.set(group, number);
      const { scope, name } = named.row;
      this.races.push({
        key,
        contests: new Set(),
        raw,
        state,
        date,
        stage,
        isSpecial,
        recount,
        named,
        placed,
        law: {
          state: state.postal,
          date,
          scope,
          name,
          code: named.code === '' ? '' : (placed.place.id.value.split(':').at(-1) ?? ''),
          isSpecial,
        },
        counties: new Set(),
        magnitudes: new Set(),
      });
    }
    const race = this.races[number] as DraftRace;
    race.contests.add(contest);
    if (county) race.counties.add(county.geoid);
    return number;
  }

  /** Returns the county of an area; undefined if it is none of the closed list. */
  countyOf(area: number): string | undefined {
    return this.#ofAreas[area];
  }

  #inFile(state: string): Set<string> {
    const known = this.#ofFile.get(state) ?? new Set<string>();
    this.#ofFile.set(state, known);
    return known;
  }

  /** Returns the county of a text, or of a code where a county and a city have one name: `BALTIMORE`, 24005. */
  #county(state: State, { county: text, countyFips }: Area, date: string): County | undefined {
    const key = `${state.postal} ${text} ${countyFips}`;
    const ofCode = () =>
      countiesOf(state.postal, date).find(({ geoid }) => geoid === withoutFraction(countyFips).padStart(5, '0'));
    if (!this.#counties.has(key)) this.#counties.set(key, countyNamed(state.postal, text, date) ?? ofCode());
    return this.#counties.get(key);
  }

  #left(
    raw: RawContest,
    county: DraftRest['county'],
    reason: string | undefined,
    kind: ReportKind = 'unplaced-contests',
    ofOffice?: string,
  ): number {
    const key = [
      raw.state,
      raw.date,
      raw.stage,
      raw.isSpecial,
      raw.office,
      raw.district,
      raw.party,
      county.text,
      reason,
    ].join('\n');
    const known = this.#restNumbers.get(key);
    if (known !== undefined) return known;
    const date = dayOf(raw) ?? raw.date;
    this.#rest.push({ raw, county, reason, kind, date, officeKey: ofOffice, unnamed: new Map(), isOfPersons: false });
    this.#restNumbers.set(key, -this.#rest.length);
    return -this.#rest.length;
  }

  /** Adds votes of what is not placed. */
  addRest(number: number, unit: number, text: string, votes: number): void {
    const rest = this.#rest[-number - 1];
    if (!rest?.officeKey) return;
    if (pseudoCandidate(text) === null) rest.isOfPersons = true;
    else rest.unnamed.set(unit, (rest.unnamed.get(unit) ?? 0) + votes);
  }

  /**
   * Returns the votes of each race that have another district: those without a name, in its units, of a contest of its office that is not
   * placed and has no persons. A contest with persons may be one of its own.
   */
  strays(perUnit: UnitVotes): ReadonlyMap<number, number> {
    const keyed = Map.groupBy(
      this.#rest.flatMap((rest) =>
        rest.isOfPersons ? [] : [...rest.unnamed].map(([unit, votes]) => ({ key: `${rest.officeKey} ${unit}`, votes })),
      ),
      ({ key }) => key,
    );
    const strays = new Map<number, number>();
    if (keyed.size > 0)
      perUnit.forEach((number, unit) => {
        const race = this.races[number] as DraftRace;
        for (const { votes } of keyed.get(`${officeKey(race, race.raw.party, race.named.row)} ${unit}`) ?? [])
          strays.set(number, (strays.get(number) ?? 0) + votes);
      });
    return strays;
  }

  /** Returns whether the file has a question whether the holder of the office is recalled. */
  isRecall({ raw }: DraftRace): boolean {
    const office = ` ${normalName(raw.office)} `;
    return this.#recalls.some(
      ({ state, date, text }) => state === raw.state && date === raw.date && text !== office && text.includes(office),
    );
  }

  finish({
    votes,
    ballots,
    contradictory,
    malformed,
    strays,
  }: {
    readonly strays: ReadonlyMap<number, number>;
    readonly votes: readonly (NameVotes & { readonly race: number })[];
    readonly ballots: Ballots;
    readonly contradictory: ReadonlySet<number>;
    readonly malformed: ReadRows['malformed'];
  }): Omit<FileCount, 'outliers'> {
    const byRace = Map.groupBy(votes, ({ race }) => race);
    const malformedTexts = malformed.map(({ cells }) => cells.map((cell) => cell.trim()));
    // Those of Congress and president may have another source than the others.
    const textsOf = (isFederal: boolean) =>
      votes.flatMap(({ race, text }) =>
        race >= 0 && FEDERAL.has(this.races[race]?.named.row.scope ?? '') === isFederal ? [text] : [],
      );
    const [others, federal] = [false, true].map((isFederal) => new Set(textsOf(isFederal))) as [
      Set<string>,
      Set<string>,
    ];
    const isReversed = [isLastNameFirst(others, federal), isLastNameFirst(federal, others)];
    const races = this.races.map((race, number): FileRace => {
      const names = byRace.get(number) ?? [];
      const { written, hasMalformed } = this.#written(race, malformedTexts);
      return {
        ...race,
        file: this.#file,
        party: race.raw.party,
        isRecall: this.isRecall(race),
        written,
        names,
        isLastNameFirst: isReversed[Number(FEDERAL.has(race.named.row.scope))] === true,
        units: ballots.units(number),
        ballots: ballots.of(number),
        // Of rows with other cells than the header the number of votes is unknown.
        missing:
          hasMalformed || mayBeTwoPersons(names)
            ? Number.POSITIVE_INFINITY
            : ballots.missing(number) + (strays.get(number) ?? 0),
        strays: strays.get(number) ?? 0,
        isContradictory: contradictory.has(number),
        line: Math.min(...names.map(({ line }) => line)),
      };
    });
    const noContests = new Set<string>();
    const unplaced = this.#rest.flatMap(({ raw, county, reason, kind, date }, index): UnplacedContest[] => {
      const names = (byRace.get(-index - 1) ?? []).filter(({ text }) => !countsNoChoice(text));
      if (isNoContest(raw.office) || names.length === 0) {
        noContests.add(raw.office);
        return [];
      }
      const unplaced: UnplacedContest = {
        file: this.#file,
        state: raw.state,
        date,
        stage: STAGES.get(raw.stage) ?? raw.stage,
        isSpecial: raw.isSpecial,
        party: raw.party,
        office: raw.office,
        district: raw.district,
        county: county.text,
        isCountyKnown: county.isKnown,
        names: names.map(({ text, party, votes: own }) => ({ name: text, party, votes: own })),
        reason,
        kind,
        line: Math.min(...names.map(({ line }) => line)),
      };
      return [unplaced];
    });
    return {
      races,
      unplaced,
      noContests: [...noContests],
      counties: this.#ofFile,
    };
  }

  #written({ contests }: DraftRace, malformed: readonly (readonly string[])[]) {
    const raws = [...contests].map((contest) => this.#cells.contests[contest] as RawContest);
    const written = new Set(raws.map(({ office, district }) => `${office}${district === '' ? '' : ` | ${district}`}`));
    const hasMalformed = malformed.some((cells) =>
      raws.some(({ office, district }) => cells.includes(office) && (district === '' || cells.includes(district))),
    );
    return { written, hasMalformed };
  }
}

/** Returns whether a name has several rows wherever it has any, and another one has not: two persons of one name would be written so. */
function mayBeTwoPersons(names: readonly NameVotes[]): boolean {
  const named = names.filter(({ text }) => pseudoCandidate(text) === null);
  return (
    named.some(({ counts, repeated }) => repeated > 0 && repeated === counts) &&
    named.some(({ repeated }) => repeated === 0)
  );
}

/** Finds the names of a race that may be spellings of one: they have the same last name. */
class AlikeNames {
  readonly #texts = new Map<string, Set<string>>();
  readonly #keys = new Map<string, string>();
  #last = '';

  add(race: number, text: string, party: string): void {
    const own = `${text}\n${party}`;
    if (race < 0 || this.#last === `${race} ${own}`) return;
    this.#last = `${race} ${own}`;
    const key = `${race} ${this.#key(text)}`;
    const known = this.#texts.get(key);
    if (known) known.add(own);
    else this.#texts.set(key, new Set([own]));
  }

  has(race: number, text: string): boolean {
    return race >= 0 && (this.#texts.get(`${race} ${this.#key(text)}`)?.size ?? 0) > 1;
  }

  #key(text: string): string {
    const known = this.#keys.get(text) ?? alikeKey(text);
    this.#keys.set(text, known);
    return known;
  }
}

/** Returns the races of which two contests have rows in one unit. */
function contradictoryRaces(
  draft: Draft,
  cells: Cells,
  units: PairNumbers,
  parts: readonly Part[],
): ReadonlySet<number> {
  const several = new Set(
    draft.races.flatMap(({ contests, named }, race) => (contests.size > 1 && named.row.kind === '' ? [race] : [])),
  );
  if (several.size === 0) return several;
  const raceOfPart = new Map(parts.map(({ contest, area, race }) => [`${contest} ${area}`, race]));
  const owner = new Map<string, number>();
  const found = new Set<number>();
  for (let number = 0; number < units.size; number++) {
    const [contest, unit] = [units.firstOf(number), units.secondOf(number)];
    const race = raceOfPart.get(`${contest} ${cells.units[unit]?.area}`) ?? -1;
    if (!several.has(race)) continue;
    const key = `${race} ${unit}`;
    if ((owner.get(key) ?? contest) !== contest) found.add(race);
    owner.set(key, contest);
  }
  return found;
}

const MONTH_DAY_YEAR = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/;

/**
 * Returns the day of an election: as written, as `11/5/24`, or the Tuesday after the first Monday of November for the year of a general
 * election; undefined for another text.
 */
export function dayOf({
  date,
  stage,
  isSpecial,
}: Pick<RawContest, 'date' | 'stage' | 'isSpecial'>): string | undefined {
  if (isCalendarDate(date.slice(0, 10))) return date.slice(0, 10);
  const [, month = '', day = '', year = ''] = MONTH_DAY_YEAR.exec(date) ?? [];
  if (year) return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (date.length !== 4 || !Number.isInteger(Number(date)) || isSpecial || STAGES.get(stage) !== 'General')
    return undefined;
  const first = new Date(`${date}-11-01T00:00:00Z`).getUTCDay();
  return `${date}-11-0${2 + ((8 - first) % 7)}`;
}

/** Returns whether the candidates of each party compete in a contest of their own. */
export function isPartyPrimary(names: ContestNames): (contest: RawContest) => boolean {
  return (contest) => {
    if (!contest.stage.startsWith('PRI')) return false;
    const state = stateByPostal(contest.state);
    const date = dayOf(contest);
    const row = state && names.of(state, contest)?.row;
    if (!row || !date) return true;
    return (
      row.kind === '' &&
      lawOn('all-party-primary', { state: contest.state, date, scope: row.scope, name: row.name }) === undefined
    );
  };
}
