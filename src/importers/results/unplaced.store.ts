import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import type { UnplacedContest } from './races.ts';

/** As many contests are written at once. */
const BATCH = 2_000;

/**
 * Stores the contests of an import that are not placed, in place of those that the same source had before for the same states and days:
 * what a row places in the meantime is no longer among them.
 */
export async function storeUnplaced(
  db: Database,
  sourceId: number,
  contests: readonly UnplacedContest[],
  elections: readonly { readonly state: string; readonly date: string }[],
): Promise<void> {
  await sql`/* import.stage-unplaced */
    create temp table stage_unplaced on commit drop as
    select source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names
    from unplaced_contests with no data`.execute(db);
  for (let from = 0; from < contests.length; from += BATCH) {
    const rows = contests.slice(from, from + BATCH).map(({ names, isSpecial, reason, kind: _, ...contest }) => ({
      ...contest,
      is_special: isSpecial,
      reason: reason ?? null,
      votes: names.reduce((sum, { votes }) => sum + votes, 0),
      names: names.toSorted((a, b) => b.votes - a.votes || (a.name < b.name ? -1 : 1)),
    }));
    await sql`/* import.stage-unplaced */
      insert into stage_unplaced
      select ${sourceId}::integer, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        state text, date date, stage text, is_special boolean, party text, office text, district text, county text,
        reason text, votes bigint, names jsonb)`.execute(db);
  }
  // What is there already stays as it is, so that importing the same files again changes nothing.
  const isSame = sql`row(u.source_id, u.state, u.date, u.stage, u.is_special, u.party, u.office, u.district, u.county, u.reason, u.votes, u.names)
    is not distinct from row(s.source_id, s.state, s.date, s.stage, s.is_special, s.party, s.office, s.district, s.county, s.reason, s.votes, s.names)`;
  await sql`/* import.forget-unplaced */
    delete from unplaced_contests as u using jsonb_to_recordset(${JSON.stringify(elections)}::jsonb) as e(state text, date date)
    where u.state = e.state and u.date = e.date
      and u.source_id in (select o.id from sources as s join sources as o on o.name = s.name where s.id = ${sourceId}::integer)
      and not exists (select from stage_unplaced as s where s.state = u.state and s.date = u.date and s.office = u.office and ${isSame})`.execute(
    db,
  );
  await sql`/* import.store-unplaced */
    insert into unplaced_contests (source_id, state, date, stage, is_special, party, office, district, county, reason, votes, names)
    select * from stage_unplaced as s
    where not exists (select from unplaced_contests as u where u.state = s.state and u.date = s.date and u.office = s.office and ${isSame})`.execute(
    db,
  );
}
