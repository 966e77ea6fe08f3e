import { type Compilable, CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

interface StatementOptions {
  /** Whether PostgreSQL plans the statement for its values each time (see `PreparingClient`). */
  readonly customPlan?: boolean;
}

/**
 * Executes a query and returns its rows.
 * @param name the name of the statement in logs and metrics: the folder and what it reads, for example
 * `districts.areasOfBoundaries`.
 */
export async function rowsOf<Row>(
  db: Database,
  name: string,
  query: Compilable<Row>,
  { customPlan = false }: StatementOptions = {},
): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  const text = `/* ${name}${customPlan ? ' (custom plan)' : ''} */ ${sql}`;
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]) as CompiledQuery<Row>);
  return rows;
}
