import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import type { Edition } from '../exchange/import-rows.ts';
import type { UnplacedContest } from './races.ts';

/** As many contests are written at once. */
const BATCH = 2_000;

/**
 * Stores the contests of an import that are not placed, in place of those that its files had before for the same states and days: what
 * a row places in the meantime is no longer among them. Those of which it is not known which file had them go as well.
 */
export async function storeUnplaced(
  db: Database,
  sourceId: number,
  contests: readonly UnplacedContest[],
  editions: readonly Edition[],
): Promise<void> {
  await sql`/* import.stage-unplaced */
    create temp table stage_unplaced on commit drop as
    select source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names, office as file
    from unplaced_contests with no data`.execute(db);
  for (let from = 0; from < contests.length; from += BATCH) {
    const rows = contests.slice(from, from + BATCH).map(({ names, isSpecial, reason, kind: _, file, ...contest }) => ({
      ...contest,
      is_special: isSpecial,
      reason: reason ?? null,
      votes: names.reduce((sum, { votes }) => sum + votes, 0),
      names: names.toSorted((a, b) => b.votes - a.votes || (a.name < b.name ? -1 : 1)),
      file: basename(file),
    }));
    await sql`/* import.stage-unplaced */
      insert into stage_unplaced
      select ${sourceId}::integer, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        state text, date date, stage text, is_special boolean, party text, office text, district text, county text,
        reason text, votes bigint, names jsonb, file text)`.execute(db);
  }
  // What is there already stays as it is, so that importing the same files again changes nothing.
  const isSame = sql`s.state = u.state and s.date = u.date and s.office = u.office
    and row(u.source_id, u.stage, u.is_special, u.party, u.district, u.county, u.reason, u.votes, u.names)
    is not distinct from row(s.source_id, s.stage, s.is_special, s.party, s.district, s.county, s.reason, s.votes, s.names)`;
  const read = sql`jsonb_to_recordset(${JSON.stringify(editions)}::jsonb) as r(state text, day date, file text)`;
  await sql`/* import.forget-unplaced */
    delete from unplaced_contests as u
    where exists (select from ${read} where r.state = u.state and r.day = u.date)
      and u.source_id in (select o.id from sources as s join sources as o on o.name = s.name where s.id = ${sourceId}::integer)
      and not exists (
        select from edition_records as x join import_editions as e on e.id = x.edition_id
        where x.kind = 'unplaced' and x.record_id = u.id
          and not exists (select from ${read} where r.state = e.state and r.day = e.day and r.file = e.file))
      and not exists (select from stage_unplaced as s where ${isSame})`.execute(db);
  await sql`/* import.store-unplaced */
    insert into unplaced_contests (source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names)
    select source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names
    from stage_unplaced as s where not exists (select from unplaced_contests as u where ${isSame})`.execute(db);
  await sql`/* import.forget-unplaced */
    delete from edition_records as x using import_editions as e
    where x.kind = 'unplaced' and e.id = x.edition_id
      and (not exists (select from unplaced_contests as u where u.id = x.record_id)
        or exists (select from ${read} where r.state = e.state and r.day = e.day and r.file = e.file)
          and not exists (select from unplaced_contests as u join stage_unplaced as s on ${isSame}
            where u.id = x.record_id and s.file = e.file))`.execute(db);
  await sql`/* import.record-unplaced */
    insert into edition_records (edition_id, kind, record_id)
    select distinct e.id, 'unplaced', u.id
    from stage_unplaced as s join unplaced_contests as u on ${isSame} join sources as o on o.id = s.source_id
    join import_editions as e on e.name = o.name and e.state = s.state and e.day = s.date and e.file = s.file
    on conflict do nothing`.execute(db);
}
