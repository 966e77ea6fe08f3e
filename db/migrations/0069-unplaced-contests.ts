import { type Kysely, sql } from 'kysely';

/**
 * The contests of tables of results whose office no row declares, or whose district is not known: kept as the source wrote them. One
 * row of offices.csv or of an operator's --office-map later, the next import of the file makes races of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unplaced_contests (
      id integer generated always as identity primary key,
      source_id integer not null references sources (id) on delete cascade,
      state text not null,
      date date not null,
      stage text not null,
      is_special boolean not null,
      party text not null,
      office text not null,
      district text not null,
      county text not null,
      reason text,
      votes bigint not null,
      names jsonb not null
    );
    create index unplaced_contests_state on unplaced_contests (state, date);
    create index unplaced_contests_source on unplaced_contests (source_id);
    create trigger note_data_change after insert or update or delete on unplaced_contests for each row
      when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
      execute function note_data_change();
    create trigger note_data_removal after truncate on unplaced_contests for each statement execute function note_data_change();
    comment on table unplaced_contests is 'Contests of tables of results that are no races: no row declares their office, or their district is not known. Texts are as the source wrote them; empty for none.';
    comment on column unplaced_contests.reason is 'Why the contest is not placed; null if no row declares its office.';
    comment on column unplaced_contests.names is 'The texts in the column of the candidate: [{name, party, votes}], the one with the most votes first.';
    comment on column unplaced_contests.party is 'The party whose primary it is; empty for none.';
  `.execute(db);
}
