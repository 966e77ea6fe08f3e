import { choiceOf } from './choices.ts';
import { pseudoCandidate } from './names.ts';
import { isCountyOffice } from './offices.ts';
import { doubtOf } from './precinct-ballots.ts';
import type { ResultCells } from './result-cells.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';

/** The least share of the votes of the first name of a precinct that a name has which competes with it. */
const RIVAL_SHARE = 0.1;
/** The least share of the votes of a name in the precincts in which it competes with another one. */
const COMMON_SHARE = 0.25;
/** A smaller share of the votes of its rival does not show that a name is a candidate. */
const MINOR_SHARE = 0.05;
/** The least share of their votes that the candidates of a district have in precincts where one of them leads. */
const OWN_SHARE = 0.5;
/** Fewer votes do not show that a name is a candidate. */
const FEWEST_VOTES = 20;

interface UnitRow extends SumRow {
  readonly unit: number;
}

/**
 * Divides contests without a district by their precincts: candidates who compete in none of them are candidates of
 * different districts, which the source does not name. All votes for a candidate are in one part, except a few that were
 * written in, in a county with other candidates. Returns the rows, with the number of the part for these contests.
 */
export function divideByPrecinct(
  cells: ResultCells,
  sums: readonly SumRow[],
  ballots: ReadonlyMap<number, number>,
): SumRow[] {
  const rowsOf = Map.groupBy(sums, ({ contest }) => contest);
  const chosen = cells.contests.filter((row) => mayBeSeveral(row, rowsOf.get(row.contest) ?? []));
  const cellsOf = new Map(chosen.map(({ contest }): [number, number[]] => [contest, []]));
  if (cellsOf.size === 0) return [...sums];
  cells.forEach((cell) => {
    cellsOf.get(cells.contestOf(cell))?.push(cell);
  });
  const divided = new Map(
    [...cellsOf].map(([contest, some]) => [contest, divide(some.map((cell) => unitRow(cells, cell, ballots)))]),
  );
  return [...sums.filter(({ contest }) => (divided.get(contest) ?? []).length === 0), ...[...divided.values()].flat()];
}

function unitRow(cells: ResultCells, cell: number, ballots: ReadonlyMap<number, number>): UnitRow {
  const { county_name, county_fips, jurisdiction_name, jurisdiction_fips } = cells.placeOf(cell);
  const bad = cells.badOf(cell);
  return {
    contest: cells.contestOf(cell),
    part: 0,
    unit: cells.unitOf(cell),
    county_name,
    county_fips,
    jurisdiction_name,
    jurisdiction_fips,
    candidate: cells.candidateOf(cell),
    record: cells.names[cells.nameOf(cell)]?.record ?? 0,
    votes: cells.votesOf(cell),
    hidden: cells.hiddenOf(cell),
    bad_record: bad?.record ?? null,
    bad_votes: bad?.text ?? null,
    precincts: 1,
    doubt: doubtOf(cells, cell, ballots),
    party: cells.partyOf(cell),
    is_write_in: cells.isWriteIn(cell),
    magnitude: cells.magnitudeOf(cell),
  };
}

/**
 * Returns whether a contest can be several: one without a district, with three names or more. An officer of a county is
 * elected in all of it.
 */
function mayBeSeveral({ office, district }: ContestRow, rows: readonly SumRow[]): boolean {
  if (district.trim() !== '' && !/^(NA|NAN|NULL|0+)$/i.test(district.trim())) return false;
  if (isCountyOffice(office)) return false;
  if (/^(U\.?S\.?|UNITED STATES) |^(PRESIDENT|GOVERNOR|LIEUTENANT GOVERNOR)\b/i.test(office)) return false;
  const votes = new Map<string, number>();
  for (const row of rows) votes.set(row.candidate, (votes.get(row.candidate) ?? 0) + row.votes);
  const common = [...votes].filter(([, count]) => count >= FEWEST_VOTES).map(([name]) => name);
  return common.filter((name) => pseudoCandidate(name) === null && choiceOf(name) === undefined).length >= 3;
}

/** Returns the rows of a contest with the numbers of its parts; no rows if it is one contest. */
function divide(rows: readonly UnitRow[]): SumRow[] {
  const names = new Set(rows.map(({ candidate }) => candidate));
  const persons = new Set([...names].filter((name) => pseudoCandidate(name) === null));
  const named = rows.filter(({ candidate, votes }) => votes > 0 && persons.has(candidate));
  const units = Map.groupBy(named, ({ unit }) => unit);
  const total = new Map<string, number>();
  /** The votes of a name in the units in which it competes with another one. */
  const shared = new Map<string, Map<string, number>>();
  const firstOf = new Map<number, string>();
  for (const [unit, some] of units) {
    const [first] = some.toSorted((a, b) => b.votes - a.votes);
    if (!first) continue;
    firstOf.set(unit, first.candidate);
    for (const { candidate, votes } of some) total.set(candidate, (total.get(candidate) ?? 0) + votes);
    const rivals = some.filter(({ votes }) => votes >= first.votes * RIVAL_SHARE);
    for (const one of rivals)
      for (const other of rivals)
        if (one !== other) {
          const of = shared.get(one.candidate) ?? new Map<string, number>();
          shared.set(one.candidate, of.set(other.candidate, (of.get(other.candidate) ?? 0) + one.votes));
        }
  }
  const groupOf = new Map([...total.keys()].map((name) => [name, new Set([name])]));
  const pairs = [...shared].flatMap(([one, of]) => [...of].map(([other, votes]) => ({ one, other, votes })));
  for (const { one, other, votes } of pairs) {
    const [a, b] = [groupOf.get(one), groupOf.get(other)];
    if (!a || !b || a === b || votes < (total.get(one) ?? 0) * COMMON_SHARE) continue;
    // Names that a few voters wrote in everywhere do not connect the candidates of different districts.
    if ((total.get(one) ?? 0) < (total.get(other) ?? 0) * MINOR_SHARE) continue;
    for (const name of a.union(b)) groupOf.set(name, a.union(b));
  }
  const votesOf = (group: ReadonlySet<string>) => [...group].reduce((sum, name) => sum + (total.get(name) ?? 0), 0);
  // A name with votes here and there, who leads in a precinct or two, is a candidate of the contest of the others.
  const isAhead = (group: ReadonlySet<string>) => {
    const where = named.filter(({ candidate, unit }) => group.has(candidate) && group.has(firstOf.get(unit) ?? ''));
    return where.reduce((sum, { votes }) => sum + votes, 0) >= votesOf(group) * OWN_SHARE;
  };
  const parts = [
    ...new Map([...groupOf.values()].map((group) => [[...group].sort().join('\n'), group])).values(),
  ].filter((group) => votesOf(group) >= FEWEST_VOTES && isAhead(group));
  if (parts.length < 2) return [];
  const partOfName = new Map(parts.flatMap((group, index) => [...group].map((name) => [name, index + 1] as const)));
  const partOfCounty = largestParts(named, partOfName);
  const sums = new Map<string, SumRow>();
  const inCounty = Map.groupBy(rows, ({ county_name, candidate }) => `${county_name}\n${candidate}`);
  const isStray = ({ county_name, candidate }: UnitRow) => {
    const own = inCounty.get(`${county_name}\n${candidate}`) ?? [];
    return own.every((row) => row.is_write_in) && own.reduce((sum, { votes }) => sum + votes, 0) < FEWEST_VOTES;
  };
  for (const each of rows) {
    const { unit, ...row } = each;
    const ofCounty = partOfCounty.get(row.county_name);
    const ofName = partOfName.get(row.candidate);
    // A few votes in another county for a candidate who was written in there are votes of the contest of that county.
    const isOfCounty = ofName !== undefined && ofCounty !== undefined && ofName !== ofCounty && isStray(each);
    const part =
      (isOfCounty ? ofCounty : ofName) ?? partOfName.get(firstOf.get(unit) ?? '') ?? ofCounty ?? parts.length + 1;
    const key = [part, row.county_name, row.jurisdiction_name, row.candidate].join('\n');
    const known = sums.get(key);
    sums.set(key, known ? added(known, row) : { ...row, part });
  }
  return [...sums.values()];
}

/** Returns the part with the most votes in each county. */
function largestParts(rows: readonly UnitRow[], partOfName: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const largest = new Map<string, number>();
  for (const [county, some] of Map.groupBy(rows, ({ county_name }) => county_name)) {
    const votes = new Map<number, number>();
    for (const row of some) {
      const part = partOfName.get(row.candidate);
      if (part !== undefined) votes.set(part, (votes.get(part) ?? 0) + row.votes);
    }
    const [first] = [...votes].toSorted((a, b) => b[1] - a[1]);
    if (first) largest.set(county, first[0]);
  }
  return largest;
}

function added(one: SumRow, other: Omit<UnitRow, 'unit'>): SumRow {
  const bad = one.bad_record === null ? other : one;
  return {
    ...one,
    votes: one.votes + other.votes,
    hidden: one.hidden + other.hidden,
    bad_record: bad.bad_record,
    bad_votes: bad.bad_votes,
    precincts: one.precincts + other.precincts,
    doubt: one.doubt + other.doubt,
    party: one.party || other.party,
    is_write_in: one.is_write_in && other.is_write_in,
    magnitude: Math.max(one.magnitude, other.magnitude),
  };
}
