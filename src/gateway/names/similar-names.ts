import { readTable } from '../../base/words/read-table.ts';

/**
 * Names that callers are likely to write, from maps, geocoders and other interfaces, and what they may mean. Without `on`,
 * `use` has names, of which those count that the place has. With `on`, a type or a field with arguments, `use` is a selection
 * to write in place of the field.
 */
export const similarNames = readTable<'written' | 'on' | 'use'>('similar-names', import.meta.url).map((row) => ({
  written: row.written.split(' '),
  on: row.on || undefined,
  use: row.use,
}));

const entries = similarNames.flatMap(({ written, ...row }) =>
  written.map((name) => ({ ...row, name: plainName(name) })),
);
const meanings = new Map(entries.filter(({ on }) => !on).map(({ name, use }) => [name, use.split(' ').map(plainName)]));
const selections = new Map(entries.filter(({ on }) => on).map(({ on, name, use }) => [`${on} ${name}`, use]));

/**
 * Returns those of the names that a written one may mean, ignoring case and separators: synonyms that no edit distance of a
 * library finds, since `lng` and `lon` are as far from `lat` as from `long`.
 */
export function namesMeant<Name extends string>(written: string, names: readonly Name[]): Name[] {
  const plain = plainName(written);
  const meant = [plain, ...(meanings.get(plain) ?? [])];
  const found = meant.flatMap((meaning) => names.filter((name) => plainName(name) === meaning));
  return plainName(found[0] ?? '') === plain ? found.slice(0, 1) : found;
}

/** Returns the selection to write in place of a field of a type, or of a field with an argument; undefined if none is known. */
export function selectionMeant(written: string, on: string): string | undefined {
  return selections.get(`${on} ${plainName(written)}`);
}

/** A name as it is compared: in lower case, and of letters only. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
