import { sql } from 'kysely';
import { normalName } from '../../../base/words/normal-name.ts';
import type { Database } from '../../../store/sql/database.ts';
import { type TableName, tableOf } from '../../exchange/format.ts';
import type { ReferringRow } from '../match/matching.ts';
import { stageName } from './staging.ts';

/**
 * The records that an import adds, by the columns that identify them besides their names. A source may name one town in
 * two ways: its offices and elections then have two names as well, and are one record each.
 */
export class AddedRecords {
  readonly #ids = new Map<string, number>();

  /** Returns the id of an equal record that was added before; records the given id if there is none. */
  idOf(row: ReferringRow, id: number): number {
    const key = keyOf(row);
    if (key === undefined) return id;
    const known = this.#ids.get(key) ?? id;
    this.#ids.set(key, known);
    return known;
  }
}

/** The tables whose records a source may give twice, under two names of one district. */
export const REPEATABLE: ReadonlySet<TableName> = new Set(['districts', 'offices', 'elections']);

/** Returns what identifies an office or an election besides its names; undefined for other records. */
function keyOf({ row: { table, values, match }, refs }: ReferringRow): string | undefined {
  if (table === 'offices' && match?.by === 'office') {
    const { name, level, branch, chamber, seat } = values;
    return JSON.stringify([
      table,
      refs.district_id,
      normalName(String(name)),
      level,
      branch,
      chamber ?? '',
      seat ?? '',
    ]);
  }
  if (table === 'elections' && match?.by === 'election')
    return JSON.stringify([table, refs.district_id, values.date, values.type]);
  return undefined;
}

/**
 * Removes staged rows of districts that the source supplies in another row as well, after they have filled the columns
 * that the other row leaves out.
 */
export async function uniteDistricts(db: Database, repeated: readonly number[]): Promise<void> {
  const stage = sql.table(stageName('districts'));
  const columns = tableOf('districts').columns.filter(({ required }) => !required);
  const filled = columns.map(
    ({ name }) => sql`${sql.ref(name)} = coalesce(${sql.ref(`s.${name}`)}, ${sql.ref(`r.${name}`)})`,
  );
  const found = columns.map(({ name }) => sql`min(${sql.ref(name)}) as ${sql.ref(name)}`);
  await sql`/* import.unite-districts */
    update ${stage} as s set ${sql.join(filled)}
    from (select id, ${sql.join(found)} from ${stage} where line = any(${repeated}::int[]) group by id) as r
    where r.id = s.id and s.line <> all(${repeated}::int[])`.execute(db);
  await sql`/* import.unite-districts */ delete from ${stage} where line = any(${repeated}::int[])`.execute(db);
}
