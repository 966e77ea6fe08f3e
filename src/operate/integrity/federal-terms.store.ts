import { sql } from 'kysely';
import { daysBetween } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';

/** The longest term of a federal office by law, in days: two, four and six years, with the days until 1937 in which terms ended in March. */
const [TWO_YEARS, FOUR_YEARS, SIX_YEARS] = [2 * 366, 4 * 366, 6 * 366];

export const FEDERAL_TERM_CHECKS: readonly Check[] = [
  {
    name: 'terms-beyond-the-law',
    finds:
      'terms in Congress and of presidents that are longer than the law allows, or begin in the life of no Congress',
    over: ['officeholders'],
    query: (_, scope) =>
      query
        .selectFrom('officeholders as h')
        .innerJoin('offices as o', 'o.id', 'h.office_id')
        .innerJoin('districts as d', 'd.id', 'o.district_id')
        .where('o.level', '=', 'Federal')
        .where('h.start_date', 'is not', null)
        .where('h.end_date', 'is not', null)
        // The Resident Commissioner of Puerto Rico is elected for four years.
        .where(({ eb, or, ref }) => {
          const longest = eb
            .case()
            .when(or([eb('o.branch', '=', 'Executive'), eb('d.state', '=', 'PR')]))
            .then(sql.lit<number>(FOUR_YEARS))
            .when('d.type', '=', 'Congress')
            .then(sql.lit<number>(TWO_YEARS))
            .else(sql.lit<number>(SIX_YEARS))
            .end();
          return eb(daysBetween(ref('h.start_date'), ref('h.end_date')), '>', longest);
        })
        .where(({ ref }) => inScope(scope, 'officeholders', ref('h.id')))
        .select(({ ref }) =>
          violation(
            'officeholder',
            ref('h.id'),
            text`${ref('o.name')} from ${ref('h.start_date')} to ${ref('h.end_date')}`,
          ),
        ),
  },
];
