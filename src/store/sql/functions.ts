/**
 * The functions of PostgreSQL that Kysely does not know, with the types of their arguments and values: the only place
 * where their names are written. Those of texts, aggregates, PostGIS and the migrations are in `text-functions.ts`,
 * `aggregates.ts`, `geometry-functions.ts` and `migration-functions.ts`; `named-query.ts` executes queries with a name.
 */
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { AccessGrant, Chamber, DistrictType, OfficeBranch, OfficeLevel, RecordKind } from './tables.ts';

/** Returns the expression of a column of a row. */
export type ColumnOf<Row> = <Column extends keyof Row & string>(column: Column) => RawBuilder<Row[Column]>;

/**
 * Returns the function that refers to the columns of the row with an alias.
 * @typeParam Row the row. Its columns are checked, but not that the query has it under the alias.
 */
export function columnsOf<Row>(alias: string): ColumnOf<Row> {
  return (column) => sql.ref(`${alias}.${column}`);
}

/** The SQL types to which values are cast, with the types of their values. */
export interface SqlTypes {
  int: number;
  bigint: number;
  float8: number;
  text: string;
  date: Day;
  boolean: boolean;
  timestamptz: string;
  bytea: Buffer;
  access_grant: AccessGrant;
  record_kind: RecordKind;
  district_type: DistrictType;
  office_level: OfficeLevel;
  office_branch: OfficeBranch;
  chamber: Chamber;
  'bytea[]': readonly Buffer[];
  'int[]': readonly number[];
  'float8[]': readonly (number | null)[];
  'text[]': readonly string[];
  'district_type[]': readonly DistrictType[];
}

export type SqlType = keyof SqlTypes;

/** A value or an expression as an SQL type. */
export const typed = <Type extends SqlType>(type: Type, value: unknown): RawBuilder<SqlTypes[Type]> =>
  sql`${value}::${sql.raw(type)}`;

/** A constant text as part of the statement: not a parameter, so that PostgreSQL plans for it. */
export const literal = <Text extends string>(text: Text): RawBuilder<Text> => sql`${sql.lit(text)}`;

/**
 * Arrays of the same length as a FROM item: rows with a column for each array, and their `ordinal`, from 1.
 * @param columns the SQL type of the elements and the array, by the name of the column.
 */
export function unnested<Alias extends string, Columns extends Readonly<Record<string, SqlType>>>(
  alias: Alias,
  columns: { readonly [Column in keyof Columns]: readonly [type: Columns[Column], values: unknown] },
) {
  const arrays = Object.entries<readonly [SqlType, unknown]>(columns).map(
    ([, [type, values]]) => sql`${values}::${sql.raw(type)}[]`,
  );
  const names = [...Object.keys(columns), 'ordinal'].map((name) => sql.id(name));
  type Row = { [Column in keyof Columns]: SqlTypes[Columns[Column]] } & { ordinal: number };
  return sql<Row>`unnest(${sql.join(arrays)}) with ordinality`.as<Alias>(sql`${sql.id(alias)}(${sql.join(names)})`);
}

/**
 * A function of the database as a FROM item with one row.
 * @param column the name of its value, a column of the row.
 */
export const valueAs = <Value, Alias extends string, Column extends string>(
  value: Expression<Value>,
  alias: Alias,
  column: Column,
) => sql<{ [Name in Column]: Value }>`${value}`.as<Alias>(sql`${sql.id(alias)}(${sql.id(column)})`);

/** The operand of `=` for one of some values. */
export const anyOf = <Type extends SqlType>(
  type: Type,
  values: readonly SqlTypes[Type][],
): RawBuilder<SqlTypes[Type]> => sql`any(${values}::${sql.raw(type)}[])`;

/** The operand of `=` for an element of an array. */
export const anyIn = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each> => sql`any(${array})`;

/** The values of a query with one column as an array, in its order. */
export const arrayOf = <Each>(rows: Expression<unknown>): RawBuilder<Each[]> => sql`array${rows}`;

/** Values as an array. */
export const arrayWith = <Each>(values: readonly Expression<Each>[]): RawBuilder<Each[]> =>
  sql`array[${sql.join(values)}]`;

/** The elements of an array as rows. */
export const elementsOf = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each> => sql`unnest(${array})`;

/** The names of the members of a JSON object as rows; none for null. */
export const keysOf = (object: Expression<unknown>): RawBuilder<string> => sql`jsonb_object_keys(${object})`;

/** A value as text; null for null. An enum value is one of the same texts. */
export const asText = <Value>(value: Expression<Value>): RawBuilder<Value extends string ? Value : string> =>
  sql`${value}::text`;

/** A value as the text of JSON, as `JSON.stringify` writes texts; null for null. */
export const asJson = (value: Expression<unknown>): RawBuilder<string> => sql`to_json(${value})::text`;

/** The date that the text of a JSON object has under a name; null if it has none. */
export const dayInJson = (object: Expression<string>, name: Expression<string | null>): RawBuilder<Day | null> =>
  sql`(${object}::json ->> ${name})::date`;

/** The values as a JSON array. */
export const jsonArray = (values: readonly Expression<unknown>[]): RawBuilder<unknown[]> =>
  sql`json_build_array(${sql.join(values)})`;

/** PostgreSQL's limit for the number of function arguments. */
const MOST_ARGUMENTS = 100;

/** The texts of all values, one after the other; null adds nothing. */
export const concat = (values: readonly Expression<unknown>[]): RawBuilder<string> =>
  values.length <= MOST_ARGUMENTS
    ? sql`concat(${sql.join(values)})`
    : concat([concat(values.slice(0, MOST_ARGUMENTS)), ...values.slice(MOST_ARGUMENTS)]);

/** The texts of the values that are not null, with a separator between them. */
export const joined = (separator: string, values: readonly Expression<unknown>[]): RawBuilder<string> =>
  sql`concat_ws(${sql.lit(separator)}, ${sql.join(values)})`;

/**
 * The text for a value that is one of some texts.
 * @param texts pairs of a value and its text.
 * @param otherwise the text for any other value; null if omitted.
 */
export const caseOf = (
  value: Expression<unknown>,
  texts: readonly (readonly [value: string, text: string])[],
  otherwise?: Expression<unknown>,
): RawBuilder<string> => {
  const cases = texts.map(([each, text]) => sql`when ${sql.lit(each)} then ${sql.lit(text)}`);
  return sql`case ${value} ${sql.join(cases, sql` `)}${otherwise ? sql` else ${otherwise}` : sql``} end`;
};

/** A text in the order of its bytes, which is that of its code points. */
export const inByteOrder = <Text extends string | null>(text: Expression<Text>): RawBuilder<Text> =>
  sql`${text} collate "C"`;

/** A value, or a number that is part of the statement and no parameter. */
type Operand = Expression<number | null> | number;

const SIGNS = { plus: sql` + `, minus: sql` - `, times: sql` * `, over: sql` / `, power: sql` ^ `, modulo: sql` % ` };

const operation = (operator: keyof typeof SIGNS, operands: readonly Operand[]) => {
  const values = operands.map((each) => (typeof each === 'number' ? sql.lit(each) : each));
  return sql<number>`(${sql.join(values, SIGNS[operator])})`;
};

/** The sum of numbers. */
export const plus = (...numbers: readonly Operand[]): RawBuilder<number> => operation('plus', numbers);

/** The difference of numbers. */
export const minus = (one: Operand, other: Operand): RawBuilder<number> => operation('minus', [one, other]);

/** The product of numbers. */
export const times = (...numbers: readonly Operand[]): RawBuilder<number> => operation('times', numbers);

/** The quotient of numbers: a whole number if both are. */
export const over = (one: Operand, other: Operand): RawBuilder<number> => operation('over', [one, other]);

/** What remains when a whole number is divided by another one. */
export const remainder = (one: Operand, other: Operand): RawBuilder<number> => operation('modulo', [one, other]);

/** A number raised to a power. */
export const power = (base: Operand, exponent: Operand): RawBuilder<number> => operation('power', [base, exponent]);

/** The distance of two numbers, or of a number from 0. */
export const absolute = (number: Expression<number>): RawBuilder<number> => sql`abs(${number})`;

/** The sine of an angle in radians. */
export const sine = (angle: Expression<number>): RawBuilder<number> => sql`sin(${angle})`;

/** The cosine of an angle in radians. */
export const cosine = (angle: Expression<number>): RawBuilder<number> => sql`cos(${angle})`;

/** An angle in degrees as radians. */
export const inRadians = (degrees: Expression<number>): RawBuilder<number> => sql`radians(${degrees})`;

/** A number with some decimals; rounded to whole tens with -1. */
export const rounded = (number: Expression<number | null>, decimals: number): RawBuilder<number> =>
  sql`round(${number}::numeric, ${sql.lit(decimals)})`;

/** A value; null if it equals another one. */
export const nullIf = <Value>(value: Expression<Value>, other: Expression<unknown>): RawBuilder<Value | null> =>
  sql`nullif(${value}, ${other})`;

/** How many values are not null. */
export const numberOfPresent = (values: readonly Expression<unknown>[]): RawBuilder<number> =>
  sql`num_nonnulls(${sql.join(values)})`;

/** The least of the values that are not null. */
export const least = <Value>(...values: readonly Expression<Value>[]): RawBuilder<Value> =>
  sql`least(${sql.join(values)})`;

/** Whole numbers as a FROM item: rows with the column `number`. */
export const numbersFrom = <Alias extends string>(alias: Alias, first: number, last: Expression<number> | number) =>
  sql<{
    number: number;
  }>`generate_series(${sql.lit(first)}, ${typeof last === 'number' ? sql.lit(last) : last})`.as<Alias>(
    sql`${sql.id(alias)}(${sql.id('number')})`,
  );

/** The greatest of the values that are not null. */
export const greatest = <Value>(values: readonly Expression<Value>[]): RawBuilder<Value> =>
  sql`greatest(${sql.join(values)})`;

/** A row of values, to compare it with another one. */
export const tuple = (values: readonly Expression<unknown>[]): RawBuilder<unknown> => sql`(${sql.join(values)})`;

/** The global id of an object, as `globalId` in `graph/builder/global-id.ts` makes it of the same key. */
export const globalIdOf = (type: string, key: Expression<unknown>): RawBuilder<string> => {
  // Base64 of so short an ASCII text without `?` and `~` has no line break, and differs from base64url only in its padding.
  const bytes = sql`convert_to(${sql.lit(`${type}:`)} || ${key}, 'UTF8')`;
  return sql`rtrim(encode(${bytes}, 'base64'), '=')`;
};

/** The MD5 hash of texts in lines, in hexadecimal digits; an empty line for null. */
export const hashOfLines = (values: readonly Expression<unknown>[]): RawBuilder<string> => {
  const lines = values.map((value) => sql`coalesce(${asText(value)}, '')`);
  return sql`md5(${sql.join(lines, sql` || E'\n' || `)})`;
};

/** A time as a value of the scalar `DateTime`: ISO 8601 with milliseconds, in UTC. */
export const dateTimeText = (time: Expression<unknown>): RawBuilder<string> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The time at which the transaction began. */
export const transactionTime: RawBuilder<Date> = sql`now()`;

/** Whether the database is a standby, which lags behind its primary. */
export const isStandby: RawBuilder<boolean> = sql`pg_is_in_recovery()`;

/** The day a number of days before a day. */
export const daysBefore = <Of extends Day | null>(day: Expression<Of>, days: number): RawBuilder<Of> =>
  sql`${day} - ${sql.lit(days)}`;

/** The day a number of days after a day. */
export const daysAfter = <Of extends Day | null>(day: Expression<Of>, days: number): RawBuilder<Of> =>
  sql`${day} + ${sql.lit(days)}`;

/** The number of days from one day to another. */
export const daysBetween = (from: Expression<Day | null>, to: Expression<Day | null>): RawBuilder<number> =>
  sql`(${to} - ${from})`;

/** The year of a day. */
export const yearOf = (day: Expression<Day>): RawBuilder<number> => sql`extract(year from ${day})::int`;

/** The Tuesday after the first Monday of November in the year of a day: 2 U.S.C. § 7. */
export const electionDayOf = (day: Expression<Day>): RawBuilder<Day> => {
  const first = sql`make_date(${yearOf(day)}, 11, 1)`;
  return sql`(${first} + 1 + ((8 - extract(dow from ${first})::int) % 7))`;
};

/** The day after all others. */
export const lastOfDays: RawBuilder<Day> = sql`'infinity'::date`;

/** The day before all others. */
export const firstOfDays: RawBuilder<Day> = sql`'-infinity'::date`;

/** The day of a year, month and day. */
export const makeDate = (year: number, month: number, day: number): RawBuilder<Day> =>
  sql`make_date(${year}::int, ${sql.lit(month)}, ${sql.lit(day)})`;

/** A number without trailing zeros. */
export const withoutTrailingZeros = <Of>(number: Expression<Of>): RawBuilder<Of> => sql`trim_scale(${number})`;

/**
 * The secret of a row `s` of `shared_secret` with which gateways sign: the new one a minute after a rotation, when all of
 * them have read it, also those on standbys.
 */
export const signingSecret: RawBuilder<Buffer> = sql`case
  when s.rotated_at > now() - interval '1 minute' then coalesce(s.previous_secret, s.secret) else s.secret end`;

/** A new random secret. The server makes it, so that no statement has it as a parameter, which servers may log. */
export const randomSecret: RawBuilder<Buffer> = sql`decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`;

/** The short form of a GEOID: `50` for `0400000US50`. An index has it. */
export const shortGeoIdOf = (geoId: Expression<string | null>): RawBuilder<string> =>
  sql`regexp_replace(${geoId}, '^.*US', '')`;

/** The null of an SQL type. */
export const nothing = <Value>(type: SqlType): RawBuilder<Value | null> => sql`null::${sql.raw(type)}`;

/** The first element of an array; null if it is empty. */
export const firstOf = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each | null> => sql`(${array})[1]`;

/** Whether two arrays have an element in common. An index of the first one is used. */
export const haveCommon = <Each>(
  one: Expression<readonly Each[] | null>,
  other: Expression<readonly Each[]>,
): RawBuilder<boolean> => sql`${one} && ${other}`;

/** The place of an element in an array, from 1; null if it is not in it. */
export const positionIn = <Each>(array: Expression<readonly Each[]>, element: Expression<Each>): RawBuilder<number> =>
  sql`array_position(${array}, ${element})`;

/** An array without elements, whose type is that of the other values of its expression. */
export const emptyArray = <Each>(): RawBuilder<Each[]> => sql`'{}'`;

/**
 * The objects of a JSON array as a FROM item: rows with a column for each member.
 * @param types the SQL type of each member.
 */
export function jsonRows<Row, Alias extends string>(
  alias: Alias,
  json: Expression<string>,
  types: { readonly [Column in keyof Row]: SqlType },
) {
  const columns = Object.entries<SqlType>(types).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  return sql<Row>`json_to_recordset(${json}::json)`.as<Alias>(sql`${sql.id(alias)}(${sql.join(columns)})`);
}

/** All kinds of records as an array. */
export const allRecordKinds: RawBuilder<RecordKind[]> = sql`enum_range(null::record_kind)`;
