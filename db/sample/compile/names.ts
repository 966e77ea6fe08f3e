import { nameKey as sharedKey } from '../../../src/importers/facts/names.ts';

export { displayName, splitName } from '../../../src/importers/facts/names.ts';

/** Two spellings of one person's name, which state, office and party identify as one person. */
const sameName = new Map([['MICHAEL DUNLEAVY', 'MIKE DUNLEAVY']]);

/** Returns first and last word in plain capitals, which identify a person within a state across sources. */
export function nameKey(name: string): string {
  const key = sharedKey(name);
  return sameName.get(key) ?? key;
}
