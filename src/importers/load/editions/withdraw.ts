import { type RawBuilder, sql } from 'kysely';
import { dictionary } from '../../../base/dictionary.ts';
import { ServiceError } from '../../../base/errors.ts';
import type { Database } from '../../../store/sql/database.ts';
import { recordIncumbency } from '../persons/incumbency.store.ts';
import { recordOfficesOnDays } from '../persons/offices-on-day.store.ts';
import { Staging } from '../stage/staging.ts';
import { inOneTransaction } from '../transaction.ts';
import { createWithdrawn, removeRecords, type WithdrawnRecord } from './remove-records.store.ts';
import { KINDS_OF_FILES } from './replace-editions.store.ts';

/** What to withdraw: all that a source brought, or what is of a state or a day. */
export interface WithdrawOptions {
  /** Two letters. */
  readonly state?: string | undefined;
  /** The day of the elections; for other records, that of the edition. */
  readonly date?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** A record of a source that is withdrawn. */
export interface ListedRecord extends WithdrawnRecord {
  /** Whether no edition is recorded for it though imports of the source record them: it is from before that, or of an older edition than the stored one. */
  readonly isOfNoEdition: boolean;
}

export interface Withdrawal {
  /** The records of the source: removed, or kept for a reason. */
  readonly records: readonly ListedRecord[];
  /** How many rows without a list are removed, by what they are. */
  readonly counts: Readonly<Record<string, number>>;
  /** Sources that the records are of too, which wrote or were written over. */
  readonly others: readonly string[];
}

const DISTRICT = sql`join districts as d on d.id`;
/** All records with the state and the day by which they can be chosen. */
const PLACES = sql`
  select 'district'::record_kind as kind, d.id, d.state::text, null::date as day from districts as d
  union all select 'boundary', b.id, d.state, null from boundaries as b ${DISTRICT} = b.district_id
  union all select 'party', id, null, null from parties
  union all select 'person', id, null, null from persons
  union all select 'office', o.id, d.state, null from offices as o ${DISTRICT} = o.district_id
  union all select 'officeholder', h.id, d.state, null from officeholders as h join offices as o on o.id = h.office_id ${DISTRICT} = o.district_id
  union all select 'contact', c.id, d.state, null
    from contacts as c left join officeholders as h on h.id = c.officeholder_id left join offices as o on o.id = h.office_id
    left join districts as d on d.id = o.district_id
  union all select 'election', e.id, d.state, e.date from elections as e ${DISTRICT} = e.district_id
  union all select 'race', r.id, d.state, e.date from races as r join elections as e on e.id = r.election_id ${DISTRICT} = e.district_id
  union all select 'candidate', c.id, d.state, e.date
    from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id ${DISTRICT} = e.district_id
  union all select 'ballot_measure', m.id, d.state, e.date
    from ballot_measures as m join elections as e on e.id = m.election_id ${DISTRICT} = e.district_id
  union all select 'voting_place', p.id, coalesce(p.state, d.state)::text, e.date
    from voting_places as p join elections as e on e.id = p.election_id ${DISTRICT} = e.district_id
  union all select 'deadline', l.id, d.state, e.date
    from deadlines as l left join elections as e on e.id = l.election_id ${DISTRICT} = l.district_id
  union all select 'election_office', a.id, d.state, null from district_election_offices as a ${DISTRICT} = a.district_id`;

/** The tables of addresses, areas of ZIP codes and points of places, whose rows are of one edition each. */
const OF_EDITIONS = {
  address_points: sql`(select s.state from address_streets as s where s.id = t.street_id)`,
  address_ranges: sql`(select s.state from address_streets as s where s.id = t.street_id)`,
  zip_areas: sql`null`,
  town_points: sql`t.state`,
  zip_points: sql`null`,
} as const;

/**
 * Removes what a source brought, in one transaction: records that no other source has and no row refers to that stays.
 * @param source the name of a source in commands, or of a data set.
 * @throws ServiceError NOT_FOUND if there is no such source, or nothing of the state or the day, with those that there are.
 */
export async function withdrawSource(db: Database, source: string, options: WithdrawOptions): Promise<Withdrawal> {
  return inOneTransaction(db, options.dryRun ?? false, async (transaction) => {
    // What editions show about offices is computed for those with staged terms.
    await new Staging(transaction).create();
    return withdraw(transaction, await nameOf(transaction, source), options);
  });
}

async function withdraw(db: Database, name: string, { state, date }: WithdrawOptions): Promise<Withdrawal> {
  const isOf = (states: RawBuilder<unknown>, day: RawBuilder<unknown>) =>
    sql`(${state === undefined ? sql`true` : sql`${states} = ${state}`}
      and ${date === undefined ? sql`true` : sql`${day} = ${date}::date`})`;
  await createWithdrawn(db);
  const chosen = sql`record_sources as r join sources as o on o.id = r.source_id
    join (${PLACES}) as p on p.kind = r.kind and p.id = r.record_id
    where o.name = ${name} and ${isOf(sql`p.state`, sql`coalesce(p.day, o.as_of)`)}`;
  const { rows: ids } = await sql<{ id: number }>`/* withdraw.sources */
    select distinct r.source_id as id from ${chosen}`.execute(db);
  await sql`/* withdraw.list */
    insert into withdrawn select distinct r.kind, r.record_id, true from ${chosen}`.execute(db);
  await sql`/* withdraw.analyze */ analyze withdrawn`.execute(db);
  const { rows: boundaries } = await sql<Ended>`/* withdraw.boundaries */
    select b.id, b.district_id as district, d.type::text, d.state, b.start_date::text as start
    from boundaries as b ${DISTRICT} = b.district_id join withdrawn as w on w.kind = 'boundary' and w.id = b.id`.execute(
    db,
  );
  const { rows: offices } = await sql<{ id: number }>`/* withdraw.offices */
    select distinct h.office_id as id from officeholders as h join withdrawn as w on w.kind = 'officeholder' and w.id = h.id`.execute(
    db,
  );
  const counts: Record<string, number> = dictionary();
  const remove = async (what: string, statement: RawBuilder<unknown>) => {
    const { numAffectedRows = 0n } = await statement.execute(db);
    if (numAffectedRows > 0n) counts[what] = Number(numAffectedRows);
  };
  const rounds = sql`select from edition_records as x join import_editions as e on e.id = x.edition_id
    where x.kind = 'rounds' and x.record_id = t.candidate_id and e.name`;
  await remove(
    'ranked_choice_rounds',
    sql`/* withdraw.rounds */ delete from ranked_choice_rounds as t
      where candidate_id in (select id from withdrawn where kind = 'candidate')
        and exists (${rounds} = ${name}) and not exists (${rounds} <> ${name})`,
  );
  const isOther = sql<boolean>`o.id <> all(${ids.map(({ id }) => id)}::int[])`;
  const unrecorded = await recordsWithoutEdition(db, name);
  const removed = await removeRecords(db, { isOther, isImport: false });
  const records = removed.map((each) => ({ ...each, isOfNoEdition: unrecorded.has(`${each.kind} ${each.id}`) }));
  const ofSource = sql`source_id in (select id from sources where name = ${name})`;
  await remove(
    'unplaced_contests',
    sql`/* withdraw.unplaced */ delete from unplaced_contests as t where ${ofSource} and ${isOf(sql`t.state`, sql`t.date`)}`,
  );
  await remove(
    'precinct_results',
    sql`/* withdraw.precincts */ delete from precinct_results as t using races as r, elections as e, districts as d
      where r.id = t.race_id and e.id = r.election_id and d.id = e.district_id and ${ofSource} and ${isOf(sql`d.state`, sql`e.date`)}`,
  );
  for (const [table, states] of Object.entries(OF_EDITIONS))
    await remove(
      table,
      sql`/* withdraw.addresses */ delete from ${sql.table(table)} as t
        where ${ofSource} and ${isOf(states, sql`(select as_of from sources as s where s.id = t.source_id)`)}`,
    );
  if (records.length === 0 && Object.keys(counts).length === 0) throw await nothingOf(db, name);
  await removeUnusedStreets(db);
  if (counts.zip_areas)
    await sql`/* withdraw.outlines */ select ballotgraph_measure_outlines(array['ZIP'])`.execute(db);
  await forgetEditions(db, name, isOf);
  await reopenBoundaries(db, boundaries);
  await settleOffices(
    db,
    offices.map(({ id }) => id),
  );
  await recordIncumbency(db);
  await sql`/* withdraw.first-days */ select ballotgraph_store_first_days()`.execute(db);
  const others = new Set(records.flatMap(({ others: of }) => of ?? []));
  return { records, counts, others: [...others].sort() };
}

/** Returns the kinds and ids of records that belong to no edition: of a source without any, all; otherwise of the kinds that files replace. */
async function recordsWithoutEdition(db: Database, name: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ record: string }>`/* withdraw.without-edition */
    select distinct r.kind || ' ' || r.record_id as record
    from record_sources as r join sources as o on o.id = r.source_id
    where o.name = ${name}
      and (not exists (select from import_editions where name = ${name})
        or r.kind::text = any(${KINDS_OF_FILES}::text[])
          and exists (select from import_editions where name = ${name} and file is not null)
          and not exists (select from edition_records as x join import_editions as e on e.id = x.edition_id
            where x.kind = r.kind::text and x.record_id = r.record_id and e.name = ${name}))`.execute(db);
  return new Set(rows.map(({ record }) => record));
}

/** Returns the name of the data set that a source in commands has brought. */
async function nameOf(db: Database, source: string): Promise<string> {
  const { rows } = await sql<{ name: string; importers: string[] | null }>`/* withdraw.names */
    select s.name, (select array_agg(distinct e.importer) from import_editions as e where e.name = s.name) as importers
    from sources as s group by s.name order by s.name`.execute(db);
  const own = rows.find(({ name }) => name === source);
  const brought = rows.filter(({ importers }) => importers?.includes(source));
  const [found = own, another] = own ? [own] : brought;
  const listed = (of: typeof rows) => of.map(({ name }) => JSON.stringify(name)).join(', ');
  if (another)
    throw new ServiceError('NOT_FOUND', `${source} has brought several data sets. Name one: ${listed(brought)}.`);
  if (found) return found.name;
  const known = rows.map(
    ({ name, importers }) => `${JSON.stringify(name)}${importers ? ` (${importers.join(', ')})` : ''}`,
  );
  throw new ServiceError(
    'NOT_FOUND',
    `Nothing is there of ${source}. ${known.length > 0 ? `There is something of: ${known.join(', ')}.` : 'There are no data.'}`,
  );
}

/** Says of which states and days a source has something. */
async function nothingOf(db: Database, name: string): Promise<ServiceError> {
  const { rows } = await sql<{ state: string; days: string | null }>`/* withdraw.available */
    select coalesce(state, 'no state') as state, string_agg(distinct day::text, ', ' order by day::text) as days
    from (
      select p.state, coalesce(p.day, o.as_of) as day from record_sources as r join sources as o on o.id = r.source_id
      join (${PLACES}) as p on p.kind = r.kind and p.id = r.record_id
      where o.name = ${name} and p.kind not in ('person', 'party')
      union select u.state, u.date from unplaced_contests as u join sources as o on o.id = u.source_id where o.name = ${name}
      union select s.state, o.as_of
        from (select source_id, street_id from address_points union all select source_id, street_id from address_ranges) as a
        join sources as o on o.id = a.source_id join address_streets as s on s.id = a.street_id where o.name = ${name}
      union select t.state, o.as_of from town_points as t join sources as o on o.id = t.source_id where o.name = ${name}
    ) as available
    group by 1 order by 1`.execute(db);
  const has = rows.map(({ state, days }) => (days ? `${state}: ${days}` : state)).join('; ');
  return new ServiceError(
    'NOT_FOUND',
    `${name} has nothing of that. ${has ? `It has ${has}.` : 'It has nothing any more.'}`,
  );
}

async function removeUnusedStreets(db: Database): Promise<void> {
  await sql`/* withdraw.streets */ delete from address_streets as s
    where not exists (select from address_points as p where p.street_id = s.id)
      and not exists (select from address_ranges as r where r.street_id = s.id)`.execute(db);
  await sql`/* withdraw.spellings */ delete from street_spellings as p
    where not exists (select from address_streets as s where s.core = p.core)`.execute(db);
}

/** Forgets the editions that are withdrawn, and the source if nothing is left of it. */
async function forgetEditions(
  db: Database,
  name: string,
  isOf: (states: RawBuilder<unknown>, day: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  await sql`/* withdraw.editions */
    delete from import_editions as e where name = ${name} and e.file is not null and ${isOf(sql`e.state`, sql`e.day`)}`.execute(
    db,
  );
  await sql`/* withdraw.unused-sources */
    delete from sources as s
    where name = ${name}
      and id not in (
        select source_id from record_sources union select source_id from unplaced_contests union select source_id from precinct_results
        union select source_id from address_points union select source_id from address_ranges
        union select source_id from zip_areas union select source_id from town_points union select source_id from zip_points
        union select unnest(sources) from person_merges)`.execute(db);
  await sql`/* withdraw.unused-editions */
    delete from import_editions where name = ${name} and not exists (select from sources where name = ${name})`.execute(
    db,
  );
}

interface Ended {
  readonly id: number;
  readonly district: number;
  readonly type: string;
  readonly state: string | null;
  readonly start: string;
}

/**
 * Lets boundaries that a removed map ended last again: until the next one of their district, or without an end. Those are the ones of its
 * type and state that end on its first day.
 */
async function reopenBoundaries(db: Database, withdrawn: readonly Ended[]): Promise<void> {
  if (withdrawn.length === 0) return;
  const { rows } = await sql<{ district: number }>`/* withdraw.reopen-boundaries */
    with removed as (
      select distinct r.type, r.state, r.start from jsonb_to_recordset(${JSON.stringify(withdrawn)}::jsonb)
        as r(id integer, type text, state text, start date)
      where not exists (select from boundaries as b where b.id = r.id)
        and not exists (select from boundaries as b ${DISTRICT} = b.district_id
          where d.type::text = r.type and d.state is not distinct from r.state and b.start_date = r.start)
    )
    update boundaries as b set end_date = (
      select min(n.start_date) from boundaries as n where n.district_id = b.district_id and n.start_date > b.start_date)
    from districts as d, removed as r
    where d.id = b.district_id and d.type::text = r.type and d.state is not distinct from r.state and b.end_date = r.start
    returning b.district_id as district`.execute(db);
  const districts = [...new Set([...rows, ...withdrawn].map(({ district }) => district))];
  const types = [...new Set(withdrawn.map(({ type }) => type))];
  await sql`/* withdraw.maps */
    select ballotgraph_compare_maps(array(select id from districts where id = any(${districts}::int[]))),
      ballotgraph_measure_outlines(${types}::text[])`.execute(db);
}

/** Computes again what editions show about offices that have lost terms. */
async function settleOffices(db: Database, offices: readonly number[]): Promise<void> {
  if (offices.length === 0) return;
  await sql`/* withdraw.stage-terms */
    insert into stage_officeholders (line, id, office_id, person_id, status, start_date, end_date)
    select -id, id, office_id, person_id, status, start_date, end_date from officeholders
    where office_id = any(${offices}::int[])`.execute(db);
  await recordOfficesOnDays(db, { name: '', source: null, license: null, asOf: null });
  await sql`/* withdraw.vacancies */
    update offices as o set vacant_since = null, one_holder = case when exists (
      select from officeholders as h where h.office_id = o.id) then one_holder end
    where id = any(${offices}::int[])`.execute(db);
}
