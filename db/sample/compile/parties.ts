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

/** The spellings of the sources, in capitals, where they differ from our name. */
const spellings: Record<string, string> = {
  DEMOCRAT: 'Democratic',
  DEM: 'Democratic',
  REP: 'Republican',
  PROG: 'Progressive',
};

/** The rows of parties.csv. */
export const partyRows = (): Row<'parties'>[] => names.map((name, index) => ({ id: index + 1, name }));

/** The id of a party by its name in a source, in any letter case. Throws for a name that is not known. */
export function partyId(sourceName: string): number {
  const upper = sourceName.toUpperCase();
  const name = spellings[upper]?.toUpperCase() ?? upper;
  const index = names.findIndex((known) => known.toUpperCase() === name);
  return required(index < 0 ? null : index + 1, `a known party for "${sourceName}"`);
}

/** The ids of the parties of a candidacy, in order; `DEM/PROG` is two. Empty when the source names none. */
export const partyIds = (sourceName: string): number[] =>
  sourceName ? sourceName.split('/').map((name) => partyId(name)) : [];
