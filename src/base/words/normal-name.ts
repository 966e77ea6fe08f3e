/** Returns a name as it is compared: without letter case, accents and punctuation. */
export function normalName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
