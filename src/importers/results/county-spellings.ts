import { normalName } from '../../base/words/normal-name.ts';
import { choiceOf } from './choices.ts';
import { runningMates } from './contest-elections.ts';
import { isOneByLaw } from './divide-contest.ts';
import { personName, pseudoCandidate } from './names.ts';
import { partyNames } from './parties.ts';
import { type JoinedSpelling, joinPairs, pairsOf, type SpelledName } from './spellings.ts';
import type { ContestRow, PartyRow, SumRow } from './sum-rows.ts';
import { NAMES_ALL_WRITE_INS } from './written-in-names.ts';

interface NameOfCounties extends SpelledName {
  readonly counties: ReadonlySet<string>;
}

/** The spellings of names in the files of several counties that are joined, and how to write the rows of all with one spelling. */
export interface CountyNames {
  readonly joined: readonly JoinedSpelling[];
  readonly rename: <T extends SumRow | PartyRow>(row: T) => T;
}

/**
 * Joins the spellings of a candidate in the files of several counties, each of which has one spelling of it: equal names
 * without letter case and punctuation, names of persons by the rules for the precincts of a file, and of the candidates for
 * governor and president those of a party with the same last name (`ROE / DOE`, `Ann Roe and Bo Doe`).
 */
export function joinCountyNames(contests: readonly ContestRow[], rows: readonly SumRow[]): CountyNames {
  const into = new Map<string, string>();
  const keyOf = (contest: number, candidate: string) => `${contest}|${candidate}`;
  const rename = <T extends SumRow | PartyRow>(row: T): T => {
    let { candidate } = row;
    for (let next: string | undefined = candidate; next !== undefined; next = into.get(keyOf(row.contest, candidate)))
      candidate = next;
    return { ...row, candidate };
  };
  const rowsOf = Map.groupBy(rows, ({ contest }) => contest);
  const joined = contests.flatMap((contest) => {
    const own = rowsOf.get(contest.contest) ?? [];
    if (new Set(own.map(({ county_name }) => county_name)).size < 2) return [];
    // Persons of different counties are one only in a contest that all of them share by law.
    const rules = isOneByLaw(contest) ? [equalNames, samePersons, sameTickets] : [equalNames];
    return rules.flatMap((rule) =>
      rule(namesOf(contest, own.map(rename))).map(({ office, candidate, into: one, votes }): JoinedSpelling => {
        into.set(keyOf(contest.contest, candidate), one);
        return { office, name: candidate, into: one, votes };
      }),
    );
  });
  return { joined, rename };
}

function namesOf(contest: ContestRow, rows: readonly SumRow[]): NameOfCounties[] {
  return [...Map.groupBy(rows, ({ candidate }) => candidate)]
    .filter(([name]) => pseudoCandidate(name) === null && !choiceOf(name))
    .map(([candidate, of]) => ({
      contest: contest.contest,
      county: '',
      office: contest.office,
      candidate,
      party: partyNames(of.find(({ party }) => party !== '')?.party ?? '', contest.state_po).join(', '),
      isWriteIn: of.every(({ is_write_in }) => is_write_in),
      votes: of.reduce((sum, { votes }) => sum + votes, 0),
      isOfVoters: NAMES_ALL_WRITE_INS.includes(contest.state_po),
      counties: new Set(of.map(({ county_name }) => county_name)),
    }))
    .toSorted((a, b) => b.votes - a.votes || (a.candidate < b.candidate ? -1 : 1));
}

interface Renamed extends SpelledName {
  readonly into: string;
}

function equalNames(names: readonly NameOfCounties[]): Renamed[] {
  return [...Map.groupBy(names, ({ candidate }) => normalName(personName(candidate))).values()].flatMap(
    ([first, ...others]) => others.map((name) => ({ ...name, into: first?.candidate ?? name.candidate })),
  );
}

function samePersons(names: readonly NameOfCounties[]): Renamed[] {
  const countiesOf = new Map(names.map(({ candidate, counties }) => [candidate, counties]));
  const pairs = pairsOf(names);
  const met = pairs.flatMap(({ one, other }, index) => {
    const counties = countiesOf.get(one.candidate) ?? new Set();
    return counties.isDisjointFrom(countiesOf.get(other.candidate) ?? new Set()) ? [] : [index];
  });
  return joinPairs(pairs, new Set(met));
}

function sameTickets(names: readonly NameOfCounties[]): Renamed[] {
  const isTicket = ({ office, party }: NameOfCounties) =>
    party !== '' && runningMates({ office, written: office }, '/').length === 2;
  const groups = Map.groupBy(names.filter(isTicket), (name) => `${name.party}|${lastNameOfFirst(name)}`);
  return [...groups.values()].flatMap((group) => {
    // A name with a first name says more than `ROE / DOE`.
    const [first, ...others] = group.toSorted((a, b) => Number(isLastName(a)) - Number(isLastName(b)));
    const taken = new Set(first?.counties);
    return others.flatMap((name): Renamed[] => {
      if (!first || !taken.isDisjointFrom(name.counties)) return [];
      for (const county of name.counties) taken.add(county);
      return [{ ...name, into: first.candidate }];
    });
  });
}

function isLastName(name: NameOfCounties): boolean {
  return wordsOfFirst(name).length === 1;
}

function wordsOfFirst(name: NameOfCounties): string[] {
  const [first = ''] = runningMates({ office: name.office, written: name.office }, name.candidate);
  return normalName(personName(first)).split(' ');
}

function lastNameOfFirst(name: NameOfCounties): string {
  const words = wordsOfFirst(name);
  const isSuffix = /^(jr|sr|ii|iii|iv)$/.test(words.at(-1) ?? '');
  return (isSuffix && words.length > 1 ? words.at(-2) : words.at(-1)) ?? '';
}
