import { type Kysely, sql } from 'kysely';

/**
 * Creates the decisions of an operator about single candidacies and terms: those of two persons with the same name in
 * the same office, whom a source does not distinguish. Loads and imports keep to them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person_assignments (
      kind record_kind not null check (kind in ('candidate', 'officeholder')),
      record_id integer not null,
      person_id integer not null,
      primary key (kind, record_id)
    );
    comment on table person_assignments is 'Candidacies and terms that an operator has split off from a person: the person whose they are, whatever a source says. The person may have been merged since (person_merges).';
  `.execute(db);
}
