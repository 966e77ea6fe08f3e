/** The functions of texts that Kysely does not know: the only place where their names are written. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/** The number of characters of a text. */
export const lengthOf = (text: Expression<string>): RawBuilder<number> => sql`length(${text})`;

/** A name as it is compared with what somebody typed. An index has those of districts. */
export const plainName = (name: Expression<string>): RawBuilder<string> => sql`replace(plain_text(${name}), '''', '')`;

/** Whether two texts have many trigrams in common, which an index finds. */
export const isSimilar = (one: Expression<string>, other: Expression<string>): RawBuilder<SqlBool> =>
  sql`${one} % ${other}`;

/** The share of trigrams that two texts have in common, from 0 to 1. */
export const similarityOf = (one: Expression<string>, other: Expression<string>): RawBuilder<number> =>
  sql`similarity(${one}, ${other})`;

/** A text in lower case. */
export const lowerCase = <Text extends string | null>(text: Expression<Text>): RawBuilder<Text> => sql`lower(${text})`;

/** A text in upper case. */
export const upperCase = (text: Expression<string | null>): RawBuilder<string | null> => sql`upper(${text})`;

/** The part of a text that matches a regular expression, or its group if it has one; null if nothing matches. */
export const matchIn = (text: Expression<string | null>, pattern: string): RawBuilder<string | null> =>
  sql`substring(${text} from ${sql.lit(pattern)})`;

/** A text without the parts that match a regular expression at most once. */
export const without = (text: Expression<string>, pattern: string): RawBuilder<string> =>
  sql`regexp_replace(${text}, ${sql.lit(pattern)}, '')`;

/** The first characters of a text. */
export const beginningOf = (text: Expression<string>, length: number): RawBuilder<string> =>
  sql`left(${text}, ${sql.lit(length)})`;

/** The last characters of a text. */
export const endOf = (text: Expression<string | null>, length: number): RawBuilder<string | null> =>
  sql`right(${text}, ${sql.lit(length)})`;

/** The number of parts of a text between separators. */
export const numberOfParts = (text: Expression<string | null>, separator: string): RawBuilder<number> =>
  sql`array_length(string_to_array(${text}, ${sql.lit(separator)}), 1)`;

/** A name as it is compared: without letter case and punctuation. */
export const normalName = (name: Expression<string | null>): RawBuilder<string> =>
  sql`trim(lower(regexp_replace(${name}, '[^[:alnum:]]+', ' ', 'g')))`;
