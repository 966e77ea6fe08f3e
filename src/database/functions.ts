/**
 * The functions of PostgreSQL, of PostGIS and of the migrations that Kysely does not know, with the types of their
 * arguments and values: the only places where their names are written.
 */
import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Day } from '../dates.ts';
import type { Boundary, Chamber, DistrictType, OfficeBranch, Officeholder, OfficeLevel, RecordKind } from './tables.ts';

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
  float8: number;
  text: string;
  date: Day;
  boolean: boolean;
  timestamptz: string;
  district_type: DistrictType;
  office_level: OfficeLevel;
  office_branch: OfficeBranch;
  chamber: Chamber;
  'int[]': readonly number[];
  'text[]': readonly string[];
  'district_type[]': readonly DistrictType[];
}

export type SqlType = keyof SqlTypes;

/** A value with its SQL type, where PostgreSQL cannot know it. */
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

/** The operand of `=` for one of some values. */
export const anyOf = <Type extends SqlType>(
  type: Type,
  values: readonly SqlTypes[Type][],
): RawBuilder<SqlTypes[Type]> => sql`any(${values}::${sql.raw(type)}[])`;

/** The operand of `=` for an element of an array. */
export const anyIn = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each> => sql`any(${array})`;

/** The values of a query with one column as an array, in its order. */
export const arrayOf = <Each>(rows: Expression<unknown>): RawBuilder<Each[]> => sql`array${rows}`;

/** The elements of an array as rows. */
export const elementsOf = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each> => sql`unnest(${array})`;

/** A value as text; null for null. */
export const asText = (value: Expression<unknown>): RawBuilder<string> => sql`${value}::text`;

/** A value as the text of JSON, as `JSON.stringify` writes texts; null for null. */
export const asJson = (value: Expression<unknown>): RawBuilder<string> => sql`to_json(${value})::text`;

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

/** The greatest of the values that are not null. */
export const greatest = <Value>(values: readonly Expression<Value>[]): RawBuilder<Value> =>
  sql`greatest(${sql.join(values)})`;

/** A row of values, to compare it with another one. */
export const tuple = (values: readonly Expression<unknown>[]): RawBuilder<unknown> => sql`(${sql.join(values)})`;

/** The global id of an object, as `globalId` in `graphql/global-id.ts` makes it of the same key. */
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

/** The day a number of days before a day. */
export const daysBefore = <Of extends Day | null>(day: Expression<Of>, days: number): RawBuilder<Of> =>
  sql`${day} - ${sql.lit(days)}`;

/** The day before all others. */
export const firstOfDays: RawBuilder<Day> = sql`'-infinity'::date`;

/** The day of a year, month and day. */
export const makeDate = (year: number, month: number, day: number): RawBuilder<Day> =>
  sql`make_date(${year}::int, ${sql.lit(month)}, ${sql.lit(day)})`;

/** A number without trailing zeros. */
export const withoutTrailingZeros = <Of>(number: Expression<Of>): RawBuilder<Of> => sql`trim_scale(${number})`;

/** An error that names a field of the schema that must not be null (migration 0012). */
export const missing = (coordinate: string): RawBuilder<string> => sql`missing(${sql.lit(coordinate)})`;

/** The words of columns of a row; an index has those of the columns that are searched (migration 0039). */
export const wordsOf = (columns: readonly Expression<string | null>[]): RawBuilder<unknown> =>
  sql`search_words(${sql.join(columns)})`;

/** Whether each word of a text begins a word of the columns, in any order. */
export const hasWords = (columns: readonly Expression<string | null>[], text: string): RawBuilder<SqlBool> =>
  sql`${wordsOf(columns)} @@ (select words_query(${text}::text))`;

/** The boundaries in effect on a day, as a FROM item (specification, Boundary-in-effect rules). */
export const boundariesInEffect = (day: Expression<Day>) => sql<Selectable<Boundary>>`boundaries_in_effect(${day})`;

/** The boundaries that races with a reference day use, as a FROM item (specification, Boundary-in-effect rules, 3 to 5). */
export const boundariesForRaces = (day: Expression<Day>) => sql<Selectable<Boundary>>`boundaries_for_races(${day})`;

/** The day that determines the boundary of a race. */
export const raceReferenceDay = (
  type: Expression<string>,
  year: Expression<number>,
  swearingInDate: Expression<Day | null>,
  electionDate: Expression<Day>,
): RawBuilder<Day> => sql`race_reference_day(${type}, ${year}, ${swearingInDate}, ${electionDate})`;

/** The terms of those who hold their offices on a day, as a FROM item. */
export const officeholdersInOffice = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_in_office(${day})`;

/** All terms with their status on a day, as a FROM item. */
export const officeholdersWithStatus = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_with_status(${day})`;

/** The key of an election: its number encrypted. */
export const electionKey = (id: Expression<number>): RawBuilder<string> => sql`election_key(${id})`;

/** The number of the election with a key. */
export const electionNumber = (key: Expression<string>): RawBuilder<number> => sql`election_number(${key})`;

/** A geometry as PostgreSQL writes it. Only functions of PostGIS read it. */
export type Geometry = string;

/** The point with these coordinates in degrees; null without a longitude. */
export const pointAt = (longitude: Expression<number | null>, latitude: Expression<number>): RawBuilder<Geometry> =>
  sql`ST_SetSRID(ST_MakePoint(${longitude}, ${latitude}), 4326)`;

/** Whether two geometries are within a distance in degrees of each other. An index of the first one is used. */
export const isWithin = (
  one: Expression<Geometry>,
  other: Expression<Geometry>,
  degrees: number,
): RawBuilder<boolean> => sql`ST_DWithin(${one}, ${other}, ${sql.lit(degrees)})`;

/** The edge of a geometry. */
export const edgeOf = (geometry: Expression<Geometry>): RawBuilder<Geometry> => sql`ST_Boundary(${geometry})`;

/** Whether no point of the inner geometry lies outside the outer one. */
export const covers = (outer: Expression<Geometry>, inner: Expression<Geometry>): RawBuilder<boolean> =>
  sql`ST_Covers(${outer}, ${inner})`;

/** The sides of the smallest rectangle that contains a geometry, in degrees. */
export const extentOf = (geometry: Expression<Geometry>) =>
  [
    sql<number>`ST_XMin(${geometry})`.as('west'),
    sql<number>`ST_YMin(${geometry})`.as('south'),
    sql<number>`ST_XMax(${geometry})`.as('east'),
    sql<number>`ST_YMax(${geometry})`.as('north'),
  ] as const;

export const numberOfVertices = (geometry: Expression<Geometry>): RawBuilder<number> => sql`ST_NPoints(${geometry})`;

/** The area of a geometry in square kilometres on the ellipsoid. */
export const areaInSquareKilometres = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Area(${geometry}::geography) / 1e6`;

/** A geometry without the points that move its outline by less than a tolerance in degrees; all of it with 0. */
export const simplified = (geometry: Expression<Geometry>, tolerance: Expression<number>): RawBuilder<Geometry> =>
  sql`case when ${tolerance} > 0 then ST_SimplifyPreserveTopology(${geometry}, ${tolerance}) else ${geometry} end`;

/** A geometry as the text of GeoJSON. */
export const asGeoJson = (geometry: Expression<Geometry>, decimals: number): RawBuilder<string> =>
  sql`ST_AsGeoJSON(${geometry}, ${sql.lit(decimals)})`;

/**
 * An area in the equal-area projection EPSG:6933. It maps meridians and parallels to straight lines, so that the pieces
 * of a boundary, which are cut along them, have the area of the whole. Areas of the type `geography` do not: its edges are
 * geodesics, which leave the parallel between two distant vertices.
 */
export const areaOf = (geometry: Expression<Geometry>): RawBuilder<number> =>
  sql`ST_Area(ST_Transform(${geometry}, 6933))`;

/** The intersection of two pieces; a piece within another one is its own intersection. */
export const intersectionOf = (outer: Expression<Geometry>, inner: Expression<Geometry>): RawBuilder<Geometry> =>
  sql`case when ST_Covers(${outer}, ${inner}) then ${inner} else ST_Intersection(${outer}, ${inner}) end`;

/** Whether the bounding boxes of two geometries overlap, which an index of either finds. */
export const mayOverlap = (one: Expression<Geometry>, other: Expression<Geometry>): RawBuilder<SqlBool> =>
  sql`${one} && ${other}`;

/** The short form of a GEOID: `50` for `0400000US50`. An index has it. */
export const shortGeoIdOf = (geoId: Expression<string | null>): RawBuilder<string> =>
  sql`regexp_replace(${geoId}, '^.*US', '')`;

/** The share of an area in another one, from 0 to 1, with six decimals. */
export const roundedShare = (area: Expression<number>, whole: Expression<number>): RawBuilder<number> =>
  sql`round(least(${area} / ${whole}, 1)::numeric, 6)::float8`;

/** The null of an SQL type. */
export const nothing = <Value>(type: SqlType): RawBuilder<Value | null> => sql`null::${sql.raw(type)}`;

/** The first element of an array; null if it is empty. */
export const firstOf = <Each>(array: Expression<readonly Each[]>): RawBuilder<Each | null> => sql`(${array})[1]`;

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

/**
 * The full-text query for the words of a text, each the beginning of a word (migration 0039).
 * @param forms the JSON of other forms of words, with which fewer words have to match.
 */
export const queryOfWords = (text: string, forms?: string): RawBuilder<unknown> =>
  forms === undefined ? sql`words_query(${text}::text)` : sql`words_query(${text}::text, ${forms}::jsonb)`;

/** Whether words match a full-text query. */
export const matches = (words: Expression<unknown>, asked: Expression<unknown>): RawBuilder<SqlBool> =>
  sql`${words} @@ ${asked}`;

/** The full-text query for what a query finds and an exact one does not; null if they are equal. */
export const withoutExact = (asked: Expression<unknown>, exact: Expression<unknown>): RawBuilder<unknown> =>
  sql`nullif(${asked}, ${exact}) && !!${exact}`;

/** All kinds of records as an array. */
export const allRecordKinds: RawBuilder<RecordKind[]> = sql`enum_range(null::record_kind)`;
