import { addDays } from '../../../base/dates.ts';
import { normalName } from '../../../base/words/normal-name.ts';
import { type Agreement, compareNames, type PersonName } from '../../facts/person-name.ts';

/** A person's candidacy in a race. */
export interface Candidacy {
  readonly id: number;
  readonly race: number;
  readonly office: number;
  readonly election: number;
  /** The day of the election. */
  readonly date: string;
  /** The outcome, for example `Won`; null if it is not known. */
  readonly status: string | null;
  /** True for a primary, whose winner only advances. */
  readonly isPrimary: boolean;
}

/** A person's term in an office. */
export interface HeldTerm {
  readonly office: number;
  readonly start: string | null;
  readonly end: string | null;
  /** The last day on which an edition of a source shows the person in office. */
  readonly lastShown: string | null;
}

/** A person record with its candidacies and terms in the compared offices. */
export interface PersonRecord {
  readonly id: number;
  /** The ids of records that are part of it. */
  readonly merged: readonly number[];
  /** The name, and the other names that sources have for the person. */
  readonly names: readonly PersonName[];
  readonly name: string;
  /** Identifiers of persons in sources that distinguish persons themselves, by scheme. */
  readonly ids: ReadonlyMap<string, string>;
  readonly candidacies: readonly Candidacy[];
  readonly terms: readonly HeldTerm[];
}

/** Two records of the same person, and the rule that matched them. */
export interface Join {
  readonly a: PersonRecord;
  readonly b: PersonRecord;
  readonly rule: JoinRule;
}

export const JOIN_RULES = {
  'won and took office':
    'a candidate of the office who did not lose, and its holder whose term begins within three months',
  'won and is in office': 'the winner of an election to the office, and its holder three months after the election',
  'candidate again': 'candidates for the same office in different elections',
  'sought and held': 'a candidate for an office, and one who holds or held it, of the same name',
} as const;

export type JoinRule = keyof typeof JOIN_RULES;

/** The longest time between an election and the first day of the term, in days. */
const MAX_DAYS_TO_TERM = 92;

/** The joins, and the records that match several others which cannot all be one person. */
export interface FoundJoins {
  readonly joins: readonly Join[];
  readonly ambiguous: readonly PersonRecord[];
}

/**
 * Finds records of the same person among the candidates for an office and its holders. The rules are applied in order,
 * the strongest first. Records are joined only if nothing contradicts it: if a record matches several others that
 * cannot all be one person, none of them is joined.
 * @param areDistinct returns true for records that an operator has declared to be different persons.
 */
export function findJoins(
  persons: readonly PersonRecord[],
  areDistinct: (a: PersonRecord, b: PersonRecord) => boolean,
): FoundJoins {
  const pairs = pairsOf(persons).flatMap(([a, b]) => rulesOf(a, b).map((rule) => ({ a, b, rule })));
  const groups = new Map(persons.map((person) => [person, new Set([person])]));
  const groupOf = (person: PersonRecord) => groups.get(person) ?? new Set([person]);
  const canBeOne = (some: ReadonlySet<PersonRecord>, others: ReadonlySet<PersonRecord>) =>
    [...some].every((a) =>
      [...others].every((b) => !areDistinct(a, b) && !isContradicted(a, b) && bestAgreement(a, b) !== undefined),
    );
  const joins: Join[] = [];
  const ambiguous = new Set<PersonRecord>();
  for (const rule of Object.keys(JOIN_RULES)) {
    const possible = pairs.filter(
      (pair) => pair.rule === rule && groupOf(pair.a) !== groupOf(pair.b) && canBeOne(groupOf(pair.a), groupOf(pair.b)),
    );
    const partners = new Map<ReadonlySet<PersonRecord>, Set<ReadonlySet<PersonRecord>>>();
    for (const { a, b } of possible) {
      for (const [one, other] of [
        [groupOf(a), groupOf(b)],
        [groupOf(b), groupOf(a)],
      ] as const)
        partners.set(one, (partners.get(one) ?? new Set()).add(other));
    }
    const isClear = (group: ReadonlySet<PersonRecord>) => {
      const all = [...(partners.get(group) ?? [])];
      return all.every((one, index) => all.slice(index + 1).every((other) => canBeOne(one, other)));
    };
    const unclear = new Set([...partners.keys()].filter((group) => !isClear(group)));
    for (const pair of possible) {
      const [one, other] = [groupOf(pair.a), groupOf(pair.b)];
      const all = [pair.a, pair.b];
      if (all.some((person) => [...unclear].some((group) => group.has(person)))) {
        for (const person of all) ambiguous.add(person);
      } else if (one !== other && canBeOne(one, other)) {
        const group = one.union(other);
        for (const person of group) groups.set(person, group);
        joins.push(pair);
      }
    }
  }
  return { joins, ambiguous: [...ambiguous] };
}

/**
 * Returns the pairs of persons with an office in common, as all rules require, and with the same last letters of a last name.
 * They are the same for a double last name and for its second part alone.
 */
function pairsOf(persons: readonly PersonRecord[]): [PersonRecord, PersonRecord][] {
  const lettersOf = ({ names }: PersonRecord) => new Set(names.map(({ last }) => last.slice(-3)));
  const groups = Map.groupBy(
    persons.flatMap((person) => [...lettersOf(person)].map((letters) => ({ person, letters }))),
    ({ letters }) => letters,
  );
  const found = new Map<PersonRecord, Set<PersonRecord>>();
  for (const group of groups.values()) {
    const named = group.flatMap(({ person }, index) =>
      [...officesOf(person)].map((office) => ({ person, index, office })),
    );
    const byOffice = Map.groupBy(named, ({ office }) => office);
    for (const [index, { person: a }] of group.entries()) {
      const later = [...officesOf(a)]
        .flatMap((office) => byOffice.get(office) ?? [])
        .filter((each) => each.index > index)
        .sort((one, other) => one.index - other.index);
      for (const { person: b } of later) found.set(a, (found.get(a) ?? new Set()).add(b));
    }
  }
  return [...found].flatMap(([a, others]) => [...others].map((b): [PersonRecord, PersonRecord] => [a, b]));
}

function officesOf({ candidacies, terms }: PersonRecord): ReadonlySet<number> {
  return new Set([...candidacies, ...terms].map(({ office }) => office));
}

function bestAgreement(a: PersonRecord, b: PersonRecord): Agreement | undefined {
  const order = { same: 0, initial: 1, loose: 2 };
  return a.names
    .flatMap((one) => b.names.flatMap((other) => compareNames(one, other) ?? []))
    .sort((x, y) => order[x.first] - order[y.first] || Number(x.suffixInOne) - Number(y.suffixInOne))[0];
}

/** Returns whether two records cannot be one person: both are in one race or have the same term, or one source distinguishes them. */
function isContradicted(a: PersonRecord, b: PersonRecord): boolean {
  const races = new Set(a.candidacies.map(({ race }) => race));
  if (b.candidacies.some(({ race }) => races.has(race))) return true;
  if (a.terms.some((one) => b.terms.some((other) => isSameTerm(one, other)))) return true;
  return [...a.ids].some(([scheme, value]) => b.ids.has(scheme) && b.ids.get(scheme) !== value);
}

/** Returns whether two terms would be one if they were of one person, which the constraint `officeholders_once` refuses. */
function isSameTerm(a: HeldTerm, b: HeldTerm): boolean {
  return a.office === b.office && a.start === b.start && (a.start !== null || a.end === b.end);
}

/** Returns the rules that match the records as one person. */
function rulesOf(a: PersonRecord, b: PersonRecord): JoinRule[] {
  const agreement = bestAgreement(a, b);
  if (!agreement || isContradicted(a, b)) return [];
  const isCertain = agreement.first === 'same' && !agreement.suffixInOne;
  const either = (test: (candidacy: Candidacy, term: HeldTerm) => boolean) =>
    a.candidacies.some((candidacy) => b.terms.some((term) => test(candidacy, term))) ||
    b.candidacies.some((candidacy) => a.terms.some((term) => test(candidacy, term)));
  const isAgain = () =>
    a.candidacies.some((one) =>
      b.candidacies.some(({ office, election }) => one.office === office && one.election !== election),
    );
  const rules: JoinRule[] = [];
  if (either(tookOffice)) rules.push('won and took office');
  else if (either((candidacy, term) => isInOffice(candidacy, term) && (isCertain || term.start !== null)))
    rules.push('won and is in office');
  if (isCertain && isAgain()) rules.push('candidate again');
  if (normalName(a.name) === normalName(b.name) && either((candidacy, term) => candidacy.office === term.office))
    rules.push('sought and held');
  return rules;
}

/** Returns whether the term begins within three months of the election, which the candidate did not lose. */
function tookOffice({ office, date, status, isPrimary }: Candidacy, term: HeldTerm): boolean {
  if (office !== term.office || term.start === null || status === 'Lost' || isPrimary) return false;
  return term.start >= date && term.start <= addDays(date, MAX_DAYS_TO_TERM);
}

/** A candidacy that is that of another person than its record's. */
export interface Move {
  readonly candidacy: number;
  readonly from: PersonRecord;
  readonly to: PersonRecord;
}

/**
 * Finds candidacies that days give to another person of the same name. A source that has names only takes a father and a son for
 * one; the one whose term begins after the election is the one who was elected.
 */
export function findMoves(
  persons: readonly PersonRecord[],
  areDistinct: (a: PersonRecord, b: PersonRecord) => boolean,
): Move[] {
  const others = new Map<PersonRecord, PersonRecord[]>();
  for (const [a, b] of pairsOf(persons)) {
    if (normalName(a.name) !== normalName(b.name) || areDistinct(a, b)) continue;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const)
      if (other.terms.length > 0) others.set(one, [...(others.get(one) ?? []), other]);
  }
  return [...others].flatMap(([from, alike]) =>
    from.candidacies.flatMap((candidacy) => {
      const takes = ({ terms }: PersonRecord) => terms.some((term) => tookOffice(candidacy, term));
      const [to, ...more] = alike.filter(takes);
      if (!to || more.length > 0 || takes(from) || to.candidacies.some(({ race }) => race === candidacy.race))
        return [];
      return { candidacy: candidacy.id, from, to };
    }),
  );
}

/** Returns whether the winner is in office after the election in a term that began before, or whose start is unknown. */
function isInOffice({ office, date, status, isPrimary }: Candidacy, term: HeldTerm): boolean {
  if (office !== term.office || status !== 'Won' || isPrimary) return false;
  const day = addDays(date, MAX_DAYS_TO_TERM);
  const known = term.lastShown ?? term.end;
  const begins = term.start ?? (known !== null && known >= date ? date : '9999-12-31');
  return begins <= day && (term.end === null || term.end > day);
}
