import type { Column } from './sandbox-transaction.store.ts';

/**
 * Builds statements around a stored query that make the server format the rows: each row of the result is one row of a
 * file, so the gateway only passes bytes through.
 */

/** Characters that begin a formula in a spreadsheet (OWASP), with the wide and small forms of the same characters. */
const FORMULA_SIGNS = '=+\\-@＝＋－＠﹦﹢﹣﹫';
/**
 * Characters that spreadsheets remove or do not show at the beginning of a cell: white space, control and format
 * characters (byte order mark, zero width, direction), and quotes. PostgreSQL's `\s` depends on the locale, so they are
 * listed.
 */
const PASSED_OVER = [
  String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f`,
  String.raw`\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff`,
  `"''\`‘’“”«»＂＇`,
].join('');
/**
 * Matches text that a spreadsheet may treat as a formula: a formula sign after ignored characters, or a tab or line
 * break at the start.
 */
const FORMULA = `^([\\t\\r\\n]|[${PASSED_OVER}]*[${FORMULA_SIGNS}])`;
/** Larger whole numbers are not exact in JavaScript and many other JSON parsers. */
const LARGEST_EXACT = Number.MAX_SAFE_INTEGER;
/** A decimal number of this many characters has at most 15 digits, which a JSON number represents exactly. */
const EXACT_DECIMAL = 16;
/** Decimals of coordinates: about a centimetre. */
const DECIMALS = 7;

/** Returns a statement with the columns of a query as CSV cells, all of type text; formulas are prefixed with `'`. */
export function cellsOf(query: string, columns: readonly Column[]): string {
  return `select ${columns.map(cell).join(', ')} from ${rowsOf(query, columns)}`;
}

/** Returns a statement with one column: each row of a query as a JSON object on one line. */
export function objectsOf(query: string, columns: readonly Column[]): string {
  return `select row_to_json(row_.*)::text from (select ${members(columns)} from ${rowsOf(query, columns)}) as row_`;
}

/**
 * Returns a statement with one column: each row of a query as a GeoJSON feature on one line. The first geometry column
 * is the geometry, all other columns are properties. Undefined for a query without a geometry.
 */
export function featuresOf(query: string, columns: readonly Column[]): string | undefined {
  const geometry = columns.find((column) => column.kind === 'geometry');
  if (!geometry) return undefined;
  const others = columns.filter((column) => column !== geometry);
  const properties =
    others.length > 0 ? `(select row_to_json(row_.*)::text from (select ${members(others)}) as row_)` : `'{}'`;
  return `select '{"type":"Feature","geometry":' || coalesce(ST_AsGeoJSON(${ref(geometry)}, ${DECIMALS}), 'null')
    || ',"properties":' || ${properties} || '}' from ${rowsOf(query, columns)}`;
}

/**
 * Returns a subquery with the columns of a query under their own names, quoted: nothing depends on the names that the
 * query chooses.
 */
function rowsOf(query: string, columns: readonly Column[]): string {
  return `(${query}\n) as source_(${columns.map((column) => quoted(column.name)).join(', ')})`;
}

function cell(column: Column): string {
  const value = ref(column);
  switch (column.kind) {
    case 'geometry':
      return `ST_AsText(${value}, ${DECIMALS})`;
    case 'boolean':
      return `case ${value} when true then 'true' when false then 'false' end`;
    case 'text':
    case 'json':
      return `case when ${value}::text ~ '${FORMULA}' then '''' || ${value}::text else ${value}::text end`;
    default:
      return `${value}::text`;
  }
}

function members(columns: readonly Column[]): string {
  return columns.map((column) => `${member(column)} as ${quoted(column.name)}`).join(', ');
}

function member(column: Column): string {
  const value = ref(column);
  switch (column.kind) {
    case 'geometry':
      return `ST_AsGeoJSON(${value}, ${DECIMALS})::json`;
    case 'int8':
      return `case when ${value} between -${LARGEST_EXACT} and ${LARGEST_EXACT} then to_json(${value})
        else to_json(${value}::text) end`;
    case 'numeric':
      return `case when length(${value}::text) <= ${EXACT_DECIMAL} then to_json(${value}) else to_json(${value}::text) end`;
    case 'json':
      // jsonb has no line breaks.
      return `${value}::jsonb`;
    default:
      return value;
  }
}

function ref(column: Column): string {
  return `source_.${quoted(column.name)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
