import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely';
import { leastWithKey } from '../database/aggregates.ts';
import { greatest, least, shortGeoIdOf } from '../database/functions.ts';
import { query } from '../database/query-builder.ts';
import type { DistrictType } from '../database/tables.ts';
import { lowerCase, normalName } from '../database/text-functions.ts';
import type { TableName } from '../import/format.ts';
import { type Check, text, violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';

interface Keyed {
  readonly id: number;
  readonly first: number;
}

/** Returns the columns of a record with a key: its id, and the lowest id of the records with the same key; nulls are equal. */
function keyed(id: AliasableExpression<number>, key: readonly Expression<unknown>[]) {
  return [id.as('id'), leastWithKey(id, key).as('first')] as const;
}

/**
 * Returns the query of records that are equal in their key.
 * @param records all records with their keys.
 * @param isMeant the condition that a record is in the scope of the check; all are if omitted.
 */
function sameKey(
  kind: Parameters<typeof violation>[0],
  records: AliasableExpression<Keyed>,
  isMeant: (id: Expression<number>) => Expression<SqlBool> = () => sql.lit(true),
) {
  return query
    .selectFrom(records.as('keyed'))
    .whereRef('keyed.id', '>', 'keyed.first')
    .where(({ or, ref }) => or([isMeant(ref('keyed.id')), isMeant(ref('keyed.first'))]))
    .select(({ ref }) => violation(kind, ref('keyed.id'), text`is the same as ${sql.lit(kind)} ${ref('keyed.first')}`));
}

const within = (scope: Scope, table: TableName) => (id: Expression<number>) => inScope(scope, table, id);

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
    finds:
      'districts that are recorded twice: same type, and same GEOID, NCES id, OCD id or, where one has no id, name',
    over: ['districts'],
    query: (_, scope) => {
      const districts = query.selectFrom('districts as d');
      const isMeant = within(scope, 'districts');
      const byGeoId = districts
        .where('d.geo_id', 'is not', null)
        .select(({ ref }) => keyed(ref('d.id'), [ref('d.type'), shortGeoIdOf(ref('d.geo_id'))]));
      const byNcesId = districts
        .where('d.nces_id', 'is not', null)
        .select(({ ref }) => keyed(ref('d.id'), [ref('d.type'), ref('d.nces_id')]));
      const byOcdId = districts
        .where('d.ocdid', 'is not', null)
        .select(({ ref }) => keyed(ref('d.id'), [ref('d.type'), lowerCase(ref('d.ocdid'))]));
      const byWholeGeoId = districts
        .where('d.geo_id', '~', '^[[:alnum:]]{7}US')
        .select(({ ref }) => keyed(ref('d.id'), [ref('d.geo_id')]));
      const byName = districts
        .innerJoin('districts as o', (join) =>
          join
            .onRef('o.type', '=', 'd.type')
            .onRef('o.state', 'is not distinct from', 'd.state')
            .onRef('o.id', '<>', 'd.id')
            .on(({ eb, ref }) => eb(normalName(ref('o.name')), '=', normalName(ref('d.name')))),
        )
        .where(({ eb, fn }) => eb(fn.coalesce('d.ocdid', 'd.geo_id', 'd.nces_id'), 'is', null))
        .where(({ ref }) => isMeant(ref('d.id')))
        .select(({ ref }) =>
          violation(
            'district',
            greatest([ref('d.id'), ref('o.id')]),
            text`is the same as district ${least(ref('d.id'), ref('o.id'))}`,
          ),
        );
      return sameKey('district', byGeoId, isMeant)
        .union(sameKey('district', byNcesId, isMeant))
        .union(sameKey('district', byOcdId, isMeant))
        .union(sameKey('district', byWholeGeoId, isMeant))
        .union(byName);
    },
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
    name: 'duplicate-offices',
    finds: 'offices that are recorded twice in their district',
    over: ['offices'],
    query: (_, scope) => {
      const offices = query
        .selectFrom('offices as o')
        .select(({ ref }) =>
          keyed(ref('o.id'), [
            ref('o.district_id'),
            normalName(ref('o.name')),
            ref('o.level'),
            ref('o.branch'),
            ref('o.chamber'),
            normalName(ref('o.seat')),
          ]),
        );
      return sameKey('office', offices, within(scope, 'offices'));
    },
  },
  {
    name: 'duplicate-parties',
    finds: 'parties with the same name',
    query: () =>
      sameKey(
        'party',
        query.selectFrom('parties as p').select(({ ref }) => keyed(ref('p.id'), [normalName(ref('p.name'))])),
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
  {
    name: 'duplicate-terms',
    finds: 'terms that are recorded twice: same office, person and first day',
    query: () =>
      sameKey(
        'officeholder',
        query
          .selectFrom('officeholders as h')
          .select(({ ref }) => keyed(ref('h.id'), [ref('h.office_id'), ref('h.person_id'), ref('h.start_date')])),
      ),
  },
  {
    name: 'duplicate-contacts',
    finds: 'contacts that are recorded twice',
    query: () =>
      sameKey(
        'contact',
        query
          .selectFrom('contacts as c')
          .select(({ ref }) =>
            keyed(ref('c.id'), [
              ref('c.officeholder_id'),
              ref('c.person_id'),
              ref('c.collection'),
              ref('c.contact_type'),
              ref('c.contact'),
            ]),
          ),
      ),
  },
  {
    name: 'duplicate-elections',
    finds: 'elections that are recorded twice: same district, day and type',
    over: ['elections'],
    query: (_, scope) => {
      const elections = query
        .selectFrom('elections as e')
        .select(({ ref }) =>
          keyed(ref('e.id'), [ref('e.district_id'), ref('e.date'), ref('e.type'), ref('e.description')]),
        );
      return sameKey('election', elections, within(scope, 'elections'));
    },
  },
  {
    name: 'duplicate-races',
    finds: 'races that are recorded twice: same election, office, position, type, stage and party',
    over: ['races'],
    query: (_, scope) => {
      const races = query
        .selectFrom('races as r')
        .select(({ ref }) =>
          keyed(ref('r.id'), [
            ref('r.election_id'),
            ref('r.office_id'),
            ref('r.office_position'),
            ref('r.type'),
            ref('r.stage_type'),
            ref('r.stage_party'),
          ]),
        );
      return sameKey('race', races, within(scope, 'races'));
    },
  },
  {
    name: 'duplicate-candidates',
    finds: 'candidates that are recorded twice in their race',
    over: ['candidates'],
    query: (_, scope) => {
      const candidates = query
        .selectFrom('candidates as c')
        .select(({ ref }) => keyed(ref('c.id'), [ref('c.race_id'), ref('c.person_id'), ref('c.stage_party')]));
      return sameKey('candidate', candidates, within(scope, 'candidates'));
    },
  },
  {
    name: 'duplicate-measures',
    finds: 'ballot measures that are recorded twice: same election, district and name',
    over: ['ballot_measures'],
    query: (_, scope) => {
      const measures = query
        .selectFrom('ballot_measures as m')
        .select(({ ref }) =>
          keyed(ref('m.id'), [
            ref('m.election_id'),
            ref('m.district_id'),
            normalName(ref('m.name')),
            ref('m.official_title'),
          ]),
        );
      return sameKey('measure', measures, within(scope, 'ballot_measures'));
    },
  },
  {
    name: 'repeated-parties',
    finds: 'candidates with the same party twice',
    query: () =>
      query
        .selectFrom('candidate_parties as p')
        .groupBy(['p.candidate_id', 'p.party_id'])
        .having(({ fn }) => fn.countAll(), '>', 1)
        .select(({ ref, fn }) =>
          violation('candidate', ref('p.candidate_id'), text`has party ${ref('p.party_id')} ${fn.countAll()} times`),
        ),
  },
];
