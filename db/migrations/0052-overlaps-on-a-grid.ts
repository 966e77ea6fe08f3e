import { type Kysely, sql } from 'kysely';

/**
 * Intersects the pieces of two maps on a grid of 1e-9 degrees (0.1 mm). Where two lines nearly coincide, as in two maps of
 * Pennsylvania that share lines, GEOS without a grid first fails with an exception, which it handles by trying again; in
 * the embedded database such an exception ends the statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      execute replace(
        pg_get_functiondef('map_overlaps(date, district_type, text, integer, integer)'::regprocedure),
        'ST_Intersection(one.geometry, two.geometry)', 'ST_Intersection(one.geometry, two.geometry, 1e-9)');
    end $$;
  `.execute(db);
}
