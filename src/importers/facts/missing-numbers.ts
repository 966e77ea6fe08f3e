/**
 * Returns the numbers or letters that are missing in the codes of the districts of one state: 1 to the highest number,
 * or A to the last letter. A number counts as present if a code has it with a letter, as in `4A` and `4B`. If a code is
 * neither (a district named after a county), nothing can be derived and the list is empty.
 */
export function missingNumbers(codes: Iterable<string>): string[] {
  const all = [...codes].map((code) => code.trim().toUpperCase());
  if (all.length > 0 && all.every((code) => /^[A-Z]$/.test(code))) return missingLetters(all);
  if (!all.every((code) => /^\d{1,4}[A-Z]?$/.test(code))) return [];
  const present = new Set(all.map((code) => Number.parseInt(code, 10)));
  const highest = Math.max(0, ...present);
  return Array.from({ length: highest }, (_, index) => index + 1)
    .filter((number) => !present.has(number))
    .map(String);
}

function missingLetters(letters: readonly string[]): string[] {
  const present = new Set(letters);
  const last = Math.max(...letters.map((letter) => letter.charCodeAt(0)));
  return Array.from({ length: last - 64 }, (_, index) => String.fromCharCode(65 + index)).filter(
    (letter) => !present.has(letter),
  );
}
