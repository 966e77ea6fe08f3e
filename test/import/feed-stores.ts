import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import { folderOf } from './folders.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
export const FEEDS = join(ROOT, 'test', 'fixtures', 'import', 'feeds');

/** Returns a folder of published sample feeds; writes a message and returns undefined if it does not exist. */
export function sampleFeeds(name: string): string | undefined {
  const folder = join(process.env.SHARED_DIR ?? join(ROOT, '..', 'shared'), 'data', 'feeds', name);
  if (existsSync(folder)) return folder;
  return undefined;
}

/** A feed of the fixtures for one test, with one text in place of another. */
export function feedWith(name: string, from: string | RegExp, to: string): string {
  const text = readFileSync(join(FEEDS, name), 'utf8');
  const changed = text.replace(from, () => to);
  if (changed === text) throw new Error(`${name} does not contain ${from}`);
  return join(folderOf({ [name]: changed }), name);
}

/** The recorded races, with one line for each candidate. */
export async function candidatesIn(db: Database): Promise<string[]> {
  return lines(
    db,
    `select concat_ws(' | ', o.name, d.name, r.type, r.stage_type, r.stage_party, r.office_position, p.name,
       'with ' || c.running_mate, (select string_agg(y.name, '/' order by x.position) from candidate_parties as x
         join parties as y on y.id = x.party_id where x.candidate_id = c.id), c.cand_status, c.votes_for_cand) as line
     from candidates as c join persons as p on p.id = c.person_id join races as r on r.id = c.race_id
     join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id`,
  );
}

/** Returns the lines of a query with the column `line`, sorted by code unit. */
export async function lines(db: Database, query: string): Promise<string[]> {
  const { rows } = await sql.raw<{ line: string }>(query).execute(db);
  return rows.map(({ line }) => line).sort();
}
