import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { NeutralIds } from '../stage/neutral-ids.ts';
import { type PersonRecordId, TABLE_OF_KIND } from './assignments.store.ts';

/**
 * Creates a second person with the name of the first, moves the records to it, and records that they are two persons
 * and whose these records are.
 * @returns the id of the new person.
 */
export async function splitOff(db: Database, person: number, records: readonly PersonRecordId[]): Promise<number> {
  const names = records.map(({ kind, id }) => `${kind} ${id}`).sort();
  const [created = 0] = await new NeutralIds(db).allocate('persons', [
    { scheme: 'split', value: `${person} ${names.join(' ')}` },
  ]);
  await sql`/* persons.split-off */
    insert into persons (id, name, first_name, last_name, url)
    select ${created}, name, first_name, last_name, null from persons where id = ${person}`.execute(db);
  await sql`/* persons.split-off-sources */
    insert into record_sources (kind, record_id, source_id)
    select kind, ${created}, source_id from record_sources where kind = 'person' and record_id = ${person}`.execute(db);
  for (const { kind, id } of records) {
    await sql`/* persons.assign */
      insert into person_assignments (kind, record_id, person_id) values (${kind}::record_kind, ${id}, ${created})
      on conflict (kind, record_id) do update set person_id = excluded.person_id`.execute(db);
    await sql`/* persons.move-split */
      update ${sql.table(TABLE_OF_KIND[kind])} set person_id = ${created} where id = ${id}`.execute(db);
  }
  await sql`/* persons.separate-split */
    insert into distinct_persons (person_id, other_id) values (${Math.min(person, created)}, ${Math.max(person, created)})
    on conflict do nothing`.execute(db);
  return created;
}
