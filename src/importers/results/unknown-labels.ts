import { normalName } from '../../base/words/normal-name.ts';
import { choiceOf } from './choices.ts';
import { isNoneOfThese, pseudoCandidate } from './names.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';

/** The fewest contests of one county in which a text without a party shows that it is no person. */
const FEWEST_CONTESTS = 3;

/**
 * Returns the texts in the candidate column, as `normalName` writes them, that behave like the label of a count, whatever their
 * words: without a party and not marked as written in, in several contests of one county. A person stands in one or two.
 */
export function recurringLabels(contests: readonly ContestRow[], rows: readonly SumRow[]): ReadonlySet<string> {
  const offices = new Map(
    contests.map(({ contest, office, district }) => [contest, `${office}\n${district}`.toUpperCase()]),
  );
  const found = new Map<string, { isPerson: boolean; counties: Map<string, Set<string>> }>();
  const keys = new Map<string, string>();
  for (const { candidate, contest, county_name, party, is_write_in } of rows) {
    const key = keys.get(candidate) ?? labelKey(candidate);
    keys.set(candidate, key);
    if (key === '') continue;
    const label = found.get(key) ?? { isPerson: false, counties: new Map<string, Set<string>>() };
    found.set(key, label);
    label.isPerson ||= party !== '' || is_write_in;
    if (label.isPerson) continue;
    const own = label.counties.get(county_name) ?? new Set<string>();
    label.counties.set(county_name, own.add(offices.get(contest) ?? ''));
  }
  const isRecurring = (counties: ReadonlyMap<string, ReadonlySet<string>>) =>
    counties.values().some(({ size }) => size >= FEWEST_CONTESTS);
  const recurring = new Map([...found].filter(([, { isPerson, counties }]) => !isPerson && isRecurring(counties)));
  if (recurring.size === 0) return new Set();
  // A label stands beside persons, who do not recur.
  const withPersons = new Set(
    rows
      .filter(({ candidate }) => keys.get(candidate) !== '' && !recurring.has(keys.get(candidate) ?? ''))
      .map(({ contest, county_name }) => `${county_name}\n${offices.get(contest)}`),
  );
  const isBeside = ([county, contests]: [string, ReadonlySet<string>]) =>
    [...contests].filter((contest) => withPersons.has(`${county}\n${contest}`)).length >= FEWEST_CONTESTS;
  return new Set([...recurring].filter(([, { counties }]) => [...counties].some(isBeside)).map(([key]) => key));
}

/** Returns the key of a text that may be a label; empty for one whose words show what it is. */
function labelKey(candidate: string): string {
  const isKnown = pseudoCandidate(candidate) !== null || choiceOf(candidate) !== undefined || isNoneOfThese(candidate);
  return isKnown ? '' : normalName(candidate);
}

/** A text in the candidate column of a contest. */
interface Text {
  readonly name: string;
  readonly party: string;
  readonly writeIn: boolean;
}

/**
 * Returns whether a text of a contest does not look like its persons: one word without a party, beside names of several words
 * of which at least two have a party.
 */
export function isUnlikePersons({ name, party, writeIn }: Text, all: readonly Text[]): boolean {
  if (party !== '' || writeIn || isNoneOfThese(name) || normalName(name).includes(' ')) return false;
  const persons = all.filter((each) => each.party !== '');
  return persons.length >= 2 && persons.every((each) => normalName(each.name).includes(' '));
}
