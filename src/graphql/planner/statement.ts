import type { VariableValues } from 'graphql';
import type { AccessGrant } from '../../database/tables.ts';
import type { Context } from '../context.ts';
import { quoted, type RowScope } from '../in-sql.ts';
import type { Member, Shape } from '../shape.ts';
import type { FieldPlan, Subtree } from './field-plan.ts';
import { concatenated, membersOf, type Piece } from './pieces.ts';

export interface Statement {
  /**
   * The SQL text. Its first parameters are the key columns, as arrays. It returns rows with the `ordinal` of a key,
   * from 1, and `json`, the serialised selection.
   */
  readonly sql: string;
  /** Functions that return the values of the other parameters for one execution. */
  readonly parameters: readonly ((run: { context: Context; variables: VariableValues }) => unknown)[];
}

/** The row that the fields of an object are read from. */
interface Row extends RowScope {
  /** The table that has this row for each key, if there is one: rows below it can be serialised once for all keys. */
  readonly table?: string;
}

/** The value of a relation's key in the parent's row. */
interface ParentKey extends Pick<Row, 'table'> {
  readonly value: string;
}

/**
 * Compiles a subtree into one statement, for callers with the given grants.
 * @param shape the form of its objects; that of the schema if omitted.
 */
export function compileStatement(root: Subtree, grants: ReadonlySet<AccessGrant>, shape?: Shape): Statement {
  const parameters: Statement['parameters'][number][] = [];
  const { parentKey } = root.rows;
  const columns = typeof parentKey === 'string' ? { key: 'int' } : parentKey;
  const keys = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const keyTable = `select * from unnest(${keys.join(', ')}) with ordinality as keys(${[...Object.keys(columns), 'ordinal'].join(', ')})`;
  /**
   * The common table expressions, in order, and the names of those that are joined to the result by their `ordinal`.
   */
  const tables = [`keys as (${keyTable})`];
  const joined: string[] = [];
  let rows = 0;

  function openRow({ args }: Pick<Subtree, 'args'>): RowScope {
    return {
      row: `r${++rows}`,
      isGranted: (grant) => grants.has(grant),
      parameter(type, find) {
        parameters.push((run) => find(args(run.variables), run.context));
        return `$${keys.length + parameters.length}::${type}`;
      },
    };
  }

  function subtreePieces(subtree: Subtree, parent: ParentKey, shape?: Shape): Piece[] {
    if (subtree.isList) return [{ text: '[' }, { expression: listOf(subtree, parent, shape) }, { text: ']' }];
    const object = (row: RowScope) => objectPieces(subtree.fields, row, shape);
    return [{ expression: oneOf(subtree, parent, orMissing(subtree, 'null'), object) }];
  }

  /**
   * Returns an expression for a single object.
   * @param absent the expression to use if there is no row.
   */
  function oneOf(
    subtree: Subtree,
    { value }: ParentKey,
    absent: string,
    serialize: (row: RowScope) => Piece[],
  ): string {
    const row = openRow(subtree);
    const object = concatenated(serialize(row));
    return `coalesce((select ${object} from ${fromClause(subtree, value, row)}), ${absent})`;
  }

  /** Returns an expression for the items of a list, separated by commas; null for an empty list. */
  function listOf(subtree: Subtree, parent: ParentKey, shape?: Shape): string {
    const { rows, fields, fromIdList, hasChildren } = subtree;
    if (hasChildren && rows.order && parent.table) return sharedListOf(subtree, parent.table, parent.value, shape);
    const row = openRow(subtree);
    const object = concatenated(objectPieces(fields, row, shape));
    if (!fromIdList) {
      const order = rows.order === undefined ? '' : ` order by ${rows.order(row)}`;
      const from = fromClause(subtree, parent.value, row);
      return `(select string_agg(item, ',') from (select ${object} as item from ${from}${order}) listed)`;
    }
    const from = `unnest(${parent.value}) with ordinality listed(id, position), ${fromClause(subtree, 'listed.id', row)}`;
    return `(select string_agg(item, ',' order by position) from (select ${object} as item, position from ${from}) listed)`;
  }

  /**
   * Returns the same expression for the rows of a table that has one row for each key: an object that several keys
   * share is serialised once, with its whole selection. Points of one region share their country, state and county.
   */
  function sharedListOf(subtree: Subtree, table: string, parent: string, shape?: Shape): string {
    const { rows, fields } = subtree;
    const scope = openRow(subtree);
    const { row } = scope;
    const identity = rows.distinctOn ?? ['id'];
    const [found, serialized, listed] = [`found_${row}`, `serialized_${row}`, `listed_${row}`] as const;
    const from = fromClause(subtree, parent, scope);
    const object = concatenated(objectPieces(fields, scope, shape));
    tables.push(
      `${found} as materialized (select ordinal, ${row}.* from ${table}, lateral (select ${row}.* from ${from}) ${row})`,
      `${serialized} as materialized (
        select ${identity.map((column) => `${row}.${column}`).join(', ')}, ${object} as item
        from (select distinct on (${identity.join(', ')}) * from ${found}) ${row})`,
      `${listed} as (
        select ${row}.ordinal, string_agg(${serialized}.item, ',' order by ${rows.order?.(scope)}) as items
        from ${found} ${row} join ${serialized} using (${identity.join(', ')})
        group by ${row}.ordinal)`,
    );
    joined.push(listed);
    return `${listed}.items`;
  }

  function fromClause({ rows, idOnly }: Subtree, parent: string, scope: RowScope): string {
    if (!idOnly) return rows.from(parent, scope);
    return `lateral (select ${parent} as id) ${scope.row} where ${scope.row}.id is not null`;
  }

  function objectPieces(fields: readonly FieldPlan[], row: Row, shape?: Shape): Piece[] {
    const members = shape
      ? shapePieces(Object.entries(shape), fields, row)
      : membersOf(
          fields,
          ({ key }) => key,
          (field) => fieldPieces(field, row),
        );
    return [{ text: '{' }, ...members, { text: '}' }];
  }

  function fieldPieces(field: FieldPlan, row: Row): Piece[] {
    return field.subtree
      ? subtreePieces(field.subtree, parentKeyOf(field.subtree, row))
      : leafPieces(field, row, 'null');
  }

  /**
   * Returns the pieces of a leaf.
   * @param absent the JSON for null.
   */
  function leafPieces(
    field: FieldPlan,
    row: RowScope,
    absent: string,
    { asText = false, replaced }: { asText?: boolean; replaced?: Member['replaced'] } = {},
  ): Piece[] {
    const { sql } = field;
    if (sql?.kind === 'constant') return [{ text: sql.json }];
    if (sql?.kind !== 'leaf') throw new Error(`${field.coordinate} cannot be computed in SQL`);
    const value = withReplaced(sql.value(row), replaced);
    const json = asText ? `to_json((${value})::text)::text` : sql.json(value);
    return [{ expression: `coalesce(${json}, ${orMissing(field, absent)})` }];
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
      return [...(index === 0 ? [] : [{ text: ',' }]), ...groupPieces(group, fields, row)];
    });
  }

  /** Returns the pieces of a leaf that is omitted, with its comma, if it has no value. */
  function optionalPieces(name: string, { from, texts }: Member, fields: readonly FieldPlan[], row: Row): Piece[] {
    const { sql, isGranted } = fields.find(({ key }) => key === from[0]) ?? {};
    if (!isGranted || sql?.kind !== 'leaf') return [];
    const value = sql.value(row);
    const json = texts === undefined ? sql.json(value) : `to_json((${value})::text)::text`;
    return [{ expression: `${quoted(`,${JSON.stringify(name)}:`)} || ${json}` }];
  }

  /**
   * Returns the pieces of members of one object. Members of a field that is not selected or not granted have their
   * values for null.
   */
  function groupPieces(group: readonly NamedMember[], fields: readonly FieldPlan[], row: Row): Piece[] {
    const [[, { from }]] = group as [NamedMember];
    const field = fields.find(({ key }) => key === from[0]);
    const absent = group
      .map(([name, { otherwise }]) => `${JSON.stringify(name)}:${JSON.stringify(otherwise)}`)
      .join(',');
    if (!field?.isGranted) return [{ text: absent }];
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
    const serialize = (within: RowScope) => shapePieces(inner, subtree.fields, within);
    return [{ expression: oneOf(subtree, parentKeyOf(subtree, row), orMissing(field, absent), serialize) }];
  }

  function memberPieces({ otherwise, texts, replaced, items }: Member, field: FieldPlan, row: Row): Piece[] {
    const absent = JSON.stringify(otherwise);
    const { subtree } = field;
    if (!subtree) return leafPieces(field, row, absent, { asText: texts !== undefined, replaced });
    const parent = parentKeyOf(subtree, row);
    if (!subtree.isList) {
      const object = (within: RowScope) => objectPieces(subtree.fields, within, items);
      return [{ expression: oneOf(subtree, parent, orMissing(field, absent), object) }];
    }
    return [{ expression: `coalesce('[' || ${listOf(subtree, parent, items)} || ']', ${quoted(absent)})` }];
  }

  /** Returns the query for a single object for each key, in a table of its own. */
  function selectOne(): string {
    const scope = openRow(root);
    const { row } = scope;
    const from = fromClause(root, 'keys', scope);
    tables.push(
      `roots as materialized (select ordinal, ${row}.* from keys, lateral (select ${row}.* from ${from}) ${row})`,
    );
    return select(row, `roots ${row}`, objectPieces(root.fields, { ...scope, table: `roots ${row}` }, shape));
  }

  function select(row: string, from: string, pieces: readonly Piece[]): string {
    const joins = joined.map((table) => ` left join ${table} using (ordinal)`).join('');
    return `with ${tables.join(', ')} select ${row}.ordinal::int, ${concatenated(pieces)} as json from ${from}${joins}`;
  }

  function selectRoot(): string {
    if (typeof parentKey !== 'string') {
      return root.isList && !root.fromIdList
        ? select('keys', 'keys', subtreePieces(root, { value: 'keys', table: 'keys' }, shape))
        : selectOne();
    }
    const parent = { value: 'keys.key' };
    if (!root.fromIdList) return select('keys', 'keys', subtreePieces(root, parent, shape));
    const object = oneOf(root, parent, quoted('null'), (row) => objectPieces(root.fields, row, shape));
    return select('keys', 'keys', [{ expression: object }]);
  }

  return { sql: `/* ${root.coordinate} */ ${selectRoot()}`, parameters };
}

/** Returns the expression for null: its JSON, or an error if the schema does not allow null. */
function orMissing({ coordinate, isNonNull }: Pick<FieldPlan, 'coordinate' | 'isNonNull'>, absent: string): string {
  return isNonNull ? `missing(${quoted(coordinate)})` : quoted(absent);
}

function withReplaced(value: string, replaced: Member['replaced']): string {
  if (!replaced) return value;
  const cases = Object.entries(replaced).map(([text, other]) => `when ${quoted(text)} then ${quoted(other)}`);
  return `case ${value} ${cases.join(' ')} else ${value} end`;
}

type NamedMember = readonly [name: string, member: Member];

function isWithinSame(one: NamedMember | undefined, other: NamedMember): boolean {
  const [[head, ...within], [otherHead, ...otherWithin]] = [one?.[1].from ?? [], other[1].from];
  return head === otherHead && within.length > 0 && otherWithin.length > 0;
}

function parentKeyOf({ rows: { parentKey } }: Subtree, { row, table }: Row): ParentKey {
  return { value: typeof parentKey === 'string' ? `${row}.${parentKey}` : row, ...(table !== undefined && { table }) };
}
