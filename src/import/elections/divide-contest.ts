import { isQuestionOf } from './choices.ts';
import { isPartyAsName, pseudoCandidate } from './names.ts';
import { isCountyOffice } from './offices.ts';
import { isStateQuestion } from './questions.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';

/** The minimum share of the votes in an area that makes a name a candidate there, not one written in by a few. */
const CANDIDATE_SHARE = 0.1;
/** With fewer votes, or a smaller share of the votes of the contest, an area does not show who its candidates are. */
const FEWEST_VOTES = 20;
const LEAST_SHARE = 0.02;

/** Returns whether a cell names a county or a town. */
export function isArea(name: string): boolean {
  return !/^(|NA|NAN|NULL|N\/A|STATE(WIDE)? FLOATING)$/i.test(name);
}

/** The areas for which a file has results. */
export interface FileAreas {
  /** The number of counties. */
  readonly counties: number;
  /** The number of towns of each county. */
  readonly towns: ReadonlyMap<string, number>;
  /** True if the file, or the joined files, have some counties of the state only. */
  readonly isPartial: boolean;
}

/** The rows of a contest. */
export interface ContestRows {
  readonly rows: readonly SumRow[];
  /** True if they are a few written-in votes in an area where no candidate stands, and not a contest. */
  readonly isStray: boolean;
}

/**
 * Divides the rows of an office and a district into contests. A sheriff is elected in each county: counties that have no
 * candidate in common vote in different contests, and so do the towns of a county. A statewide question is one contest;
 * a local one is a contest in each county or town, unless its text names the district that votes on it.
 */
export function divideContest(
  row: ContestRow,
  rows: readonly SumRow[],
  { counties, towns, isPartial }: FileAreas,
): ContestRows[] {
  const whole = [{ rows, isStray: false }];
  const office = row.office.toUpperCase();
  if (/^(U\.?S\.?|UNITED STATES) |^(PRESIDENT|GOVERNOR|LIEUTENANT GOVERNOR)\b/.test(office)) return whole;
  const ofState = /^(STATE|PRESIDENT|SENATE|HOUSE)$/i.test(row.dataverse);
  const names = new Set(rows.map(({ candidate }) => candidate).filter((name) => pseudoCandidate(name) === null));
  const inCounties = new Set(rows.map(({ county_name }) => county_name).filter(isArea));
  const isQuestion = isQuestionOf([...names]);
  if (isQuestion) {
    const isOne =
      ofState ||
      inCounties.size >= Math.max(3, counties * 0.9) ||
      namesItsDistrict(office) ||
      (isPartial && isStateQuestion(office, inCounties.size, towns.size));
    return isOne ? whole : divideQuestion(rows, towns);
  }
  // Districts of New Hampshire's House are numbered within each county, and its results have last names only.
  if (row.state_po.toUpperCase() === 'NH' && /\b(HOUSE|REPRESENTATIVE)\b/.test(office))
    return [...Map.groupBy(rows, ({ county_name }) => county_name).values()].map((of) => ({
      rows: of,
      isStray: false,
    }));
  // A district that the source names is one contest, however far from it voters wrote its candidates in.
  if (row.district.trim() !== '' && (ofState || /^STATE (HOUSE|SENAT|REP|ASSEMBLY)/.test(office))) return whole;
  const parts = [...Map.groupBy(rows, ({ part }) => part).values()];
  return parts.flatMap((some) =>
    joined(some, ({ county_name }) => county_name, isElectedInEachCounty(office, row.district)).flatMap((part) =>
      part.isStray || isElectedInEachCounty(office, row.district) ? [part] : divideByTown(part.rows),
    ),
  );
}

/**
 * Returns whether each county elects a holder of the office. Judges of county courts, and those of numbered districts, have
 * districts of several counties.
 */
function isElectedInEachCounty(office: string, district: string): boolean {
  const isOfCourt = /\b(COURT|JUDGES?|JUSTICES?)\b/.test(office);
  if (isOfCourt && /^\d+[A-Z]?$/.test(district)) return false;
  return isCountyOffice(office) || (/^COUNTY /.test(office) && !isOfCourt);
}

function namesItsDistrict(office: string): boolean {
  return /\b(RETAIN(ED)?|RETENTION|JUDGE|JUSTICE|COURT)\b|\w DISTRICT\b|\b(CITY|TOWN|VILLAGE|COUNTY) OF \w|\w COUNTY\b/.test(
    office,
  );
}

/** Divides a question by counties, and by towns where fewer than half of the towns of a county vote on it. */
function divideQuestion(rows: readonly SumRow[], towns: FileAreas['towns']): ContestRows[] {
  return [...Map.groupBy(rows, ({ county_name }) => county_name)].flatMap(([county, part]) => {
    const own = [...Map.groupBy(part, ({ jurisdiction_name }) => jurisdiction_name).values()];
    const parts = own.length * 2 < (towns.get(county) ?? 1) ? own : [part];
    return parts.map((of) => ({ rows: of, isStray: false }));
  });
}

/** Divides the contest of a county if most of its towns have candidates of their own. */
function divideByTown(rows: readonly SumRow[]): ContestRows[] {
  const whole = [{ rows, isStray: false }];
  const towns = new Set(rows.map(({ jurisdiction_name }) => jurisdiction_name).filter(isArea));
  if (towns.size < 2) return whole;
  const parts = joined(rows, ({ county_name, jurisdiction_name }) => `${county_name}|${jurisdiction_name}`);
  const townsOf = ({ rows: of }: ContestRows) => new Set(of.map(({ jurisdiction_name }) => jurisdiction_name)).size;
  return Math.max(...parts.map(townsOf)) * 2 <= towns.size ? parts : whole;
}

/** Areas that vote in one contest. */
interface Group {
  /** The names that are candidates in an area. */
  readonly names: ReadonlySet<string>;
  readonly rows: SumRow[];
  readonly isStray: boolean;
}

interface CountedArea {
  readonly rows: readonly SumRow[];
  readonly votes: number;
  /** All names, those with the most votes first. */
  readonly names: readonly string[];
  /** The names with enough votes to be candidates in the area. */
  readonly candidates: readonly string[];
}

/**
 * Groups rows by areas that have a candidate in common. An area with a small share of the votes joins the group that
 * shares one of its candidates, or with few votes one of its names, and does not connect groups. Names that a few voters
 * wrote in where no candidate stands are a stray group.
 * @param isOneEach whether each area elects an officer of its own, so that the same name in two areas is two candidates.
 */
function joined(rows: readonly SumRow[], areaOf: (row: SumRow) => string, isOneEach = false): ContestRows[] {
  const areas = [...Map.groupBy(rows, areaOf).values()].map(countArea);
  if (areas.length === 1) return [{ rows, isStray: false }];
  const all = areas.reduce((sum, { votes }) => sum + votes, 0);
  const isLarge = ({ votes }: CountedArea) => votes >= Math.max(FEWEST_VOTES, all * LEAST_SHARE);
  const groups: Group[] = [];
  for (const { candidates, rows: own } of areas.filter(isLarge)) {
    const shared = isOneEach ? [] : groups.filter(({ names }) => candidates.some((name) => names.has(name)));
    const group = {
      names: new Set([...candidates, ...shared.flatMap(({ names }) => [...names])]),
      rows: [...shared.flatMap((each) => each.rows), ...own],
      isStray: false,
    };
    for (const each of shared) groups.splice(groups.indexOf(each), 1);
    groups.push(group);
  }
  const small = areas.filter((area) => !isLarge(area)).toSorted((a, b) => b.votes - a.votes);
  for (const { votes, names, candidates, rows: own } of small) {
    const isFew = votes < FEWEST_VOTES;
    const home =
      groupWith(isFew ? names : isOneEach ? [] : candidates, ({ names: of }, name) => of.has(name)) ??
      (isFew ? groupWith(names, (group, name) => group.rows.some(({ candidate }) => candidate === name)) : undefined);
    const isStray = isFew && groups.length > 0 && (votes === 0 || own.every(isWrittenIn));
    if (home) home.rows.push(...own);
    else groups.push({ names: new Set(candidates), rows: [...own], isStray });
  }
  return groups;

  function groupWith(names: readonly string[], has: (group: Group, name: string) => boolean): Group | undefined {
    return names
      .map((name) => groups.find((group) => !group.isStray && has(group, name)))
      .find((group) => group !== undefined);
  }
}

function countArea(rows: readonly SumRow[]): CountedArea {
  const named = rows.filter(({ candidate }) => pseudoCandidate(candidate) === null);
  const votes = named.reduce((sum, row) => sum + row.votes, 0);
  const sums = [...Map.groupBy(named, ({ candidate }) => candidate)]
    .map(([name, of]) => ({ name, votes: of.reduce((sum, row) => sum + row.votes, 0) }))
    .toSorted((a, b) => b.votes - a.votes);
  const candidates = sums.filter((sum) => sum.votes >= votes * CANDIDATE_SHARE && !isPartyAsName(sum.name));
  return { rows, votes, names: sums.map(({ name }) => name), candidates: candidates.map(({ name }) => name) };
}

/** Returns whether a row is of a name that voters wrote in, or of no name. */
function isWrittenIn({ candidate, is_write_in }: SumRow): boolean {
  return is_write_in || pseudoCandidate(candidate) !== null;
}
