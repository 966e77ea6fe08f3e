import { normalName } from '../../base/words/normal-name.ts';
import { choiceOf } from '../facts/choices.ts';
import { displayName, isPartyAsName, isSuffix, personName, pseudoCandidate, writtenInName } from '../facts/names.ts';
import { compareNames, type PersonName, parsePersonName } from '../facts/person-name.ts';
import { isNoPerson, isStatedTotal, markOf, PARTY_ENDINGS, TITLES } from './dialect.ts';
import { lawOn } from './laws.ts';
import { isKnownParty, partyNames } from './parties.ts';

/** A unit with votes, as a file names it; texts are empty for none. */
export interface Precinct {
  readonly file: string;
  readonly county: string;
  readonly town: string;
  readonly precinct: string;
}

/** Votes by precinct; null for a count that is hidden or blank. */
export type PrecinctVotes = ReadonlyMap<Precinct, number | null>;

/** The votes for a text in the column of the candidate, with one party, in a race. */
export interface NameVotes {
  readonly text: string;
  /** The party as written. */
  readonly party: string;
  votes: number;
  least: number;
  most: number;
  /** The number of counts that the source hides, or that are no number of votes. */
  hidden: number;
  /** True if it has hidden or blank counts of which `most` has the most. */
  isPartHidden: boolean;
  /** The number of units with a count, and of those in which it has several rows. */
  counts: number;
  repeated: number;
  isWriteIn: boolean;
  readonly line: number;
  readonly bad: string | undefined;
  readonly file: string;
  /** The units of the file with votes for it; undefined if no other name of the race is like it there. */
  readonly units: Set<number> | undefined;
  /** Undefined unless the import stores them. */
  readonly precincts: Map<Precinct, number | null> | undefined;
}

/** A candidate, or a choice that is no person, with all votes of the race. */
export interface Candidate {
  readonly name: string;
  readonly runningMate?: string;
  readonly parties: readonly string[];
  readonly isWriteIn: boolean;
  readonly isPerson: boolean;
  /** What a mark after the name says. */
  readonly mark: 'withdrew' | 'disqualified' | 'deceased' | undefined;
  /** The texts of one precinct, if there are several: they may be of two persons. */
  readonly several: readonly string[];
  /** Null if a part of the votes is hidden, or they may be those of two persons. */
  readonly votes: number | null;
  readonly shown: number;
  readonly least: number;
  readonly most: number;
  readonly precincts: PrecinctVotes;
  readonly line: number;
  readonly bad: string | undefined;
}

/** What the names of a race are. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Votes for persons whom the source does not name. */
  readonly unnamed: number;
  /** The votes of the whole race, if a row states them. */
  readonly statedTotal: number | undefined;
  /** The labels in place of names, with their votes, and the votes of ballots without a choice. */
  readonly labels: readonly { readonly text: string; readonly votes: number; readonly hidden: number }[];
  /** Candidates with different parties in different precincts. */
  readonly contradictions: readonly { readonly name: string; readonly parties: readonly string[] }[];
  /** Spellings that are counted as another one of the race. */
  readonly joined: readonly { readonly name: string; readonly into: string; readonly votes: number }[];
}

interface Read {
  readonly of: NameVotes;
  readonly name: string;
  /** The name as it is compared, and its parts. */
  readonly plain: string;
  readonly parts: PersonName | undefined;
  readonly mate: string | undefined;
  readonly parties: readonly string[];
  readonly isWriteIn: boolean;
  readonly mark: Candidate['mark'];
}

/** So many letters at their end are equal in any two forms of a last name: `Connell` and `O'Connell`. */
const ENDING = 2;

/** Returns the candidates of a race: a name is one by its row, unless it is a label; its marks are data. */
export function candidatesOf(
  names: readonly NameVotes[],
  facts: {
    readonly state: string;
    readonly date: string;
    readonly scope: string;
    readonly isTicket: boolean;
    readonly units: number;
    readonly isLastNameFirst: boolean;
  },
): Candidates {
  const labels = names.filter(({ text }) => isLabel(text));
  const read = names.filter((name) => !labels.includes(name)).map((name) => readName(name, facts));
  const isFusion = lawOn('fusion', { ...facts, name: '' }) !== undefined;
  const law = lawOn('hidden-counts', facts);
  const mostHidden = law === undefined ? undefined : Number(law);
  const joined: { name: string; into: string; votes: number }[] = [];
  const groups: Read[][] = [];
  // A contest may have thousands of written-in names: only those are compared whose last names end alike.
  const byEnding = new Map<string, Read[][]>();
  const doubts = new Map<readonly Read[], number>();
  for (const one of read.toSorted((a, b) => b.of.votes - a.of.votes || (a.name < b.name ? -1 : 1))) {
    const ending = (one.parts?.last ?? one.plain).slice(-ENDING);
    const near = byEnding.get(ending) ?? [];
    const alike = near.filter((group) => group.some((each) => isSame(each, one, isFusion)));
    const equal = alike.find(([first]) => first?.plain === one.plain);
    const [group = equal, another] = equal ? [equal] : alike;
    const isOne =
      group !== undefined && !another && (group === equal || group.every((each) => isSame(each, one, isFusion)));
    if (!isOne) {
      // `J. Roe` may be James or John: the votes are in doubt for both.
      for (const each of alike) doubts.set(each, (doubts.get(each) ?? 0) + one.of.votes);
      const own = [one];
      groups.push(own);
      near.push(own);
      byEnding.set(ending, near);
      continue;
    }
    group.push(one);
    const [first] = group;
    if (first && first.plain !== one.plain) joined.push({ name: one.of.text, into: first.name, votes: one.of.votes });
  }
  const stated = labels.filter(({ text }) => isStatedTotal(text));
  return {
    candidates: groups.map((group) => {
      const candidate = asCandidate(group, mostHidden, facts.units, isFusion);
      return { ...candidate, most: candidate.most + (doubts.get(group) ?? 0) };
    }),
    unnamed: labels
      .filter(
        ({ text }) =>
          (pseudoCandidate(text) === 'unnamed' || isPartyAsName(text) || isAnswer(text)) && !isStatedTotal(text),
      )
      .reduce((sum, { votes }) => sum + votes, 0),
    // Of several texts, each may state all votes.
    statedTotal: stated.length > 0 ? Math.max(...stated.map(({ votes }) => votes)) : undefined,
    contradictions: groups.flatMap((group) => {
      const parties = [...new Set(group.flatMap((each) => (each.parties.length > 0 ? [each.parties.join('/')] : [])))];
      return isFusion || parties.length < 2 ? [] : [{ name: group[0]?.name ?? '', parties }];
    }),
    labels: labels.map(({ text, votes, hidden }) => ({ text, votes, hidden })),
    joined,
  };
}

const IN_PARENTHESES = /^(.+?)\s*[([]([^()[\]]*)[)\]]\s*$/;
const AFTER_DASH = /^(.+?)\s+[-–—]\s+(.+)$|^(.+?),\s*([^,]+)$/;
const BEFORE_DASH = /^([\p{L}]+)\s*[-–—:]\s+(.+)$/u;
const SIGNS = /^\s*(?:\d+\.\s+|[*†‡#]+\s*)|\s*[*†‡#]+\s*$/gu;

/** The last name before others, without a comma. */
const LAST_NAME = /^((?:\p{Ll}\S* )*[^\s,]+) ([^,]+)$/u;
const [ENDS_WITH_INITIAL, HAS_INITIAL] = [/^\S+ \S+ (?:\S+ )?\p{Lu}\.?$/u, /^\S+ \p{Lu}\.? \S{2,}/u];
/** So many names of a file that end with an initial show that last names come first. */
const FEWEST_INITIALS = 5;

/**
 * Returns whether names are written last name first, without a comma: initials stand at their end. Where too few of them have any, the
 * others of the file show it.
 */
export function isLastNameFirst(texts: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const all = [...texts];
  const atEnd = all.filter((text) => ENDS_WITH_INITIAL.test(text)).length;
  const inside = all.filter((text) => HAS_INITIAL.test(text)).length;
  if (atEnd + inside < FEWEST_INITIALS && others.size > 0) return isLastNameFirst(others, new Set());
  return atEnd >= FEWEST_INITIALS && atEnd > 3 * inside;
}

/** Returns a name without the marks around it, and what they say: `1. ANN ROE (I) (Dem)*`, `Dem - Sam Poe`, `WRITE-IN: JANE ROE`. */
export function withoutMarks(written: string): Pick<Read, 'mark' | 'isWriteIn'> & { text: string; party: string } {
  let text = written.replace(SIGNS, '').trim();
  let [party, mark, isWriteIn] = ['', undefined as Read['mark'], false];
  const take = (sign: string): boolean => {
    const meaning = markOf(sign);
    if (meaning === 'write-in') isWriteIn = true;
    else if (meaning && meaning !== 'incumbent' && meaning !== 'note') mark ??= meaning;
    else if (meaning) return true;
    else if (isKnownParty(sign) && sign.trim() !== '') party ||= sign;
    else return false;
    return true;
  };
  for (let found = IN_PARENTHESES.exec(text); found; found = IN_PARENTHESES.exec(text)) {
    if (!take(found[2] ?? '')) break;
    text = (found[1] ?? '').replace(SIGNS, '').trim();
  }
  const [, dashed, afterDash, before, afterComma] = AFTER_DASH.exec(text) ?? [];
  if (dashed && afterDash && take(afterDash)) text = dashed;
  // `Roe, W` is a last name with an initial, and `Ann Roe, MD` a name with a degree.
  else if (before && afterComma && isMarkAfter(before, afterComma) && take(afterComma)) text = before;
  const [, sign = '', rest = ''] = BEFORE_DASH.exec(text) ?? [];
  if (rest && take(sign)) text = rest;
  const [last = '', ...words] = text.split(' ').reverse();
  if (words.length > 1 && PARTY_ENDINGS.has(last) && take(last)) text = words.reverse().join(' ');
  const named = writtenInName(text);
  return { text: named.isWriteIn ? named.name : text, party, mark, isWriteIn: isWriteIn || named.isWriteIn };
}

function isMarkAfter(name: string, sign: string): boolean {
  const meaning = markOf(sign);
  return meaning !== undefined && (meaning !== 'note' || name.includes(' '));
}

/** Reads a name with the marks around it. */
function readName(
  of: NameVotes,
  {
    state,
    isTicket,
    isLastNameFirst,
  }: { readonly state: string; readonly isTicket: boolean; readonly isLastNameFirst: boolean },
): Read {
  const { text, mark, ...marked } = withoutMarks(of.text);
  const [first = text, mate] = (isTicket ? ticketOf(text) : [text]).map((each) =>
    isLastNameFirst ? each.replace(LAST_NAME, '$1, $2') : each,
  );
  const name = isNoPerson(text) ? displayName(text.toUpperCase()) : personName(withoutTitle(first));
  return {
    of,
    name,
    plain: normalName(name),
    parts: parsePersonName(name),
    mate: mate && personName(mate),
    parties: partyNames(of.party || marked.party, state),
    isWriteIn: of.isWriteIn || marked.isWriteIn,
    mark,
  };
}

/** Returns the two persons of a ticket: `A AND B`, `A WITH B`, `A / B`, `A; B`, `Ann Roe, Sam Poe`. */
function ticketOf(text: string): string[] {
  const parts = text.split(/ (?:AND|WITH) |[/|\\;]| & /i).filter((each) => normalName(each) !== '');
  if (parts.length === 2) return parts.map((each) => each.trim());
  const persons = text.split(',').map((each) => each.trim());
  return persons.length === 2 && persons.every((each) => each.includes(' ') && !isSuffix(each.split(' ')[0] ?? ''))
    ? persons
    : [text];
}

/** Returns a name without the title before it, which is followed by at least two words. */
function withoutTitle(text: string): string {
  const plain = normalName(text);
  const title = TITLES.find((each) => plain.startsWith(`${each} `));
  if (!title) return text;
  const words = text.trim().split(' ');
  const rest = words.slice(title.split(' ').length);
  return rest.length >= 2 && normalName(rest.join(' ')).split(' ').length >= 2 ? rest.join(' ') : text;
}

/** Returns whether two names may be spellings of one: the last names are equal, and the first ones forms or an initial of each other. */
function areAlike({ parts: a }: Read, { parts: b }: Read): boolean {
  const agreement = a && b ? compareNames(a, b)?.first : undefined;
  return agreement === 'same' || agreement === 'initial';
}

/** Returns what names that may be spellings of one have in common: the last name. */
export function alikeKey(text: string): string {
  return parsePersonName(personName(text))?.last ?? normalName(text);
}

/** Returns whether two names of a race are of one candidate. */
function isSame(one: Read, other: Read, isFusion: boolean): boolean {
  const isEqual = one.plain === other.plain;
  if (!isEqual && !areAlike(one, other)) return false;
  const [a, b] = [one.parties.join('/'), other.parties.join('/')];
  const isOfOneParty = a === '' || b === '' || a === b;
  if (isEqual && (isOfOneParty || isFusion)) return true;
  // Voters may write in a name that is printed; other spellings, and other parties of one name, are of one candidate if no unit has both.
  const isWrittenIn = one.isWriteIn !== other.isWriteIn && isOfOneParty;
  return isWrittenIn || (areApart(one.of, other.of) && (isOfOneParty || isEqual));
}

/** Returns whether no unit has votes for both names. Files of one contest have other counties each. */
function areApart(one: NameVotes, other: NameVotes): boolean {
  return one.file !== other.file || (one.units !== undefined && other.units?.isDisjointFrom(one.units) === true);
}

/** Returns the printed texts of a candidate that a precinct has several of: `John Smith (I)` and `John Smith` may be two persons. */
function severalOf(group: readonly Read[]): string[] {
  const printed = group.flatMap(({ of, isWriteIn }) => (isWriteIn || of.units === undefined ? [] : of));
  const isBeside = (one: NameVotes) =>
    printed.some((other) => other.text !== one.text && other.party === one.party && !areApart(one, other));
  return printed.filter(isBeside).map(({ text }) => text);
}

/** The least share of the votes of a candidate with a party, if some precincts have another one. */
const MAIN_SHARE = 0.9;

/** Returns the parties of a candidate: all that nominated it, or that of almost all votes where precincts contradict each other. */
function partiesOf(group: readonly Read[], votes: number, isFusion: boolean): readonly string[] {
  const all = Map.groupBy(
    group.filter(({ parties }) => parties.length > 0),
    ({ parties }) => parties.join('/'),
  );
  if (isFusion || all.size < 2) return [...new Set(group.flatMap(({ parties }) => parties))];
  const main = [...all.values()].find((own) => own.reduce((sum, { of }) => sum + of.votes, 0) >= votes * MAIN_SHARE);
  return main?.[0]?.parties ?? [];
}

/** Returns whether a text is an answer to a question and names no person: `AGAINST`. */
export function isAnswer(text: string): boolean {
  const choice = choiceOf(text);
  return choice !== undefined && choice.subject === null;
}

/** Returns whether a text in place of a name names nothing on the ballot of a race: a count, an unnamed write-in, a party, an answer. */
export function isLabel(text: string): boolean {
  return (pseudoCandidate(text) !== null || isPartyAsName(text) || isAnswer(text)) && !isNoPerson(text);
}

/** Returns whether a label counts no votes for anything on the ballot: undervotes, registered voters, totals of the contest. */
export function countsNoChoice(text: string): boolean {
  const kind = isNoPerson(text) ? null : pseudoCandidate(text);
  return kind === 'no vote' || kind === 'turnout' || isStatedTotal(text);
}

/** @param mostHidden the most votes of a count that the source hides, or leaves out; undefined if no law of it says so. */
function asCandidate(
  group: readonly Read[],
  mostHidden: number | undefined,
  units: number,
  isFusion: boolean,
): Candidate {
  const sum = (of: (name: NameVotes) => number) => group.reduce((total, each) => total + of(each.of), 0);
  const [first] = group as [Read, ...Read[]];
  const shown = sum(({ votes }) => votes);
  const isHidden = group.some(({ of }) => of.hidden > 0 || of.isPartHidden);
  const hidden = sum((name) => name.hidden);
  // A source that hides small counts may leave out their rows too.
  const without = mostHidden === undefined ? 0 : Math.max(0, units - sum(({ counts }) => counts) + hidden) * mostHidden;
  const inHidden = mostHidden === undefined && hidden > 0 ? Number.POSITIVE_INFINITY : without;
  const mark = group.map((each) => each.mark).find((each) => each !== undefined);
  const several = severalOf(group);
  return {
    name: first.name,
    ...(first.mate ? { runningMate: first.mate } : {}),
    parties: partiesOf(group, shown, isFusion),
    isWriteIn: group.every((each) => each.isWriteIn),
    isPerson: !isNoPerson(first.of.text),
    mark,
    several,
    votes: isHidden || several.length > 0 ? null : shown,
    shown,
    least: sum(({ least }) => least),
    most: sum(({ most }) => most) + inHidden,
    precincts: several.length > 0 ? new Map() : precinctsOf(group),
    line: Math.min(...group.map(({ of }) => of.line)),
    bad: group.find(({ of }) => of.bad)?.of.bad,
  };
}

/** Returns the votes of all texts of a candidate in each precinct. */
function precinctsOf(group: readonly Read[]): PrecinctVotes {
  const sums = new Map<Precinct, number | null>();
  for (const { of } of group)
    for (const [precinct, votes] of of.precincts ?? []) {
      const known = sums.get(precinct);
      sums.set(precinct, votes === null || known === null ? null : (known ?? 0) + votes);
    }
  return sums;
}
