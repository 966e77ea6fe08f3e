import { type Kysely, sql } from 'kysely';

/** A term that a source calls upcoming without its first day has not begun, whichever the day is. */
const IS_UPCOMING = `holder.status = 'Upcoming' and holder.start_date is null`;

const HOLDS = `
  not (${IS_UPCOMING})
  and coalesce(holder.start_date, holder.first_shown, '-infinity') <= on_day
  and (holder.end_date >= on_day
    or (holder.end_date is null and (holder.status <> 'Former' or holder.last_shown >= on_day)))
  and (holder.end_date is distinct from on_day or not exists (
    select from officeholders successor
    where successor.office_id = holder.office_id and successor.start_date = on_day and successor.id <> holder.id))
  and not exists (
    select from officeholders later
    where later.office_id = holder.office_id and later.id <> holder.id
      and case when later.person_id = holder.person_id
        then later.start_date <= on_day and (later.end_date is null or later.end_date >= on_day)
          and (holder.start_date is null or later.start_date > holder.start_date)
        else coalesce(later.start_date, later.first_shown) <= on_day
          and coalesce(later.start_date, later.first_shown)
            > coalesce(holder.start_date, holder.first_shown, '-infinity')
          and exists (select from offices office where office.id = holder.office_id and office.one_holder) end)`;

/** The status of a person who holds the office on the day: the source's word if it says more than that. */
const HELD_STATUS = `case when holder.status in ('Former', 'Upcoming') then 'Current' else holder.status end`;

/** The columns of `officeholders` in their order, with another expression for the status. */
const columns = (status: string) =>
  [
    ...['holder.id', 'holder.office_id', 'holder.person_id', status, 'holder.partisan_affiliation'],
    ...[
      'start_date',
      'end_date',
      'first_shown',
      'last_shown',
      'updated_at',
      'contact_updated_at',
      'social_updated_at',
    ].map((column) => `holder.${column}`),
  ].join(', ');

/** The columns of `elections` whose change is an update of the record. */
const ELECTION_VALUES = ['date', 'type', 'description', 'candidate_lists_complete', 'status'];

/** Adds the status of an election, and shows the status that a source gives an officeholder who is in office. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const values = (row: string) => sql.raw(ELECTION_VALUES.map((column) => `${row}.${column}`).join(', '));
  await sql`
    create type election_status as enum ('Scheduled', 'Postponed', 'Cancelled', 'Certified');
    alter table elections add status election_status;
    comment on column elections.status is 'Whether the election is held on its day; null if no source says so. A postponed election has the day for which it had been called.';

    drop trigger set_updated_at on elections;
    create trigger set_updated_at before update on elections for each row
      when (row(${values('old')}) is distinct from row(${values('new')})) execute function set_updated_at();

    create or replace function officeholders_in_office(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(columns(HELD_STATUS))} from officeholders holder where ${sql.raw(HOLDS)}
    $$;

    create or replace function officeholders_with_status(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(
        columns(
          `case when ${HOLDS} then ${HELD_STATUS}
          when coalesce(holder.start_date, holder.first_shown) > on_day or ${IS_UPCOMING} then 'Upcoming' else 'Former' end`,
        ),
      )} from officeholders holder
    $$;
    comment on function officeholders_with_status is
      'All officeholders with their status on a day: Former, Upcoming, and for those in office the status that the source gives them, such as Current, Acting, Appointed or On leave.';
  `.execute(db);
  await sql`
    -- An office whose holder is acting, appointed or on leave has a known holder.
    do $$ begin
      execute replace(pg_get_functiondef('coverage_on(date, text)'::regprocedure),
        'x.status = ''Current''', 'x.status not in (''Former'', ''Upcoming'')');
    end $$;
  `.execute(db);
}
