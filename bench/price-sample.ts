import { sql } from 'kysely';
import { globalId } from '../src/graph/builder/global-id.ts';
import type { Database } from '../src/store/sql/database.ts';
import type { PriceSample } from './price-cases.ts';

/** Reads the records that the prices are measured with: those of most work, as far as the index tells. */
export async function readPriceSample(db: Database): Promise<PriceSample> {
  const { rows: boundaries } = await sql<{ id: number; district_id: number }>`
    select b.id, b.district_id from boundaries b join boundary_pieces p on p.boundary_id = b.id
    where b.end_date is null group by b.id, b.district_id order by count(*) desc, b.id limit 100`.execute(db);
  const { rows } = await sql<{ state: string; day: string; longitude: number; latitude: number }>`
    select d.state, to_char(e.date, 'YYYY-MM-DD') as day, ST_X(p.point) as longitude, ST_Y(p.point) as latitude
    from races r join elections e on e.id = r.election_id join offices o on o.id = r.office_id
    join districts d on d.id = o.district_id join boundaries b on b.district_id = d.id
    cross join lateral ST_PointOnSurface(b.geometry) as p(point)
    where d.state <> 'US' order by e.date desc, d.id limit 1`.execute(db);
  const [race] = rows;
  if (!race || boundaries.length === 0) throw new Error('The database has no races or no boundaries.');
  return {
    state: race.state,
    electionDate: race.day,
    point: { latitude: race.latitude, longitude: race.longitude },
    ids: boundaries.map((each) => globalId('District', each.district_id)),
    boundaryIds: boundaries.map((each) => globalId('Boundary', each.id)),
  };
}
