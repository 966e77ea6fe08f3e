import { readTable } from './read-table.ts';

/**
 * Given names with their common short forms and spellings, one given name per row.
 *
 * Source: records of people that have both forms, in unitedstates/congress-legislators (`first`, `nickname`,
 * `official_full`) and openstates/people (`given_name`, `name`, `other_names`), both CC0-1.0; completed with the short
 * forms of the same kind that are in general use in the United States. Only forms that usually stand for the name are
 * listed: a nickname such as Chip or Topper is not evidence that two records are one person.
 */
const groups = readTable<'name' | 'forms'>('first-names', import.meta.url).map(({ name, forms }) => [
  name,
  ...forms.split(' '),
]);

/** The numbers of the groups with each name. */
const groupsOfName: ReadonlyMap<string, readonly number[]> = new Map(
  [
    ...Map.groupBy(
      groups.flatMap((names, index) => names.map((name) => ({ name, index }))),
      ({ name }) => name,
    ),
  ].map(([name, entries]) => [name, [...new Set(entries.map(({ index }) => index))]]),
);

/**
 * Returns whether two given names, in lower case and without accents, can be forms of one name: Bob and Robert, Bob and
 * Rob. Ann and Jan, which have no line of the table in common, cannot.
 */
export function areForms(a: string, b: string): boolean {
  if (a === b) return true;
  const others = groupsOfName.get(b);
  return others !== undefined && [...(groupsOfName.get(a) ?? [])].some((group) => others.includes(group));
}

/** Returns the other names of which a given name, in lower case and without accents, can be a form, or that are its forms. */
export function formsOf(name: string): readonly string[] {
  const forms = [...(groupsOfName.get(name) ?? [])].flatMap((group) => groups[group] ?? []);
  return [...new Set(forms)].filter((form) => form !== name);
}

/** Returns whether a word in lower case is a given name, or a form of one, in the table. */
export function isGivenName(word: string): boolean {
  return groupsOfName.has(word);
}
