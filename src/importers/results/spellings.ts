import { normalName } from '../../base/words/normal-name.ts';
import { compareNames, type PersonName, parsePersonName } from '../facts/person-name.ts';
import { choiceOf } from './choices.ts';
import { isOneByLaw } from './divide-contest.ts';
import { lastNamesFirst, usualOrder } from './name-order.ts';
import { isNoneOfThese, personName, pseudoCandidate, writtenInName } from './names.ts';
import { PairNumbers } from './pair-numbers.ts';
import type { ResultCells } from './result-cells.ts';
import { numbersOf } from './subtotal-cells.ts';
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
  /** The county whose votes are counted; empty for all, where the state elects the office or numbers its districts. */
  readonly county: string;
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
 * Joins the spellings of a name: equal names without letter case and punctuation, whatever they name, in each contest; and names of
 * persons with the same last name, compatible first names and no different party, which have no votes in the same precinct, in
 * each county of a contest, or in all of a contest that is one by law. A name that was written in may also be that of a
 * printed candidate of the precinct. Marks names such as `WRITE-IN: JANE ROE` as written in. Returns the joined spellings.
 */
export function joinSpellings(cells: ResultCells): JoinedSpelling[] {
  renameMarked(cells);
  const equal = joinEqual(cells);
  const { names, numberOf } = namesOf(cells);
  const ordered = names.toSorted((a, b) => a.contest - b.contest || (a.candidate < b.candidate ? -1 : 1));
  const pairs = [...Map.groupBy(ordered, ({ contest, county }) => `${contest} ${county}`).values()].flatMap(pairsOf);
  if (pairs.length === 0) return equal;
  const numbers = new Map(names.map((name, number) => [keyOf(name), number]));
  const joined = joinPairs(pairs, inOnePrecinct(cells, pairs, numbers, numberOf));
  const into = new Map(joined.map((name) => [numbers.get(keyOf(name)) ?? -1, name.into]));
  cells.forEach((cell) => {
    const other = into.get(numberOf(cell));
    if (other !== undefined) cells.rename(cell, other);
  });
  return [
    ...equal,
    ...joined.map(({ office, candidate, into: one, votes }) => ({ office, name: candidate, into: one, votes })),
  ];
}

function keyOf({ contest, county, candidate }: SpelledName): string {
  return `${contest} ${county} ${candidate}`;
}

/** Joins the names of a contest that differ in letter case, punctuation or the order of first and last name. */
function joinEqual(cells: ResultCells): JoinedSpelling[] {
  const { names, numbers } = cells.distinctNames();
  const votes = new Float64Array(names.length);
  cells.forEach((cell) => {
    const name = numbers[cells.nameOf(cell)] ?? -1;
    votes[name] = (votes[name] ?? 0) + cells.votesOf(cell);
  });
  const offices = new Map(cells.contests.map(({ contest, office }) => [contest, office]));
  const all = names.map(({ contest, candidate }, index) => ({ contest, candidate, votes: votes[index] ?? 0 }));
  const groups = Map.groupBy(all, ({ contest, candidate }) => `${contest} ${equalKey(candidate)}`);
  const joined = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.toSorted((a, b) => b.votes - a.votes || (a.candidate < b.candidate ? -1 : 1));
    return others.map((name) => ({ ...name, into: first?.candidate ?? name.candidate }));
  });
  const into = new Map(joined.map((name) => [`${name.contest} ${name.candidate}`, name.into]));
  for (const name of cells.names) name.candidate = into.get(`${name.contest} ${name.candidate}`) ?? name.candidate;
  return joined.map((each) => ({
    office: offices.get(each.contest) ?? '',
    name: each.candidate,
    into: each.into,
    votes: each.votes,
  }));
}

/** Returns the same text for names that are equal. The label of a count is no name, and keeps its own words. */
function equalKey(candidate: string): string {
  const isLabel = pseudoCandidate(candidate) !== null || choiceOf(candidate) !== undefined;
  return (isLabel ? normalName(candidate) : normalName(personName(candidate))) || candidate;
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

/** Returns the names of each contest, or of each county of a contest that is not one by law, and the number of that of a cell. */
function namesOf(cells: ResultCells) {
  const { names: distinct, numbers } = cells.distinctNames();
  const contests = new Map(cells.contests.map((row) => [row.contest, { ...row, isWhole: isOneByLaw(row) }]));
  const isWhole = distinct.map(({ contest }) => contests.get(contest)?.isWhole === true);
  const counties = numbersOf(cells.units, ({ county_name }) => county_name);
  const pairs = new PairNumbers();
  const numberOf = (cell: number) => {
    const name = numbers[cells.nameOf(cell)] ?? 0;
    return pairs.of(name, isWhole[name] ? 0 : 1 + (counties[cells.unitOf(cell)] ?? 0));
  };
  const names: { -readonly [Key in keyof SpelledName]: SpelledName[Key] }[] = [];
  cells.forEach((cell) => {
    const number = numberOf(cell);
    const row = contests.get(cells.contestOf(cell));
    names[number] ??= {
      contest: cells.contestOf(cell),
      county: row?.isWhole ? '' : cells.placeOf(cell).county_name,
      candidate: cells.candidateOf(cell),
      office: row?.office ?? '',
      party: '',
      isWriteIn: true,
      votes: 0,
      isOfVoters: NAMES_ALL_WRITE_INS.includes(row?.state_po ?? ''),
    };
    const name = names[number];
    const party = cells.partyOf(cell);
    if (party !== '' && (name.party === '' || party < name.party)) name.party = party;
    name.isWriteIn &&= cells.isWriteIn(cell);
    name.votes += cells.votesOf(cell);
  });
  return { names: names as readonly SpelledName[], numberOf };
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
function inOnePrecinct(
  cells: ResultCells,
  pairs: readonly Pair[],
  numbers: ReadonlyMap<string, number>,
  numberOf: (cell: number) => number,
): ReadonlySet<number> {
  const unitsOf = ({ one, other }: Pair) => [one, other].map((name) => units.get(numbers.get(keyOf(name)) ?? -1));
  const units = new Map(
    pairs.flatMap(({ one, other }) => [one, other]).map((name) => [numbers.get(keyOf(name)) ?? -1, new Set<number>()]),
  );
  cells.forEach((cell) => {
    if (cells.votesOf(cell) > 0) units.get(numberOf(cell))?.add(cells.unitOf(cell));
  });
  const haveMet = (pair: Pair) => {
    const [one, other] = unitsOf(pair);
    return one !== undefined && other !== undefined && !one.isDisjointFrom(other);
  };
  return new Set(pairs.keys().filter((index) => haveMet(pairs[index] as Pair)));
}
