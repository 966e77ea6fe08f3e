import { isQuestionOf } from './choices.ts';
import { pseudoCandidate } from './names.ts';
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
}

/**
 * Divides the rows of an office and a district into contests. A sheriff is elected in each county: counties that have no
 * candidate in common vote in different contests, and so do the towns of a county. A statewide question is one contest;
 * a local one is a contest in each county or town, unless its text names the district that votes on it.
 */
export function divideContest(
  row: ContestRow,
  rows: readonly SumRow[],
  { counties, towns }: FileAreas,
): (readonly SumRow[])[] {
  const office = row.office.toUpperCase();
  if (/^(U\.?S\.?|UNITED STATES) |^(PRESIDENT|GOVERNOR|LIEUTENANT GOVERNOR)\b/.test(office)) return [rows];
  const ofState = /^(STATE|PRESIDENT|SENATE|HOUSE)$/i.test(row.dataverse);
  const names = new Set(rows.map(({ candidate }) => candidate).filter((name) => pseudoCandidate(name) === null));
  const inCounties = new Set(rows.map(({ county_name }) => county_name).filter(isArea));
  const isQuestion = isQuestionOf([...names]);
  if (isQuestion) {
    const isOne = ofState || inCounties.size >= Math.max(3, counties * 0.9) || namesItsDistrict(office);
    return isOne ? [rows] : divideQuestion(rows, towns);
  }
  // Districts of New Hampshire's House are numbered within each county, and its results have last names only.
  if (row.state_po.toUpperCase() === 'NH' && /\b(HOUSE|REPRESENTATIVE)\b/.test(office))
    return [...Map.groupBy(rows, ({ county_name }) => county_name).values()];
  // A district that the source names is one contest, however far from it voters wrote its candidates in.
  if (row.district.trim() !== '' && (ofState || /^STATE (HOUSE|SENAT|REP|ASSEMBLY)/.test(office))) return [rows];
  const parts = [...Map.groupBy(rows, ({ part }) => part).values()];
  return parts.flatMap((some) => joined(some, ({ county_name }) => county_name).flatMap((part) => divideByTown(part)));
}

function namesItsDistrict(office: string): boolean {
  return /\b(RETAIN(ED)?|RETENTION|JUDGE|JUSTICE|COURT)\b|\w DISTRICT\b|\b(CITY|TOWN|VILLAGE|COUNTY) OF \w|\w COUNTY\b/.test(
    office,
  );
}

/** Divides a question by counties, and by towns where fewer than half of the towns of a county vote on it. */
function divideQuestion(rows: readonly SumRow[], towns: FileAreas['towns']): (readonly SumRow[])[] {
  return [...Map.groupBy(rows, ({ county_name }) => county_name)].flatMap(([county, part]) => {
    const own = [...Map.groupBy(part, ({ jurisdiction_name }) => jurisdiction_name).values()];
    return own.length * 2 < (towns.get(county) ?? 1) ? own : [part];
  });
}

/** Divides the contest of a county if most of its towns have candidates of their own. */
function divideByTown(rows: readonly SumRow[]): (readonly SumRow[])[] {
  const towns = new Set(rows.map(({ jurisdiction_name }) => jurisdiction_name).filter(isArea));
  if (towns.size < 2) return [rows];
  const parts = joined(rows, ({ county_name, jurisdiction_name }) => `${county_name}|${jurisdiction_name}`);
  const townsOf = (part: readonly SumRow[]) => new Set(part.map(({ jurisdiction_name }) => jurisdiction_name)).size;
  return Math.max(...parts.map(townsOf)) * 2 <= towns.size ? parts : [rows];
}

/** Groups rows by areas that have a candidate in common. Areas with few votes go to the part that shares a name. */
function joined(rows: readonly SumRow[], areaOf: (row: SumRow) => string): (readonly SumRow[])[] {
  const areas = [...Map.groupBy(rows, areaOf).values()];
  if (areas.length === 1) return areas;
  const parts: { names: Set<string>; rows: SumRow[] }[] = [];
  const small: SumRow[][] = [];
  const all = rows.reduce((sum, { votes }) => sum + votes, 0);
  for (const area of areas) {
    const named = area.filter(({ candidate }) => pseudoCandidate(candidate) === null);
    const votes = named.reduce((sum, row) => sum + row.votes, 0);
    if (votes < Math.max(FEWEST_VOTES, all * LEAST_SHARE)) {
      small.push(area);
      continue;
    }
    const sums = [...Map.groupBy(named, ({ candidate }) => candidate)].map(([name, of]) => ({
      name,
      votes: of.reduce((sum, row) => sum + row.votes, 0),
    }));
    const names = new Set(sums.filter((sum) => sum.votes >= votes * CANDIDATE_SHARE).map(({ name }) => name));
    const shared = parts.filter((part) => [...names].some((name) => part.names.has(name)));
    const merged = {
      names: new Set([...names, ...shared.flatMap((part) => [...part.names])]),
      rows: [...shared.flatMap((part) => part.rows), ...area],
    };
    for (const part of shared) parts.splice(parts.indexOf(part), 1);
    parts.push(merged);
  }
  for (const area of small) {
    const home = area
      .toSorted((a, b) => b.votes - a.votes)
      .map(({ candidate }) => parts.find((part) => part.names.has(candidate)))
      .find((part) => part !== undefined);
    if (home) home.rows.push(...area);
    else parts.push({ names: new Set(area.map(({ candidate }) => candidate)), rows: area });
  }
  return parts.map((part) => part.rows);
}
