import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';

/** An election that a state holds, as it is stored. */
export interface StoredElection {
  readonly state: string;
  readonly date: string;
  readonly type: string;
  readonly isComplete: boolean;
}

/** Returns the stored elections that states hold on some days. */
export async function electionsOfStates(db: Database, days: readonly string[]): Promise<readonly StoredElection[]> {
  const { rows } = await sql<StoredElection>`/* places.elections */
    select d.state, e.date, e.type, e.candidate_lists_complete as "isComplete"
    from elections as e join districts as d on d.id = e.district_id
    where d.type = 'State' and e.date = any(${days}::date[])`.execute(db);
  return rows;
}

export interface StoredDistrict {
  readonly id: number;
  readonly name: string;
  readonly geoId: string | null;
  /** The names that imports gave it within its county: `50001 addison`. */
  readonly ofCounty: readonly string[];
}

/** Returns the districts of a type in a state that are in effect on a day, or have no boundary. */
export async function districtsOn(
  db: Database,
  state: string,
  type: string,
  day: string,
): Promise<readonly StoredDistrict[]> {
  const { rows } = await sql<StoredDistrict>`/* places.districts */
    select d.id, d.name, d.geo_id as "geoId", coalesce((
      select array_agg(regexp_replace(e.value, '^[A-Z]{2} ' || d.type || ' ', '')) from external_identifiers as e
      where e.kind = 'district' and e.record_id = d.id and e.scheme in ('county-subdivision', 'county-district')), '{}') as "ofCounty"
    from districts as d
    where d.state = ${state} and d.type::text = ${type} and (
      not exists (select from boundaries as b where b.district_id = d.id)
      or exists (select from boundaries_in_effect(${day}::date) as b where b.district_id = d.id))
    order by d.name, d.id`.execute(db);
  return rows;
}
