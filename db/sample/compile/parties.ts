import { required } from './source.ts';
import type { Row } from './tables.ts';

/** Party names in the order of their ids, which start at 1; the first seven are fixed by the REST contract. */
const names = [
  'Republican',
  'Democratic',
  'Libertarian',
  'Green',
  'Independent',
  'Constitution',
  'Nonpartisan',
  'Progressive',
  'Liberty Union',
  'Earth Rights',
  'Green Mountain',
];

/** Spellings of the sources, in capitals, that differ from the name in the sample. */
const spellings: Record<string, string> = {
  DEMOCRAT: 'Democratic',
  DEM: 'Democratic',
  REP: 'Republican',
  PROG: 'Progressive',
};

/** Returns the rows of parties.csv. */
export const partyRows = (): Row<'parties'>[] => names.map((name, index) => ({ id: index + 1, name }));

/** Returns the id of a party by its name in a source, in any letter case. Throws for an unknown name. */
export function partyId(sourceName: string): number {
  const upper = sourceName.toUpperCase();
  const name = spellings[upper]?.toUpperCase() ?? upper;
  const index = names.findIndex((known) => known.toUpperCase() === name);
  return required(index < 0 ? null : index + 1, `a known party for "${sourceName}"`);
}

/** Returns the ids of the parties of a candidacy, in order; `DEM/PROG` is two. Empty if the source names none. */
export const partyIds = (sourceName: string): number[] =>
  sourceName ? sourceName.split('/').map((name) => partyId(name)) : [];
