import { sql } from 'kysely';
import type { Check } from './check.ts';

/**
 * The number of holders that an office has at a time: the largest number of seats in its races, and without races one
 * for federal offices, executive offices and offices with a named seat. Null if not known: a legislative district or a
 * council may have several members.
 */
const CAPACITY = sql`(
  select o.id as office_id, coalesce(
    (select max(r.number_of_seats) from races as r where r.office_id = o.id and r.type <> 'Retention'),
    case when o.level = 'Federal' or o.branch = 'Executive' or o.seat is not null then 1 end) as seats
  from offices as o)`;

export const TERM_CHECKS: readonly Check[] = [
  {
    name: 'overlapping-terms',
    finds: 'offices with more holders on a day than seats',
    query: (today) => sql`
      with terms as (
        select h.*, k.seats, coalesce(h.end_date, case when h.status = 'Former' then h.start_date end, 'infinity') as last_day
        from officeholders as h join ${CAPACITY} as k on k.office_id = h.office_id and k.seats is not null
      ), days as (
        select office_id, seats, start_date as day from terms where start_date is not null
        union select office_id, seats, ${today}::date from terms where start_date is null
      )
      select 'office ' || d.office_id as record, count(distinct t.person_id) || ' holders on ' || d.day || ' for '
        || d.seats || ' seats: officeholders ' || string_agg(distinct t.id::text, ', ') as problem
      from days as d join terms as t on t.office_id = d.office_id
        and (t.start_date <= d.day or t.start_date is null and t.status = 'Current' and d.day >= ${today}::date)
        and (t.last_day > d.day or t.start_date = d.day)
      group by d.office_id, d.day, d.seats having count(distinct t.person_id) > d.seats`,
  },
  {
    name: 'repeated-terms',
    finds: 'persons with two terms in one office at the same time',
    query: () => sql`
      select 'officeholder ' || a.id as record, 'overlaps officeholder ' || b.id || ' of the same person and office' as problem
      from officeholders as a join officeholders as b
        on b.office_id = a.office_id and b.person_id = a.person_id and b.id <> a.id
        and (b.start_date < a.start_date or b.start_date = a.start_date and b.id < a.id)
        and coalesce(b.end_date, 'infinity') > a.start_date`,
  },
];
