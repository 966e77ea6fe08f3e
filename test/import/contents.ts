import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';

/**
 * Returns the contents of a database without ids and row order: two databases are equal after the same imports, in
 * whatever order.
 */
export async function contentsOf(db: Database): Promise<unknown> {
  const query = async (text: string) => (await sql.raw<{ row: unknown }>(text).execute(db)).rows.map(({ row }) => row);
  return {
    districts: await query(
      `select to_jsonb(d) - '{id,updated_at}'::text[] as row from districts as d order by type, name, state, ocdid`,
    ),
    boundaries: await query(
      `select jsonb_build_array(d.type, d.name, d.state, b.start_date, b.end_date, b.precise, b.digest, count(p.*)) as row
       from boundaries as b join districts as d on d.id = b.district_id join boundary_pieces as p on p.boundary_id = b.id
       group by b.id, d.id order by d.type, d.name, d.state, b.start_date`,
    ),
    terms: await query(
      `select jsonb_build_array(d.ocdid, o.name, o.seat, p.name, p.url, h.status, h.start_date, h.end_date, y.name,
         (select array_agg(c.contact_type || ' ' || c.contact order by c.contact_type, c.contact)
          from contacts as c where c.officeholder_id = h.id)) as row
       from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
       join persons as p on p.id = h.person_id left join parties as y on y.id = h.partisan_affiliation
       order by h.start_date, d.ocdid, o.name`,
    ),
    identifiers: await query(
      `select jsonb_build_array(e.kind, e.scheme, e.value, p.name) as row
       from external_identifiers as e left join persons as p on e.kind = 'person' and p.id = e.record_id
       order by e.kind, e.scheme, e.value`,
    ),
  };
}
