import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';

export interface Candidacy {
  readonly office_id: number;
  readonly person_id: number;
  readonly name: string;
}

/** Returns every person who holds or held one of the offices or was a candidate for it, once per office. */
export async function findCandidacies(db: Database, offices: readonly number[]): Promise<Map<number, Candidacy[]>> {
  const { rows } = await sql<Candidacy>`/* import.candidacies */
    select o.office_id, o.person_id, p.name
    from (
      select r.office_id, c.person_id from races as r join candidates as c on c.race_id = r.id
      where r.office_id = any(${offices}::int[])
      union select office_id, person_id from officeholders where office_id = any(${offices}::int[])
    ) as o (office_id, person_id)
    join persons as p on p.id = o.person_id`.execute(db);
  return Map.groupBy(rows, ({ office_id }) => office_id);
}
