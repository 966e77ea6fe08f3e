import { normalName } from '../../base/words/normal-name.ts';
import { stateByPostal } from '../../base/words/states.ts';
import { isQuestionOf } from './choices.ts';
import { STANDARD_NAME } from './contest-offices.ts';
import { escaped, namesDistrict } from './contest-places.ts';
import { isPartyAsName, pseudoCandidate } from './names.ts';
import { plainOffice } from './office-spellings.ts';
import { isHigherCourt, isOfEachCounty, isStatewideName } from './offices.ts';
import { isStateQuestion } from './questions.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';

/** The minimum share of the votes in an area that makes a name a candidate there, not one written in by a few. */
const CANDIDATE_SHARE = 0.1;
/** With fewer votes, an area does not show who its candidates are. */
const FEWEST_VOTES = 20;

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
  /** True if other rows of the office and district have some of the candidates: they may be votes of the contest. */
  readonly isIncomplete: boolean;
}

/** Returns the rows as one contest. */
function asOne(rows: readonly SumRow[]): ContestRows {
  return { rows, isStray: false, isIncomplete: false };
}

/**
 * Divides the rows of an office and a district into contests. Counties vote together where the law or a stated number says
 * so; otherwise only if all their candidates are the same, and so do the towns of a county. A statewide question is one
 * contest; a local one is a contest in each county or town, unless its text names the district that votes on it.
 */
export function divideContest(
  row: ContestRow,
  rows: readonly SumRow[],
  { counties, towns, isPartial }: FileAreas,
): ContestRows[] {
  const whole = [asOne(rows)];
  const office = row.office.toUpperCase();
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
  if (row.state_po.toUpperCase() === 'NH' && /\b(HOUSE|REPRESENTATIVE)\b/.test(office) && !IN_CONGRESS.test(office))
    return [...Map.groupBy(rows, ({ county_name }) => county_name).values()].map(asOne);
  if (isOneByLaw(row)) return whole;
  if (!isElectedInEachCounty(office, row.district) && isOfAllCounties(rows, counties)) return whole;
  const parts = [...Map.groupBy(rows, ({ part }) => part).values()];
  const rule = isElectedInEachCounty(office, row.district)
    ? 'apart'
    : statesDistrict(row, inCounties)
      ? 'common'
      : 'all';
  return parts.flatMap((some) =>
    joined(some, ({ county_name }) => county_name, rule).flatMap((part) =>
      part.isStray || rule === 'apart' ? [part] : divideByTown(part),
    ),
  );
}

/** Returns whether a state elects an office as a whole or in districts that are numbered in all of it. */
export function isOneByLaw({ office: written, district, dataverse, state_po }: ContestRow): boolean {
  const office = written.toUpperCase();
  if (IN_CONGRESS.test(office) || /^(PRESIDENT|GOVERNOR|LIEUTENANT GOVERNOR)\b/.test(office)) return true;
  if (district.trim() !== '' && (/^(HOUSE|SENATE)$/i.test(dataverse) || STANDARD_NAME.test(plainOffice(written))))
    return true;
  const state = stateByPostal(state_po);
  if (state === undefined) return false;
  const isNamed = isStatewideName(office, state);
  if (isNamed || !/^(STATE|PRESIDENT)$/i.test(dataverse) || isOfEachCounty(office)) return isNamed;
  if (district.trim() === '') return isHigherCourt(office, state);
  return !OF_COURT.test(office) || /^STATEWIDE\b/i.test(district) || isHigherCourt(office, state);
}

const IN_CONGRESS = /^(U\.?S\.?|UNITED STATES) /;
const OF_COURT =
  /\b(COURTS?|JUDGES?|JUSTICES?|JUDICIAL|ATTORNEY(?! GENERAL)|CHANCER\w+|DEFENDER|PROSECUT\w+|SOLICITOR|MAGISTRATES?)\b/;
/** The least share of the counties of a file in which a candidate stands who stands in the whole state. */
const ALL_COUNTIES = 0.9;

/** Returns whether a candidate has votes in nearly all counties of a file, three or more. */
function isOfAllCounties(rows: readonly SumRow[], counties: number): boolean {
  const least = Math.max(3, counties * ALL_COUNTIES);
  const persons = rows.filter(({ candidate, votes }) => votes > 0 && pseudoCandidate(candidate) === null);
  return [...Map.groupBy(persons, ({ candidate }) => normalName(candidate)).values()].some(
    (of) => new Set(of.map(({ county_name }) => county_name).filter(isArea)).size >= least,
  );
}

/** Courts and prosecutors whose districts a state numbers, and offices whose districts each county numbers. */
const NUMBERED_BY_STATE =
  /\b(JUDICIAL|CIRCUIT|PROBATE|APPELLATE|APPEALS?|SUPERIOR COURT|CHANCERY|DISTRICT (COURT|JUDGE|ATTORNEY)|PROSECUT\w+|DEFENDER)\b/;
const NUMBERED_BY_COUNTY = /\b(MAGISTRATES?|PEACE|CONSTABLE|COUNTY|JUSTICE COURT)\b/;

/**
 * Returns whether a district is stated that counties may share: by the number of a court, a prosecutor or another office of the
 * state, or by the name of a city, a school or a special district, or of several of the counties, in the text.
 */
function statesDistrict(row: ContestRow, counties: ReadonlySet<string>): boolean {
  const [office, district] = [plainOffice(row.office), row.district.toUpperCase()];
  const text = `${office} ${district}`;
  const named = [...counties].filter((name) => new RegExp(`\\b${escaped(name.toUpperCase())}\\b`).test(office));
  if (named.length > 1) return true;
  const isOfState =
    /^STATE$/i.test(row.dataverse) || (NUMBERED_BY_STATE.test(text) && !NUMBERED_BY_COUNTY.test(office));
  if (isOfState && (/\d/.test(district) || /\b(DISTRICT|CIRCUIT) (NO\.? ?)?\d|\d(ST|ND|RD|TH)\b/.test(office)))
    return true;
  const state = stateByPostal(row.state_po);
  if (state && isHigherCourt(office, state)) return true;
  return state !== undefined && namesDistrict(state, office, district);
}

/**
 * Returns whether each county elects a holder of the office. Judges of county courts, and those of numbered districts, have
 * districts of several counties.
 */
function isElectedInEachCounty(office: string, district: string): boolean {
  const isOfCourt = /\b(COURT|JUDGES?|JUSTICES?)\b/.test(office);
  if (isOfCourt && /^\d+[A-Z]?$/.test(district)) return false;
  return isOfEachCounty(office) || (/^COUNTY /.test(office) && !isOfCourt);
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
    return parts.map(asOne);
  });
}

/** Divides the contest of a county if most of its towns have candidates of their own. */
function divideByTown(whole: ContestRows): ContestRows[] {
  const { rows, isIncomplete } = whole;
  const towns = new Set(rows.map(({ jurisdiction_name }) => jurisdiction_name).filter(isArea));
  if (towns.size < 2) return [whole];
  const parts = joined(rows, ({ county_name, jurisdiction_name }) => `${county_name}|${jurisdiction_name}`, 'common');
  const townsOf = ({ rows: of }: ContestRows) => new Set(of.map(({ jurisdiction_name }) => jurisdiction_name)).size;
  if (Math.max(...parts.map(townsOf)) * 2 > towns.size) return [whole];
  return parts.map((part) => ({ ...part, isIncomplete: part.isIncomplete || isIncomplete }));
}

/**
 * What shows that areas vote on one contest: `all` of their candidates are the same, they have a candidate in `common`,
 * which is enough with a stated number or within a county, or nothing does, as each county elects an officer: `apart`.
 */
type Rule = 'all' | 'common' | 'apart';

/** A name in an area, without letter case, with the party that the source gives it there. */
interface Named {
  readonly votes: number;
  readonly party: string;
  readonly isWriteIn: boolean;
}

interface CountedArea {
  readonly rows: readonly SumRow[];
  readonly votes: number;
  readonly names: ReadonlyMap<string, Named>;
  /** The names with enough votes to be candidates in the area. */
  readonly candidates: ReadonlySet<string>;
}

/**
 * Groups rows by areas that vote on one contest. An area with few votes joins the only group that has all of its names,
 * and does not connect groups. Names that a few voters wrote in where no candidate stands are a stray group.
 */
function joined(rows: readonly SumRow[], areaOf: (row: SumRow) => string, rule: Rule): ContestRows[] {
  const areas = [...Map.groupBy(rows, areaOf).values()].map(countArea);
  if (areas.length === 1) return [asOne(rows)];
  const isLarge = ({ votes, candidates }: CountedArea) => votes >= FEWEST_VOTES && candidates.size > 0;
  let groups: CountedArea[][] = [];
  for (const area of areas.filter(isLarge)) {
    const own = rule === 'apart' ? [] : groups.filter((group) => isOfGroup(area, group, rule));
    groups = [...groups.filter((group) => !own.includes(group)), [...own.flat(), area]];
  }
  const found = groups.map((group) => ({
    rows: group.flatMap((area) => area.rows),
    names: new Set(group.flatMap(({ names }) => [...names.keys()])),
    candidates: new Set(group.flatMap(({ candidates }) => [...candidates])),
    isStray: false,
  }));
  for (const area of areas.filter((each) => !isLarge(each)).toSorted((a, b) => b.votes - a.votes)) {
    const homes = found.filter(
      ({ names, isStray }) => !isStray && [...area.names.keys()].some((name) => names.has(name)),
    );
    const [home, other] = homes.filter(({ names }) => [...area.names.keys()].every((name) => names.has(name)));
    const isStray = groups.length > 0 && (area.votes === 0 || area.rows.every(isWrittenIn));
    if (rule !== 'apart' && home && !other) home.rows.push(...area.rows);
    else if (isStray && homes[0]) homes[0].rows.push(...area.rows);
    else
      found.push({
        rows: [...area.rows],
        names: new Set(area.names.keys()),
        candidates: area.candidates as Set<string>,
        isStray,
      });
  }
  const shared = (group: (typeof found)[number]) =>
    rule !== 'apart' && found.some((other) => other !== group && !group.candidates.isDisjointFrom(other.candidates));
  return found.map((group) => ({ rows: group.rows, isStray: group.isStray, isIncomplete: shared(group) }));
}

function isOfGroup(area: CountedArea, group: readonly CountedArea[], rule: Rule): boolean {
  if (rule === 'common') return group.some(({ candidates }) => !candidates.isDisjointFrom(area.candidates));
  return group.every((other) => hasAllOf(area, other) && hasAllOf(other, area));
}

/**
 * Returns whether an area has all names of another: its candidates with votes and without a contradiction of their parties,
 * and a row for each of the others, unless voters wrote it in. One name alone is enough only if it has three words, because
 * two persons may have the same first and last name.
 */
function hasAllOf(area: CountedArea, other: CountedArea): boolean {
  const [only, ...more] = other.candidates;
  if (only !== undefined && more.length === 0 && only.split(' ').length < 3) return false;
  return [...other.names].every(([name, { votes, party, isWriteIn }]) => {
    const own = area.names.get(name);
    if (!own) return isWriteIn || votes === 0;
    const isSameParty = own.party === party || own.party === '' || party === '';
    return isSameParty && (own.votes > 0 || !other.candidates.has(name));
  });
}

function countArea(rows: readonly SumRow[]): CountedArea {
  const named = rows.filter(({ candidate }) => pseudoCandidate(candidate) === null && !isPartyAsName(candidate));
  const votes = named.reduce((sum, row) => sum + row.votes, 0);
  const names = new Map(
    [...Map.groupBy(named, ({ candidate }) => normalName(candidate))].map(([name, of]) => [
      name,
      {
        votes: of.reduce((sum, row) => sum + row.votes, 0),
        party: of.find(({ party }) => party !== '')?.party ?? '',
        isWriteIn: of.every(({ is_write_in }) => is_write_in),
      },
    ]),
  );
  const candidates = new Set(
    [...names].filter(([, of]) => of.votes > 0 && of.votes >= votes * CANDIDATE_SHARE).map(([name]) => name),
  );
  return { rows, votes, names, candidates };
}

/** Returns whether a row is of a name that voters wrote in, or of no name. */
function isWrittenIn({ candidate, is_write_in }: SumRow): boolean {
  return is_write_in || pseudoCandidate(candidate) !== null;
}
