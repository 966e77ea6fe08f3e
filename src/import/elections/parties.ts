import { displayName } from './names.ts';

/** The spellings of the sources, in capitals, where another letter case does not make them the party's name. */
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

/** The name of a party by its name or code in a source. */
export function partyName(sourceName: string): string {
  const upper = sourceName.trim().toUpperCase();
  return SPELLINGS[upper] ?? displayName(upper).replace(/\.$/, '');
}

/** The names of the parties of a candidacy, in order: `DEM/PROG` is two. */
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

/** Codes alone tell nothing to who does not know them: this one is known. */
export function isKnownCode(code: string): boolean {
  return Object.hasOwn(SPELLINGS, code.toUpperCase());
}
