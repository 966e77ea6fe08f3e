import { type Kysely, sql } from 'kysely';

/**
 * Creates the decisions about persons: which records were merged into one, by which rule or by an operator, and which
 * are different persons although a rule would join them. Both survive repeated imports. Adds to each term the days on
 * which editions of its source show the person in office, which bound an unknown start or end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person_merges (
      merged_id integer primary key,
      person_id integer not null references persons on delete cascade,
      rule text not null,
      name text collate "C" not null,
      first_name text,
      last_name text,
      url text,
      candidates integer[] not null,
      officeholders integer[] not null,
      contacts integer[] not null,
      identifiers text[] not null,
      sources integer[] not null,
      check (merged_id <> person_id)
    );
    comment on table person_merges is 'Persons that are part of another record now: merged_id no longer exists in persons. The arrays are what a split gives back.';
    comment on column person_merges.rule is 'The rule of the import that joined the records, or operator.';
    comment on column person_merges.identifiers is 'Scheme and value of each external identifier, separated by a line feed.';
    create index person_merges_person on person_merges (person_id);

    create table distinct_persons (
      person_id integer not null,
      other_id integer not null,
      primary key (person_id, other_id),
      check (person_id < other_id)
    );
    comment on table distinct_persons is 'Pairs of persons, by their ids before any merge, that an operator has split: no rule joins them again.';

    alter table officeholders add first_shown date, add last_shown date;
    comment on column officeholders.first_shown is 'The first day on which an edition of a source shows the person in office: an unknown start is not later.';
    comment on column officeholders.last_shown is 'The last such day: an unknown end is not earlier.';
  `.execute(db);
  for (const table of ['person_merges', 'distinct_persons']) {
    await sql`
      create trigger note_data_change after insert or update or delete on ${sql.table(table)} for each row
        when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
        execute function note_data_change();
      create trigger note_data_removal after truncate on ${sql.table(table)} for each statement
        execute function note_data_change();
    `.execute(db);
  }
}
