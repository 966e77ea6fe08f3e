import { displayName } from './names.ts';

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
  PROG: 'Progressive',
  'CONSTITUTION PARTY': 'Constitution',
  'ALASKAN INDEPENDENCE PARTY': 'Alaskan Independence',
};

/** Returns the name of a party by its name or code in a source. */
export function partyName(sourceName: string): string {
  const upper = sourceName.trim().toUpperCase();
  return SPELLINGS[upper] ?? displayName(upper).replace(/\.$/, '');
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

/** Returns whether a party code has a known name. An unknown code alone means nothing to a reader. */
export function isKnownCode(code: string): boolean {
  return Object.hasOwn(SPELLINGS, code.toUpperCase());
}
