import type { VariableValues } from 'graphql';
import { type CompiledQuery, type Expression, sql } from 'kysely';
import type { Context } from '../../../graph/builder/context.ts';
import { type AnyQuery, keyTable, sorted } from '../../../graph/builder/query-loader.ts';
import { idColumnOf } from '../../../graph/builder/relation.ts';
import { type Scope, scopeOf } from '../../../graph/builder/scope.ts';
import { asText, caseOf, columnsOf } from '../../../store/sql/functions.ts';
import { missing } from '../../../store/sql/migration-functions.ts';
import { Parameter } from '../../../store/sql/parameter.ts';
import { query } from '../../../store/sql/query-builder.ts';
import type { AccessGrant } from '../../../store/sql/tables.ts';
import type { Member, Shape } from '../execution/shape.ts';
import type { FieldPlan, LeafSql, Subtree } from './field-plan.ts';
import { concatenated, membersOf, type Piece } from './pieces.ts';

/** An execution of a statement, in which its parameters find their values. */
export interface Run {
  /** The values of each column of the keys, in their order. */
  readonly columns: readonly (readonly unknown[])[];
  readonly context: Context;
  readonly variables: VariableValues;
}

/** The row that the fields of an object are read from. */
interface Row {
  /** Its alias, unique in the statement. */
  readonly alias: string;
  readonly scope: Scope<never>;
  /** The table that has this row for each key, if there is one: rows below it can be serialised once for all keys. */
  readonly table?: string;
}

/** The row with the keys of a relation. */
interface Parent extends Pick<Row, 'alias' | 'table'> {
  /** Returns the column with a key. */
  readonly columnOf: (key: string) => string;
}

/**
 * The tables of a composed statement are known only when it is composed, so their columns have no types here: the
 * relations are checked where they are defined.
 */
const builder = query as AnyQuery;

/**
 * Composes the relations of a subtree into one query, for callers with the given grants. It returns rows with the
 * `ordinal` of a key, from 1, and `json`, the serialised selection.
 * @param shape the form of its objects; that of the schema if omitted.
 */
export function composeStatement(root: Subtree, grants: ReadonlySet<AccessGrant>, shape?: Shape): CompiledQuery {
  const { key } = root.rows;
  const keyNames = Object.keys(key);
  const keys = keyTable(key, (name) => {
    const index = keyNames.indexOf(name);
    return new Parameter(({ columns }: Run) => columns[index]);
  });
  /** The common table expressions, in order. */
  const tables: { readonly name: string; readonly isMaterialized: boolean; readonly rows: AnyQuery }[] = [
    { name: 'keys', isMaterialized: false, rows: builder.selectFrom(keys).selectAll() },
  ];
  /** The names of the common table expressions that are joined to the result by their `ordinal`. */
  const joined: string[] = [];
  const isGranted = (grant: AccessGrant) => grants.has(grant);
  let rows = 0;

  function openRow({ args }: Pick<Subtree, 'args'>): Row {
    const scope = scopeOf({ isGranted }, ({ variables, context }: Run) => [args(variables), context]);
    return { alias: `r${++rows}`, scope };
  }

  function subtreePieces(subtree: Subtree, parent: Parent, shape?: Shape): Piece[] {
    if (subtree.isList) return ['[', listOf(subtree, parent, shape), ']'];
    const object = (row: Row) => objectPieces(subtree.fields, row, shape);
    return [oneOf(subtree, parent, absentOf(subtree, 'null'), object)];
  }

  /**
   * Returns an expression for a single object.
   * @param absent the expression to use if there is no row.
   */
  function oneOf(
    subtree: Subtree,
    parent: Parent,
    absent: Expression<string>,
    serialize: (row: Row) => Piece[],
  ): Expression<string> {
    const row = openRow(subtree);
    const object = itemsOf(builder.selectFrom(rowsOf(subtree, parent, row)), serialize(row));
    return sql`coalesce(${object}, ${absent})`;
  }

  /** Returns an expression for the items of a list, separated by commas; null for an empty list. */
  function listOf(subtree: Subtree, parent: Parent, shape?: Shape): Expression<unknown> {
    const { rows, fields, fromIdList, hasChildren } = subtree;
    if (hasChildren && rows.orderBy && parent.table) return sharedListOf(subtree, parent.table, parent, shape);
    const row = openRow(subtree);
    const object = objectPieces(fields, row, shape);
    if (!fromIdList) {
      const items = itemsOf(builder.selectFrom(rowsOf(subtree, parent, row)), object);
      return builder
        .selectFrom(sorted(items, row.alias, rows.orderBy ?? []).as('listed'))
        .select(builder.fn.agg('string_agg', ['listed.item', sql.lit(',')]).as('items'));
    }
    const ids = keyIn(parent, keyNameOf(subtree));
    const listed = sql`unnest(${ids}) with ordinality`.as(sql`listed(id, position)`);
    const item: Parent = { alias: 'listed', columnOf: () => 'id' };
    const items = itemsOf(builder.selectFrom(listed).crossJoinLateral(rowsOf(subtree, item, row)), object);
    return builder.selectFrom(items.select('listed.position').as('listed')).select(
      builder.fn
        .agg('string_agg', ['listed.item', sql.lit(',')])
        .orderBy('listed.position')
        .as('items'),
    );
  }

  /**
   * Returns the same expression for the rows of a table that has one row for each key: an object that several keys
   * share is serialised once, with its whole selection. Points of one region share their country, state and county.
   */
  function sharedListOf(subtree: Subtree, table: string, parent: Parent, shape?: Shape): Expression<unknown> {
    const { rows, fields } = subtree;
    const row = openRow(subtree);
    const { alias } = row;
    const identity = rows.distinctOn ?? ['id'];
    const [found, serialized, listed] = [`found_${alias}`, `serialized_${alias}`, `listed_${alias}`] as const;
    const identityIn = (table: string) => identity.map((column) => `${table}.${column}`);
    const foundRows = builder
      .selectFrom(table)
      .crossJoinLateral(rowsOf(subtree, parent, row))
      .select(`${parent.alias}.ordinal`)
      .selectAll(alias);
    const distinctRows = builder.selectFrom(found).distinctOn(identityIn(found)).selectAll().as(alias);
    const serializedRows = itemsOf(
      builder.selectFrom(distinctRows).select(identityIn(alias)),
      objectPieces(fields, row, shape),
    );
    const items = builder.fn.agg('string_agg', [`${serialized}.item`, sql.lit(',')]);
    const listedRows = builder
      .selectFrom(`${found} as ${alias}`)
      .innerJoin(serialized, (join: AnyQuery) =>
        identity.reduce((on, column) => on.onRef(`${alias}.${column}`, '=', `${serialized}.${column}`), join),
      )
      .select([`${alias}.ordinal`, sorted(items, alias, rows.orderBy ?? []).as('items')])
      .groupBy(`${alias}.ordinal`);
    tables.push(
      { name: found, isMaterialized: true, rows: foundRows },
      { name: serialized, isMaterialized: true, rows: serializedRows },
      { name: listed, isMaterialized: false, rows: listedRows },
    );
    joined.push(listed);
    return sql.ref(`${listed}.items`);
  }

  /** Returns the FROM item with the rows of a parent. */
  function rowsOf(subtree: Subtree, parent: Parent, { alias, scope }: Row): AnyQuery {
    const { rows, idOnly } = subtree;
    if (idOnly) {
      const id = keyIn(parent, 'id');
      return builder.selectNoFrom(id.as('id')).where(id, 'is not', null).as(alias);
    }
    const expressions = Object.keys(rows.key).map((name) => [name, keyIn(parent, name)] as const);
    return rows.rows(Object.fromEntries(expressions) as never, scope).as(alias);
  }

  function objectPieces(fields: readonly FieldPlan[], row: Row, shape?: Shape): Piece[] {
    const members = shape
      ? shapePieces(Object.entries(shape), fields, row)
      : membersOf(
          fields,
          ({ key }) => key,
          (field) => fieldPieces(field, row),
        );
    return ['{', ...members, '}'];
  }

  function fieldPieces(field: FieldPlan, row: Row): Piece[] {
    return field.subtree ? subtreePieces(field.subtree, parentOf(field.subtree, row)) : leafPieces(field, row, 'null');
  }

  /**
   * Returns the pieces of a leaf.
   * @param absent the JSON for null.
   */
  function leafPieces(
    field: FieldPlan,
    row: Row,
    absent: string,
    { isText = false, replaced }: { isText?: boolean; replaced?: Member['replaced'] } = {},
  ): Piece[] {
    const { sql: leaf } = field;
    if (leaf?.kind === 'constant') return [leaf.json];
    if (leaf?.kind !== 'leaf') throw new Error(`${field.coordinate} cannot be computed in SQL`);
    const value = valueIn(leaf, row);
    const text = replaced ? caseOf(value, Object.entries(replaced), value) : value;
    return [sql`coalesce(${jsonIn(leaf, text, isText)}, ${absentOf(field, absent)})`];
  }

  /**
   * Returns the pieces of a shape. Consecutive members that are read from the same object are serialised from one row.
   */
  function shapePieces(members: readonly NamedMember[], fields: readonly FieldPlan[], row: Row): Piece[] {
    const groups: NamedMember[][] = [];
    for (const named of members) {
      const last = groups.at(-1);
      if (last && isWithinSame(last[0], named)) last.push(named);
      else groups.push([named]);
    }
    return groups.flatMap((group, index) => {
      const [[name, member]] = group as [NamedMember];
      if (member.otherwise === undefined) return optionalPieces(name, member, fields, row);
      return [...(index === 0 ? [] : [',']), ...groupPieces(group, fields, row)];
    });
  }

  /** Returns the pieces of a leaf that is omitted, with its comma, if it has no value. */
  function optionalPieces(name: string, member: Member, fields: readonly FieldPlan[], row: Row): Piece[] {
    const [head, ...from] = member.from;
    const { sql: leaf, subtree, isGranted } = fields.find(({ key }) => key === head) ?? {};
    if (!isGranted) return [];
    if (subtree) {
      const serialize = (within: Row) => optionalPieces(name, { ...member, from }, subtree.fields, within);
      return [oneOf(subtree, parentOf(subtree, row), sql.lit(''), serialize)];
    }
    if (leaf?.kind !== 'leaf') return [];
    return [
      sql`${sql.lit(`,${JSON.stringify(name)}:`)} || ${jsonIn(leaf, valueIn(leaf, row), member.texts !== undefined)}`,
    ];
  }

  /**
   * Returns the pieces of members of one object. Members of a field that is not selected or not granted have their
   * values for null.
   */
  function groupPieces(group: readonly NamedMember[], fields: readonly FieldPlan[], row: Row): Piece[] {
    const [[, { from }]] = group as [NamedMember];
    const field = fields.find(({ key }) => key === from[0]);
    const absent = group
      .filter(([, { otherwise }]) => otherwise !== undefined)
      .map(([name, { otherwise }]) => `${JSON.stringify(name)}:${JSON.stringify(otherwise)}`)
      .join(',');
    if (!field?.isGranted) return [absent];
    if (from.length === 1) {
      return membersOf(
        group,
        ([name]) => name,
        ([, member]) => memberPieces(member, field, row),
      );
    }
    const { subtree } = field;
    if (!subtree) throw new Error(`A member of a shape is within the leaf ${field.coordinate}`);
    const inner = group.map(([name, member]): NamedMember => [name, { ...member, from: member.from.slice(1) }]);
    const serialize = (within: Row) => shapePieces(inner, subtree.fields, within);
    return [oneOf(subtree, parentOf(subtree, row), absentOf(field, absent), serialize)];
  }

  function memberPieces({ otherwise, texts, replaced, items }: Member, field: FieldPlan, row: Row): Piece[] {
    const absent = JSON.stringify(otherwise);
    const { subtree } = field;
    if (!subtree) return leafPieces(field, row, absent, { isText: texts !== undefined, replaced });
    const parent = parentOf(subtree, row);
    if (!subtree.isList) {
      const object = (within: Row) => objectPieces(subtree.fields, within, items);
      return [oneOf(subtree, parent, absentOf(field, absent), object)];
    }
    return [sql`coalesce('[' || ${listOf(subtree, parent, items)} || ']', ${sql.lit(absent)})`];
  }

  /** Returns the whole query. `from` has one row for each key, with the alias `alias`. */
  function compileFrom(alias: string, from: string, pieces: readonly Piece[]): CompiledQuery {
    // First the pieces, which add the tables.
    const json = sql`${concatenated(pieces)}`.as('json');
    const withTables = tables.reduce(
      (all, { name, isMaterialized, rows }) =>
        all.with(
          (table: AnyQuery) => (isMaterialized ? table(name).materialized() : table(name)),
          () => rows,
        ),
      builder,
    );
    const whole = joined
      .reduce((all, table) => all.leftJoin(table, `${table}.ordinal`, `${alias}.ordinal`), withTables.selectFrom(from))
      .select([sql`${sql.ref(`${alias}.ordinal`)}::int`.as('ordinal'), json])
      .compile();
    return { ...whole, sql: `/* ${root.coordinate} */ ${whole.sql}` };
  }

  const parent: Parent = { alias: 'keys', columnOf: (key) => key };
  const isById = idColumnOf(root.rows) !== undefined;
  if (isById && root.fromIdList) {
    const object = oneOf(root, parent, sql.lit('null'), (row) => objectPieces(root.fields, row, shape));
    return compileFrom('keys', 'keys', [object]);
  }
  if (isById) return compileFrom('keys', 'keys', subtreePieces(root, parent, shape));
  if (root.isList && !root.fromIdList) {
    return compileFrom('keys', 'keys', subtreePieces(root, { ...parent, table: 'keys' }, shape));
  }
  // A single object for each key, in a table of its own.
  const row = openRow(root);
  const { alias } = row;
  const rootRows = builder
    .selectFrom('keys')
    .crossJoinLateral(rowsOf(root, parent, row))
    .select('keys.ordinal');
  tables.push({ name: 'roots', isMaterialized: true, rows: rootRows.selectAll(alias) });
  const table = `roots as ${alias}`;
  return compileFrom(alias, table, objectPieces(root.fields, { ...row, table }, shape));
}

/** Adds the concatenated pieces of an object to a query as the column `item`. */
function itemsOf(rows: AnyQuery, object: readonly Piece[]): AnyQuery {
  return rows.select(sql`${concatenated(object)}`.as('item'));
}

/** Returns the JSON for null, or an error if the schema does not allow null. */
function absentOf({ coordinate, isNonNull }: Pick<FieldPlan, 'coordinate' | 'isNonNull'>, absent: string) {
  return isNonNull ? missing(coordinate) : sql<string>`${sql.lit(absent)}`;
}

function valueIn({ value }: LeafSql, { alias, scope }: Row): Expression<unknown> {
  return value(columnsOf(alias), scope);
}

/** Returns the JSON of a leaf, or that of its text. */
function jsonIn({ json }: LeafSql, value: Expression<unknown>, isText: boolean): Expression<string> {
  return isText ? sql<string>`to_json(${asText(value)})::text` : json(value);
}

type NamedMember = readonly [name: string, member: Member];

function isWithinSame(one: NamedMember | undefined, other: NamedMember): boolean {
  const [[head, ...within], [otherHead, ...otherWithin]] = [one?.[1].from ?? [], other[1].from];
  return one?.[1].otherwise !== undefined && head === otherHead && within.length > 0 && otherWithin.length > 0;
}

function parentOf({ rows: { column } }: Subtree, { alias, table }: Row): Parent {
  return { alias, columnOf: (key) => column ?? key, ...(table !== undefined && { table }) };
}

function keyNameOf({ rows: { key } }: Subtree): string {
  return Object.keys(key)[0] as string;
}

function keyIn({ alias, columnOf }: Parent, key: string) {
  return sql.ref<never>(`${alias}.${columnOf(key)}`);
}
