import { sql } from 'kysely';
import type { ImportContext } from '../../exchange/import-rows.ts';
import type { Holder } from './openstates-person.ts';

const LACKS = '…: the map in the database lacks the district, so point lookups do not find it';

/**
 * Reports the members in office whose districts have no boundary in the database: an older map has other districts. A
 * legislature without any map is reported once.
 */
export async function reportMissingMaps(holders: readonly Holder[], { db, report }: ImportContext): Promise<void> {
  const { rows } = await sql<{ type: string; state: string; ocdid: string | null }>`/* import.mapped-districts */
    select type::text, state, ocdid from districts as d
    where type in ('State Legislative (Upper)', 'State Legislative (Lower)')
      and exists (select from boundaries as b where b.district_id = d.id)`.execute(db);
  const maps = new Map(Map.groupBy(rows, ({ state, type }) => `${state} ${type}`));
  const without = new Map<string, number>();
  for (const { record, terms } of holders) {
    for (const { role, isCurrent } of terms) {
      if (!isCurrent || !role.isLegislative) continue;
      const { id, row } = role.office.place;
      const name = `${row.values.state} ${row.values.type}`;
      const map = maps.get(name);
      if (!map) without.set(name, (without.get(name) ?? 0) + 1);
      else if (!map.some(({ ocdid }) => ocdid === id.value))
        report.add(record, 'left-out', LACKS, String(row.values.name));
    }
  }
  for (const [name, members] of without)
    report.add(
      name,
      'left-out',
      `the database has no map of these districts, so point lookups do not find their ${members} members`,
    );
}
