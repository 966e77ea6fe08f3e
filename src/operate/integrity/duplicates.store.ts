import { PERSON_SCHEMES } from '../../importers/load/persons/person-records.store.ts';
import { firstWithKey } from '../../store/sql/aggregates.ts';
import { greatest, least } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { normalName } from '../../store/sql/text-functions.ts';
import { mayHaveSeveralNominations } from './candidates.store.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';

/** The types of districts that have no outline in common. */
const APART: readonly DistrictType[] = [
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
  'County',
  'State',
];

export const DUPLICATE_CHECKS: readonly Check[] = [
  {
    name: 'duplicate-districts',
    finds: 'districts that are recorded twice: same type and name, of which one has no id',
    over: ['districts'],
    query: (_, scope) =>
      query
        .selectFrom('districts as d')
        .innerJoin('districts as o', (join) =>
          join
            .onRef('o.type', '=', 'd.type')
            .onRef('o.state', 'is not distinct from', 'd.state')
            .onRef('o.id', '<>', 'd.id')
            .on(({ eb, ref }) => eb(normalName(ref('o.name')), '=', normalName(ref('d.name')))),
        )
        .where(({ eb, fn }) => eb(fn.coalesce('d.ocdid', 'd.geo_id', 'd.nces_id'), 'is', null))
        .where(({ ref }) => inScope(scope, 'districts', ref('d.id')))
        .select(({ ref }) =>
          violation(
            'district',
            greatest([ref('d.id'), ref('o.id')]),
            text`is the same as district ${least(ref('d.id'), ref('o.id'))}`,
          ),
        )
        .distinct(),
  },
  {
    name: 'duplicate-boundaries',
    finds: 'Congress districts, legislative districts, counties or states with the same boundary on the same day',
    over: ['boundaries'],
    query: (_, scope) =>
      query
        .selectFrom('boundaries as b')
        .innerJoin('districts as d', 'd.id', 'b.district_id')
        .innerJoin('boundaries as a', (join) =>
          join
            .onRef('a.digest', '=', 'b.digest')
            .onRef('a.start_date', '=', 'b.start_date')
            .onRef('a.district_id', '<', 'b.district_id'),
        )
        .innerJoin('districts as o', (join) => join.onRef('o.id', '=', 'a.district_id').onRef('o.type', '=', 'd.type'))
        .where('d.type', 'in', APART)
        .where(({ ref }) => inScope(scope, 'boundaries', ref('d.id')))
        .select(({ ref }) =>
          violation(
            'district',
            ref('d.id'),
            text`has the boundary of district ${ref('o.id')} from ${ref('b.start_date')}`,
          ),
        ),
  },
  {
    name: 'duplicate-persons',
    finds: 'persons of the same name who hold or seek the same office, and whom no identifier or party distinguishes',
    over: ['candidates', 'officeholders'],
    query: (_, scope) =>
      query
        .with('named', (db) =>
          db
            .selectFrom(
              db
                .selectFrom('officeholders as h')
                .select(['h.office_id', 'h.person_id'])
                .union(
                  db
                    .selectFrom('candidates as c')
                    .innerJoin('races as r', 'r.id', 'c.race_id')
                    .select(['r.office_id', 'c.person_id']),
                )
                .as('a'),
            )
            .innerJoin('persons as p', 'p.id', 'a.person_id')
            .select(({ ref }) => ['a.office_id', 'p.id', 'p.name', normalName(ref('p.name')).as('key')]),
        )
        // One window over all names: a join of the names with themselves has no statistics to choose its plan by.
        .with('numbered', (db) =>
          db
            .selectFrom('named as n')
            .selectAll('n')
            .select(({ ref }) =>
              firstWithKey(ref('n.id'), [ref('n.office_id'), ref('n.key')], ref('n.id')).as('first'),
            ),
        )
        .with('told_apart', (db) =>
          db
            .selectFrom('named as n')
            .innerJoin('external_identifiers as e', (join) =>
              join.onRef('e.record_id', '=', 'n.id').on('e.kind', '=', 'person').on('e.scheme', 'in', PERSON_SCHEMES),
            )
            .groupBy(['n.office_id', 'n.key', 'e.scheme'])
            .having(({ fn }) => fn.count('n.id').distinct(), '>', 1)
            .having(({ fn }) => fn.count('e.value').distinct(), '>', 1)
            .select(['n.office_id', 'n.key'])
            .union(
              db
                .selectFrom('named as n')
                .innerJoin('candidates as c', 'c.person_id', 'n.id')
                .innerJoin('races as r', (join) =>
                  join.onRef('r.id', '=', 'c.race_id').onRef('r.office_id', '=', 'n.office_id'),
                )
                .innerJoin('candidate_parties as y', 'y.candidate_id', 'c.id')
                .innerJoin('elections as e', 'e.id', 'r.election_id')
                .innerJoin('offices as o', 'o.id', 'r.office_id')
                .innerJoin('districts as d', 'd.id', 'o.district_id')
                .where(({ not, ref }) => not(mayHaveSeveralNominations(ref('d.state'), ref('e.date'))))
                .groupBy(['r.id', 'n.office_id', 'n.key'])
                .having(({ fn }) => fn.count('n.id').distinct(), '>', 1)
                .having(({ eb, fn }) => eb(fn.count('y.party_id').distinct(), '>=', fn.count('n.id').distinct()))
                .select(['n.office_id', 'n.key']),
            ),
        )
        .selectFrom('numbered as n')
        .whereRef('n.id', '<>', 'n.first')
        .where(({ ref }) => inScope(scope, 'persons', ref('n.id')))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('told_apart as t')
                .select('t.key')
                .whereRef('t.office_id', '=', 'n.office_id')
                .whereRef('t.key', '=', 'n.key'),
            ),
          ),
        )
        .select(({ ref }) =>
          violation(
            'person',
            ref('n.id'),
            text`${ref('n.name')} is also person ${ref('n.first')} of office ${ref('n.office_id')}`,
          ),
        ),
  },
];
