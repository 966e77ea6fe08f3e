import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Changes } from '../../exchange/load-summary.ts';
import { affected } from './write-changes.ts';

/**
 * Matches a contact `c`, which has no id in a file, with the staged one `s` if all columns are equal. Owners are
 * compared as one number, a person's negated, since `is not distinct from` would compare every pair of rows.
 */
export const SAME_CONTACT = sql`
  coalesce(c.officeholder_id, -c.person_id) = coalesce(s.officeholder_id, -s.person_id)
  and c.collection = s.collection and c.contact_type = s.contact_type and c.contact = s.contact`;

/**
 * Replaces the contacts of an officeholder or a person that the same data set supplied earlier by those of the load, so
 * that an outdated telephone number is not listed along with the new one.
 */
export async function replaceContacts(db: Database, sourceName: string): Promise<Changes> {
  await sql`/* import.contacts */ analyze contacts`.execute(db);
  const removed = await affected(
    db,
    sql`/* import.replace-contacts */
      delete from contacts as c
      where (c.officeholder_id in (select officeholder_id from stage_contacts)
          or c.person_id in (select person_id from stage_contacts))
        and exists (
          select from record_sources as r join sources as o on o.id = r.source_id
          where r.kind = 'contact' and r.record_id = c.id and o.name = ${sourceName})
        and not exists (select from stage_contacts as s where ${SAME_CONTACT})`,
  );
  const inserted = await affected(
    db,
    sql`/* import.insert-contacts */
      insert into contacts (officeholder_id, person_id, collection, contact_type, contact)
      select officeholder_id, person_id, collection, contact_type, contact
      from (
        select officeholder_id, person_id, collection, contact_type, contact, min(line) as line
        from stage_contacts group by 1, 2, 3, 4, 5
      ) as s
      where not exists (select from contacts as c where ${SAME_CONTACT})
      order by line`,
  );
  const { rows } = await sql<{ count: number }>`/* import.count-contacts */
    select count(*) as count
    from (select distinct officeholder_id, person_id, collection, contact_type, contact from stage_contacts) as s`.execute(
    db,
  );
  return { inserted, updated: 0, unchanged: (rows[0]?.count ?? 0) - inserted, removed };
}

/** Deletes the contacts that are not in the load. */
export function removeContacts(db: Database): Promise<number> {
  return affected(
    db,
    sql`/* import.remove-contacts */
      delete from contacts as c where not exists (select from stage_contacts as s where ${SAME_CONTACT})`,
  );
}
