import { nameKey as sharedKey } from '../../../src/import/elections/names.ts';

export { displayName, splitName } from '../../../src/import/elections/names.ts';

/** Two spellings of one person's name, where the state, the office and the party say that it is one person. */
const sameName = new Map([['MICHAEL DUNLEAVY', 'MIKE DUNLEAVY']]);

/** First and last word in plain capitals, by which one person is recognised within a state in several sources. */
export function nameKey(name: string): string {
  const key = sharedKey(name);
  return sameName.get(key) ?? key;
}
