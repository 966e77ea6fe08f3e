import type { VariableValues } from 'graphql';
import type { Context } from './context.ts';
import { isGranted } from './grants.ts';
import { type Place, quoted } from './in-sql.ts';
import type { FieldPlan, LevelPlan } from './level-plan.ts';
import type { Member, Shape } from './shape.ts';
import type { SubtreePlan } from './subtree-plan.ts';

export interface SubtreeStatement {
  /** Its first parameters are the columns of the keys, as lists; it has a row for each key: its `place` from 1, and `json`. */
  readonly sql: string;
  /** What the other parameters are in a run. */
  readonly parameters: readonly ((run: { context: Context; variables: VariableValues }) => unknown)[];
}

/** A piece of JSON: as it stands, or an expression of SQL. */
type Piece = { readonly text: string } | { readonly expression: string };

/** Where the objects of a level are read. */
interface Row extends Place {
  /** The table with this row for each key, where it has one: what hangs on it may be worded once for all keys. */
  readonly table?: string;
}

/** What rows hang on: the value of their `by`, in the row of their parent. */
interface Parent extends Pick<Row, 'table'> {
  readonly value: string;
}

/** PostgreSQL takes no more arguments of a function. */
const MOST_ARGUMENTS = 100;

/**
 * The statement that answers a field with all below it, for callers with the same grants: what they may not see is null
 * in it, and not read.
 * @param shape in which it answers the objects; that of the schema when left out.
 */
export function wordSubtree(plan: SubtreePlan, context: Context, shape?: Shape): SubtreeStatement {
  const parameters: SubtreeStatement['parameters'][number][] = [];
  const { by } = plan.rows;
  const columns = typeof by === 'string' ? { key: 'int' } : by;
  const keys = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const asked = `select * from unnest(${keys.join(', ')}) with ordinality as asked(${[...Object.keys(columns), 'place'].join(', ')})`;
  /** What stands before the statement, in order, and what is joined to its rows by their `place`. */
  const tables = [`asked as (${asked})`];
  const joined: string[] = [];
  let places = 0;

  function placeOf({ args }: Pick<FieldPlan, 'args'>): Place {
    return {
      row: `r${++places}`,
      isGranted: (grant) => isGranted(context, [grant]),
      parameter(type, find) {
        parameters.push((run) => find(args(run.variables), run.context));
        return `$${keys.length + parameters.length}::${type}`;
      },
    };
  }

  function wordRows(subtree: SubtreePlan, parent: Parent, shape?: Shape): Piece[] {
    const { level, isList } = subtree;
    if (isList) return [{ text: '[' }, { expression: listOf(subtree, parent, shape) }, { text: ']' }];
    return [{ expression: oneOf(subtree, parent, orNull(subtree), (place) => wordObject(level, place, shape)) }];
  }

  /** @param otherwise SQL for the JSON where there is no row. */
  function oneOf(subtree: SubtreePlan, { value }: Parent, otherwise: string, word: (place: Place) => Piece[]) {
    const place = placeOf(subtree);
    const worded = concatenated(word(place));
    return `coalesce((select ${worded} from ${rowsOf(subtree, value, place)}), ${otherwise})`;
  }

  /** The items with commas between them; null for none. */
  function listOf(subtree: SubtreePlan, parent: Parent, shape?: Shape): string {
    const { rows, level, isListed, hasBelow } = subtree;
    if (hasBelow && rows.order && parent.table) return sharedListOf(subtree, parent.table, parent.value, shape);
    const place = placeOf(subtree);
    const object = concatenated(wordObject(level, place, shape));
    if (!isListed) {
      const order = rows.order === undefined ? '' : ` order by ${rows.order(place)}`;
      const from = rowsOf(subtree, parent.value, place);
      return `(select string_agg(item, ',') from (select ${object} as item from ${from}${order}) listed)`;
    }
    const from = `unnest(${parent.value}) with ordinality listed(id, position), ${rowsOf(subtree, 'listed.id', place)}`;
    return `(select string_agg(item, ',' order by position) from (select ${object} as item, position from ${from}) listed)`;
  }

  /**
   * The same for the rows of a table, one for each key: what several keys have in common is worded once, with all below
   * it. Points of one region have their country, state and county so. Rows alone are worded faster than told apart.
   */
  function sharedListOf(subtree: SubtreePlan, table: string, parent: string, shape?: Shape): string {
    const { rows, level } = subtree;
    const place = placeOf(subtree);
    const { row } = place;
    const identity = rows.tellApart ?? ['id'];
    const [found, worded, listed] = ['found', 'worded', 'listed'].map((name) => `${name}_${row}`);
    const from = rowsOf(subtree, parent, place);
    const object = concatenated(wordObject(level, place, shape));
    tables.push(
      `${found} as materialized (select place, ${row}.* from ${table}, lateral (select ${row}.* from ${from}) ${row})`,
      `${worded} as materialized (
        select ${identity.map((column) => `${row}.${column}`).join(', ')}, ${object} as item
        from (select distinct on (${identity.join(', ')}) * from ${found}) ${row})`,
      `${listed} as (
        select ${row}.place, string_agg(${worded}.item, ',' order by ${rows.order?.(place)}) as items
        from ${found} ${row} join ${worded} using (${identity.join(', ')})
        group by ${row}.place)`,
    );
    joined.push(listed as string);
    return `${listed}.items`;
  }

  /** What follows FROM. */
  function rowsOf({ rows, isKnown }: SubtreePlan, parent: string, place: Place): string {
    if (!isKnown) return rows.from(parent, place);
    return `lateral (select ${parent} as id) ${place.row} where ${place.row}.id is not null`;
  }

  function wordObject(level: LevelPlan, place: Row, shape?: Shape): Piece[] {
    const worded = shape
      ? wordMembers(Object.entries(shape), level, place)
      : wordEach(
          level.fields,
          ({ key }) => key,
          (field) => wordField(field, place),
        );
    return [{ text: '{' }, ...worded, { text: '}' }];
  }

  function wordField(field: FieldPlan, place: Row): Piece[] {
    if (!isSeen(field)) return [{ text: 'null' }];
    return field.subtree
      ? wordRows(field.subtree, parentOf(field.subtree, place))
      : wordLeaf(field, place, orNull(field));
  }

  function isSeen({ grants }: FieldPlan): boolean {
    return !grants || isGranted(context, grants);
  }

  /** @param otherwise SQL for the JSON of a value that is null. */
  function wordLeaf({ inSql }: FieldPlan, place: Place, otherwise: string, isText = false): Piece[] {
    if (inSql?.kind === 'constant') return [{ text: inSql.json }];
    if (inSql?.kind !== 'leaf') throw new Error('A subtree has a field that SQL does not answer');
    const value = inSql.value(place);
    const json = isText ? `to_json((${value})::text)::text` : inSql.json(value);
    return [{ expression: `coalesce(${json}, ${otherwise})` }];
  }

  /** Those within the same object are read from its row together. */
  function wordMembers(members: readonly NamedMember[], level: LevelPlan, place: Row): Piece[] {
    const groups: NamedMember[][] = [];
    for (const named of members) {
      const last = groups.at(-1);
      if (last && isWithinSame(last[0], named)) last.push(named);
      else groups.push([named]);
    }
    return groups.flatMap((group, index) => [...(index === 0 ? [] : [COMMA]), ...wordGroup(group, level, place)]);
  }

  /** Of a field that is not asked for, or not to be seen, each member is what it is without a value. */
  function wordGroup(group: readonly NamedMember[], { fields }: LevelPlan, place: Row): Piece[] {
    const [[, { from }]] = group as [NamedMember];
    const field = fields.find(({ key }) => key === from[0]);
    const without = group
      .map(([name, { otherwise }]) => `${JSON.stringify(name)}:${JSON.stringify(otherwise)}`)
      .join(',');
    if (!field || !isSeen(field)) return [{ text: without }];
    if (from.length === 1) {
      return wordEach(
        group,
        ([name]) => name,
        ([, member]) => wordMember(member, field, place),
      );
    }
    const { subtree } = field;
    if (!subtree) throw new Error('A member of a shape is within a leaf');
    const inner = group.map(([name, member]): NamedMember => [name, { ...member, from: member.from.slice(1) }]);
    const word = (within: Place) => wordMembers(inner, subtree.level, within);
    return [{ expression: oneOf(subtree, parentOf(subtree, place), orNull(subtree, without), word) }];
  }

  function wordMember({ otherwise, texts, items }: Member, field: FieldPlan, place: Row): Piece[] {
    const without = JSON.stringify(otherwise);
    const { subtree } = field;
    if (!subtree) return wordLeaf(field, place, orNull(field, without), texts !== undefined);
    const parent = parentOf(subtree, place);
    if (!subtree.isList) {
      const word = (within: Place) => wordObject(subtree.level, within, items);
      return [{ expression: oneOf(subtree, parent, orNull(subtree, without), word) }];
    }
    const list = listOf(subtree, parent, items);
    return [{ expression: `coalesce('[' || ${list} || ']', ${quoted(without)})` }];
  }

  /** One row for each key, in a table of its own. */
  function wordOne({ level, ...subtree }: SubtreePlan): string {
    const place = placeOf(subtree);
    const { row } = place;
    const from = rowsOf({ level, ...subtree }, 'asked', place);
    tables.push(
      `roots as materialized (select place, ${row}.* from asked, lateral (select ${row}.* from ${from}) ${row})`,
    );
    return select(row, `roots ${row}`, wordObject(level, { ...place, table: `roots ${row}` }, shape));
  }

  function select(row: string, from: string, pieces: readonly Piece[]): string {
    const joins = joined.map((table) => ` left join ${table} using (place)`).join('');
    return `with ${tables.join(', ')} select ${row}.place, ${concatenated(pieces)} as json from ${from}${joins}`;
  }

  function wordRoot(): string {
    if (typeof by !== 'string') {
      return plan.isList
        ? select('asked', 'asked', wordRows(plan, { value: 'asked', table: 'asked' }, shape))
        : wordOne(plan);
    }
    const parent = { value: 'asked.key' };
    const one = () => [{ expression: oneOf(plan, parent, "'null'", (place) => wordObject(plan.level, place, shape)) }];
    return select('asked', 'asked', plan.isListed ? one() : wordRows(plan, parent, shape));
  }

  return { sql: `/* ${plan.coordinate} */ ${wordRoot()}`, parameters };
}

/**
 * SQL for the JSON of a field without a value. A field that may not be null fails the statement (`missing` in migration
 * 0010): graphql-js then says which object is null instead.
 * @param json what a field that may be null is without a value.
 */
function orNull({ isNonNull, coordinate }: Pick<FieldPlan, 'isNonNull' | 'coordinate'>, json = 'null'): string {
  return isNonNull ? `missing(${quoted(coordinate)})` : quoted(json);
}

type NamedMember = readonly [name: string, member: Member];

const COMMA: Piece = { text: ',' };

function isWithinSame(one: NamedMember | undefined, other: NamedMember): boolean {
  const [[head, ...within], [otherHead, ...otherWithin]] = [one?.[1].from ?? [], other[1].from];
  return head === otherHead && within.length > 0 && otherWithin.length > 0;
}

/** Members of an object: the name of each, and its value. */
function wordEach<Each>(all: readonly Each[], nameOf: (each: Each) => string, word: (each: Each) => Piece[]): Piece[] {
  return all.flatMap((each, index) => [
    { text: `${index === 0 ? '' : ','}${JSON.stringify(nameOf(each))}:` },
    ...word(each),
  ]);
}

/** By what the rows of a subtree are found, in the row of their parent. */
function parentOf({ rows: { by } }: SubtreePlan, { row, table }: Row): Parent {
  return { value: typeof by === 'string' ? `${row}.${by}` : row, ...(table !== undefined && { table }) };
}

/** One text of all pieces; where an expression is null, as the texts of no rows are, it adds nothing. */
function concatenated(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') parts.push(quoted(text));
    text = '';
  };
  for (const piece of pieces) {
    if ('text' in piece) text += piece.text;
    else {
      endText();
      parts.push(piece.expression);
    }
  }
  endText();
  return concat(parts);
}

function concat(parts: readonly string[]): string {
  if (parts.length <= MOST_ARGUMENTS) return `concat(${parts.join(', ')})`;
  return concat([concat(parts.slice(0, MOST_ARGUMENTS)), ...parts.slice(MOST_ARGUMENTS)]);
}
