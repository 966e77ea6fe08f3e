import { greatest, least } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { normalName } from '../../store/sql/text-functions.ts';
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
    finds: 'persons of the same name who hold or seek the same office',
    over: ['candidates', 'officeholders'],
    query: (_, scope) =>
      query
        .with('places', (db) =>
          db
            .selectFrom('officeholders as h')
            .select(['h.office_id', 'h.person_id'])
            .distinct()
            .union(
              db
                .selectFrom('candidates as c')
                .innerJoin('races as r', 'r.id', 'c.race_id')
                .select(['r.office_id', 'c.person_id']),
            ),
        )
        .selectFrom('places as a')
        .innerJoin('persons as p', 'p.id', 'a.person_id')
        .innerJoin('places as b', (join) =>
          join.onRef('b.office_id', '=', 'a.office_id').onRef('b.person_id', '<', 'a.person_id'),
        )
        .innerJoin('persons as o', (join) =>
          join
            .onRef('o.id', '=', 'b.person_id')
            .on(({ eb, ref }) => eb(normalName(ref('o.name')), '=', normalName(ref('p.name')))),
        )
        .where(({ ref }) => inScope(scope, 'persons', ref('p.id')))
        .distinct()
        .select(({ ref }) =>
          violation(
            'person',
            ref('p.id'),
            text`${ref('p.name')} is also person ${ref('o.id')} of office ${ref('a.office_id')}`,
          ),
        ),
  },
];
