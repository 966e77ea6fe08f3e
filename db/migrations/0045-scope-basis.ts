import { type Kysely, sql } from 'kysely';

/** The columns of `races` whose change is an update of the record. */
const RACE_VALUES = [
  ...['election_id', 'office_id', 'type', 'year', 'stage_type', 'stage_party', 'office_position', 'url'],
  ...['number_of_seats', 'is_marquee', 'is_ranked_choice', 'results_certified', 'swearing_in_date', 'scope_basis'],
];

/** Adds what shows which voters vote in a race, which election results often do not say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const values = (row: string) => sql.raw(RACE_VALUES.map((column) => `${row}.${column}`).join(', '));
  await sql`
    create type scope_basis as enum ('Stated', 'Law', 'Same candidates', 'County');
    alter table races add scope_basis scope_basis;
    comment on column races.scope_basis is 'What shows that the district of the office votes on the race: Stated by the source, Law for the office, Same candidates in all counties of it, or County, which is assumed because the votes are from it. Null if the source is not of results, or was imported before this column.';

    drop trigger set_updated_at on races;
    create trigger set_updated_at before update on races for each row
      when (row(${values('old')}) is distinct from row(${values('new')})) execute function set_updated_at();
  `.execute(db);
}
