import { sql } from 'kysely';
import { normalName } from '../../base/words/normal-name.ts';
import type { Database } from '../../store/sql/database.ts';
import type { Place } from './places.ts';
import type { Contest } from './result-contests.ts';

/** The least share of the area of a city that is in a county: less is due to boundaries that differ in detail. */
const LEAST_SHARE = 0.05;

/** Finds cities in several counties by their boundaries, for files that do not have all counties of a state. */
export class CityCounties {
  readonly #db: Database;
  readonly #known = new Map<string, Promise<readonly string[]>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns whether a part of the city of a contest is in a county without results. */
  async hasOthers({ isPartial, counties }: Contest, { id, row }: Place): Promise<boolean> {
    if (!isPartial || row.values.type !== 'City-town') return false;
    const known = this.#known.get(id.value) ?? this.#read(id.value);
    this.#known.set(id.value, known);
    const own = new Set(counties.map(({ name }) => normalName(name)));
    return (await known).some((name) => !own.has(normalName(name.replace(/ (County|Parish|Borough)$/, ''))));
  }

  async #read(ocdid: string): Promise<readonly string[]> {
    const { rows } = await sql<{ name: string }>`/* import.city-counties */
      with city as materialized (
        select d.state, b.geometry, ST_Area(b.geometry) as area
        from districts as d join boundaries as b on b.district_id = d.id
        where d.ocdid = ${ocdid} order by b.start_date desc limit 1
      )
      select d.name from city
      join boundary_pieces as p on p.geometry && city.geometry
      join boundaries as b on b.id = p.boundary_id
      join districts as d on d.id = b.district_id and d.type = 'County' and d.state = city.state
      group by d.id, d.name, city.area
      having sum(ST_Area(ST_Intersection(p.geometry, city.geometry))) >= city.area * ${LEAST_SHARE}::float8
      order by d.id`.execute(this.#db);
    return rows.map(({ name }) => name);
  }
}
