import { type Kysely, sql } from 'kysely';

/**
 * Creates the functions for the rules that depend on a day, which relations and stored queries use.
 * PostgreSQL inlines all three: the functions that return rows because they are single, stable SELECT statements, and
 * `race_reference_day` because it is an expression without a subquery. A query therefore uses the indexes of the
 * tables as if the rule were written in it (`test/database/date-rules.test.ts`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function boundaries_in_effect(on_day date) returns setof boundaries language sql stable parallel safe as $$
      select b.* from boundaries b
      where b.start_date <= on_day
        and (b.end_date is null or b.end_date > on_day or (b.end_date = on_day and not exists (
          select from boundaries next
          where next.district_id = b.district_id and next.start_date = on_day and next.id <> b.id)))
    $$;
    comment on function boundaries_in_effect is
      'The boundaries in effect on a day, at most one for each district: if one ends on the day on which the next one begins, the next one is in effect.';

    create function officeholders_in_office(on_day date) returns setof officeholders language sql stable parallel safe as $$
      select holder.* from officeholders holder
      where (holder.start_date is null or holder.start_date <= on_day)
        and (holder.end_date >= on_day or (holder.end_date is null and holder.status <> 'Former'))
        and (holder.end_date is distinct from on_day or not exists (
          select from officeholders successor
          where successor.office_id = holder.office_id and successor.start_date = on_day and successor.id <> holder.id))
    $$;
    comment on function officeholders_in_office is
      'The officeholders on a day. An unknown start is in the past; an unknown end is in the future, except for a former officeholder. If one term ends on the day on which the next one begins, the successor holds the office.';

    create function race_reference_day(race_type text, race_year integer, swearing_in_date date, election_date date)
      returns date language sql immutable parallel safe as $$
      select case when race_type = 'Special' then election_date
        else coalesce(swearing_in_date, make_date(least(race_year, 9998) + 1, 1, 31)) end
    $$;
    comment on function race_reference_day is
      'The day that determines the boundary of a race: the election date of a special race, the swearing-in date of any other race, or 31 January of the year after the race year if that date is not known.';
  `.execute(db);
}
