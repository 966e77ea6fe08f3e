/** The decimal digits of all scripts that Unicode has numbers for. Chinese characters of numbers are words as well, and none of them. */
const DIGITS = new Map(
  Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const digits = [...new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9_876_543_210)];
    return digits.length === 10 ? digits.map((digit, index) => [digit, String(9 - index)] as const) : [];
  }),
);

/** Returns whether two texts have the same numbers, in the digits of any script and in any order. */
export function haveSameNumbers(a: string, b: string): boolean {
  return numbersOf(a).join() === numbersOf(b).join();
}

function numbersOf(text: string): readonly number[] {
  const plain = [...text].map((letter) => (/\p{Nd}/u.test(letter) ? (DIGITS.get(letter) ?? letter) : letter)).join('');
  return (plain.match(/\p{Nd}+/gu) ?? []).map(Number).sort((a, b) => a - b);
}
