import { readTable } from '../../base/words/read-table.ts';
import type { PartyRow } from './sum-rows.ts';
import { titleCase } from './title-case.ts';

/**
 * Names and codes in the sources, in capitals, that differ from the party's name by more than letter case. Without a state they
 * are those of any state; others mean different parties in different states, and `*` is each state that is not listed. A code is not
 * known where it has no name: in a listed state with an empty name, and elsewhere without `*`.
 */
const PARTY_NAMES = readTable<'code' | 'state' | 'name'>('party-names', import.meta.url);
const BY_CODE = Map.groupBy(PARTY_NAMES, ({ code }) => code);

/** Marks of written-in names in the column of the party. */
const NO_PARTY = /^(WRI|W-I|WRITE[- ]?INS?)$/;

/**
 * Returns the name of a party by its name or code in a source. A code that is not known, or that has another meaning in
 * other states while the state (`NY`) is not known, is returned as written.
 */
export function partyName(sourceName: string, state?: string): string {
  const upper = labelOf(sourceName).toUpperCase();
  const known = knownName(upper, state);
  if (known !== undefined) return known || upper;
  if (!isNamedParty(upper, state)) return upper;
  return titleCase(upper.replace(/(?<!^(AN |THE )?(INDEPENDENT|NONPARTISAN|INDEPENDENCE|NO)) PARTY$/, ''));
}

/** Returns the label of a party without parentheses, of which a source may have only one: `(REP`. */
function labelOf(text: string): string {
  return text
    .trim()
    .replace(/^\((?=[^()]*\)?$)|(?<=^\(?[^()]*)\)$/g, '')
    .trim();
}

/** Returns the name of a party by its code or spelling; empty if the code is not known in the state. */
function knownName(upper: string, state: string | undefined): string | undefined {
  const rows = BY_CODE.get(upper);
  const of = (wanted: string) => rows?.find((row) => row.state === wanted)?.name;
  return rows && (of('') ?? (state === undefined ? '' : (of(state) ?? of('*') ?? '')));
}

/** Returns the names of the parties of a candidacy, in order: `DEM/PROG` is two parties. */
export function partyNames(sourceName: string, state?: string): string[] {
  return [
    ...new Set(
      sourceName
        .split('/')
        .filter((name) => name.trim() !== '' && !NO_PARTY.test(name.trim().toUpperCase()))
        .map((name) => partyName(name, state)),
    ),
  ];
}

/** Returns whether a text names a party or is empty: a code of up to three letters has to be known in the state. */
export function isNamedParty(text: string, state?: string): boolean {
  return text.split('/').every((part) => {
    const code = labelOf(part);
    return !/^[A-Z]{1,3}$/.test(code) || NO_PARTY.test(code) || Boolean(knownName(code, state));
  });
}

const NAMES = new Set(
  [...PARTY_NAMES.flatMap(({ code, name }) => [code, name]), 'REPUBLICAN', 'DEMOCRATIC'].map((name) =>
    name.toUpperCase(),
  ),
);

/** Returns whether a text is the name or a code of a known party, whatever the state. */
export function isKnownParty(text: string): boolean {
  return text.split('/').every((part) =>
    NAMES.has(
      labelOf(part)
        .toUpperCase()
        .replace(/ PARTY$/, ''),
    ),
  );
}

/** The least share of the votes of a candidate that has the label of a second party. */
const PARTY_SHARE = 0.01;
/** The least share of the votes of a candidate whose party contradicts that of other units. */
const MAIN_SHARE = 0.9;

/**
 * Returns the parties of a candidate of several parties, the one with the most votes first: `REPUBLICAN/CONSERVATIVE`;
 * undefined for no rows. Parties of different units that no unit has together contradict each other: the party of
 * almost all votes counts, and without such a party it is not known, ''.
 */
export function partiesByVotes(rows: readonly PartyRow[], state: string): string | undefined {
  const all = rows.reduce((sum, { votes }) => sum + votes, 0);
  if (rows.length > 0 && !rows.some(({ isNomination }) => isNomination)) {
    const ofName = Map.groupBy(rows, ({ party }) => partyNames(party, state).join('/'));
    const main = [...ofName.values()].find(
      (of) => of.reduce((sum, { votes }) => sum + votes, 0) >= Math.max(1, all * MAIN_SHARE),
    );
    return main?.[0]?.party ?? '';
  }
  const labels = rows
    .filter(({ votes }) => votes >= all * PARTY_SHARE)
    .toSorted((a, b) => b.votes - a.votes)
    .map(({ party }) => party);
  return labels.length > 0 ? labels.join('/') : undefined;
}
