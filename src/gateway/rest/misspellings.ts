import { dictionary } from '../../base/dictionary.ts';

/** Names that callers are likely to use for a parameter, from maps, geocoders and other interfaces. */
const MISSPELLINGS: Readonly<Record<string, readonly string[]>> = dictionary({
  lat: ['latitude', 'y'],
  long: ['lng', 'lon', 'longitude', 'x'],
  election_date: ['date', 'electiondate', 'electionday'],
  state: ['stateid', 'stateabbreviation', 'stateabbr', 'statecode', 'st'],
});

/**
 * Returns a hint if a missing parameter was sent under a similar name, ignoring case and separators; undefined
 * otherwise. The contract (Parameters) demands it, for synonyms that no edit distance of a library finds: `lng` and
 * `lon` are as far from `lat` as from `long`.
 */
export function namedWrongly(name: string, sent: readonly string[]): string | undefined {
  const plain = normalised(name);
  const alias = sent
    .filter((other) => other !== name)
    .map(normalised)
    .find((other) => other === plain || MISSPELLINGS[name]?.includes(other));
  if (alias === undefined) return undefined;
  return alias === plain ? `the name is ${name}, in exactly this form` : `use ${name} instead of ${alias}`;
}

function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
