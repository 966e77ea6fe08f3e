import { titleCase } from './title-case.ts';

/** Spellings in the sources, in capitals, that differ from the party's name by more than letter case. */
const SPELLINGS: Record<string, string> = {
  DEMOCRAT: 'Democratic',
  DEM: 'Democratic',
  D: 'Democratic',
  REP: 'Republican',
  R: 'Republican',
  LIB: 'Libertarian',
  LBRT: 'Libertarian',
  IND: 'Independent',
  GRE: 'Green Independent',
  GRN: 'Green',
  CON: 'Constitution',
  AIP: 'Alaskan Independence',
  NPA: 'No Party Affiliation',
  WFP: 'Working Families',
  NON: 'Nonpartisan',
  NP: 'Nonpartisan',
  PROG: 'Progressive',
  'CONSTITUTION PARTY': 'Constitution',
  'ALASKAN INDEPENDENCE PARTY': 'Alaskan Independence',
};

/** Returns the name of a party by its name or code in a source. A code that is not known is returned as written. */
export function partyName(sourceName: string): string {
  const upper = sourceName.trim().toUpperCase();
  if (!isNamedParty(upper)) return upper;
  return (
    SPELLINGS[upper] ??
    titleCase(upper.replace(/(?<!^(AN |THE )?(INDEPENDENT|NONPARTISAN|INDEPENDENCE|NO)) PARTY$/, ''))
  );
}

/** Returns the names of the parties of a candidacy, in order: `DEM/PROG` is two parties. */
export function partyNames(sourceName: string): string[] {
  return [
    ...new Set(
      sourceName
        .split('/')
        .filter((name) => name.trim() !== '')
        .map(partyName),
    ),
  ];
}

/** Returns whether a text names a party or is empty: a code of up to three letters has to be a known one. */
export function isNamedParty(text: string): boolean {
  return text.split('/').every((part) => !/^[A-Z]{1,3}$/.test(part.trim()) || Object.hasOwn(SPELLINGS, part.trim()));
}

/** The least share of the votes of a candidate that has the label of a second party. */
const PARTY_SHARE = 0.01;

/**
 * Returns the parties of a candidate of several parties, the one with the most votes first: `REPUBLICAN/CONSERVATIVE`;
 * undefined for no rows.
 */
export function partiesByVotes(
  rows: readonly { readonly party: string; readonly votes: number }[],
): string | undefined {
  const all = rows.reduce((sum, { votes }) => sum + votes, 0);
  const labels = rows
    .filter(({ votes }) => votes >= all * PARTY_SHARE)
    .toSorted((a, b) => b.votes - a.votes)
    .map(({ party }) => party);
  return labels.length > 0 ? labels.join('/') : undefined;
}
