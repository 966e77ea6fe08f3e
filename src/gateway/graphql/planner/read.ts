import { hash } from 'node:crypto';
import DataLoader from 'dataloader';
import type { VariableValues } from 'graphql';
import { CompiledQuery } from 'kysely';
import type { Context } from '../../../graph/builder/context.ts';
import { dedupeKeys, loaderFor, readKindFor, readShared } from '../../../graph/builder/loader.ts';
import { idColumnOf, type PlannedRows } from '../../../graph/builder/relation.ts';
import type { ReadKind } from '../../../store/reading/shared-reads.ts';
import type { Database } from '../../../store/sql/database.ts';
import { valuesOf } from '../../../store/sql/parameter.ts';
import type { Run } from './compose.ts';
import type { Subtree } from './field-plan.ts';

type Row = Readonly<Record<string, unknown>>;
/** The key of the rows of a subtree: an id, or an object whose members identify them. */
type Key = number | Row;
/** JSON; null for a key without a row. */
type Text = string | null;

/** The JSON that SQL returns for an id without a row. */
const NO_OBJECT = 'null';

/**
 * Creates the function that reads a compiled subtree: for all objects at the same position of an operation in one
 * statement, which other requests may share.
 */
export function createReader({ rows, fromIdList }: Subtree, { sql, parameters: all }: CompiledQuery) {
  const idColumn = idColumnOf(rows);
  const names = idColumn === undefined ? Object.keys(rows.key) : undefined;
  // The columns of the keys are the first parameters: they are in the first common table expression.
  const parameters = all.slice(names?.length ?? 1);
  const id = hash('sha256', sql, 'base64url');

  function kindWith(values: readonly unknown[]): ReadKind<Key, Text> {
    const fetch = dedupeKeys<Key, Text>(
      (db, keys) => fetchTexts(db, sql, keys.length, [...columnsOf(keys, names), ...values]),
      (key) => (names ? names.map((name) => (key as Row)[name]).join(' ') : key),
    );
    return { id: `${id} ${JSON.stringify(values)}`, fetch };
  }

  /**
   * Returns the JSON for an object of the parent type; null if it has no row.
   * @param isOnly whether the operation reads nothing else in SQL, so that nothing can share the statement within it.
   */
  return async function read(parent: Row, context: Context, variables: VariableValues, isOnly: boolean): Promise<Text> {
    const key = keyOf(parent, rows, idColumn);
    if (key === null) return null;
    const kind = readKindFor(context, read, variables, () =>
      kindWith(valuesOf({ parameters }, { columns: [], context, variables } satisfies Run)),
    );
    // Each parent is read once, so a cache would not help.
    const batch = async (keys: readonly Key[]) => {
      const texts = await readShared(context, kind, keys);
      for (const text of texts) context.responseSize?.addBytes(text?.length ?? 0);
      return texts;
    };
    const keys = (fromIdList ? key : [key]) as readonly Key[];
    const loader = isOnly ? undefined : loaderFor(context, kind.id, () => new DataLoader(batch, { cache: false }));
    const texts = loader ? await Promise.all(keys.map((each) => loader.load(each))) : await batch(keys);
    if (!fromIdList) return texts[0] ?? null;
    return `[${texts.filter((text) => text !== null && text !== NO_OBJECT).join(',')}]`;
  };
}

function keyOf(parent: Row, { keyMember }: PlannedRows, idColumn: string | undefined): Key | readonly Key[] | null {
  const keyIn = (row: Row) => (idColumn === undefined ? row : ((row[idColumn] as Key | undefined) ?? null));
  if (keyMember === undefined) return keyIn(parent);
  const rows = parent[keyMember] as Row | readonly Row[];
  return Array.isArray(rows) ? (rows.map(keyIn) as readonly Key[]) : keyIn(rows as Row);
}

/** Returns the parameters of a statement for its keys: one array for each key column, in which ids are a text. */
function columnsOf(keys: readonly Key[], names: readonly string[] | undefined): (readonly unknown[])[] {
  const parameterOf = (value: unknown) => (Array.isArray(value) ? `{${value.join(',')}}` : value);
  return names ? names.map((name) => keys.map((key) => parameterOf((key as Row)[name]))) : [keys];
}

async function fetchTexts(db: Database, sql: string, count: number, values: unknown[]): Promise<Text[]> {
  const query = CompiledQuery.raw(sql, values);
  const { rows } = await db.getExecutor().executeQuery<{ ordinal: number; json: string }>(query);
  const texts = Array.from<Text>({ length: count }).fill(null);
  for (const { ordinal, json } of rows) texts[ordinal - 1] = json;
  return texts;
}
