import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { type DatasetTable, type TableName, tableOf } from '../../exchange/format.ts';
import type { Provenance } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { stageName } from '../stage/staging.ts';

/**
 * Completes the staged rows of existing records: columns that the source leaves out retain their value. A source
 * overwrites a different value only if it supplied the record first and no later edition of it followed; otherwise it
 * only fills empty columns, but for records that are of one source as a whole. So no source undoes the work of another, and importing the same data again, or in another
 * order, gives the same result.
 */
export async function mergeRows(db: Database, tables: Iterable<TableName>, provenance: Provenance): Promise<void> {
  if (new Set(tables).has('candidates')) await dropOutcomesOfOtherVotes(db, provenance);
  for (const table of tables) {
    const { kind, key, columns, isWhole } = tableOf(table);
    if (kind === null || !key.includes('id')) continue;
    const plain = columns.filter(({ name, apart }) => name !== 'id' && !apart);
    const sets = plain.map(({ name }) => {
      const [staged, stored] = [sql.ref(`s.${name}`), sql.ref(`t.${name}`)];
      if (isWhole) return sql`${sql.ref(name)} = case when t.own then ${staged} else ${stored} end`;
      return sql`${sql.ref(name)} = case when t.own then coalesce(${staged}, ${stored}) else coalesce(${stored}, ${staged}) end`;
    });
    // `offset 0` lets the database compute `own` once for each row, instead of once for each column.
    await sql`/* import.merge */
      update ${sql.table(stageName(table))} as s set ${sql.join(sets)}
      from (
        select r.*, ${isOwn(kind, sql.ref('r.id'), provenance)} as own from ${sql.table(table)} as r
        where r.id in (select id from ${sql.table(stageName(table))}) offset 0
      ) as t
      where t.id = s.id`.execute(db);
  }
  if (new Set(tables).has('candidates')) await mergeParties(db, provenance);
}

/**
 * An outcome goes with the votes from which it is read: a source whose votes do not replace those of another gives none, unless it has
 * the rounds of a count, in which the first choices are not the last votes.
 */
async function dropOutcomesOfOtherVotes(db: Database, provenance: Provenance): Promise<void> {
  await sql`/* import.drop-outcomes */
    update stage_candidates set cand_status = null
    where cand_status in ('Won', 'Lost', 'Advanced') and race_id in (
      select s.race_id from stage_candidates as s join candidates as c on c.id = s.id
      where s.votes_for_cand <> c.votes_for_cand and not ${isOwn('candidate', sql.ref('c.id'), provenance)}
        and not exists (select from ranked_choice_rounds as r where r.candidate_id = c.id)
        and not exists (select from stage_ranked_choice_rounds as r where r.candidate_id = s.id))`.execute(db);
}

async function mergeParties(db: Database, provenance: Provenance): Promise<void> {
  await sql`/* import.merge-parties */
    update stage_candidates as s set party_ids = p.party_ids
    from (
      select candidate_id, array_agg(party_id order by position) as party_ids from candidate_parties group by candidate_id
    ) as p
    where p.candidate_id = s.id
      and (s.party_ids is null or not ${isOwn('candidate', sql.ref('s.id'), provenance)})`.execute(db);
}

/**
 * Retains a boundary of a district with the same start day that another source supplied, unless the new one is precise
 * and the existing one is not. A precise boundary is always retained.
 */
export async function mergeBoundaries(db: Database, provenance: Provenance, report: Report): Promise<void> {
  const { rows } = await sql<{ origin: string }>`/* import.merge-boundaries */
    update stage_boundaries as s set geometry = null, digest = b.digest, precise = b.precise, wraps = false
    from boundaries as b
    where b.district_id = s.district_id and b.start_date = s.start_date and b.digest <> s.digest
      and (b.precise and not s.precise
        or b.precise = s.precise and not (${isOwn('boundary', sql.ref('b.id'), provenance)}))
    returning s.origin`.execute(db);
  for (const { origin } of rows)
    report.add(origin, 'older-maps', 'the district has a boundary of another source from the same day on, which stays');
  await sql`/* import.merge-periods */
    update stage_boundaries as s
    set end_date = case
      when ${isOwn('boundary', sql.ref('b.id'), provenance)} then coalesce(s.end_date, b.end_date)
      else coalesce(b.end_date, s.end_date) end
    from boundaries as b
    where b.district_id = s.district_id and b.start_date = s.start_date`.execute(db);
}

/** Returns whether a record was first supplied by this source, and by no later edition of it. */
function isOwn(
  kind: NonNullable<DatasetTable['kind']>,
  id: RawBuilder<unknown>,
  { name, asOf }: Provenance,
): RawBuilder<boolean> {
  const ofRecord = sql`select o.id, o.name, o.as_of from record_sources as x join sources as o on o.id = x.source_id
    where x.kind = ${kind}::record_kind and x.record_id = ${id}`;
  return sql<boolean>`(
    coalesce((select first.name = ${name} from (${ofRecord}) as first order by first.id limit 1), false)
    and not exists (select from (${ofRecord}) as later where later.name = ${name} and later.as_of > ${asOf}::date)
  )`;
}
