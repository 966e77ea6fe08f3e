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

/** Does not count a person as in office whose term a source calls upcoming without giving its days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update officeholders as holder set first_shown = null, last_shown = null
    where ${sql.raw(IS_UPCOMING)} and num_nonnulls(first_shown, last_shown) > 0;

    create or replace function officeholders_in_office(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(columns(`'Current'::text`))} from officeholders holder where ${sql.raw(HOLDS)}
    $$;

    create or replace function officeholders_with_status(on_day date) returns setof officeholders
      language sql stable parallel safe as $$
      select ${sql.raw(
        columns(
          `case when ${HOLDS} then 'Current'
          when coalesce(holder.start_date, holder.first_shown) > on_day or ${IS_UPCOMING} then 'Upcoming' else 'Former' end`,
        ),
      )} from officeholders holder
    $$;
    comment on function officeholders_in_office is
      'The officeholders on a day, with the status of that day. An unknown start is the first day on which an edition of a source shows the person in office, or in the past if there is none, unless the source calls the term upcoming; an unknown end is in the future, except for a former officeholder, who holds the office up to the last day shown. If one term ends on the day on which the next one begins, the successor holds the office. Of overlapping terms of one person, the one that began last counts. In an office for one, a later start ends an earlier term.';
  `.execute(db);
}
