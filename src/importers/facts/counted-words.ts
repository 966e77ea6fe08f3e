import { normalName } from '../../base/words/normal-name.ts';
import { choiceOf } from './choices.ts';

/**
 * Words, in the singular, that no name of a person has: a label with one of them is a count of ballots or voters, or says
 * that there was no candidate.
 */
export const NEVER_A_NAME =
  'vote voted voter voting nonvote nonvoter ballot undervote overvote undervoted overvoted underballot overballot candidate nominee nomination ' +
  'precinct turnout registered registration registrant unresolved unassigned unqualified uncertified unregistered undeclared ' +
  'unlisted unrecorded unrecoverable uncast uncounted unofficial rejected invalid void voided scattering scattered exhausted ' +
  'provisional absentee affidavit recount inactive petition vacancy vacant uocava illegible spoiled percent percentage ' +
  'residual questioned abstain abstention subtotal cumulative miscellaneous uwi tabulated counted skipped none uncommitted preference';
/** Those of them that are no last name of anybody: one of them makes any text a count, `Ann Roe - Undervotes`. */
export const CERTAINLY_COUNTED =
  'undervote overvote undervoted overvoted underballot overballot nonvote nonvoter turnout registered registrant unresolved unassigned ' +
  'unqualified uncertified unregistered undeclared unrecorded uncast uncounted scattering uocava percentage subtotal tabulated uwi';
/** Words that describe ballots, voters and voting: a label of such words only is a count. */
export const COUNTED =
  `${NEVER_A_NAME} over under blank exhausted selection times count counted cast total number contest reporting election day early at cutoff ` +
  'of that the all in public counter card paper eligible no not for 1 2 3 4 5 6 7 8 9 emergency valid whole recap mail machine military ' +
  'federal manually hand central challenged defective do left signing center grand overseas other qualified certified filed personal ' +
  'ins choice remaining resolved write writein limited confidential special request or and to by name with grand county final report';
/** Words in labels of votes for names that are not listed. */
const UNNAMED =
  'write writein in ins other scatter scattering scattered uwi undeclared unqualified uncertified unregistered unlisted misc miscellaneous individual single vote candidate name total invalid blank all for not assigned fictitious entry of or less fewer than under with each unassigned unresolved resolved rejected certified qualified registered declared remaining personal choice';
/** Words of ballots without a vote for anybody. */
const NO_VOTE =
  'over under overvote undervote vote blank exhausted invalid void voided spoiled rejected unresolved uncounted unassigned no selection skipped illegible';

const wordsOf = (text: string) => new Set(text.split(' '));
const NEVER_A_NAME_WORDS = wordsOf(NEVER_A_NAME);
const COUNTED_WORDS = wordsOf(COUNTED);
const UNNAMED_WORDS = wordsOf(UNNAMED);
const NO_VOTE_WORDS = wordsOf(NO_VOTE);
const CERTAIN_WORDS = wordsOf(CERTAINLY_COUNTED);
const NAMES_WRITE_IN =
  /\b(write|writein|other|scatter|scattering|scattered|uwi|misc|miscellaneous)\b|^not assigned$|^personal choice$/;
/** Answers and last names that are also words of counts. */
const NOT_ALONE = new Set('no in for day early hand paper cast card all'.split(' '));
/** Choices on the ballot that are no person. */
const NONE_OF_THESE = /^none of (these|the above)\b/;

/**
 * Classifies a label in the candidate column by its words, in the singular or the plural; null for a name, an answer, and
 * `None of these candidates`. An empty cell is a count of ballots or voters.
 */
export function pseudoCandidate(name: string): 'no vote' | 'turnout' | 'unnamed' | null {
  // `WriteinVotes` is written as one word.
  const plain = normalName(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  if (plain === '') return 'turnout';
  const words = plain.split(' ').map(singular);
  if (NOT_ALONE.has(plain) || NONE_OF_THESE.test(plain)) return null;
  if (words.every((word) => NO_VOTE_WORDS.has(word))) return 'no vote';
  const isUnnamed = (word: string) => UNNAMED_WORDS.has(word) || /^\d+$/.test(word);
  if (NAMES_WRITE_IN.test(words.join(' ')) && words.every(isUnnamed)) return 'unnamed';
  if (words.every((word) => COUNTED_WORDS.has(word))) return 'turnout';
  // Some persons have a last name that is one of the other words.
  const counted = words.filter((word) => COUNTED_WORDS.has(word) || /^\d+$/.test(word));
  const isCount =
    words.some((word) => CERTAIN_WORDS.has(word)) ||
    (counted.length * 2 > words.length && words.some((word) => NEVER_A_NAME_WORDS.has(word)));
  return isCount && choiceOf(name) === undefined ? 'turnout' : null;
}

/** Returns a word without the ending of the plural: `votes`, `vacancies`. */
function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /[^siu]s$/.test(word) && word.length > 3 && word !== 'times' ? word.slice(0, -1) : word;
}
