import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { normalName } from '../matching.ts';
import { compareNames, type PersonName, parsePersonName } from '../persons/person-name.ts';
import { choiceOf } from './choices.ts';
import { lastNamesFirst, usualOrder } from './name-order.ts';
import { isNoneOfThese, personName, pseudoCandidate, writtenInName } from './names.ts';
import { NAMES_ALL_WRITE_INS } from './written-in-names.ts';

/** A spelling of a candidate's name that is not the one with the most votes. */
export interface JoinedSpelling {
  /** The office of the contest, as the source writes it. */
  readonly office: string;
  readonly name: string;
  readonly into: string;
  readonly votes: number;
}

/** A name in a contest. */
export interface SpelledName {
  readonly contest: number;
  readonly office: string;
  readonly candidate: string;
  readonly party: string;
  readonly isWriteIn: boolean;
  readonly votes: number;
  /** True if the results list every spelling that a voter wrote: only equal names are certain to be one candidate. */
  readonly isOfVoters: boolean;
}

/** A name and the spelling of it that stands for all. */
export interface Joined extends SpelledName {
  readonly into: string;
}

interface Parsed extends SpelledName {
  readonly parsed: PersonName;
}

/** Two names of a contest that may be one person. */
export interface Pair {
  readonly one: Parsed;
  readonly other: Parsed;
  /** True if the names are certain to be the same even if voters of one precinct wrote one of them in. */
  readonly isCertain: boolean;
  /** True if the names differ only in the order of their parts: `ROE, ANN` and `ANN ROE`. */
  readonly isEqual: boolean;
}

/**
 * Joins the spellings of a candidate within each contest: names with the same last name, compatible first names and no
 * different party, which have no votes in the same precinct. A name that was written in may also be that of a printed
 * candidate of the precinct. Marks names such as `WRITE-IN: JANE ROE` as written in. Returns the joined spellings.
 */
export async function joinSpellings(db: Database): Promise<JoinedSpelling[]> {
  await renameInCells(db, await markedNames(db));
  const names = await readNames(db);
  const pairs = [...Map.groupBy(names, ({ contest }) => contest).values()].flatMap(pairsOf);
  if (pairs.length === 0) return [];
  const joined = joinPairs(pairs, await inOnePrecinct(db, pairs));
  await renameInCells(
    db,
    joined.map(({ contest, candidate, into, isWriteIn }) => ({ contest, candidate, into, isWriteIn })),
  );
  return joined.map(({ office, candidate, into, votes }) => ({ office, name: candidate, into, votes }));
}

/**
 * Joins names of which each two are a pair, if they have no votes in the same place, or one of them was written in there.
 * @param met the indexes of the pairs of which both names have votes in one place.
 */
export function joinPairs(pairs: readonly Pair[], met: ReadonlySet<number>): Joined[] {
  const groups = new Map<Parsed, Set<Parsed>>();
  const isCompatible = (a: Parsed, b: Parsed) =>
    pairs.some(
      ({ one, other, isCertain, isEqual }, index) =>
        ((one === a && other === b) || (one === b && other === a)) &&
        (isEqual || !met.has(index) || (isCertain && one.isWriteIn !== other.isWriteIn)),
    );
  for (const { one, other } of pairs) {
    const [a, b] = [groups.get(one) ?? new Set([one]), groups.get(other) ?? new Set([other])];
    if (a === b || ![...a].every((x) => [...b].every((y) => isCompatible(x, y)))) continue;
    const group = a.union(b);
    for (const name of group) groups.set(name, group);
  }
  return [...new Set(groups.values())].flatMap((group) => {
    const [main, ...others] = [...group].toSorted(
      (a, b) => Number(a.isWriteIn) - Number(b.isWriteIn) || b.votes - a.votes || (a.candidate < b.candidate ? -1 : 1),
    );
    return others.map((name) => ({ ...name, into: main?.candidate ?? name.candidate }));
  });
}

interface Rename {
  readonly contest: number | null;
  readonly candidate: string;
  readonly into: string;
  readonly isWriteIn: boolean;
}

/** Returns the names that are marked as written in, or have the last name first, in all contests. */
async function markedNames(db: Database): Promise<Rename[]> {
  const { rows } = await sql<{ contest: number; candidate: string }>`/* import.spellings.distinct */
    select contest, candidate from (select distinct contest, candidate from result_cells) as names order by 1, 2`.execute(
    db,
  );
  const isPerson = (name: string) => pseudoCandidate(name) === null && !choiceOf(name) && !isNoneOfThese(name);
  const plain = new Map(rows.map(({ candidate }) => [candidate, writtenInName(candidate)]));
  const nameOf = (candidate: string) => plain.get(candidate)?.name ?? candidate;
  const persons = rows
    .map(({ contest, candidate }) => ({ contest, candidate: nameOf(candidate) }))
    .filter(({ candidate }) => isPerson(candidate));
  const reversed = lastNamesFirst(persons);
  return [...plain]
    .map(([candidate, { name, isWriteIn }]) => ({
      contest: null,
      candidate,
      into: reversed.has(name) ? usualOrder(name) : name,
      isWriteIn,
    }))
    .filter(({ candidate, into }) => candidate !== into);
}

/** Returns the names of the contests. */
async function readNames(db: Database): Promise<SpelledName[]> {
  const { rows } = await sql<SpelledName>`/* import.spellings.names */
    select contest, office, candidate, party, "isWriteIn", votes, state_po = any(${NAMES_ALL_WRITE_INS}) as "isOfVoters"
    from (
      select contest, candidate, coalesce(min(party), '') as party, bool_and(is_write_in) as "isWriteIn",
        sum(votes) as votes
      from result_cells group by contest, candidate
    ) as names
    join result_contests using (contest) order by contest, candidate`.execute(db);
  return rows;
}

/** Returns the pairs of names of a contest that may be one person. */
export function pairsOf(names: readonly SpelledName[]): Pair[] {
  const persons = names.flatMap((name): Parsed[] => {
    const { candidate } = name;
    if (pseudoCandidate(candidate) !== null || choiceOf(candidate) || isNoneOfThese(candidate)) return [];
    const parsed = / AND |\/|&/.test(candidate) ? undefined : parsePersonName(personName(candidate));
    return parsed ? [{ ...name, parsed }] : [];
  });
  return [...Map.groupBy(persons, ({ parsed }) => parsed.last.slice(-3)).values()].flatMap((some) =>
    some.flatMap((one, index) =>
      some.slice(index + 1).flatMap((other) => {
        if (one.party !== '' && other.party !== '' && one.party !== other.party) return [];
        const agreement = compareNames(one.parsed, other.parsed);
        if (!agreement || agreement.first === 'loose') return [];
        const isEqual = normalName(personName(one.candidate)) === normalName(personName(other.candidate));
        if (one.isOfVoters && !isEqual) return [];
        return [{ one, other, isCertain: agreement.first === 'same' && !agreement.suffixInOne, isEqual }];
      }),
    ),
  );
}

/** Returns the indexes of the pairs of which both names have votes in one precinct. */
async function inOnePrecinct(db: Database, pairs: readonly Pair[]): Promise<ReadonlySet<number>> {
  const list = JSON.stringify(
    pairs.map(({ one, other }, index) => ({ index, contest: one.contest, one: one.candidate, other: other.candidate })),
  );
  const { rows } = await sql<{ index: number }>`/* import.spellings.precincts */
    select distinct p.index
    from jsonb_to_recordset(${list}::jsonb) as p(index integer, contest integer, one text, other text)
    join result_cells as a on a.contest = p.contest and a.candidate = p.one and a.votes > 0
    join result_cells as b on b.contest = p.contest and b.candidate = p.other and b.unit = a.unit and b.votes > 0`.execute(
    db,
  );
  return new Set(rows.map(({ index }) => index));
}

async function renameInCells(db: Database, names: readonly Rename[]): Promise<void> {
  if (names.length === 0) return;
  for (const table of ['result_cells', 'result_parties']) {
    const mark = table === 'result_cells' ? sql`, is_write_in = c.is_write_in or r."isWriteIn"` : sql``;
    await sql`/* import.spellings.rename */
      update ${sql.table(table)} as c set candidate = r.into ${mark}
      from jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
        as r(contest integer, candidate text, "into" text, "isWriteIn" boolean)
      where c.candidate = r.candidate and (r.contest is null or r.contest = c.contest)`.execute(db);
  }
}
