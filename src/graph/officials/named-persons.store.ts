import { expressionBuilder, sql } from 'kysely';
import { formsOf } from '../../base/words/first-names.ts';
import { normalName } from '../../base/words/normal-name.ts';
import { matches, queryOfWords, withoutExact, wordsOf } from '../../store/sql/migration-functions.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';

const PERSON = [
  'person.id',
  'person.name',
  'person.first_name',
  'person.last_name',
  'person.url',
  'person.image_url',
] as const;

/** Returns the query of all persons `person`, with a rank that is 0 for all. */
function allPersons() {
  return query.selectFrom('persons as person').select([...PERSON, sql<number>`0`.as('name_rank')]);
}

/**
 * Returns the query of the persons who have the words of a text in their names, with the column `name_rank`: 0 for those
 * who have the words as they are typed, 1 for those found only by another form of a first name (Bernard for Bernie),
 * without initials (Susan Collins for Susan M Collins), or by the parts of a word with an apostrophe. Without a text, of
 * all persons.
 */
export function namedPersons(name: string | null | undefined) {
  if (name == null) return allPersons();
  const { ref } = expressionBuilder<{ person: DB['persons'] }, 'person'>();
  // The full name may have a short form of the first name.
  const words = wordsOf([ref('person.name'), ref('person.first_name'), ref('person.last_name')]);
  const asked = query.selectNoFrom([
    queryOfWords(name).as('exact'),
    queryOfWords(name, JSON.stringify(formsOfWords(name))).as('loose'),
  ]);
  return query
    .with(materialized('asked'), () => asked)
    .selectFrom('persons as person')
    .select([...PERSON, sql<number>`0`.as('name_rank')])
    .where((eb) => matches(words, eb.selectFrom('asked').select('asked.exact')))
    .unionAll((eb) =>
      eb
        .selectFrom('persons as person')
        .select([...PERSON, sql<number>`1`.as('name_rank')])
        // Without a difference the second query is null, for which PostgreSQL does not read the index.
        .where((eb) =>
          matches(
            words,
            eb
              .selectFrom('asked')
              .select(({ ref }) => withoutExact(ref('asked.loose'), ref('asked.exact')).as('other')),
          ),
        ),
    );
}

/** Returns the other forms of the words of a name that have some in the table of first names. */
function formsOfWords(name: string): Readonly<Record<string, readonly string[]>> {
  const forms = normalName(name)
    .split(' ')
    .map((word) => [word, formsOf(word)] as const);
  return Object.fromEntries(forms.filter(([, others]) => others.length > 0));
}
