import { type Kysely, sql } from 'kysely';

/** The columns of `races` whose change is an update of the record. */
const RACE_VALUES = [
  ...['election_id', 'office_id', 'type', 'year', 'stage_type', 'stage_party', 'office_position', 'url', 'scope_basis'],
  ...['number_of_seats', 'is_marquee', 'is_ranked_choice', 'results_certified', 'swearing_in_date', 'term_start_date'],
  ...['left_out'],
];

/** Adds which sources have candidates or votes of a race that are not stored: of the others there are no shares. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const values = (row: string) => sql.raw(RACE_VALUES.map((column) => `${row}.${column}`).join(', '));
  await sql`
    alter table races add left_out jsonb check (jsonb_typeof(left_out) = 'object' and left_out <> '{}');
    comment on column races.left_out is 'The sources that have candidates or votes of the race that are not in the data, by name, each with the most votes of a candidate whom the other source of the race lacks; null for votes that may be of a stored candidate, or are not known. Null if nothing is left out. Written by each import.';

    drop trigger set_updated_at on races;
    create trigger set_updated_at before update on races for each row
      when (row(${values('old')}) is distinct from row(${values('new')})) execute function set_updated_at();
  `.execute(db);
}
