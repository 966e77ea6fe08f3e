import { type Kysely, sql } from 'kysely';

/**
 * Lets the boundaries of races be found by an index again: PostgreSQL read all boundaries for each race of a ballot, because it
 * joined the newer maps that are not loaded before it looked up the boundary, 0.6 seconds for a ballot in a national store.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function boundaries_for_races(reference_day date) returns setof boundaries
      language sql stable parallel safe as $$
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
        -- Not "not exists", which becomes a join.
        and coalesce(b.start_date >= (
          select max(newer.start_date) from newer_maps newer join districts d on d.type = newer.type and d.state = newer.state
          where d.id = b.district_id and newer.start_date <= reference_day), true)
    $$;
  `.execute(db);
}
