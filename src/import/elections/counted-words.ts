import { normalName } from '../matching.ts';

/** Words in labels of counts that are not votes for a person: they describe ballots, voters and voting. */
const NO_VOTE =
  'over under overvote overvotes undervote undervotes vote votes blank blanks exhausted invalid void voided spoiled rejected unresolved uncounted unassigned no selection skipped illegible';
const TURNOUT =
  'registered registration registrations registrants voter voters turnout times counted ballot ballots cast total totals number percent percentage contest precinct precincts reporting election day early absentee at cutoff of that voted the all in public counter cards paper eligible';
/** Words in labels of votes for names that are not listed. */
const UNNAMED =
  'write writein writeins ins in other others scatter scattering scattered uwi undeclared unqualified uncertified unregistered unlisted misc miscellaneous individual single votes vote candidate candidates names name total totals invalid blank all for not assigned fictitious entry entries of or less fewer than under with each';

const wordsOf = (text: string) => new Set(text.split(' '));
const NO_VOTE_WORDS = wordsOf(NO_VOTE);
const TURNOUT_WORDS = wordsOf(`${TURNOUT} ${NO_VOTE}`);
const UNNAMED_WORDS = wordsOf(UNNAMED);
const NAMES_WRITE_IN =
  /\b(write|writein|writeins|other|others|scatter|scattering|scattered|uwi|misc|miscellaneous)\b|^not assigned$/;

/**
 * Classifies a label in the candidate column by its words; null for a name. An empty cell is a count of ballots or
 * voters.
 */
export function pseudoCandidate(name: string): 'no vote' | 'turnout' | 'unnamed' | null {
  // `WriteinVotes` is written as one word.
  const plain = normalName(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  if (plain === '') return 'turnout';
  const words = plain.split(' ');
  if (plain === 'no' || plain === 'in' || plain === 'for' || plain === 'day' || plain === 'early') return null;
  if (words.every((word) => NO_VOTE_WORDS.has(word))) return 'no vote';
  const isUnnamed = (word: string) => UNNAMED_WORDS.has(word) || /^\d+$/.test(word);
  if (NAMES_WRITE_IN.test(plain) && words.every(isUnnamed)) return 'unnamed';
  return words.every((word) => TURNOUT_WORDS.has(word)) ? 'turnout' : null;
}
