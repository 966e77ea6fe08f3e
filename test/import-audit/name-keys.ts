/** Names as the audit compares them, without the code of the importers. */

/** Returns a name in capitals without accents, titles, suffixes of counts, and the running mate. */
export function plainName(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/^(WRITE-?IN|\(WRITE-?IN\))\s*[:,-]?\s*(?=[A-Z])|\s*[-,]?\s*\(?(WRITE-?IN|W\/I)\)?$/g, '');
  return (letters.split(/ AND | ?\/ ?| & /)[0] ?? '')
    .replace(/^(.+?),\s+(?!(?:JR|SR|II|III|IV)\b)(.+)$/, '$2 $1')
    .replace(/[^A-Z ]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^(MS|MR|MRS|DR) /, '')
    .trim();
}

const withoutSuffix = (name: string) =>
  plainName(name)
    .replace(/ (JR|SR|II|III|IV)$/, '')
    .split(' ');

/** Returns the initial of the first name and the last name, which spellings of one person share. */
export function initialKey(name: string): string {
  const words = withoutSuffix(name);
  return `${words[0]?.charAt(0)} ${words.at(-1)}`;
}

/** Returns the letters of a name, which are the same for `PAUL AJOHNSTON` and `PAUL A JOHNSTON`. */
export function lettersKey(name: string): string {
  return `letters ${plainName(name).replaceAll(' ', '')}`;
}

/** Returns the first and the last name. */
export function firstLastKey(name: string): string {
  const words = withoutSuffix(name);
  return `${words[0]} ${words.at(-1)}`;
}

/** Returns the last name, which is enough where the votes are equal: `B MARK WALKER` is stored as Mark Walker. */
export function lastKey(name: string): string {
  return `last ${withoutSuffix(name).at(-1)}`;
}

/** Returns the words of a name in the order of the alphabet, which is the same for `Young Don` and `Don Young`. */
export function wordsKey(name: string): string {
  return withoutSuffix(name.replace(/[-,]/g, ' '))
    .filter((word) => !/^(JR|SR|II|III|IV)$/.test(word))
    .sort()
    .join(' ');
}

/**
 * Returns the words of a name that are no initials: a person who is joined with another record has the name of that record,
 * which is shorter (`Bart LeBon` for `Lebon Barton S. "Bart"`) or that of another day (`Selena Torres-Fossett`).
 */
export function wordKeys(name: string): string[] {
  return withoutSuffix(name.replace(/[-'’]/g, ' '))
    .filter((word) => word.length > 2)
    .map((word) => `word ${word}`);
}

/** Returns the answer of a choice that is not the name of a candidate; undefined for a name. */
export function answerOf(choice: string): 'YES' | 'NO' | undefined {
  const upper = choice.toUpperCase().replace(/^(BONDS?|LEVY|TAX)[ ,-]+/, '');
  const answer = /^(.*\S\s*[-:]\s*)?(YES|NO)$/.exec(upper)?.[2] ?? /^(YES|NO)\s*[-,(]/.exec(upper)?.[1];
  if (answer === 'YES' || answer === 'NO') return answer;
  if (/^(AGAINST|REJECT|DISAPPROVE|OPPOSE|REPEAL|DO NOT RETAIN)/.test(upper)) return 'NO';
  return /^(FOR|APPROVED?|IN FAVOR|RETAIN|AFFIRM)\b/.test(upper) ? 'YES' : undefined;
}

const IS_NO_NAME =
  /^$|^(write[ -]?ins?|scatter(ing)?|others?|blanks?|over ?votes|under ?votes|total( votes)?( cast)?|contest totals|ballots cast|registered voters|times counted|not assigned|fictitious entry|paper ballots|cards cast)\b(?!\s*[:-]?\s*[a-z]+ [a-z])|^(fictitious|fictional)$|^other individual votes|^none that\b|^(number|percent|total|precinct|absentee) .*(ballots|voters|registrants)/i;

/** Returns whether a cell of the column candidate is a count of ballots, voters, or of votes for unlisted names. */
export function isNoName(name: string): boolean {
  return IS_NO_NAME.test(name.trim());
}
