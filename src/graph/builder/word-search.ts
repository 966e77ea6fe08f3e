import { ServiceError } from '../../base/errors.ts';

/** The description of an argument for the words of a name, after "Words of". */
export const EACH_BEGINS_A_WORD =
  'each of which begins a word of it, in any order. Letter case, accents, punctuation and blanks do not matter. At most 100 characters.';

/** What arguments for the name of a person find besides, and in which order. */
export const OTHER_FORMS_LAST =
  'People found only by another form of a first name (`Bernie` for Bernard), or without an initial that was given, follow after the others, whatever the order of the list.';

/**
 * Checks that a text has something to search for.
 * @param name the argument, as errors name it.
 * @param fewest how many letters and digits it needs.
 * @throws ServiceError INVALID_PARAMETER if it has fewer.
 */
export function checkWords(name: string, text: string | null | undefined, fewest = 1): void {
  if (text == null || (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= fewest) return;
  const reason = `must have at least ${fewest === 1 ? 'one letter or digit' : `${fewest} letters or digits`}`;
  throw new ServiceError('INVALID_PARAMETER', `${name} ${reason}.`, [{ name, reason }]);
}
