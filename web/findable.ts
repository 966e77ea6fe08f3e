import type { FindableQuery } from './generated/operations.ts';

/** What can be typed; null if the package has no districts. */
export type Findable = FindableQuery['findable'];

/** What can be typed on the server of the page, when it has answered. */
export const ofPage: { findable?: Findable } = {};

const WORDS = {
  ADDRESSES: 'address',
  TOWNS: 'town',
  ZIP_CODES: 'ZIP code',
  COUNTIES: 'county',
  TOWNS_ON_MAP: 'town',
  ZIP_CODES_ON_MAP: 'ZIP code',
} as const;

/** Returns what can be typed, for the label of a field: `Address, town, county or state`; `Place` until it is known. */
export function findableWords(findable: Findable | undefined): string {
  if (!findable) return 'Place';
  const loaded = new Set(findable.map(({ layer }) => WORDS[layer]));
  const kinds = [...new Set(Object.values(WORDS))].filter((word) => loaded.has(word)).join(', ');
  const text = kinds ? `${kinds} or state` : 'state';
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

/** Returns texts that are found here, of towns if there are any. */
export const examplesIn = (findable: Findable | undefined): readonly string[] =>
  findable?.find(({ examples }) => examples.length > 0)?.examples ?? [];

/** Returns how to learn which of several districts is that of a person: by an address, if any is loaded. */
export function howToChoose(findable: Findable | undefined, onMap: string): string {
  const hasAddresses = findable?.some(({ layer }) => layer === 'ADDRESSES');
  return hasAddresses ? `Type a street address, or ${onMap}` : `${onMap[0]?.toUpperCase()}${onMap.slice(1)}`;
}
