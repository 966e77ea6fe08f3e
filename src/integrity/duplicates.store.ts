import { type RawBuilder, sql } from 'kysely';
import type { TableName } from '../import/format.ts';
import { type Check, normalName, type Violation } from './check.ts';
import { inScope, type Scope } from './scope.ts';

/**
 * Returns the query of records of a table that are equal in their key; nulls are equal.
 * @param within the rows of the table that are in the scope of the check; all if omitted.
 */
function sameKey(
  what: string,
  from: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  within?: { readonly scope: Scope; readonly table: TableName },
): RawBuilder<Violation> {
  const isWithin = within
    ? sql`(${inScope(within.scope, within.table, 'keyed.id')} or ${inScope(within.scope, within.table, 'keyed.first')})`
    : sql`true`;
  return sql`
    select ${`${what} `} || id as record, ${`is the same as ${what} `} || first as problem
    from (select id, min(id) over (partition by ${key}) as first from ${from}) as keyed where id > first and ${isWithin}`;
}

const table = (name: string) => sql`${sql.table(name)}`;

export const DUPLICATE_CHECKS: readonly Check[] = [
  {
    name: 'duplicate-districts',
    finds:
      'districts that are recorded twice: same type, and same GEOID, NCES id, OCD id or, where one has no id, name',
    over: ['districts'],
    query: (_, scope) => sql`
      ${sameKey('district', sql`districts where geo_id is not null`, sql`type, regexp_replace(geo_id, '^.*US', '')`, { scope, table: 'districts' })}
      union ${sameKey('district', sql`districts where nces_id is not null`, sql`type, nces_id`, { scope, table: 'districts' })}
      union ${sameKey('district', sql`districts where ocdid is not null`, sql`type, lower(ocdid)`, { scope, table: 'districts' })}
      union ${sameKey('district', sql`districts where geo_id ~ '^[[:alnum:]]{7}US'`, sql`geo_id`, { scope, table: 'districts' })}
      union
      select 'district ' || greatest(d.id, o.id), 'is the same as district ' || least(d.id, o.id)
      from districts as d join districts as o
        on o.type = d.type and o.state is not distinct from d.state and o.id <> d.id
        and ${normalName('o.name')} = ${normalName('d.name')}
      where coalesce(d.ocdid, d.geo_id, d.nces_id) is null and ${inScope(scope, 'districts', 'd.id')}`,
  },
  {
    name: 'duplicate-boundaries',
    finds: 'Congress districts, legislative districts, counties or states with the same boundary on the same day',
    over: ['boundaries'],
    query: (_, scope) => sql`
      select 'district ' || d.id as record, 'has the boundary of district ' || o.id || ' from ' || b.start_date as problem
      from boundaries as b join districts as d on d.id = b.district_id
      join boundaries as a on a.digest = b.digest and a.start_date = b.start_date and a.district_id < b.district_id
      join districts as o on o.id = a.district_id and o.type = d.type
      where d.type in ('Congress', 'State Legislative (Upper)', 'State Legislative (Lower)', 'County', 'State') and ${inScope(scope, 'boundaries', 'd.id')}`,
  },
  {
    name: 'duplicate-identifiers',
    finds: 'identifiers of another data set that two records of a kind have',
    query: () => sql`
      select kind || ' ' || max(record_id) as record, scheme || ' ' || value || ' is also that of ' || min(record_id) as problem
      from external_identifiers group by kind, scheme, value having count(distinct record_id) > 1`,
  },
  {
    name: 'duplicate-offices',
    finds: 'offices that are recorded twice in their district',
    over: ['offices'],
    query: (_, scope) =>
      sameKey(
        'office',
        table('offices'),
        sql`district_id, ${normalName('name')}, level, branch, chamber, ${normalName('seat')}`,
        { scope, table: 'offices' },
      ),
  },
  {
    name: 'duplicate-parties',
    finds: 'parties with the same name',
    query: () => sameKey('party', table('parties'), normalName('name')),
  },
  {
    name: 'duplicate-persons',
    finds: 'persons of the same name who hold or seek the same office',
    over: ['candidates', 'officeholders'],
    query: (_, scope) => sql`
      with places as (
        select distinct h.office_id, h.person_id from officeholders as h
        union select r.office_id, c.person_id from candidates as c join races as r on r.id = c.race_id
      )
      select distinct 'person ' || p.id as record, p.name || ' is also person ' || o.id || ' of office ' || a.office_id as problem
      from places as a join persons as p on p.id = a.person_id
      join places as b on b.office_id = a.office_id and b.person_id < a.person_id
      join persons as o on o.id = b.person_id and ${normalName('o.name')} = ${normalName('p.name')}
      where ${inScope(scope, 'persons', 'p.id')}`,
  },
  {
    name: 'duplicate-terms',
    finds: 'terms that are recorded twice: same office, person and first day',
    query: () => sameKey('officeholder', table('officeholders'), sql`office_id, person_id, start_date`),
  },
  {
    name: 'duplicate-contacts',
    finds: 'contacts that are recorded twice',
    query: () =>
      sameKey('contact', table('contacts'), sql`officeholder_id, person_id, collection, contact_type, contact`),
  },
  {
    name: 'duplicate-elections',
    finds: 'elections that are recorded twice: same district, day and type',
    over: ['elections'],
    query: (_, scope) =>
      sameKey('election', table('elections'), sql`district_id, date, type, description`, {
        scope,
        table: 'elections',
      }),
  },
  {
    name: 'duplicate-races',
    finds: 'races that are recorded twice: same election, office, position, type, stage and party',
    over: ['races'],
    query: (_, scope) =>
      sameKey('race', table('races'), sql`election_id, office_id, office_position, type, stage_type, stage_party`, {
        scope,
        table: 'races',
      }),
  },
  {
    name: 'duplicate-candidates',
    finds: 'candidates that are recorded twice in their race',
    over: ['candidates'],
    query: (_, scope) =>
      sameKey('candidate', table('candidates'), sql`race_id, person_id, stage_party`, {
        scope,
        table: 'candidates',
      }),
  },
  {
    name: 'duplicate-measures',
    finds: 'ballot measures that are recorded twice: same election, district and name',
    over: ['ballot_measures'],
    query: (_, scope) =>
      sameKey(
        'measure',
        table('ballot_measures'),
        sql`election_id, district_id, ${normalName('name')}, official_title`,
        { scope, table: 'ballot_measures' },
      ),
  },
  {
    name: 'repeated-parties',
    finds: 'candidates with the same party twice',
    query: () => sql`
      select 'candidate ' || candidate_id as record, 'has party ' || party_id || ' ' || count(*) || ' times' as problem
      from candidate_parties group by candidate_id, party_id having count(*) > 1`,
  },
];
