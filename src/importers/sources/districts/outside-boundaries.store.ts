import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Report } from '../../exchange/report.ts';
import { OFFSHORE } from '../../facts/us-extent.ts';

const OUTSIDE = 'has a boundary that is not in the state of the district: the row is left out';

/**
 * Leaves out staged boundaries of districts whose state, if the database has its boundary, is elsewhere: the GEOID or the
 * coordinates of the row are wrong. New districts without another boundary are left out too.
 */
export async function leaveOutBoundariesOutside(db: Database, report: Report): Promise<void> {
  const { rows } = await sql<{ district_id: number; origin: string }>`/* import.boundaries-outside */
    with placed as (
      select s.line, s.district_id, s.geometry, coalesce(n.state, d.state) as state,
        ST_StartPoint(ST_ExteriorRing(ST_GeometryN(s.geometry, 1))) as first_point
      from stage_boundaries as s left join stage_districts as n on n.id = s.district_id left join districts as d on d.id = s.district_id
      where s.geometry is not null and coalesce(n.type, d.type)::text not in ('Country', 'State')
    ), states as (
      select d.state, b.id from districts as d join boundaries as b on b.district_id = d.id where d.type = 'State'
    )
    delete from stage_boundaries as s using placed as l
    where l.line = s.line and l.district_id = s.district_id and exists (select from states where states.state = l.state)
      and case
        when ${isNear('l.first_point')} then false
        else not ${isNear('l.geometry')} end
    returning s.district_id, s.origin`.execute(db);
  for (const { origin } of rows) report.add(origin, 'left-out', OUTSIDE);
  await sql`/* import.districts-outside */
    delete from stage_districts as s where s.id = any(${rows.map(({ district_id }) => district_id)}::int[])
      and not exists (select from districts as d where d.id = s.id)
      and not exists (select from stage_boundaries as b where b.district_id = s.id)`.execute(db);
}

/** Returns the SQL of whether a geometry is in its state or near to it: most boundaries are found to be by a single point. */
const isNear = (geometry: string) => sql`exists (
  select from states join boundary_pieces as p on p.boundary_id = states.id
  where states.state = l.state and p.geometry && ST_Expand(${sql.ref(geometry)}, ${OFFSHORE}::float8)
    and ST_Distance(p.geometry, ${sql.ref(geometry)}) <= ${OFFSHORE}::float8)`;
