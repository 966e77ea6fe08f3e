/** Thrown when a text cannot be run as a stored query; the message states the reason for its author. */
export class SqlRejection extends Error {
  override readonly name = 'SqlRejection';
}

/** Keywords that begin a read-only statement. */
const READS = new Set(['select', 'with', 'values', 'table']);

/**
 * Names that no stored query needs: PostgreSQL's own functions and catalogs (advisory locks, files, other backends,
 * messages), large objects, settings, sequences, transactions, foreign servers, and functions that execute text as SQL,
 * which no check of names can see.
 *
 * On a server where no superuser has run `db/unwanted-functions.sql`, privileges do not replace the list: everyone may
 * execute these functions, in a read-only transaction, too. There, 100,000 advisory locks end every session's statements
 * with "out of shared memory", and PostgreSQL 15 writes large objects and messages into the write-ahead log.
 */
const REJECTED_FUNCTIONS = [
  /^pg_(?!catalog$|typeof$)/,
  /^information_schema$/,
  /^lo_|^loread$|^lowrite$/,
  /^(set_config|set_limit|setseed|current_query)$/,
  /^(nextval|setval|lastval|currval|currtid2?)$/,
  /^(txid_|gettransactionid)/,
  /^(dblink|postgres_fdw|binary_upgrade_|plpgsql_|brin_|gin_clean)/,
  /^(query|table|schema|database|cursor)_to_xml/,
  /^(ts_stat|ts_rewrite|crosstab.*|connectby|xpath_table)$/,
  /^(_postgis_|postgis_extensions_|postgis_constraint_)/,
  /^(st_findextent|st_estimatedextent|find_srid|get_proj4_from_srid)$/,
  /^(addgeometrycolumn|dropgeometry.*|updategeometrysrid|populate_geometry_columns)$/,
  /^(lockrow|unlockrows|addauth|checkauth.*|(en|dis)ablelongtransactions|longtransactionsenabled)$/,
  /^(add|drop|copy|validate|rename|find|get|populate)_?(topology|topogeometry|raster|overview)/,
  /^ballotgraph_/,
];

/**
 * Returns the statement of a stored query without a trailing semicolon.
 *
 * This check reports problems to the author before anything runs. The statement is confined by the sandbox in the
 * database (`export-sandbox.ts`).
 * @throws SqlRejection when the text is not a single read-only statement, or uses a rejected name.
 */
export function checkSql(text: string): string {
  const words = [...wordsOf(text)];
  const end = words.findIndex((word) => word.isSign && word.text === ';');
  if (end >= 0 && end < words.length - 1) throw new SqlRejection('it holds more than one statement');
  const first = words.find((word) => word.text !== '(');
  if (!first || first.text === ';') throw new SqlRejection('it holds no statement');
  if (!READS.has(first.text)) throw new SqlRejection(`it begins with "${first.text}", not with select, with or values`);
  for (const word of words) {
    if (REJECTED_FUNCTIONS.some((pattern) => pattern.test(word.text))) {
      throw new SqlRejection(`it names "${word.text}", which is not for stored queries`);
    }
  }
  return text.slice(0, words[end]?.at).trim();
}

/** PostgreSQL treats all of these as letters. */
const HIGH = String.raw`\u{80}-\u{10ffff}`;

interface Word {
  /** A name, case-folded as by PostgreSQL, or a single character of anything else. */
  readonly text: string;
  readonly isSign: boolean;
  readonly at: number;
}

/** In this order: skipped tokens (white space, comments, strings), names, single characters. */
const PIECE = new RegExp(
  [
    String.raw`\s+|--[^\n\r]*|'(?:[^']|'')*'|(?<tag>\$(?:[A-Za-z_${HIGH}][\w${HIGH}]*)?\$)[^]*?\k<tag>`,
    String.raw`(?<name>[A-Za-z_${HIGH}][\w$${HIGH}]*)`,
    '"(?<quoted>(?:[^"]|"")+)"',
    String.raw`(?<other>[^'"$]|\$\d+)`,
  ].join('|'),
  'uy',
);

function* wordsOf(text: string): Generator<Word> {
  // Rejecting these two ensures that strings end and names read as they appear.
  if (/\\'/.test(text)) throw new SqlRejection(`it holds \\' (write '' for a quote within a string)`);
  if (/\bu&['"]/i.test(text)) throw new SqlRejection('it holds a U& string or name (write the character itself)');
  for (let at = 0; at < text.length; ) {
    if (text.startsWith('/*', at)) {
      at = endOfComment(text, at);
      continue;
    }
    PIECE.lastIndex = at;
    const groups = PIECE.exec(text)?.groups;
    if (!groups) throw new SqlRejection('it holds a string or a quoted name without an end');
    const word = groups.name?.toLowerCase() ?? groups.quoted?.replaceAll('""', '"') ?? groups.other;
    if (word !== undefined) yield { text: word, isSign: groups.other !== undefined, at };
    at = PIECE.lastIndex;
  }
}

/** Returns the end of a comment between slash and asterisk; such comments may be nested. */
function endOfComment(text: string, start: number): number {
  let depth = 0;
  for (const mark of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return start + mark.index + 2;
  }
  throw new SqlRejection('it holds a comment without an end');
}
