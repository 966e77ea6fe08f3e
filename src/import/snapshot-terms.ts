import type { Report } from './report.ts';
import { addDays, HANDOVER_DAYS } from './sources/openstates-person.ts';

/** A term in a legislature with the days of the editions that have it, each of which tells the members of its day. */
export interface SnapshotTerm {
  readonly line: number;
  readonly record: string;
  readonly office: number;
  readonly person: number;
  /** State and chamber. */
  readonly chamber: string;
  readonly start: string | null;
  readonly end: string | null;
  readonly status: string;
  readonly days: readonly string[];
}

/** As many terms as a quarter of those on the busiest day begin when a chamber meets anew. */
const MEETS_ANEW = 1 / 4;

export interface SettledTerms {
  readonly changed: readonly SnapshotTerm[];
  /** The lines of those that are not true. */
  readonly dropped: readonly number[];
}

/**
 * The terms that have to change so that the editions agree:
 * - What an edition says of its own day stands. A term that only later editions know, and that would put somebody else
 *   into an office on that day, counts from when the chamber met anew. A past one that was over by then is dropped: that
 *   an edition tells of the past is less sure than what another one said at the time.
 * - A term without an end that a later edition does not have any more has ended: when the person took another seat, when
 *   somebody else took the only seat, or at the latest when the chamber met anew.
 */
export function settleTermsOfSnapshots(terms: readonly SnapshotTerm[], report: Report): SettledTerms {
  const settled: SnapshotTerm[] = [];
  for (const chamber of Map.groupBy(terms, (term) => term.chamber).values()) {
    const editions = [...new Set(chamber.flatMap((term) => term.days.filter((day) => covers(term, day))))].sort();
    const begun = chamber.flatMap((term) => begin(term, chamber, editions, report) ?? []);
    settled.push(...begun.map((term) => finish(term, begun, editions)));
  }
  const before = new Map(terms.map((term) => [term.line, term]));
  const changed = settled.filter(({ line, start, end, status }) => {
    const old = before.get(line);
    return old?.start !== start || old.end !== end || old.status !== status;
  });
  const kept = new Set(settled.map(({ line }) => line));
  return { changed, dropped: terms.flatMap(({ line }) => (kept.has(line) ? [] : [line])) };
}

function begin(
  term: SnapshotTerm,
  chamber: readonly SnapshotTerm[],
  editions: readonly string[],
  report: Report,
): SnapshotTerm | undefined {
  const [first] = term.days;
  const contrary = editions.filter((day) => first !== undefined && day < first && covers(term, day)).at(-1);
  if (contrary === undefined) return term;
  const anew = metAnew(chamber, contrary, editions);
  const isSeen = term.days.some((day) => covers(term, day));
  if (!isSeen && term.end !== null && (anew === undefined || term.end <= addDays(anew, HANDOVER_DAYS))) {
    const why = `has others in the seat, so that a term that was over before the chamber met anew is not true`;
    report.add(term.record, `the edition of ${contrary} ${why}`);
    return undefined;
  }
  const start = anew !== undefined && (term.end === null || anew < term.end) ? anew : nextDay(contrary);
  report.add(term.record, `the edition of ${contrary} has others in the seat: the term counts from ${start}`);
  return { ...term, start };
}

function finish(term: SnapshotTerm, chamber: readonly SnapshotTerm[], editions: readonly string[]): SnapshotTerm {
  const last = term.days.at(-1);
  const newest = editions.at(-1);
  const isFormer = (end: string | null) => end !== null && newest !== undefined && end <= newest;
  if (term.end !== null) return isFormer(term.end) ? { ...term, status: 'Former' } : term;
  const gone = editions.find((day) => last !== undefined && day > last);
  if (last === undefined || gone === undefined) return term;
  const later = chamber.filter(({ start }) => start !== null && start > last && start <= gone);
  const others = chamber.filter(({ office, line }) => office === term.office && line !== term.line);
  const isAlone = !others.some((other) => covers(other, last) && other.days.includes(last));
  const ends = [
    ...later.filter(({ person }) => person === term.person),
    ...(isAlone ? later.filter(({ office }) => office === term.office) : []),
  ].map(({ start }) => start as string);
  const end = [...ends, metAnew(chamber, last, editions) ?? gone, gone].sort()[0] ?? gone;
  return { ...term, end, status: 'Former' };
}

/** The first day after another on which much of a chamber begins a term. */
function metAnew(chamber: readonly SnapshotTerm[], after: string, editions: readonly string[]): string | undefined {
  // The days behind editions are those that `begin` has given.
  const given = new Set(editions.map(nextDay));
  const starts = chamber.flatMap(({ start }) => (start !== null && start > after && !given.has(start) ? [start] : []));
  const counts = [...Map.groupBy(starts, (start) => start)].map(([day, { length }]) => ({ day, length }));
  const most = Math.max(...counts.map(({ length }) => length));
  return counts
    .filter(({ length }) => length >= most * MEETS_ANEW)
    .map(({ day }) => day)
    .sort()[0];
}

/** The last day of a term is the first of the next. */
function covers({ start, end }: SnapshotTerm, day: string): boolean {
  return (start === null || start <= day) && (end === null || end > day);
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
