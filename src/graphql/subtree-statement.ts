import type { VariableValues } from 'graphql';
import type { Context } from './context.ts';
import { isGranted } from './grants.ts';
import { type Place, quoted } from './in-sql.ts';
import type { FieldPlan, LevelPlan } from './level-plan.ts';
import type { SubtreePlan } from './subtree-plan.ts';

export interface SubtreeStatement {
  /** Its first parameters are the columns of the keys, as lists; it has a row for each key: its `place` from 1, and `json`. */
  readonly sql: string;
  /** What the other parameters are in a run. */
  readonly parameters: readonly ((run: { context: Context; variables: VariableValues }) => unknown)[];
}

/** A piece of JSON: as it stands, or an expression of SQL. */
type Piece = { readonly text: string } | { readonly expression: string };

/** PostgreSQL takes no more arguments of a function. */
const MOST_ARGUMENTS = 100;

/**
 * The statement that answers a field with all below it, for callers with the same grants: what they may not see is null
 * in it, and not read.
 */
export function wordSubtree(plan: SubtreePlan, context: Context): SubtreeStatement {
  const parameters: SubtreeStatement['parameters'][number][] = [];
  const { by } = plan.rows;
  const columns = typeof by === 'string' ? { key: 'int' } : by;
  const keys = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const asked = `unnest(${keys.join(', ')}) with ordinality as asked(${[...Object.keys(columns), 'place'].join(', ')})`;
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

  function wordRows({ rows, level, isList, isListed, args }: SubtreePlan, parent: string): Piece[] {
    const place = placeOf({ args });
    const object = concatenated(wordObject(level, place));
    const from = rows.from(parent, place);
    if (!isList || isListed) return [{ expression: `coalesce((select ${object} from ${from}), 'null')` }];
    const order = rows.order === undefined ? '' : ` order by ${rows.order(place)}`;
    const list = `(select string_agg(item, ',') from (select ${object} as item from ${from}${order}) listed)`;
    return [{ text: '[' }, { expression: list }, { text: ']' }];
  }

  function wordObject({ fields }: LevelPlan, place: Place): Piece[] {
    const worded = fields.flatMap((field, index) => [
      { text: `${index === 0 ? '' : ','}${JSON.stringify(field.key)}:` },
      ...wordField(field, place),
    ]);
    return [{ text: '{' }, ...worded, { text: '}' }];
  }

  function wordField({ grants, inSql, subtree }: FieldPlan, place: Place): Piece[] {
    if (grants && !isGranted(context, grants)) return [{ text: 'null' }];
    if (subtree) return wordRows(subtree, `${place.row}.${String(subtree.rows.by)}`);
    if (inSql?.kind === 'constant') return [{ text: inSql.json }];
    if (inSql?.kind === 'leaf') return [{ expression: inSql.word(place) }];
    throw new Error('A subtree has a field that SQL does not answer');
  }

  /** What several keys have in common is worded once: points of one region have their country, state and county so. */
  function wordLists({ rows, level, args }: SubtreePlan): string {
    const place = placeOf({ args });
    const { row } = place;
    const identity = rows.gives === undefined ? ['id'] : ['id', rows.gives];
    const from = rows.from('asked', place);
    const object = concatenated(wordObject(level, place));
    return `with asked as (select * from ${asked}),
      found as materialized (select asked.place, ${row}.* from asked, lateral (select ${row}.* from ${from}) ${row}),
      worded as materialized (
        select ${identity.map((column) => `${row}.${column}`).join(', ')}, ${object} as item
        from (select distinct on (${identity.join(', ')}) * from found) ${row})
      select asked.place, concat('[', string_agg(worded.item, ',' order by ${rows.order?.(place)}), ']') as json
      from asked left join (found ${row} join worded using (${identity.join(', ')})) on ${row}.place = asked.place
      group by asked.place`;
  }

  const words =
    typeof by === 'string'
      ? `select asked.place, ${concatenated(wordRows(plan, 'asked.key'))} as json from ${asked}`
      : wordLists(plan);
  return { sql: `/* ${plan.coordinate} */ ${words}`, parameters };
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
