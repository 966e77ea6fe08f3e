import { type Kysely, sql } from 'kysely';

/** The columns of `races` whose change is an update of the record. */
const RACE_VALUES = [
  ...['election_id', 'office_id', 'type', 'year', 'stage_type', 'stage_party', 'office_position', 'url', 'scope_basis'],
  ...['number_of_seats', 'is_marquee', 'is_ranked_choice', 'results_certified', 'swearing_in_date', 'term_start_date'],
];

/**
 * Adds the first day of the term that follows a race, which determines its boundary if no source states the swearing-in
 * date. Each import finds it again. It follows from candidates and terms alone: no result is read for it, and the requests
 * of a package without officeholders read no term.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const values = (row: string) => sql.raw(RACE_VALUES.map((column) => `${row}.${column}`).join(', '));
  await sql`
    alter table races add term_start_date date;
    comment on column races.term_start_date is 'The first day of the term that a candidate of the race, or of a later stage of it, begins in the office within 100 days after the election; null if no such term is in the data, and if a source states the swearing-in date. Written by each import.';

    drop trigger set_updated_at on races;
    create trigger set_updated_at before update on races for each row
      when (row(${values('old')}) is distinct from row(${values('new')})) execute function set_updated_at();

    create function first_days_of_terms() returns table (race_id integer, day date) language sql stable as $$
      with begun as materialized (
        select race.id, race.office_id, race.year, race.type, race.office_position, held.date, term.start_date as day
        from officeholders term
        join races race on race.office_id = term.office_id
        join elections held on held.id = race.election_id
        where race.type <> 'Special' and race.stage_type not in ('Primary', 'Primary Runoff')
          and term.start_date > held.date and term.start_date <= held.date + 100
          and (term.end_date is null or term.end_date >= make_date(least(race.year, 9998) + 1, 1, 31))
          and exists (
            select from candidates elected where elected.race_id = race.id and elected.person_id = term.person_id)
      )
      select race.id, min(begun.day)
      from begun
      join races race on race.office_id = begun.office_id and race.year = begun.year and race.type = begun.type
        and race.office_position is not distinct from begun.office_position
      join elections held on held.id = race.election_id
      where race.swearing_in_date is null and (race.id = begun.id or held.date < begun.date)
      group by race.id
    $$;
    comment on function first_days_of_terms is
      'The first days of the terms that follow races without a swearing-in date. A term that ends before 31 January of the year after the race year is the rest of the term before, and none of these.';

    create function ballotgraph_store_first_days() returns void language sql as $$
      update races set term_start_date = found.day
      from races race left join first_days_of_terms() found on found.race_id = race.id
      where races.id = race.id and race.term_start_date is distinct from found.day
    $$;
    select ballotgraph_store_first_days();

    do $$
    declare
      old_part constant text := ' race.swearing_in_date,';
      definition constant text := pg_get_functiondef('missing_maps(date, text[])'::regprocedure);
    begin
      if strpos(definition, old_part) = 0 then raise 'missing_maps has no "%"', old_part; end if;
      execute replace(definition, old_part, ' coalesce(race.swearing_in_date, race.term_start_date),');
    end $$;
  `.execute(db);
}
