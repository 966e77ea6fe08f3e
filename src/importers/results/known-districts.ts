import { sql } from 'kysely';
import type { State } from '../../base/words/states.ts';
import type { Database } from '../../store/sql/database.ts';

interface Known {
  readonly ocdid: string;
  readonly name: string;
  readonly type: string;
}

/** The least share of its own area, or of a county's, that a district has in the county: less is due to outlines that differ. */
const LEAST_SHARE = 0.002;

/** The districts of the states of an import that the database has. */
export class KnownDistricts {
  readonly #all = new Map<string, Known>();

  has(ocdid: string): boolean {
    return this.#all.has(ocdid);
  }

  get(ocdid: string): Known | undefined {
    return this.#all.get(ocdid);
  }

  /** Returns how many districts of a kind a state has, by the beginning of their OCD ids. */
  count(prefix: string): number {
    return [...this.#all.keys()].filter((ocdid) => ocdid.startsWith(prefix)).length;
  }

  /** Reads the districts of a state. */
  async read(db: Database, { postal }: State): Promise<void> {
    const { rows } = await sql<Known>`/* import.known-districts */
      select ocdid, name, type::text as type
      from districts where state = ${postal} and ocdid is not null`.execute(db);
    for (const row of rows) this.#all.set(row.ocdid, row);
  }

  /** Returns the GEOIDs of the counties that the boundary of a district on a day touches; undefined without a boundary. */
  async countiesOf(db: Database, ocdid: string, date: string): Promise<readonly string[] | undefined> {
    const { rows } = await sql<{ geoid: string }>`/* import.counties-of-district */
      with own as materialized (
        select b.geometry, ST_Area(b.geometry) as area, d.state
        from districts as d join boundaries as b on b.district_id = d.id
        where d.ocdid = ${ocdid} and (b.start_date is null or b.start_date <= ${date}::date + 70)
        order by b.start_date desc nulls last limit 1
      )
      select right(c.geo_id, 5) as geoid
      from own
      join boundary_pieces as p on p.geometry && own.geometry
      join boundaries as b on b.id = p.boundary_id
      join districts as c on c.id = b.district_id and c.type = 'County' and c.state = own.state
      group by c.id, c.geo_id, own.area
      having sum(ST_Area(ST_Intersection(p.geometry, own.geometry))) >= own.area * ${LEAST_SHARE}::float8`.execute(db);
    return rows.length === 0 ? undefined : rows.map(({ geoid }) => geoid);
  }
}
