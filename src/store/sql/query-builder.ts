import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
} from 'kysely';
import { Parameter } from './parameter.ts';
import type { DB } from './tables.ts';

/** Gives a `Parameter` that occurs several times in a query one placeholder, so that its value is found and sent once. */
class ParameterCompiler extends PostgresQueryCompiler {
  readonly #places = new Map<unknown, number>();

  override compileQuery(node: RootOperationNode, queryId: QueryId) {
    this.#places.clear();
    return super.compileQuery(node, queryId);
  }

  protected override appendValue(value: unknown): void {
    const place = this.#places.get(value);
    if (place !== undefined) {
      this.append(`$${place}`);
      return;
    }
    super.appendValue(value);
    if (value instanceof Parameter) this.#places.set(value, this.numParameters);
  }
}

/**
 * Builds and compiles queries, and has no connection: for queries that are defined once and executed by the handle of a
 * request.
 */
export const query = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ParameterCompiler(),
  },
});

/** Kysely's function that names a common table expression; the package does not export its type. */
type NameTable = Parameters<Parameters<typeof query.with<never, never>>[0]>[0];

/** Returns the name of a common table expression that PostgreSQL computes once, as a table of its own. */
export const materialized =
  <Name extends string>(name: Name) =>
  (nameTable: NameTable) =>
    nameTable(name).materialized();
