import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { ServiceError } from '../../errors.ts';
import { recordIncumbency } from './incumbency.store.ts';
import { mergePersons, restorePerson } from './merge-persons.store.ts';

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
 * @throws ServiceError if there is no such person, or both are candidates of one race.
 */
export async function mergeTwoPersons(db: Database, into: number, merged: number): Promise<void> {
  if (into === merged) throw invalid('A person cannot be merged with itself. Give the ids of two persons.');
  for (const id of [into, merged]) await requirePerson(db, id);
  const { rows } = await sql<{ race: number }>`/* persons.shared-race */
    select a.race_id as race from candidates as a join candidates as b on b.race_id = a.race_id
    where a.person_id = ${into} and b.person_id = ${merged} limit 1`.execute(db);
  if (rows[0]) throw invalid(`Both are candidates of race ${rows[0].race}, so they are two persons.`);
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
  if (rows.length === 0) return 'Only records that were merged can be split.';
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
