import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { ImportError } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';

/** A map of the districts of one type in a state, and its first day. */
export interface NewMap {
  readonly state: string;
  readonly type: string;
  readonly from: string;
}

const ENDS = 'is not on the new map of its state, which begins on this day: its boundary ends';
const SHOWN = 10;

/**
 * Ends the boundaries of an older map in effect when a new map of the whole state begins, of the districts that the new one does
 * not have: a state that loses a seat, or numbers its districts anew. Other counties are other kinds of areas (Connecticut's
 * planning regions), which replace the older ones only with `replaces`.
 * @throws ImportError for a map of counties that lacks older ones, without `replaces`.
 */
export async function endOlderMaps(
  db: Database,
  maps: readonly NewMap[],
  report: Report,
  replaces: boolean,
): Promise<void> {
  for (const { state, type, from } of maps) {
    const { rows } = await sql<{ id: number; name: string }>`/* import.older-boundaries */
      select b.id, d.name from boundaries as b join districts as d on d.id = b.district_id
      where d.type::text = ${type} and d.state = ${state}
        and b.start_date < ${from}::date and (b.end_date is null or b.end_date > ${from}::date)
        and not exists (select from stage_boundaries as s where s.district_id = b.district_id)
      order by d.name, b.id`.execute(db);
    if (rows.length === 0) continue;
    if (type === 'County' && !replaces) {
      const names = rows.slice(0, SHOWN).map(({ name }) => name);
      throw new ImportError(
        `the new map of ${state} has no ${names.join(', ')}${rows.length > SHOWN ? ` and ${rows.length - SHOWN} others` : ''}, of type County: give --replaces to end them on ${from}, or --partial to keep them beside the map`,
      );
    }
    for (const { name } of rows) report.add(`${state} ${name}`, 'older-maps', ENDS, from);
    await sql`/* import.end-older-boundaries */
      insert into stage_boundaries (line, district_id, start_date, end_date, precise, digest, wraps, batch)
      select -b.id, b.district_id, b.start_date, ${from}::date, b.precise, b.digest, false, -1
      from boundaries as b where b.id = any(${rows.map(({ id }) => id)}::int[])`.execute(db);
  }
}
