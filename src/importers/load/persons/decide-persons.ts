import { sql } from 'kysely';
import { ServiceError } from '../../../base/errors.ts';
import type { Database } from '../../../store/sql/database.ts';
import type { PersonRecordId } from './assignments.store.ts';
import { recordIncumbency } from './incumbency.store.ts';
import { mergePersons, restorePerson } from './merge-persons.store.ts';
import { splitOff } from './split-off.store.ts';

/** A record that is part of a person. */
export interface PersonPart {
  readonly id: number;
  readonly name: string;
  /** The rule of the import that joined it, or `operator`. */
  readonly rule: string;
}

/**
 * Merges two records into one person with the id and name of the first, and records the decision, so that imports do
 * not revert it.
 * @throws ServiceError if there is no such person, or both are candidates of one race or have the same term.
 */
export async function mergeTwoPersons(db: Database, into: number, merged: number): Promise<void> {
  if (into === merged) throw invalid('A person cannot be merged with itself. Give the ids of two persons.');
  for (const id of [into, merged]) await requirePerson(db, id);
  const { rows } = await sql<{ race: number }>`/* persons.shared-race */
    select a.race_id as race from candidates as a join candidates as b on b.race_id = a.race_id
    where a.person_id = ${into} and b.person_id = ${merged} limit 1`.execute(db);
  if (rows[0]) throw invalid(`Both are candidates of race ${rows[0].race}, so they are two persons.`);
  const terms = await sql<{ id: number; other: number }>`/* persons.shared-term */
    select a.id, b.id as other from officeholders as a join officeholders as b on b.office_id = a.office_id
    where a.person_id = ${into} and b.person_id = ${merged} and a.start_date is not distinct from b.start_date
      and (a.start_date is not null or a.end_date is not distinct from b.end_date) limit 1`.execute(db);
  if (terms.rows[0]) {
    const { id, other } = terms.rows[0];
    throw invalid(
      `The terms ${id} and ${other} are the same: the same office and days. Remove one of them from its source, and merge again.`,
    );
  }
  await sql`/* persons.unite */
    delete from distinct_persons
    where (person_id = any(${partIds(into)}) and other_id = any(${partIds(merged)}))
      or (person_id = any(${partIds(merged)}) and other_id = any(${partIds(into)}))`.execute(db);
  await mergePersons(db, [{ merged, into, rule: 'operator' }]);
  await recordIncumbency(db);
}

/**
 * Splits a merged record into a separate person again, with all of its rows, and records the decision, so that no
 * import joins the two again.
 * @throws ServiceError if neither record is part of the other.
 */
export async function splitTwoPersons(db: Database, a: number, b: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`/* persons.merge-of-two */
    select merged_id as id from person_merges
    where (merged_id = ${b} and person_id = ${a}) or (merged_id = ${a} and person_id = ${b})`.execute(db);
  const [found] = rows;
  if (!found) throw invalid(`Neither ${a} nor ${b} is part of the other. ${await describeParts(db, [a, b])}`);
  await restorePerson(db, found.id);
  await recordIncumbency(db);
}

/**
 * Makes some candidacies and terms of a person those of another person with the same name, and records the decision, so
 * that imports keep to it: a source that has names only does not distinguish the two.
 * @returns the id of the other person.
 * @throws ServiceError if there is no such person, if a record is not one of the person, or if all of them are named.
 */
export async function splitOffRecords(
  db: Database,
  person: number,
  records: readonly PersonRecordId[],
): Promise<number> {
  const own = await recordsOfPerson(db, person);
  const chosen = records.map(({ kind, id }) => {
    const found = own.find((each) => each.kind === kind && each.id === id);
    if (found) return found;
    const known = own.filter((each) => each.kind === kind).map((each) => each.id);
    const noun = kind === 'candidate' ? 'candidacy' : 'term';
    throw invalid(
      `Person ${person} has no ${noun} ${id}. ${known.length > 0 ? `It has: ${known.join(', ')}.` : ''}`.trim(),
    );
  });
  if (new Set(chosen).size === own.length) throw invalid(`These are all records of person ${person}. Leave one out.`);
  const created = await splitOff(db, person, [...new Set(chosen)]);
  await recordIncumbency(db);
  return created;
}

/** A candidacy or a term of a person, with the office and the day of the election or the first day. */
export interface OwnRecord extends PersonRecordId {
  readonly office: string;
  readonly day: string | null;
}

/**
 * Returns the candidacies and then the terms of a person, the oldest first.
 * @throws ServiceError if there is no such person.
 */
export async function recordsOfPerson(db: Database, id: number): Promise<OwnRecord[]> {
  await requirePerson(db, id);
  const { rows } = await sql<OwnRecord>`/* persons.records */
    select 'candidate' as kind, c.id, concat_ws(', ', o.name, d.name) as office, e.date as day
    from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
    join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id where c.person_id = ${id}
    union all
    select 'officeholder', h.id, concat_ws(', ', o.name, d.name), h.start_date
    from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
    where h.person_id = ${id}
    order by 1, 4 nulls first, 2`.execute(db);
  return rows;
}

/**
 * Returns the records that are part of a person, by id.
 * @throws ServiceError if there is no such person.
 */
export async function partsOfPerson(db: Database, id: number): Promise<PersonPart[]> {
  await requirePerson(db, id);
  const { rows } = await sql<PersonPart>`/* persons.parts */
    select merged_id as id, name, rule from person_merges where person_id = ${id} order by 1`.execute(db);
  return rows;
}

function partIds(id: number) {
  return sql`array(select ${id}::integer union all select merged_id from person_merges where person_id = ${id})`;
}

async function describeParts(db: Database, ids: readonly number[]): Promise<string> {
  const { rows } = await sql<{ person: number; parts: string }>`/* persons.parts */
    select person_id as person, string_agg(merged_id::text, ', ' order by merged_id) as parts from person_merges
    where person_id = any(${ids}::int[]) group by 1 order by 1`.execute(db);
  if (rows.length === 0)
    return 'Only records that were merged can be split; name candidacies or terms to split a person of one record.';
  return rows.map(({ person, parts }) => `Parts of person ${person}: ${parts}.`).join(' ');
}

async function requirePerson(db: Database, id: number): Promise<void> {
  const { rows } = await sql<{ person: number | null; part: number | null }>`/* persons.exists */
    select (select id from persons where id = ${id}) as person,
      (select person_id from person_merges where merged_id = ${id}) as part`.execute(db);
  const [{ person, part } = { person: null, part: null }] = rows;
  if (person !== null) return;
  if (part !== null) throw invalid(`Person ${id} is part of person ${part}. Use that id.`);
  throw new ServiceError('NOT_FOUND', `There is no person ${id}.`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_PARAMETER', message);
}
