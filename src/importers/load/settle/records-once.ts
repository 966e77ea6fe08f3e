import { sql } from 'kysely';
import { codeOf } from '../../../base/errors.ts';
import type { Database } from '../../../store/sql/database.ts';
import { TABLES } from '../../exchange/format.ts';
import { DatasetError, MAX_ERRORS, ValidationErrors } from '../../exchange/validation-errors.ts';
import { stageName } from '../stage/staging.ts';
import { noun } from './checks.ts';

const EXCLUSION_VIOLATION = '23P01';

/** A record that is equal to another one in all that a constraint compares. */
interface Repeated {
  readonly id: number;
  readonly line: number | null;
  readonly origin: string | null;
  readonly first: number;
  readonly first_line: number | null;
  readonly first_origin: string | null;
  readonly total: number;
}

/**
 * Checks the constraints by which a record exists once (migration 0064). They are deferred, because the order in which a load, an
 * import or a merge of persons writes is not theirs: it calls this when it has written everything.
 * @throws DatasetError with the records that exist twice, and where the source has them.
 */
export async function rejectRepeated(db: Database): Promise<void> {
  await sql`/* import.records-once */ savepoint records_once`.execute(db);
  try {
    await sql`/* import.records-once */ set constraints all immediate`.execute(db);
  } catch (error) {
    if (codeOf(error) !== EXCLUSION_VIOLATION) throw error;
    await sql`/* import.records-once */ rollback to savepoint records_once`.execute(db);
    throw await repeatedRecords(db);
  }
  await sql`/* import.records-once */ set constraints all deferred`.execute(db);
  await sql`/* import.records-once */ release savepoint records_once`.execute(db);
}

async function repeatedRecords(db: Database): Promise<DatasetError> {
  const errors = new ValidationErrors();
  for (const { table, key, same, isStaged } of await constraints(db)) {
    const { file, name } = TABLES.find((each) => each.name === table) ?? {};
    if (!name || !file) continue;
    const staged = isStaged
      ? sql`(select id, min(line) as line, min(origin) as origin from ${sql.table(stageName(name))} where line > 0 group by id)`
      : sql`(select null::integer as id, null::integer as line, null::text as origin)`;
    const { rows } = await sql<Repeated>`/* import.repeated-records */
      select id, line, origin, first, first_line, first_origin, count(*) over () as total
      from (
        select t.id, s.line, s.origin, first_value(t.id) over same as first, first_value(s.line) over same as first_line,
          first_value(s.origin) over same as first_origin
        from ${sql.table(name)} as t left join ${staged} as s on s.id = t.id
        where num_nulls(${sql.raw(key)}) = 0
        window same as (partition by ${sql.raw(key)} order by s.line nulls first, t.id)
      ) as keyed
      where id <> first order by line, id limit ${sql.lit(MAX_ERRORS)}`.execute(db);
    for (const { id, line, origin, first, first_line, first_origin } of rows) {
      const place = first_origin ?? (first_line === null ? 'in the database' : `line ${first_line}`);
      errors.add({
        file: origin ?? file,
        line: origin === null ? line : null,
        column: null,
        reason: `${noun(name)} ${id} is the same as ${noun(name)} ${first} (${place}): the same ${same}`,
      });
    }
    errors.countMore((rows[0]?.total ?? rows.length) - rows.length);
  }
  return new DatasetError(errors.list(TABLES.map(({ file }) => file)), errors.count);
}

/** Returns the constraints with what each compares, as SQL and in words, and whether a load has staged rows of their tables. */
async function constraints(db: Database) {
  const { rows } = await sql<{ table: string; key: string; same: string; isStaged: boolean }>`/* import.records-once */
    select r.relname as table, obj_description(c.oid, 'pg_constraint') as same,
      to_regclass('pg_temp.stage_' || r.relname) is not null as "isStaged",
      (select string_agg('(' || pg_get_indexdef(c.conindid, n, true) || ')', ', ') from generate_series(1, i.indnatts) as n) as key
    from pg_constraint as c join pg_class as r on r.oid = c.conrelid join pg_index as i on i.indexrelid = c.conindid
    where c.contype = 'x' and c.condeferrable and starts_with(c.conname, r.relname || '_once')
    order by c.conname`.execute(db);
  return rows;
}
