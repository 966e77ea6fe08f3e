import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** The text of an office or a district without letter case, dots, repeated spaces and leading zeros. */
const plain = (column: string) =>
  sql.raw(
    `regexp_replace(replace(upper(regexp_replace(btrim(${column}), '[[:space:].]+', ' ', 'g')), 'U S ', 'US '), '\\m0+(?=[0-9])', '', 'g')`,
  );

/**
 * Joins contests of different counties whose office and district differ only in letter case, punctuation and leading
 * zeros: files that are put together from those of counties spell them in several ways. Contests with a county in common
 * stay apart, since one of them may repeat the votes of the other. Returns whether there were any.
 */
export async function joinContestSpellings(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`/* import.results.contest-spellings */
    with keys as (
        select contest, jsonb_build_array(state_po, date, stage, special, primary_party,
          ${plain('office')}, ${plain('district')}) as key
        from result_contests),
      several as (select key from keys group by key having count(*) > 1),
      areas as (
        select distinct key, contest, upper(county_name) as county
        from keys join several using (key) join result_cells using (contest) join result_units using (unit)),
      apart as (
        select key from areas group by key
        having count(*) = count(distinct county) and count(distinct contest) > 1 and bool_and(county not in ('', 'NA', 'NAN'))),
      firsts as (
        select contest, first_value(contest) over (partition by key order by contest) as into
        from keys join apart using (key)),
      cells as (
        update result_cells as c set contest = f.into from firsts as f where f.contest = c.contest and f.into <> c.contest),
      parties as (
        update result_parties as p set contest = f.into from firsts as f where f.contest = p.contest and f.into <> p.contest)
    delete from result_contests as c using firsts as f where f.contest = c.contest and f.into <> c.contest`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}
