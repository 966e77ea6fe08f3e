import { type Kysely, sql } from 'kysely';

/** The columns of `officeholders` in their order, with another expression for the status. */
const columns = (status: string, added: readonly string[]) =>
  [
    ...['holder.id', 'holder.office_id', 'holder.person_id', status, 'holder.partisan_affiliation'],
    ...['start_date', 'end_date', 'first_shown', 'last_shown', ...added].map((column) => `holder.${column}`),
  ].join(', ');

const HOLDS = `
  coalesce(holder.start_date, holder.first_shown, '-infinity') <= on_day
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

/**
 * Defines the functions that return officeholders. PostgreSQL inlines them, because they are single, stable SELECT
 * statements, so that queries on them use the indexes of the table.
 * @param added the columns that later migrations have added to `officeholders`: the functions must be defined again then.
 */
export async function defineOfficeholders(db: Kysely<unknown>, added: readonly string[]): Promise<void> {
  await sql`
    create or replace function officeholders_in_office(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(columns(`'Current'::text`, added))} from officeholders holder where ${sql.raw(HOLDS)}
    $$;

    create or replace function officeholders_with_status(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(
        columns(
          `case when ${HOLDS} then 'Current'
          when coalesce(holder.start_date, holder.first_shown) > on_day then 'Upcoming' else 'Former' end`,
          added,
        ),
      )} from officeholders holder
    $$;
  `.execute(db);
}

/** Defines who is in office on a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table offices add one_holder boolean, add vacant_since date;
    comment on column offices.one_holder is 'Whether no edition of a source shows two persons in the office on its day: a later start ends an earlier term. Null if no edition of a known day shows anyone.';
    comment on column offices.vacant_since is 'The day since which the latest edition of a source shows the office vacant; null if it is not known to be vacant.';
  `.execute(db);
  await defineOfficeholders(db, []);
  await sql`
    comment on function officeholders_in_office is
      'The officeholders on a day, with the status of that day. An unknown start is the first day on which an edition of a source shows the person in office, or in the past if there is none; an unknown end is in the future, except for a former officeholder, who holds the office up to the last day shown. If one term ends on the day on which the next one begins, the successor holds the office. Of overlapping terms of one person, the one that began last counts. In an office for one, a later start ends an earlier term.';
    comment on function officeholders_with_status is
      'All officeholders with their status on a day: Current, Former or Upcoming.';
  `.execute(db);
}
