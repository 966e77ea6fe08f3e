import { type Kysely, sql } from 'kysely';

/**
 * Creates the function for the boundary that a race uses, which differs from the boundary in effect on its reference day
 * in a gap between two maps. PostgreSQL inlines it, as the functions of `0014-date-rules.ts`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function boundaries_for_races(reference_day date) returns setof boundaries language sql stable parallel safe as $$
      select b.* from boundaries b
      where (b.end_date is null or b.end_date > reference_day or (b.end_date = reference_day and not exists (
          select from boundaries next
          where next.district_id = b.district_id and next.start_date = reference_day and next.id <> b.id)))
        and (b.start_date <= reference_day or (
          exists (
            select from boundaries older
            where older.district_id = b.district_id and older.start_date <= reference_day)
          and not exists (
            select from boundaries earlier
            where earlier.district_id = b.district_id and earlier.start_date < b.start_date
              and (earlier.end_date is null or earlier.end_date >= reference_day))))
    $$;
    comment on function boundaries_for_races is
      'The boundaries that races with a reference day use, at most one for each district: the boundary in effect on that day or, in a gap between two maps, the newer one, because the older one has ended. None before the first map and after the last one.';
  `.execute(db);
}
