import { type Kysely, sql } from 'kysely';

/** Adds the votes of races by precinct, for imports of results that ask for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table precinct_results (
      id integer generated always as identity primary key,
      race_id integer not null references races (id) on delete cascade,
      source_id integer not null references sources (id) on delete cascade,
      file text not null,
      county text collate "C" not null,
      town text collate "C" not null,
      precinct text collate "C" not null,
      district_id integer references districts (id) on delete set null,
      candidate_ids integer[] not null,
      votes bigint[] not null,
      check (cardinality(candidate_ids) = cardinality(votes))
    );
    create index precinct_results_race on precinct_results (race_id);
    create index precinct_results_source on precinct_results (source_id);
    create index precinct_results_district on precinct_results (district_id) where district_id is not null;
    create trigger note_data_change after insert or update or delete on precinct_results for each row
      when (coalesce(current_setting('ballotgraph.data_change', true), '') <> 'noted')
      execute function note_data_change();
    create trigger note_data_removal after truncate on precinct_results for each statement execute function note_data_change();
    comment on table precinct_results is 'The votes of the candidates of a race in one precinct, as a table of results has them; texts are as the source wrote them, empty for none.';
    comment on column precinct_results.file is 'The file that has them, without folders: a newer edition replaces them.';
    comment on column precinct_results.district_id is 'The precinct on the map, if the operator declared by which column the two are joined.';
    comment on column precinct_results.votes is 'Those of each of the candidates, in the same order; null if the source hides the count.';
  `.execute(db);
}
