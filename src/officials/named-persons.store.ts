import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from '../database/sql.ts';
import { normalName } from '../import/matching.ts';
import { formsOf } from '../import/persons/short-forms.ts';

/** The columns whose words are searched: the full name may have a short form of the first name. */
const NAMES = ['person.name', 'person.first_name', 'person.last_name'];

/**
 * Returns an SQL subquery with the persons who have the words of a text in their names, with the column `name_rank`: 0
 * for those who have the words as they are typed, 1 for those found only by another form of a first name (Bernard for
 * Bernie), without initials (Susan Collins for Susan M Collins), or by the parts of a word with an apostrophe.
 */
export function namedPersons(name: string): RawBuilder<unknown> {
  const words = wordsOf(NAMES);
  // Without a difference the second query is null, for which PostgreSQL does not read the index.
  return sql`(
    with asked as materialized (
      select words_query(${name}::text) as exact,
        words_query(${name}::text, ${JSON.stringify(formsOfWords(name))}::jsonb) as loose
    )
    select person.*, 0 as name_rank from persons person where ${words} @@ (select exact from asked)
    union all
    select person.*, 1 as name_rank from persons person
    where ${words} @@ (select nullif(loose, exact) && !!exact from asked))`;
}

/** Returns the join with the persons `p` of rows, those of a name with their ranks; all without a name. */
export function joinPersons(name: string | null | undefined, id: string): RawBuilder<unknown> {
  return sql`join ${name == null ? sql`persons` : namedPersons(name)} p on p.id = ${sql.ref(id)}`;
}

/** Returns the other forms of the words of a name that have some in the table of first names. */
function formsOfWords(name: string): Readonly<Record<string, readonly string[]>> {
  const forms = normalName(name)
    .split(' ')
    .map((word) => [word, formsOf(word)] as const);
  return Object.fromEntries(forms.filter(([, others]) => others.length > 0));
}
