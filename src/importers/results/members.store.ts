import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';

/**
 * Returns how many members an edition of a source shows in each district of a state's lower house, for the editions of the term after
 * an election: from ten weeks after it, when members have taken office, until 700 days after it, since terms are two years or longer.
 */
export async function membersAfter(db: Database, state: string, date: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ ocdid: string; members: number }>`/* import.house-members */
    select ocdid, max(members)::integer as members from (
      select d.ocdid, count(distinct h.person_id) as members
      from districts as d join offices as o on o.district_id = d.id and o.chamber = 'Lower' and o.level = 'State'
      join officeholders as h on h.office_id = o.id
      join record_sources as r on r.kind = 'officeholder' and r.record_id = h.id
      join sources as e on e.id = r.source_id
      where d.state = ${state} and d.type = 'State Legislative (Lower)' and d.ocdid is not null
        and e.as_of between ${date}::date + 70 and ${date}::date + 700
        and (h.start_date is null or h.start_date <= e.as_of) and (h.end_date is null or h.end_date > e.as_of)
      group by d.ocdid, e.name, e.as_of
    ) as editions group by ocdid`.execute(db);
  return new Map(rows.map(({ ocdid, members }) => [ocdid, members]));
}
