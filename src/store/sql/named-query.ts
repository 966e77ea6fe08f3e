import { type Compilable, CompiledQuery, type QueryResult } from 'kysely';
import type { Database } from './database.ts';
import { type ParameterOf, parameter, valuesOf } from './parameter.ts';

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
  options?: StatementOptions,
): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  const { rows } = await execute<Row>(db, commented(name, sql, options), parameters);
  return rows;
}

/** Executes a statement that changes rows, and returns how many. */
export async function changedRows(db: Database, name: string, statement: Compilable): Promise<number> {
  const { sql, parameters } = statement.compile();
  const { numAffectedRows } = await execute(db, commented(name, sql), parameters);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Returns the function that executes a query whose text is always the same: it is built and compiled once, on first use.
 * @param build returns the query. What differs between executions are parameters; a parameter that occurs several times
 * has one placeholder if it is one expression.
 */
export function fixedQuery<Row, Run = void>(
  name: string,
  build: (parameter: ParameterOf<Run>) => Compilable<Row>,
  options?: StatementOptions,
): (db: Database, run: Run) => Promise<Row[]> {
  let compiled: { readonly text: string; readonly parameters: readonly unknown[] } | undefined;
  return async (db, run) => {
    if (!compiled) {
      const { sql, parameters } = build(parameter).compile();
      compiled = { text: commented(name, sql, options), parameters };
    }
    const { rows } = await execute<Row>(db, compiled.text, valuesOf(compiled, run));
    return rows;
  };
}

/**
 * Returns the function that executes a query which has a few forms: each is built and compiled once, on first use.
 * @param formOf returns the form for an execution, an object of booleans.
 */
export function fixedQueries<Form, Row, Run>(
  name: string,
  formOf: (run: Run) => Form,
  build: (parameter: ParameterOf<Run>, form: Form) => Compilable<Row>,
): (db: Database, run: Run) => Promise<Row[]> {
  const queries = new Map<string, (db: Database, run: Run) => Promise<Row[]>>();
  return (db, run) => {
    const form = formOf(run);
    const key = JSON.stringify(form);
    const known = queries.get(key) ?? fixedQuery<Row, Run>(name, (parameter) => build(parameter, form));
    queries.set(key, known);
    return known(db, run);
  };
}

/** Returns the text of a statement with its name, as logs, metrics and `PreparingClient` read it. */
function commented(name: string, sql: string, { customPlan = false }: StatementOptions = {}): string {
  return `/* ${name}${customPlan ? ' (custom plan)' : ''} */ ${sql}`;
}

function execute<Row>(db: Database, text: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
  return db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]));
}
