import { normalName } from '../matching.ts';
import { compareNames, type PersonName, parsePersonName } from '../persons/person-name.ts';
import { choiceOf } from './choices.ts';
import { lastNamesFirst, usualOrder } from './name-order.ts';
import { isNoneOfThese, personName, pseudoCandidate, writtenInName } from './names.ts';
import type { ResultCells } from './result-cells.ts';
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
export function joinSpellings(cells: ResultCells): JoinedSpelling[] {
  renameMarked(cells);
  const names = namesOf(cells);
  const pairs = [...Map.groupBy(names, ({ contest }) => contest).values()].flatMap(pairsOf);
  if (pairs.length === 0) return [];
  const joined = joinPairs(pairs, inOnePrecinct(cells, pairs));
  const spellings = new Map(joined.map(({ contest, candidate, into }) => [`${contest} ${candidate}`, into]));
  for (const name of cells.names) name.candidate = spellings.get(`${name.contest} ${name.candidate}`) ?? name.candidate;
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

/** Renames the names that are marked as written in, or have the last name first, in all contests. */
function renameMarked(cells: ResultCells): void {
  const { names } = cells.distinctNames();
  const isPerson = (name: string) => pseudoCandidate(name) === null && !choiceOf(name) && !isNoneOfThese(name);
  const plain = new Map(names.map(({ candidate }) => [candidate, writtenInName(candidate)]));
  const isOfPerson = new Map([...plain.values()].map(({ name }) => [name, isPerson(name)]));
  const nameOf = (candidate: string) => plain.get(candidate)?.name ?? candidate;
  const persons = names
    .map(({ contest, candidate }) => ({ contest, candidate: nameOf(candidate) }))
    .filter(({ candidate }) => isOfPerson.get(candidate));
  const reversed = lastNamesFirst(persons);
  for (const name of cells.names) {
    const found = plain.get(name.candidate);
    if (!found) continue;
    const into = reversed.has(found.name) ? usualOrder(found.name) : found.name;
    if (into === name.candidate) continue;
    name.candidate = into;
    name.isMarked ||= found.isWriteIn;
  }
}

/** Returns the names of the contests, in their order. */
function namesOf(cells: ResultCells): SpelledName[] {
  const { names, numbers } = cells.distinctNames();
  const contests = new Map(cells.contests.map((row) => [row.contest, row]));
  const found = names.map(({ contest, candidate }) => ({
    contest,
    candidate,
    office: contests.get(contest)?.office ?? '',
    party: '',
    isWriteIn: true,
    votes: 0,
    isOfVoters: NAMES_ALL_WRITE_INS.includes(contests.get(contest)?.state_po ?? ''),
  }));
  cells.forEach((cell) => {
    const name = found[numbers[cells.nameOf(cell)] ?? -1];
    if (!name) return;
    const party = cells.partyOf(cell);
    if (party !== '' && (name.party === '' || party < name.party)) name.party = party;
    name.isWriteIn &&= cells.isWriteIn(cell);
    name.votes += cells.votesOf(cell);
  });
  return found.sort((a, b) => a.contest - b.contest || (a.candidate < b.candidate ? -1 : 1));
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
function inOnePrecinct(cells: ResultCells, pairs: readonly Pair[]): ReadonlySet<number> {
  const { names, numbers } = cells.distinctNames();
  const keyOf = ({ contest, candidate }: { contest: number; candidate: string }) => `${contest} ${candidate}`;
  const units = new Map(
    pairs.flatMap(({ one, other }) => [one, other]).map((name) => [keyOf(name), new Set<number>()]),
  );
  const unitsOf = names.map((name) => units.get(keyOf(name)));
  cells.forEach((cell) => {
    if (cells.votesOf(cell) > 0) unitsOf[numbers[cells.nameOf(cell)] ?? -1]?.add(cells.unitOf(cell));
  });
  const haveMet = ({ one, other }: Pair) =>
    !units.get(keyOf(one))?.isDisjointFrom(units.get(keyOf(other)) ?? new Set());
  return new Set(pairs.keys().filter((index) => haveMet(pairs[index] as Pair)));
}
