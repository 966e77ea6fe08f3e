import {
  answerOf,
  firstLastKey,
  initialKey,
  isNoName,
  lastKey,
  lettersKey,
  plainName,
  wordKeys,
  wordsKey,
} from './name-keys.ts';
import type { NameSums, SourceContest } from './source-sums.ts';

/** A race, or a measure with the names YES and NO. */
export interface StoredRace {
  readonly office: string;
  readonly type: string;
  readonly names: readonly { readonly name: string; readonly votes: number | null }[];
}

/** The part of a source in the database. */
export interface Comparison {
  readonly contests: number;
  readonly contestsInStore: number;
  readonly votes: number;
  readonly votesInStore: number;
  /** Votes for names written in by less than a twentieth of the voters of a contest, which are no candidates in the database. */
  readonly writtenIn: number;
  /** The number of stored names, and of those without a number of votes, which are hidden in the source. */
  readonly names: number;
  readonly hidden: number;
  /** Stored races without an equal contest in the file. */
  readonly different: readonly string[];
  /** Contests of the file that are not, or not wholly, in the database. */
  readonly missing: readonly string[];
}

interface Contest {
  readonly office: string;
  readonly district: string;
  readonly names: readonly NameSums[];
  readonly isQuestion: boolean;
  /** The votes in the file, and those of them found in the database. */
  readonly votes: number;
  found: number;
  /** The names that are in the database. */
  readonly stored: Set<NameSums>;
  isPaired: boolean;
}

/** The share of its votes in the database from which on a contest counts as imported: a few votes are for written-in names. */
const WHOLE = 0.95;
/** The share of the votes from which on a name that was written in is a candidate. */
const WRITTEN_IN = 0.05;

/**
 * Finds for each stored race the contest of the file with the same votes for every name: the whole of it, or its part in
 * some counties or towns. A name with a hidden count has no votes in the database; those that the source shows count as
 * imported if the name is in the race. Of a retention, only the votes for the judge are compared: the database has no
 * column for the others.
 */
export function compare(sources: readonly SourceContest[], races: readonly StoredRace[]): Comparison {
  const contests = sources.flatMap((source) => contestOf(source) ?? []);
  const byKey = new Map<string, Contest[]>();
  for (const contest of contests)
    for (const key of new Set(contest.names.flatMap(keysOf))) byKey.set(key, [...(byKey.get(key) ?? []), contest]);
  const different: string[] = [];
  const isUnpaired = (race: StoredRace, isLoose: boolean) => {
    const found = candidatesFor(race, byKey, contests, isLoose);
    // Races whose votes are hidden fit any contest with the same choices: the name of the office decides.
    const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
    const order = found.toSorted(
      (a, b) =>
        Number(plain(b.office) === plain(race.office)) - Number(plain(a.office) === plain(race.office)) ||
        Number(a.isPaired) - Number(b.isPaired),
    );
    return !order.some((contest) => !(isLoose && contest.isPaired) && pair(contest, race, isLoose));
  };
  const rest = races.filter((race) => isUnpaired(race, false));
  for (const race of rest.filter((each) => isUnpaired(each, true)))
    different.push(
      `${race.type} ${race.office}: ${race.names.map(({ name, votes }) => `${name} ${votes}`).join(', ')}`,
    );
  // A contest that a source repeats under another spelling of its office or district is imported once.
  const letters = ({ office, district }: Contest) => `${office} ${district}`.toUpperCase().replace(/[^A-Z0-9 ]/g, '');
  const isRepeated = (one: Contest) =>
    !one.isPaired &&
    !one.isQuestion &&
    contests.some(
      (other) =>
        other.isPaired &&
        (one.names.every((name) => other.names.some((each) => isSame(name, each))) ||
          (letters(one) === letters(other) &&
            one.names.some((name) => other.names.some((each) => isSame(name, each))))),
    );
  const real = contests.filter((contest) => !isRepeated(contest));
  const isWhole = (contest: Contest) =>
    contest.isPaired && contest.found >= (contest.votes - writtenByFew(contest)) * WHOLE;
  const names = races.flatMap((race) => race.names);
  return {
    contests: real.length,
    contestsInStore: real.filter(isWhole).length,
    votes: sum(real.map(({ votes }) => votes)),
    votesInStore: sum(real.map(({ found, votes }) => Math.min(found, votes))),
    writtenIn: sum(real.map(writtenByFew)),
    names: names.length,
    hidden: names.filter(({ votes }) => votes === null).length,
    different,
    missing: real
      .filter((contest) => !isWhole(contest))
      .map(
        ({ office, district, names: all, votes, found }) =>
          `${office} | ${district} (${found} of ${votes}): ${all.slice(0, 6).map((each) => `${each.name} ${votesIn(each)}`)}`,
      ),
  };
}

/** Returns the votes of a contest in the database for names that few voters wrote in, which are not candidates there. */
function writtenByFew({ names, stored, votes, isPaired }: Contest): number {
  if (!isPaired) return 0;
  const few = names.filter((each) => each.isWrittenIn && !stored.has(each) && votesIn(each) < votes * WRITTEN_IN);
  return sum(few.map((each) => votesIn(each)));
}

function isSame(one: NameSums, other: NameSums): boolean {
  return initialKey(one.name) === initialKey(other.name);
}

function contestOf({ office, district, names }: SourceContest): Contest | undefined {
  const named = [...names.values()].filter(({ name }) => !isNoName(name));
  if (named.length === 0 || /^STRAIGHT/i.test(office) || named.every(({ name }) => /^none of these/i.test(name)))
    return undefined;
  const isQuestion = named.every(({ name }) => answerOf(name) !== undefined);
  // The votes of a retention are those for the judge, which the pairing finds out.
  const votes = sum(named.map((each) => votesIn(each)));
  return { office, district, names: named, isQuestion, votes, found: 0, stored: new Set(), isPaired: false };
}

function keysOf({ name }: NameSums): string[] {
  const answer = answerOf(name);
  const subject = /^(.+?)\s*[-:]\s*(YES|NO|FOR|AGAINST)$/i.exec(name)?.[1];
  return [
    initialKey(name),
    wordsKey(name),
    lastKey(name),
    ...wordKeys(name),
    ...(answer ? [answer] : []),
    ...(subject ? [initialKey(subject)] : []),
  ];
}

/** @param isLoose whether a contest may have only a word of each name. */
function candidatesFor(
  race: StoredRace,
  byKey: ReadonlyMap<string, Contest[]>,
  all: readonly Contest[],
  isLoose: boolean,
): Contest[] {
  if (race.type === 'Measure') return byKey.get('YES') ?? byKey.get('NO') ?? [];
  const lists = race.names.map(({ name }) => [
    ...new Set([
      ...(byKey.get(initialKey(name)) ?? []),
      ...(byKey.get(wordsKey(name)) ?? []),
      ...(byKey.get(lastKey(name)) ?? []),
      ...(isLoose ? wordKeys(name).flatMap((key) => byKey.get(key) ?? []) : []),
    ]),
  ]);
  const [shortest = []] = lists.toSorted((a, b) => a.length - b.length);
  const races = shortest.filter(({ isQuestion }) => !isQuestion);
  if (race.type !== 'Retention') return races;
  const last =
    plainName(race.names[0]?.name ?? '')
      .split(' ')
      .at(-1) ?? '';
  const inOffice = all.filter(
    ({ office, isQuestion, names }) =>
      isQuestion && [office, ...names.map(({ name }) => name)].some((text) => plainWords(text).includes(last)),
  );
  return inOffice;
}

const plainWords = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z ]/g, '')
    .split(' ');

/**
 * Pairs a race with a contest if the votes of all its names are equal in one set of areas.
 * @param isLoose whether names with a word in common and the same votes are the same.
 */
function pair(contest: Contest, race: StoredRace, isLoose: boolean): boolean {
  const pairs = race.names.map(({ name, votes }) => ({ votes, choices: spellingsOf(contest, race, name, isLoose) }));
  if (pairs.some(({ choices }) => choices.every((some) => some.length === 0))) return false;
  for (const areas of areaSets(
    contest,
    pairs.flatMap(({ choices }) => choices.flat()),
  )) {
    const fitting = pairs.map(({ votes, choices }) => {
      // A hidden count of any of the spellings hides the sum of all of them.
      if (votes === null)
        return choices
          .filter((some) => some.some((each) => isHidden(each, areas)))
          .toSorted((a, b) => b.length - a.length)[0];
      return choices.find((some) => some.length > 0 && sum(some.map((each) => votesIn(each, areas))) === votes);
    });
    if (fitting.some((some) => some === undefined)) continue;
    contest.isPaired = true;
    for (const each of fitting.flatMap((some) => some ?? [])) contest.stored.add(each);
    for (const some of fitting) contest.found += sum((some ?? []).map((each) => votesIn(each, areas)));
    // The database has no column for the votes against a judge.
    if (race.type === 'Retention')
      contest.found += sum(
        contest.names
          .filter(({ name }) => answerOf(name) === 'NO' && isOfJudge(name, race))
          .map((each) => votesIn(each, areas)),
      );
    return true;
  }
  return false;
}

/** Returns the names of a contest that a stored name may stand for: the most exact spelling first. */
function spellingsOf({ names, isQuestion }: Contest, race: StoredRace, name: string, isLoose: boolean): NameSums[][] {
  if (race.type === 'Measure') return [names.filter((each) => answerOf(each.name) === name)];
  if (race.type === 'Retention')
    return isQuestion ? [names.filter((each) => answerOf(each.name) === 'YES' && isOfJudge(each.name, race))] : [];
  const by = (key: (text: string) => string) => names.filter((each) => key(each.name) === key(name));
  const own = new Set(isLoose ? wordKeys(name) : []);
  const alike = names.filter((each) => wordKeys(each.name).some((key) => own.has(key))).map((each) => [each]);
  return [by(plainName), by(lettersKey), by(firstLastKey), by(initialKey), by(wordsKey), by(lastKey), ...alike];
}

function isOfJudge(choice: string, { names: [judge] }: StoredRace): boolean {
  const subject = /^(.+?)\s*[-:]\s*(YES|NO|FOR|AGAINST)$/i.exec(choice)?.[1];
  return (
    subject === undefined ||
    plainWords(subject).includes(
      plainName(judge?.name ?? '')
        .split(' ')
        .at(-1) ?? '',
    )
  );
}

/** Yields the sets of areas that a race may be a contest of: all areas, one county, one town, or those with votes. */
function* areaSets({ names }: Contest, own: readonly NameSums[]): Generator<ReadonlySet<string> | undefined> {
  yield undefined;
  const areas = [...new Set(names.flatMap(({ byArea }) => [...byArea.keys()]))];
  const countyOf = (area: string) => area.split('|')[0] ?? '';
  const byCounty = Map.groupBy(areas, countyOf);
  yield new Set(areas.filter((area) => own.some(({ byArea }) => (byArea.get(area) ?? 0) > 0)));
  for (const some of byCounty.values()) yield new Set(some);
  for (const area of areas) yield new Set([area]);
  // Names are written in outside of their district: its counties and towns are those in which they have many votes.
  for (const groups of [[...byCounty.values()], areas.map((area) => [area])])
    for (const share of [0.1, 0.01]) {
      const withMany = groups.filter((some) => {
        const all = sum(names.map((each) => votesIn(each, new Set(some))));
        return sum(own.map((each) => votesIn(each, new Set(some)))) > all * share;
      });
      yield new Set(withMany.flat());
    }
}

function isHidden({ hiddenIn }: NameSums, areas?: ReadonlySet<string>): boolean {
  return [...hiddenIn].some((area) => areas?.has(area) ?? true);
}

function votesIn({ byArea }: NameSums, areas?: ReadonlySet<string>): number {
  if (areas && areas.size < byArea.size) return sum([...areas].map((area) => byArea.get(area) ?? 0));
  return sum([...byArea].map(([area, votes]) => (!areas || areas.has(area) ? votes : 0)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
