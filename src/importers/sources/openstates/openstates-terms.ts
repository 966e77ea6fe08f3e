import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { ExternalId } from '../../exchange/import-rows.ts';
import type { Role } from './openstates-person.ts';

export const SCHEME = 'openstates-people';

/** A term that an earlier import of the source supplied. */
export interface KnownTerm {
  readonly id: ExternalId;
  readonly start: string | null;
  readonly end: string | null;
  /** The days of the editions that contain it. */
  readonly days: readonly string[];
}

/** Returns the terms in the database by person and office, keyed by `termKey`. */
export async function knownTerms(db: Database): Promise<Map<string, KnownTerm[]>> {
  const { rows } = await sql<{ value: string; start: string | null; end: string | null; days: string[] }>`
    /* import.openstates-terms */
    select e.value, h.start_date as start, h.end_date as end, array(
      select o.as_of::text from record_sources as r join sources as o on o.id = r.source_id
      where r.kind = 'officeholder' and r.record_id = h.id and o.name = ${SCHEME} and o.as_of is not null
      order by 1) as days
    from external_identifiers as e join officeholders as h on h.id = e.record_id
    where e.kind = 'officeholder' and e.scheme = ${SCHEME}
    order by e.value`.execute(db);
  return Map.groupBy(
    rows.map(({ value, ...term }) => ({ ...term, id: { scheme: SCHEME, value } })),
    ({ id }) => id.value.slice(0, id.value.lastIndexOf(' | ')),
  );
}

export function termKey(person: string, { office }: Role): string {
  return `${person} | ${office.id.value}`;
}

/** Returns the names of a term: that of the same term in another edition, if there is one, and its own. */
export function termIds(key: string, role: Role, asOf: string, known: readonly KnownTerm[]): readonly ExternalId[] {
  const from = role.start ?? (role.end === undefined || role.end > asOf ? `on ${asOf}` : `to ${role.end}`);
  const own = { scheme: SCHEME, value: `${key} | ${from}` };
  const same = known.find((term) => term.id.value === own.value) ?? known.find((term) => isSame(role, asOf, term));
  return same && same.id.value !== own.value ? [same.id, own] : [own];
}

/** Returns whether two editions mean the same term: they agree on a day of it, or on a start or end. */
function isSame({ start, end }: Role, asOf: string, term: KnownTerm): boolean {
  if (start !== undefined && term.start !== null && term.start !== start) return false;
  if (start !== undefined && term.start === start) return true;
  // A re-elected person has two terms: an edition contained the first one before the second began.
  if (term.start !== null && asOf < term.start) return false;
  const covers = (from: string | null | undefined, to: string | null | undefined, day: string) =>
    (!from || from <= day) && (!to || to > day);
  if (start !== undefined && term.days.some((day) => day < start && covers(term.start, term.end, day))) return false;
  if (covers(start, end, asOf) && covers(term.start, term.end, asOf)) return true;
  if (term.days.some((day) => covers(term.start, term.end, day) && covers(start, end, day))) return true;
  return end !== undefined && term.end === end;
}
