import { readTable } from '../../base/words/read-table.ts';
import { titleCase } from '../facts/title-case.ts';

/**
 * Names and codes of parties in the sources, in capitals, that differ from the party's name by more than letter case. Without a state
 * they are those of any state; `*` is each state that no other row of the code lists. `(none)` is a mark of no party, and an empty name a
 * code that is not known in the state.
 */
const BY_CODE = Map.groupBy(readTable<'code' | 'states' | 'name'>('parties', import.meta.url), ({ code }) => code);
const NONE = '(none)';

/**
 * Returns the name of a party by its name or code in a source. A code that is not known, or that has another meaning in
 * other states while the state (`NY`) is not known, is returned as written.
 */
export function partyName(sourceName: string, state?: string): string {
  const upper = labelOf(sourceName).toUpperCase();
  const known = knownName(upper, state);
  if (known !== undefined) return known || upper;
  if (isCode(upper)) return upper;
  return titleCase(withoutParty(upper));
}

/** Returns the label of a party without parentheses, of which a source may have only one: `(REP`. */
function labelOf(text: string): string {
  const plain = text.trim();
  if (plain.startsWith('(') && plain.indexOf('(', 1) < 0) return plain.replaceAll('(', '').replaceAll(')', '').trim();
  return plain.endsWith(')') && !plain.includes('(') ? plain.slice(0, -1).trim() : plain;
}

/** Returns the name of a party by its code or spelling; empty if the code is not known in the state. */
function knownName(upper: string, state: string | undefined): string | undefined {
  const rows = BY_CODE.get(upper);
  if (!rows) return undefined;
  const ofAll = rows.find(({ states }) => states === '')?.name;
  const own = state === undefined ? undefined : rows.find(({ states }) => states.split(' ').includes(state))?.name;
  return own ?? ofAll ?? (state === undefined ? '' : (rows.find(({ states }) => states === '*')?.name ?? ''));
}

const withoutParty = (upper: string) => (upper.endsWith(' PARTY') ? upper.slice(0, -' PARTY'.length) : upper);

/** A code of up to three letters has to be known. */
const isCode = (text: string) => /^[A-Z]{1,3}$/.test(text);

/** Returns the labels of the parties of a candidacy: `DEM/PROG` is two, and `W/I` a mark of none. */
function labelsOf(sourceName: string, state: string | undefined): string[] {
  const isNone = (text: string) => text.trim() === '' || knownName(labelOf(text).toUpperCase(), state) === NONE;
  if (isNone(sourceName)) return [];
  return sourceName.split('/').filter((part) => !isNone(part));
}

/** Returns the names of the parties of a candidacy, in order: `DEM/PROG` is two parties. */
export function partyNames(sourceName: string, state?: string): string[] {
  return [...new Set(labelsOf(sourceName, state).map((name) => partyName(name, state)))];
}

/** Returns whether a text names a party or is empty: a code of up to three letters has to be known in the state. */
export function isNamedParty(text: string, state?: string): boolean {
  return labelsOf(text, state).every((part) => {
    const code = labelOf(part);
    return !isCode(code) || Boolean(knownName(code, state));
  });
}

const NAMES = new Set(
  [...[...BY_CODE.values()].flat().flatMap(({ code, name }) => [code, name]), 'REPUBLICAN', 'DEMOCRATIC'].map((name) =>
    name.toUpperCase(),
  ),
);

/** Returns whether a text is the name or a code of a known party, whatever the state. */
export function isKnownParty(text: string): boolean {
  return text.split('/').every((part) => NAMES.has(withoutParty(labelOf(part).toUpperCase())));
}
