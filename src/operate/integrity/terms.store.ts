import { type Expression, sql } from 'kysely';
import { joinedTexts } from '../../store/sql/aggregates.ts';
import { asText, daysAfter, greatest, lastOfDays, least, nullIf, typed } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { matchIn, normalName, without } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';

/**
 * The number of holders that an office has at a time: one if no edition of a source shows several, otherwise the largest
 * number of seats in its races, and without races one for federal offices, executive offices and offices with a named
 * seat. Null if not known: a legislative district or a council may have several members, who may be elected in turns.
 */
const CAPACITY = query.selectFrom('offices as o').select(({ eb, fn, or, selectFrom }) => {
  const several = eb.case().when('o.one_holder', '=', false).then(sql.lit<number>(1)).end();
  const elected = selectFrom('races as r')
    .whereRef('r.office_id', '=', 'o.id')
    .where('r.type', '<>', 'Retention')
    .select(({ fn }) => nullIf(fn.max<number | null>('r.number_of_seats'), several).as('seats'))
    .$asScalar();
  const byKind = eb
    .case()
    .when(or([eb('o.level', '=', 'Federal'), eb('o.branch', '=', 'Executive'), eb('o.seat', 'is not', null)]))
    .then(sql.lit<number>(1))
    .end();
  const seats = eb
    .case()
    .when('o.one_holder', '=', true)
    .then(sql.lit<number>(1))
    .else(fn.coalesce(elected, byKind))
    .end();
  return ['o.id as office_id', seats.as('seats')];
});

/** The terms `a` that overlap an earlier one `b` of the same person. */
const OVERLAPPING = query.selectFrom('officeholders as a').innerJoin('officeholders as b', (join) =>
  join
    .onRef('b.person_id', '=', 'a.person_id')
    .on(({ eb, or, and, ref }) =>
      or([
        eb('b.start_date', '<', ref('a.start_date')),
        and([eb('b.start_date', '=', ref('a.start_date')), eb('b.id', '<', ref('a.id'))]),
      ]),
    )
    .on(({ eb, fn, ref }) => eb(fn.coalesce('b.end_date', lastOfDays), '>', ref('a.start_date'))),
);

export const TERM_CHECKS: readonly Check[] = [
  {
    name: 'overlapping-terms',
    finds: 'offices with more holders on a day than seats',
    over: ['officeholders'],
    query: (today, scope) =>
      query
        .with('terms', (db) =>
          db
            .selectFrom('officeholders as h')
            .innerJoin(CAPACITY.as('k'), 'k.office_id', 'h.office_id')
            .where('k.seats', 'is not', null)
            .select(['h.id', 'h.office_id', 'h.person_id', 'h.status', 'h.start_date', 'k.seats'])
            .select(({ eb, fn, ref }) =>
              fn
                .coalesce(
                  'h.end_date',
                  eb.case().when('h.status', '=', 'Former').then(ref('h.start_date')).end(),
                  lastOfDays,
                )
                .as('last_day'),
            ),
        )
        .with('days', (db) =>
          db
            .selectFrom('terms as t')
            .where('t.start_date', 'is not', null)
            .where(({ ref }) => inScope(scope, 'officeholders', ref('t.id')))
            .select(['t.office_id', 't.seats', 't.start_date as day'])
            .union(
              db
                .selectFrom('terms as t')
                .where('t.start_date', 'is', null)
                .where(({ ref }) => inScope(scope, 'officeholders', ref('t.id')))
                .select(['t.office_id', 't.seats', typed('date', today).$castTo<string | null>().as('day')]),
            ),
        )
        .selectFrom('days as d')
        .innerJoin('terms as t', (join) =>
          join
            .onRef('t.office_id', '=', 'd.office_id')
            .on(({ eb, or, and, ref }) =>
              or([
                eb('t.start_date', '<=', ref('d.day')),
                and([
                  eb('t.start_date', 'is', null),
                  eb('t.status', 'not in', ['Former', 'Upcoming']),
                  eb('d.day', '>=', typed('date', today)),
                ]),
              ]),
            )
            .on(({ eb, or, ref }) => or([eb('t.last_day', '>', ref('d.day')), eb('t.start_date', '=', ref('d.day'))])),
        )
        .groupBy(['d.office_id', 'd.day', 'd.seats'])
        .having(({ eb, fn, ref }) => eb(fn.count<number>('t.person_id').distinct(), '>', ref('d.seats')))
        .select(({ fn, ref }) =>
          violation(
            'office',
            ref('d.office_id'),
            text`${fn.count('t.person_id').distinct()} holders on ${ref('d.day')} for ${ref('d.seats')} seats: officeholders ${joinedTexts(asText(ref('t.id'))).distinct()}`,
          ),
        ),
  },
  {
    name: 'repeated-terms',
    finds: 'persons with two terms in one office at the same time',
    over: ['officeholders'],
    query: (_, scope) =>
      OVERLAPPING.whereRef('b.office_id', '=', 'a.office_id')
        .whereRef('b.id', '<>', 'a.id')
        .where(({ ref }) => inScope(scope, 'officeholders', ref('a.id')))
        .select(({ ref }) =>
          violation(
            'officeholder',
            ref('a.id'),
            text`overlaps officeholder ${ref('b.id')} of the same person and office`,
          ),
        ),
  },
  {
    name: 'terms-in-two-districts',
    finds: 'persons with seats of one chamber in two districts at the same time',
    over: ['officeholders'],
    query: (_, scope) =>
      OVERLAPPING.whereRef('b.office_id', '<>', 'a.office_id')
        .innerJoin('offices as o', 'o.id', 'a.office_id')
        .innerJoin('offices as p', (join) =>
          join
            .onRef('p.id', '=', 'b.office_id')
            .onRef('p.level', '=', 'o.level')
            .onRef('p.chamber', '=', 'o.chamber')
            .onRef('p.district_id', '<>', 'o.district_id'),
        )
        .where(({ ref }) => inScope(scope, 'officeholders', ref('a.id')))
        .select(({ ref }) =>
          violation('officeholder', ref('a.id'), text`overlaps officeholder ${ref('b.id')} of another district`),
        ),
  },
  {
    name: 'terms-not-begun',
    finds: 'persons in office who have not begun',
    over: ['officeholders'],
    query: (today, scope) =>
      query
        .selectFrom('officeholders as h')
        .where(({ ref }) => inScope(scope, 'officeholders', ref('h.id')))
        .where('h.status', 'not in', ['Former', 'Upcoming'])
        .where('h.start_date', '>', typed('date', today))
        .select(({ ref }) =>
          violation('officeholder', ref('h.id'), text`${ref('h.status')} from ${ref('h.start_date')}`),
        ),
  },
  {
    name: 'winners-apart-from-holders',
    finds: 'winners with the last name of another person whose term in the office begins within three months',
    over: ['officeholders', 'candidates'],
    query: (_, scope) =>
      query
        .selectFrom('candidates as c')
        .innerJoin('races as r', (join) =>
          join.onRef('r.id', '=', 'c.race_id').on('r.type', '<>', 'Retention').on('r.number_of_seats', '=', 1),
        )
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin('officeholders as h', (join) =>
          join
            .onRef('h.office_id', '=', 'r.office_id')
            .onRef('h.person_id', '<>', 'c.person_id')
            .on(({ between, ref }) => between('h.start_date', ref('e.date'), daysAfter(ref('e.date'), MONTHS_IN_DAYS))),
        )
        .innerJoin('persons as w', 'w.id', 'c.person_id')
        .innerJoin('persons as p', (join) =>
          join
            .onRef('p.id', '=', 'h.person_id')
            .on(({ eb, ref }) => eb(lastWord(ref('p.name')), '=', lastWord(ref('w.name')))),
        )
        .where('c.cand_status', '=', 'Won')
        .where(({ or, ref }) =>
          or([inScope(scope, 'candidates', ref('c.id')), inScope(scope, 'officeholders', ref('h.id'))]),
        )
        .where(({ not, exists, selectFrom, ref }) =>
          not(
            exists(
              selectFrom('distinct_persons as s')
                .select('s.person_id')
                .where('s.person_id', '=', least(ref('w.id'), ref('p.id')))
                .where('s.other_id', '=', greatest([ref('w.id'), ref('p.id')])),
            ),
          ),
        )
        .select(({ ref }) =>
          violation(
            'person',
            ref('w.id'),
            text`won office ${ref('r.office_id')} on ${ref('e.date')}, which ${ref('p.name')} (person ${ref('p.id')}) holds from ${ref('h.start_date')}`,
          ),
        ),
  },
];

/** Three months, within which a winner takes office. */
const MONTHS_IN_DAYS = 92;

/** Returns the last word of a name without a suffix, as it is compared. */
function lastWord(name: Expression<string>) {
  return matchIn(without(normalName(name), ' (jr|sr|ii|iii|iv)$'), '[^ ]+$');
}
