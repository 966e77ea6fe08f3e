import { type NameSums, plainName, type SourceContest } from './source-sums.ts';

/** A race, or a measure with the names YES and NO. */
export interface StoredRace {
  readonly office: string;
  readonly type: string;
  readonly names: readonly { readonly name: string; readonly votes: number | null }[];
}

const ANSWERS: Readonly<Record<string, string>> = {
  APPROVE: 'YES',
  FOR: 'YES',
  'IN FAVOR OF': 'YES',
  REJECT: 'NO',
  AGAINST: 'NO',
};
const answerOf = (name: string) => ANSWERS[name.toUpperCase()] ?? name.toUpperCase();
const IS_NO_NAME =
  /^$|^(write-?ins?|scatter(ing)?|others?|blanks?|over ?votes|under ?votes|total( votes)?( cast)?|contest totals|ballots cast|registered voters|times counted)\b|none of these|^(number|percent|total|precinct|absentee) .*(ballots|voters|registrants)/i;

/**
 * Finds for each stored race the contest of the file with the same votes for every name: the whole of it, or its part
 * in one county or town, or in the counties in which the names have votes.
 */
export function compare(contests: readonly SourceContest[], races: readonly StoredRace[]) {
  const real = contests
    .map((contest) => ({ ...contest, names: [...contest.names.values()].filter(({ name }) => !IS_NO_NAME.test(name)) }))
    .filter(({ names, office }) => names.length > 0 && !/^STRAIGHT/i.test(office));
  const byName = new Map<string, typeof real>();
  for (const contest of real)
    for (const { name } of contest.names)
      for (const key of new Set([plainName(name), keyOf(name), answerOf(name), ...judgeOf(contest.office, name)]))
        byName.set(key, [...(byName.get(key) ?? []), contest]);
  const used = new Set<(typeof real)[number]>();
  const different: string[] = [];
  let compared = 0;
  for (const race of races) {
    const known = race.names.filter(({ votes }) => votes !== null);
    compared += known.length;
    const [first] = race.names;
    const keys = first ? [race.type === 'Measure' ? first.name : plainName(first.name)] : [];
    const candidates = (race.type === 'Measure' ? keys : first ? [keyOf(first.name)] : []).flatMap(
      (key) => byName.get(key) ?? [],
    );
    const found =
      race.type === 'Retention'
        ? real.filter(
            ({ office, names }) =>
              names.some(({ name }) => judgeOf(office, name).includes(keys[0] ?? '')) ||
              office
                .toUpperCase()
                .replace(/[^A-Z ]/g, '')
                .includes(keys[0] ?? '?'),
          )
        : candidates;
    const same = found.find((contest) => equals(contest.names, race));
    if (same) used.add(same);
    else if (known.length > 0)
      different.push(`${race.office}: ${known.map(({ name, votes }) => `${name} ${votes}`).join(', ')}`);
    else for (const contest of found.slice(0, 1)) used.add(contest);
  }
  const votesOf = (names: readonly NameSums[]) =>
    names.reduce((sum, { byCounty }) => sum + [...byCounty.values()].reduce((a, b) => a + b, 0), 0);
  return {
    total: real.length,
    matched: used.size,
    votes: real.reduce((sum, { names }) => sum + votesOf(names), 0),
    votesMatched: [...used].reduce((sum, { names }) => sum + votesOf(names), 0),
    compared,
    different,
  };
}

/** The store may have the name under which a person holds an office: `Ben Ray Luján` for `BEN R LUJAN`. */
function isSame(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(name: string): string {
  const words = plainName(name)
    .replace(/ (JR|SR|II|III|IV)$/, '')
    .split(' ');
  return `${words[0]?.charAt(0)} ${words.at(-1)}`;
}

function judgeOf(_: string, name: string): string[] {
  const judge = /^(.+) - (YES|NO)$/i.exec(name)?.[1];
  return judge ? [plainName(judge)] : [];
}

function equals(names: readonly NameSums[], race: StoredRace): boolean {
  const pairs = race.names.flatMap(({ name, votes }) => {
    if (votes === null) return [];
    const found = names.filter((each) => {
      if (race.type === 'Measure') return answerOf(each.name) === name;
      if (race.type === 'Retention')
        return (
          /(^| - )YES$/i.test(each.name) &&
          (!each.name.includes(' - ') || judgeOf('', each.name).includes(plainName(name)))
        );
      return isSame(each.name, name);
    });
    return [{ votes, found }];
  });
  if (pairs.some(({ found }) => found.length === 0)) return false;
  const sum = (of: NameSums, parts: ReadonlySet<string> | undefined, by: 'byCounty' | 'byTown') =>
    [...of[by]].reduce((total, [part, votes]) => total + (!parts || parts.has(part) ? votes : 0), 0);
  const fits = (parts: ReadonlySet<string> | undefined, by: 'byCounty' | 'byTown' = 'byCounty') =>
    pairs.every(({ votes, found }) => found.reduce((total, of) => total + sum(of, parts, by), 0) === votes);
  if (fits(undefined)) return true;
  const counties = new Set(names.flatMap(({ byCounty }) => [...byCounty.keys()]));
  const towns = new Set(names.flatMap(({ byTown }) => [...byTown.keys()]));
  const withVotes = new Set(
    pairs.flatMap(({ found }) =>
      found.flatMap(({ byCounty }) => [...byCounty].filter(([, votes]) => votes > 0).map(([county]) => county)),
    ),
  );
  return (
    fits(withVotes) ||
    [...counties].some((county) => fits(new Set([county]))) ||
    [...towns].some((town) => fits(new Set([town]), 'byTown'))
  );
}
