import { addDays } from '../../../base/dates.ts';
import type { Report } from '../../exchange/report.ts';

/** The minimum overlap in days: longer than any handover between two seats. */
export const HANDOVER_DAYS = 31;

/**
 * A term in a legislature with the days of the editions that contain it, each of which lists the members of its day.
 */
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

/** A chamber reconvenes on a day on which at least this share of the terms of its busiest day begins. */
const CONVENING_SHARE = 1 / 4;

export interface SettledTerms {
  readonly changed: readonly SnapshotTerm[];
  /** The lines of terms to drop. */
  readonly dropped: readonly number[];
}

/**
 * Returns the changes to terms that make the editions agree:
 * - An edition is authoritative for its own day. A term that only later editions have, and that would put another
 * person into an office on that day, counts from the day on which the chamber reconvened, or has no known first day. A past one
 * that was over by then is dropped: an edition is less reliable about the past than one published at the time.
 * - A term without an end that a later edition no longer has ended when the person took another seat, when another
 * person took the only seat, or at the latest when the chamber reconvened; otherwise its last day is not known. The day of an
 * edition is never the first or the last one of a term: which editions show it is recorded apart (`recordOfficesOnDays`).
 * - A past term that no edition shows ended when another person took the seat, whom an edition without this term shows as the only
 * member.
 */
export function settleTermsOfSnapshots(terms: readonly SnapshotTerm[], report: Report): SettledTerms {
  const settled: SnapshotTerm[] = [];
  for (const chamber of Map.groupBy(terms, (term) => term.chamber).values()) {
    const editions = [...new Set(chamber.flatMap((term) => term.days.filter((day) => covers(term, day))))].sort();
    const begun = chamber.flatMap((term) => begin(term, chamber, editions, report) ?? []);
    const finished = begun.map((term) => finish(term, begun, editions));
    settled.push(...finished.map((term) => endBefore(term, finished, editions, report)));
  }
  const before = new Map(terms.map((term) => [term.line, term]));
  const changed = settled.filter(({ line, start, end, status }) => {
    const old = before.get(line);
    return old?.start !== start || old.end !== end || old.status !== status;
  });
  const lines = new Set(settled.map(({ line }) => line));
  return { changed, dropped: terms.flatMap(({ line }) => (lines.has(line) ? [] : [line])) };
}

function begin(
  term: SnapshotTerm,
  chamber: readonly SnapshotTerm[],
  editions: readonly string[],
  report: Report,
): SnapshotTerm | undefined {
  const [first] = term.days;
  // An edition that has the person in the office under another first day agrees that the person held it.
  const agrees = (day: string) =>
    chamber.some(
      (other) =>
        other.line !== term.line &&
        other.person === term.person &&
        other.office === term.office &&
        other.days.includes(day) &&
        covers(other, day),
    );
  const contradicting = editions
    .filter((day) => first !== undefined && day < first && covers(term, day) && !agrees(day))
    .at(-1);
  if (contradicting === undefined) return term;
  const reconvened = reconvenedOn(chamber, contradicting);
  const isSeen = term.days.some((day) => covers(term, day));
  if (!isSeen && term.end !== null && (reconvened === undefined || term.end <= addDays(reconvened, HANDOVER_DAYS))) {
    const why = 'lists other members for the seat; a term that ended before the chamber reconvened is dropped';
    report.add(term.record, 'left-out', `the edition of ${contradicting} ${why}`);
    return undefined;
  }
  const start = reconvened !== undefined && (term.end === null || reconvened < term.end) ? reconvened : null;
  if (start === term.start) return term;
  const counts = start === null ? 'the first day of the term is not known' : `the term counts from ${start}`;
  report.add(term.record, 'left-out', `the edition of ${contradicting} lists other members for the seat; ${counts}`);
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
  const reconvened = reconvenedOn(chamber, last);
  const end = [...ends, ...(reconvened !== undefined && reconvened <= gone ? [reconvened] : [])].sort()[0] ?? null;
  return { ...term, end, status: 'Former' };
}

function endBefore(
  term: SnapshotTerm,
  chamber: readonly SnapshotTerm[],
  editions: readonly string[],
  report: Report,
): SnapshotTerm {
  const { start, end, office, person } = term;
  const isShown = (one: SnapshotTerm, day: string) => one.days.includes(day) && covers(one, day);
  if (start === null || end === null || editions.some((day) => isShown(term, day))) return term;
  const members = editions.map((day) => chamber.filter((other) => other.office === office && isShown(other, day)));
  if (members.some(({ length }) => length > 1)) return term;
  const next = editions
    .flatMap((day, index) => (members[index] ?? []).map((member) => ({ ...member, day, start: member.start ?? '' })))
    .filter((other) => other.person !== person && !term.days.includes(other.day))
    .filter((other) => other.start > start && other.start < end)
    .sort((a, b) => a.start.localeCompare(b.start))[0];
  if (!next) return term;
  const why = `lists another member of the seat from ${next.start} on; the term ends then`;
  report.add(term.record, 'left-out', `the edition of ${next.day} ${why}`);
  return { ...term, end: next.start };
}

/** Returns the first day after a given one on which many terms of a chamber begin. */
function reconvenedOn(chamber: readonly SnapshotTerm[], after: string): string | undefined {
  const starts = chamber.flatMap(({ start }) => (start !== null && start > after ? [start] : []));
  const counts = [...Map.groupBy(starts, (start) => start)].map(([day, { length }]) => ({ day, length }));
  const most = Math.max(...counts.map(({ length }) => length));
  return counts
    .filter(({ length }) => length >= most * CONVENING_SHARE)
    .map(({ day }) => day)
    .sort()[0];
}

/** Returns whether a term covers a day. The last day of a term is the first of the next. */
function covers({ start, end }: SnapshotTerm, day: string): boolean {
  return (start === null || start <= day) && (end === null || end > day);
}
