import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';

/** A record that becomes part of another one. */
export interface Merge {
  readonly merged: number;
  readonly into: number;
  /** The rule of the import, or `operator`. */
  readonly rule: string;
}

/**
 * Merges person records: candidacies, terms, contacts and external identifiers move to the other record, and the record
 * itself is deleted. The moved rows are recorded, so that a split can move them back. Merges of the same list must not
 * form chains.
 */
export async function mergePersons(db: Database, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return;
  const pairs = sql`unnest(${merges.map(({ merged }) => merged)}::int[], ${merges.map(({ into }) => into)}::int[],
    ${merges.map(({ rule }) => rule)}::text[]) as m (merged, into_id, rule)`;
  await sql`/* persons.record-merges */
    insert into person_merges (merged_id, person_id, rule, name, first_name, last_name, url, image_url, candidates, officeholders,
      contacts, identifiers, sources)
    select m.merged, m.into_id, m.rule, p.name, p.first_name, p.last_name, p.url, p.image_url,
      array(select id from candidates where person_id = p.id order by id),
      array(select id from officeholders where person_id = p.id order by id),
      array(select id from contacts where person_id = p.id order by id),
      array(select scheme || E'\n' || value from external_identifiers where kind = 'person' and record_id = p.id order by 1),
      array(select source_id from record_sources where kind = 'person' and record_id = p.id order by 1)
    from ${pairs} join persons as p on p.id = m.merged
    on conflict (merged_id) do update set
      candidates = array(select distinct unnest(person_merges.candidates || excluded.candidates) order by 1),
      officeholders = array(select distinct unnest(person_merges.officeholders || excluded.officeholders) order by 1),
      contacts = array(select distinct unnest(person_merges.contacts || excluded.contacts) order by 1),
      identifiers = array(select distinct unnest(person_merges.identifiers || excluded.identifiers) order by 1),
      sources = array(select distinct unnest(person_merges.sources || excluded.sources) order by 1)`.execute(db);
  await uniteContacts(db, pairs);
  for (const table of ['candidates', 'officeholders', 'contacts']) {
    await sql`/* persons.move */
      update ${sql.table(table)} as t set person_id = m.into_id from ${pairs} where t.person_id = m.merged`.execute(db);
  }
  await sql`/* persons.move-merges */
    update person_merges as p set person_id = m.into_id from ${pairs} where p.person_id = m.merged`.execute(db);
  await sql`/* persons.move-identifiers */
    update external_identifiers as e set record_id = m.into_id from ${pairs}
    where e.kind = 'person' and e.record_id = m.merged`.execute(db);
  await sql`/* persons.delete-sources */
    delete from record_sources as r using ${pairs} where r.kind = 'person' and r.record_id = m.merged`.execute(db);
  await sql`/* persons.delete */ delete from persons as p using ${pairs} where p.id = m.merged`.execute(db);
}

/**
 * Deletes the contacts that another of the persons has as well, who become one; their sources go to the contact that stays. Merges
 * have the negative id of that contact in their place, of which a split makes a copy.
 */
async function uniteContacts(db: Database, pairs: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; kept: number }>`/* persons.same-contacts */
    with of_person as (
      select c.*, coalesce(m.into_id, c.person_id) as into_id from contacts as c left join ${pairs} on m.merged = c.person_id
      where c.person_id in (select unnest(array[m.merged, m.into_id]) from ${pairs})
    )
    select id, kept from (
      select id, first_value(id) over (
        partition by into_id, collection, contact_type, contact order by person_id = into_id desc, id) as kept
      from of_person) as same
    where id <> kept`.execute(db);
  if (rows.length === 0) return;
  const same = sql`unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ kept }) => kept)}::int[]) as same (id, kept)`;
  await sql`/* persons.unite-merges */
    update person_merges set contacts = array(
      select distinct coalesce(-same.kept, c) from unnest(contacts) as c left join ${same} on same.id = abs(c) order by 1)
    where exists (select from unnest(contacts) as c join ${same} on same.id = abs(c))`.execute(db);
  await sql`/* persons.unite-sources */
    insert into record_sources (kind, record_id, source_id)
    select 'contact', same.kept, r.source_id from ${same} join record_sources as r on r.kind = 'contact' and r.record_id = same.id
    on conflict do nothing`.execute(db);
  await sql`/* persons.forget-sources */
    delete from record_sources as r using ${same} where r.kind = 'contact' and r.record_id = same.id`.execute(db);
  await sql`/* persons.unite-contacts */ delete from contacts as c using ${same} where c.id = same.id`.execute(db);
}

/** Repeats merges whose records a load has restored: a folder of the exchange format supplies persons by their ids. */
export async function repeatMerges(db: Database): Promise<void> {
  const { rows } = await sql<Merge>`/* persons.repeat-merges */
    select m.merged_id as merged, m.person_id as "into", m.rule
    from person_merges as m join persons as p on p.id = m.merged_id order by 1`.execute(db);
  await mergePersons(db, rows);
}

/** Restores a merged record with the rows that moved, and records that it is a different person, unless no one has decided that. */
export async function restorePerson(db: Database, merged: number, isDecision = true): Promise<void> {
  await sql`/* persons.restore */
    insert into persons (id, name, first_name, last_name, url, image_url)
    select merged_id, name, first_name, last_name, url, image_url from person_merges where merged_id = ${merged}`.execute(
    db,
  );
  for (const [table, column] of [
    ['candidates', 'candidates'],
    ['officeholders', 'officeholders'],
    ['contacts', 'contacts'],
  ] as const) {
    await sql`/* persons.move-back */
      update ${sql.table(table)} as t set person_id = m.merged_id from person_merges as m
      where m.merged_id = ${merged} and t.id = any(m.${sql.ref(column)}) and t.person_id = m.person_id`.execute(db);
  }
  await sql`/* persons.copy-contacts */
    with copied as (
      insert into contacts (person_id, collection, contact_type, contact)
      select m.merged_id, c.collection, c.contact_type, c.contact
      from person_merges as m join contacts as c on -c.id = any(m.contacts)
      where m.merged_id = ${merged} and not exists (
        select from contacts as own where own.person_id = m.merged_id and own.collection = c.collection
          and own.contact_type = c.contact_type and own.contact = c.contact)
      returning *
    )
    insert into record_sources (kind, record_id, source_id)
    select distinct 'contact'::record_kind, copied.id, r.source_id
    from person_merges as m join contacts as c on -c.id = any(m.contacts)
    join copied using (collection, contact_type, contact)
    join record_sources as r on r.kind = 'contact' and r.record_id = c.id
    where m.merged_id = ${merged}`.execute(db);
  await sql`/* persons.move-identifiers-back */
    update external_identifiers as e set record_id = m.merged_id from person_merges as m
    where m.merged_id = ${merged} and e.kind = 'person' and e.record_id = m.person_id
      and e.scheme || E'\n' || e.value = any(m.identifiers)`.execute(db);
  await sql`/* persons.restore-sources */
    insert into record_sources (kind, record_id, source_id)
    select 'person', merged_id, unnest(sources) from person_merges where merged_id = ${merged}
    on conflict do nothing`.execute(db);
  if (isDecision)
    await sql`/* persons.separate */
      insert into distinct_persons (person_id, other_id)
      select least(merged_id, person_id), greatest(merged_id, person_id) from person_merges where merged_id = ${merged}
      on conflict do nothing`.execute(db);
  await sql`/* persons.forget-merge */ delete from person_merges where merged_id = ${merged}`.execute(db);
}

/** Records whose identifiers belong to merged records, as `scheme` and `value` separated by a line feed. */
export async function mergedIdentifiers(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ identifier: string }>`/* persons.merged-identifiers */
    select unnest(identifiers) as identifier from person_merges`.execute(db);
  return new Set(rows.map(({ identifier }) => identifier));
}
