import { type AliasableExpression, type Expression, type SqlBool, sql } from 'kysely';
import type { TableName } from '../../importers/exchange/format.ts';
import { leastWithKey } from '../../store/sql/aggregates.ts';
import { greatest, least, shortGeoIdOf } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { lowerCase, normalName } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope, type Scope, type TableWithId } from './check-scope.ts';

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

/** Returns a check for records of a table that are equal in these columns, of which names are compared without case and punctuation. */
function sameColumns(
  name: string,
  finds: string,
  kind: Parameters<typeof violation>[0],
  table: TableWithId,
  columns: readonly string[],
  { isOfImports = true } = {},
): Check {
  return {
    name,
    finds,
    ...(isOfImports && { over: [table] }),
    query: (_, scope) => {
      const records = query.selectFrom(sql.table<{ id: number }>(table).as('t')).select(({ ref }) =>
        keyed(
          ref('t.id'),
          columns.map((column) => {
            const value = sql.ref<string>(`t.${column}`);
            return ['name', 'seat'].includes(column) ? normalName(value) : value;
          }),
        ),
      );
      return sameKey(kind, records, isOfImports ? within(scope, table) : undefined);
    },
  };
}

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
      const same = (
        column: 'd.geo_id' | 'd.nces_id' | 'd.ocdid',
        compared: (id: Expression<string | null>) => Expression<unknown>,
      ) => {
        const records = districts.where(column, 'is not', null);
        const ofType = records.select(({ ref }) => keyed(ref('d.id'), [ref('d.type'), compared(ref(column))]));
        return sameKey('district', ofType, isMeant);
      };
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
      return same('d.geo_id', shortGeoIdOf)
        .union(same('d.nces_id', (id) => id))
        .union(same('d.ocdid', lowerCase))
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
  sameColumns('duplicate-offices', 'offices that are recorded twice in their district', 'office', 'offices', [
    'district_id',
    'name',
    'level',
    'branch',
    'chamber',
    'seat',
  ]),
  sameColumns('duplicate-parties', 'parties with the same name', 'party', 'parties', ['name'], { isOfImports: false }),
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
  sameColumns(
    'duplicate-terms',
    'terms that are recorded twice: same office, person and first day',
    'officeholder',
    'officeholders',
    ['office_id', 'person_id', 'start_date'],
    { isOfImports: false },
  ),
  sameColumns(
    'duplicate-contacts',
    'contacts that are recorded twice',
    'contact',
    'contacts',
    ['officeholder_id', 'person_id', 'collection', 'contact_type', 'contact'],
    { isOfImports: false },
  ),
  sameColumns(
    'duplicate-elections',
    'elections that are recorded twice: same district, day and type',
    'election',
    'elections',
    ['district_id', 'date', 'type', 'description'],
  ),
  sameColumns(
    'duplicate-races',
    'races that are recorded twice: same election, office, position, type, stage and party',
    'race',
    'races',
    ['election_id', 'office_id', 'office_position', 'type', 'stage_type', 'stage_party'],
  ),
  sameColumns('duplicate-candidates', 'candidates that are recorded twice in their race', 'candidate', 'candidates', [
    'race_id',
    'person_id',
    'stage_party',
  ]),
  sameColumns(
    'duplicate-measures',
    'ballot measures that are recorded twice: same election, district and name',
    'measure',
    'ballot_measures',
    ['election_id', 'district_id', 'name', 'official_title'],
  ),
];
