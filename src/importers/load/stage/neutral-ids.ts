import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { TableName } from '../../exchange/format.ts';
import type { ExternalId } from '../../exchange/import-rows.ts';

/** Smaller ids are reserved for data sets that choose their own, such as the sample. */
const SMALLEST = 1_000_000;
const LARGEST = 2_147_483_647;

/**
 * Computes ids for new records from a hash of their names. Ids are public, so they must not reveal anything that the
 * caller may not see: sequential numbers would show the order of the source, which often is that of the votes. The same
 * name gets the same id in every database, whatever else was imported before.
 */
export class NeutralIds {
  readonly #db: Database;
  readonly #taken = new Map<TableName, Set<number>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns an id for each of the names, equal ones for equal names. If the id of a name already belongs to another
   * record, the next hash of the name is tried.
   */
  async allocate(table: TableName, names: readonly ExternalId[]): Promise<number[]> {
    const keys = names.map(({ scheme, value }) => `${scheme}\n${value}`);
    const ids = new Map<string, number>();
    // Sorted, so that of two names with the same hash the same one always comes first.
    let open = [...new Set(keys)].sort();
    for (let attempt = 0; open.length > 0; attempt++) {
      const tried = open.map((key) => [key, idOf(`${table}\n${key}`, attempt)] as const);
      const taken = await this.#takenOf(
        table,
        tried.map(([, id]) => id),
      );
      for (const [key, id] of tried) {
        if (taken.has(id)) continue;
        taken.add(id);
        ids.set(key, id);
      }
      open = open.filter((key) => !ids.has(key));
    }
    return keys.map((key) => ids.get(key) ?? 0);
  }

  /** Returns the ids that this import has assigned, together with those among `ids` that the table has. */
  async #takenOf(table: TableName, ids: readonly number[]): Promise<Set<number>> {
    const taken = this.#taken.get(table) ?? new Set();
    this.#taken.set(table, taken);
    const { rows } = await sql<{ id: number }>`/* import.taken-ids */
      select id from ${sql.table(table)} where id = any(${ids}::int[])`.execute(this.#db);
    for (const { id } of rows) taken.add(id);
    return taken;
  }
}

function idOf(name: string, attempt: number): number {
  const hash = createHash('sha256').update(`${name}\n${attempt}`).digest().readUIntBE(0, 6);
  return SMALLEST + (hash % (LARGEST - SMALLEST + 1));
}
