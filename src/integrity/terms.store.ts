import { sql } from 'kysely';
import { type Check, normalName } from './check.ts';
import { inScope } from './scope.ts';

/**
 * The number of holders that an office has at a time: one if no edition of a source shows several, otherwise the largest
 * number of seats in its races, and without races one for federal offices, executive offices and offices with a named
 * seat. Null if not known: a legislative district or a council may have several members, who may be elected in turns.
 */
const CAPACITY = sql`(
  select o.id as office_id, case when o.one_holder then 1 else coalesce(
    (select nullif(max(r.number_of_seats), case when o.one_holder = false then 1 end) from races as r
      where r.office_id = o.id and r.type <> 'Retention'),
    case when o.level = 'Federal' or o.branch = 'Executive' or o.seat is not null then 1 end) end as seats
  from offices as o)`;

export const TERM_CHECKS: readonly Check[] = [
  {
    name: 'overlapping-terms',
    finds: 'offices with more holders on a day than seats',
    over: ['officeholders'],
    query: (today, scope) => sql`
      with terms as (
        select h.*, k.seats, coalesce(h.end_date, case when h.status = 'Former' then h.start_date end, 'infinity') as last_day
        from officeholders as h join ${CAPACITY} as k on k.office_id = h.office_id and k.seats is not null
      ), days as (
        select office_id, seats, start_date as day from terms where start_date is not null and ${inScope(scope, 'officeholders', 'terms.id')}
        union select office_id, seats, ${today}::date from terms where start_date is null and ${inScope(scope, 'officeholders', 'terms.id')}
      )
      select 'office ' || d.office_id as record, count(distinct t.person_id) || ' holders on ' || d.day || ' for '
        || d.seats || ' seats: officeholders ' || string_agg(distinct t.id::text, ', ') as problem
      from days as d join terms as t on t.office_id = d.office_id
        and (t.start_date <= d.day or t.start_date is null and t.status not in ('Former', 'Upcoming') and d.day >= ${today}::date)
        and (t.last_day > d.day or t.start_date = d.day)
      group by d.office_id, d.day, d.seats having count(distinct t.person_id) > d.seats`,
  },
  {
    name: 'repeated-terms',
    finds: 'persons with two terms in one office at the same time',
    over: ['officeholders'],
    query: (_, scope) => sql`
      select 'officeholder ' || a.id as record, 'overlaps officeholder ' || b.id || ' of the same person and office' as problem
      from officeholders as a join officeholders as b
        on b.office_id = a.office_id and b.person_id = a.person_id and b.id <> a.id
        and (b.start_date < a.start_date or b.start_date = a.start_date and b.id < a.id)
        and coalesce(b.end_date, 'infinity') > a.start_date
      where ${inScope(scope, 'officeholders', 'a.id')}`,
  },
  {
    name: 'terms-in-two-districts',
    finds: 'persons with seats of one chamber in two districts at the same time',
    over: ['officeholders'],
    query: (_, scope) => sql`
      select 'officeholder ' || a.id as record, 'overlaps officeholder ' || b.id || ' of another district' as problem
      from officeholders as a join officeholders as b on b.person_id = a.person_id and b.office_id <> a.office_id
        and (b.start_date < a.start_date or b.start_date = a.start_date and b.id < a.id)
        and coalesce(b.end_date, 'infinity') > a.start_date
      join offices as o on o.id = a.office_id
      join offices as p on p.id = b.office_id and p.level = o.level and p.chamber = o.chamber
        and p.district_id <> o.district_id
      where ${inScope(scope, 'officeholders', 'a.id')}`,
  },
  {
    name: 'dates-of-terms',
    finds: 'terms that end before they begin, and persons in office without having begun',
    over: ['officeholders'],
    query: (today, scope) => sql`
      select 'officeholder ' || id as record, 'from ' || start_date || ' to ' || end_date as problem
      from officeholders as h where end_date < start_date and ${inScope(scope, 'officeholders', 'h.id')}
      union all
      select 'officeholder ' || id, status || ' from ' || start_date from officeholders
      where status not in ('Former', 'Upcoming') and start_date > ${today}::date and ${inScope(scope, 'officeholders', 'officeholders.id')}`,
  },
  {
    name: 'winners-apart-from-holders',
    finds: 'winners with the last name of another person whose term in the office begins within three months',
    over: ['officeholders', 'candidates'],
    query: (_, scope) => sql`
      select 'person ' || w.id as record, 'won office ' || r.office_id || ' on ' || e.date || ', which ' || p.name
        || ' (person ' || p.id || ') holds from ' || h.start_date as problem
      from candidates as c join races as r on r.id = c.race_id and r.type <> 'Retention' and r.number_of_seats = 1
      join elections as e on e.id = r.election_id
      join officeholders as h on h.office_id = r.office_id and h.person_id <> c.person_id
        and h.start_date between e.date and e.date + 92
      join persons as w on w.id = c.person_id
      join persons as p on p.id = h.person_id
        and ${lastWord('p.name')} = ${lastWord('w.name')}
      where c.cand_status = 'Won' and (${inScope(scope, 'candidates', 'c.id')} or ${inScope(scope, 'officeholders', 'h.id')})
        and not exists (select from distinct_persons as s
          where s.person_id = least(w.id, p.id) and s.other_id = greatest(w.id, p.id))`,
  },
];

/** Returns the SQL of the last word of a name without a suffix, as it is compared. */
function lastWord(column: string) {
  return sql`substring(regexp_replace(${normalName(column)}, ' (jr|sr|ii|iii|iv)$', '') from '[^ ]+$')`;
}
