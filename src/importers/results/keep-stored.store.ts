import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';

/** Returns the SQL of a name as it is compared: without letter case and punctuation. */
const plain = (column: string): RawBuilder<string> =>
  sql`trim(lower(regexp_replace(${sql.ref(column)}, '[^[:alnum:]]+', ' ', 'g')))`;

/**
 * Keeps what the database says about records that staged rows name too: the spelling of a name, and the level and branch of an
 * office. Files of results spell names in several ways and do not say what an office is, so that a later file is no better
 * than an earlier one; importing two files in turn changes nothing.
 */
export async function keepStored(db: Database): Promise<void> {
  await sql`/* import.keep-persons */
    update stage_persons as s set name = t.name, first_name = t.first_name, last_name = t.last_name
    from persons as t where t.id = s.id and t.name <> s.name and ${plain('t.name')} = ${plain('s.name')}`.execute(db);
  await sql`/* import.keep-districts */
    update stage_districts as s set name = t.name
    from districts as t where t.id = s.id and t.name <> s.name and ${plain('t.name')} = ${plain('s.name')}`.execute(db);
  await sql`/* import.keep-offices */
    update stage_offices as s set name = t.name, level = t.level, branch = t.branch, is_partisan = t.is_partisan
    from offices as t where t.id = s.id
      and row(t.name, t.level, t.branch, t.is_partisan) is distinct from row(s.name, s.level, s.branch, s.is_partisan)
      and ${plain('t.name')} = ${plain('s.name')}`.execute(db);
}
