/** Words that titles write in lower case, except at the beginning. */
const SMALL = new Set('a an and as at by for from in of on or the to with'.split(' '));

/** Postal codes and other abbreviations that contain a vowel but are not words. */
const ACRONYMS = new Set('AK AZ CA CISD GA IA IL ISD MI MUD NE RI UT VA WA WI US USA WCID II III IV VI'.split(' '));

/** Abbreviations without a vowel that are ordinary words of a title. */
const ABBREVIATIONS = new Set('blvd ct ctr dr dst ft jr mr mrs ms mt nbr pct rd sch sq sr st th twp'.split(' '));

/**
 * Converts a text in capitals to title case: `STATE'S ATTORNEY` becomes State's Attorney, `REGISTER OF
 * DEEDS` Register of Deeds, `KNOX TV DISTRICT II` Knox TV District II. A text that is not in capitals is unchanged.
 */
export function titleCase(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain !== plain.toUpperCase()) return plain;
  return plain
    .split(' ')
    .map((word, index, all) =>
      index > 0 && index < all.length - 1 && SMALL.has(word.toLowerCase()) && !isLetter(word, all[index - 1])
        ? word.toLowerCase()
        : titleWord(word),
    )
    .join(' ');
}

/** Returns whether a word is the letter of a question or seat: `REFERENDUM A PROVIDES`. */
function isLetter(word: string, before = ''): boolean {
  return (
    word === 'A' && /^(REFERENDUM|PROPOSITION|MEASURE|QUESTION|AMENDMENT|ISSUE|SEAT|POSITION|DISTRICT)$/.test(before)
  );
}

/** Converts a word to title case; numerals and abbreviations stay in capitals. */
function titleWord(word: string): string {
  return word.replace(/[\p{L}\p{M}\d'’]+/gu, (part, offset: number) => {
    if (/^\d+(ST|ND|RD|TH)$/.test(part)) return part.toLowerCase();
    // `CONSTABLE(S)`
    if (part === 'S' && word[offset - 1] === '(' && offset > 1) return 's';
    // `RE-3J`
    if (/^\p{L}{1,2}-\d/u.test(word)) return part;
    if (/\d/.test(part) || isNumeral(part) || isAcronym(part, word)) return part;
    return capitalised(part, offset > 0 && word[offset - 1] === '.');
  });
}

function isNumeral(part: string): boolean {
  return part.length > 1 && /^X{0,3}(IX|IV|V?I{0,3})$/.test(part);
}

function isAcronym(part: string, word: string): boolean {
  if (part.length === 1) return true;
  if (word.includes('.') && new RegExp(`${part}\\.[A-Z]`).test(word)) return true;
  if (ACRONYMS.has(part)) return true;
  return part.length <= 4 && /^[B-DF-HJ-NP-TV-XZ]+$/.test(part) && !ABBREVIATIONS.has(part.toLowerCase());
}

/** Capitalises a word: `O'BRIEN` as O'Brien, `PEOPLE'S` as People's, `MCKEE` as McKee, `'OIWI` as 'Oiwi. */
export function capitalised(word: string, isWithin = false): string {
  const lower = word.toLowerCase();
  const named = lower
    .replace(/^['’]?\p{L}/u, (start) => (isWithin ? start : start.toUpperCase()))
    .replace(/^([dlo])(['’])(\p{L}{2,})$/iu, (_, first: string, mark: string, rest: string) => {
      return `${first.toUpperCase()}${mark}${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
    });
  return named.replace(/^Mc\p{Ll}{2}/u, (start) => `Mc${start.charAt(2).toUpperCase()}${start.slice(3)}`);
}
