import { type Expression, expressionBuilder, sql } from 'kysely';
import { languageTags } from '../../base/languages.ts';
import { anyIn, arrayOf, keysOf, literal, unnested, valueAs } from '../../store/sql/functions.ts';
import { deadlineDay } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DB } from '../../store/sql/tables.ts';
import { type RowsOf, relation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import type { DeadlineKind } from './enums.ts';
import { districtsAt } from './voting-places.store.ts';

/** The language of texts; those that the client prefers by default. */
export interface InLanguage {
  readonly language?: string | null | undefined;
}

type Tables = {
  readonly rule: DB['deadlines'];
  readonly e: DB['elections'];
  readonly translation: { readonly language: string | null };
};

/**
 * Returns the query of the deadlines of an election: the days that are stated for it, and the rules of districts for all their elections
 * where none is. What a rule says of elections is taken to be said of those that the state or the country holds: a city may have its own.
 */
function deadlinesOf(election: Expression<number>, { param }: Scope<InLanguage>) {
  const eb = expressionBuilder<Tables, keyof Tables>();
  const preferred = param('text', ({ language }, { languages }) =>
    language ? languageTags([language]) : (languages ?? null),
  );
  const translated = (part: 'label' | 'phrase') =>
    sql<string | null>`${eb.ref('rule.translations')} -> ${eb.ref('translation.language')} ->> ${sql.lit(part)}`;
  const day = eb.fn.coalesce(
    'rule.day',
    deadlineDay(eb.ref('e.date'), eb.ref('rule.days_before'), eb.ref('rule.day_kind'), eb.ref('rule.weekday')),
  );
  return query
    .selectFrom('elections as e')
    .innerJoin('districts as holder', 'holder.id', 'e.district_id')
    .innerJoin('deadlines as rule', (join) =>
      join.on(({ eb, or, and, not, exists, selectFrom }) =>
        or([
          eb('rule.election_id', '=', eb.ref('e.id')),
          and([
            eb('rule.election_id', 'is', null),
            eb('holder.type', 'in', [literal('State'), literal('Country')]),
            not(
              exists(
                selectFrom('deadlines as stated')
                  .select('stated.id')
                  .whereRef('stated.election_id', '=', 'e.id')
                  .whereRef('stated.kind', '=', 'rule.kind')
                  .whereRef('stated.district_id', '=', 'rule.district_id'),
              ),
            ),
          ]),
        ]),
      ),
    )
    .innerJoin('districts as place', 'place.id', 'rule.district_id')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom(unnested('tags', { language: ['text', sql`string_to_array(${preferred}, ',')`] }))
          .select('tags.language')
          .where(({ ref }) => sql<boolean>`${ref('rule.translations')} ? ${ref('tags.language')}`)
          .orderBy('tags.ordinal')
          .limit(1)
          .as('translation'),
      (join) => join.onTrue(),
    )
    .select(['rule.id', 'rule.district_id', 'rule.time', 'rule.time_zone', 'rule.as_of', 'rule.url'])
    .select(({ fn, ref, selectFrom }) => [
      ref('rule.kind').$castTo<DeadlineKind>().as('kind'),
      day.as('day'),
      sql<boolean>`${ref('rule.day')} is not null`.as('is_stated'),
      sql<boolean | null>`${ref('rule.as_of')} < ${ref('e.date')}`.as('is_older'),
      fn.coalesce(translated('label'), ref('rule.kind')).as('label'),
      sql<string>`case when ${translated('label')} is null then 'en' else ${ref('translation.language')} end`.as(
        'label_language',
      ),
      fn.coalesce(translated('phrase'), ref('rule.phrase')).as('phrase'),
      sql<
        string | null
      >`case when ${translated('phrase')} is null then ${ref('rule.language')} else ${ref('translation.language')} end`.as(
        'phrase_language',
      ),
      arrayOf<string>(
        selectFrom(valueAs(keysOf(ref('rule.translations')), 'tags', 'language'))
          .select('tags.language')
          .orderBy('tags.language'),
      ).as('languages'),
    ])
    .where('e.id', '=', election);
}

export type DeadlineRow = RowsOf<ReturnType<typeof deadlinesOf>>;

const ORDER = ['day', 'kind', 'id'] as const;

/** The deadlines of an election in a state: that of the district which holds it, or a given one for an election of the country. */
export const deadlinesOfElection = relation({
  name: 'voting.deadlinesOfElection',
  key: { id: 'int' },
  rows({ id }, scope: Scope<InLanguage & { readonly state?: string | null | undefined }>) {
    const state = scope.param('text', (args) => args.state ?? null);
    return deadlinesOf(id, scope).where(({ eb, or, and, ref, fn }) =>
      or([
        eb('rule.election_id', 'is not', null),
        and([eb('place.type', '=', literal('State')), eb('place.state', '=', fn.coalesce(state, ref('holder.state')))]),
      ]),
    );
  },
  orderBy: ORDER,
});

/** The deadlines of an election for a point: those of the districts that contain it on the day of the election. */
export const deadlinesOfPoint = relation({
  name: 'voting.deadlinesOfPoint',
  key: { longitude: 'float8', latitude: 'float8', date: 'date', election_id: 'int' },
  rows: ({ longitude, latitude, date, election_id }, scope: Scope<InLanguage>) =>
    deadlinesOf(election_id, scope).where('place.id', '=', anyIn(districtsAt({ longitude, latitude }, date))),
  orderBy: ORDER,
});
