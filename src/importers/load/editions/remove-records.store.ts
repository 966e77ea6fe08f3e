import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { RecordKind } from '../../../store/sql/tables.ts';
import { type DatasetTable, TABLES, type TableName, tableOf } from '../../exchange/format.ts';
import { restorePerson } from '../persons/merge-persons.store.ts';
import { stageName } from '../stage/staging.ts';
import { forgetRemoved } from '../write/provenance.ts';

/** A record that a source no longer brings. */
export interface WithdrawnRecord {
  readonly table: TableName;
  readonly kind: RecordKind;
  readonly id: number;
  /** The record in words. */
  readonly name: string;
  /** False for what is removed only because nothing refers to it any more. */
  readonly isOwn: boolean;
  /** Why it stays; null if it is removed. */
  readonly stays: string | null;
  /** The sources that have it too. */
  readonly others: readonly string[];
}

export interface RemovalScope {
  /** Whether a row `o` of `sources` still brings its records. */
  readonly isOther: RawBuilder<boolean>;
  /** Whether staging tables have rows that stay. */
  readonly isImport: boolean;
}

/** Creates the list of the records that a source no longer brings, which `removeRecords` reads. */
export async function createWithdrawn(db: Database): Promise<void> {
  await sql`/* withdraw.list */ create temp table withdrawn (
    kind record_kind, id integer, is_own boolean not null, primary key (kind, id)) on commit drop`.execute(db);
}

const OFFICE = sql`(select concat_ws(', ', o.name, d.name) from offices as o join districts as d on d.id = o.district_id where o.id = t.office_id)`;
const RACE = (id: string) => sql`(
  select concat_ws(', ', o.name, d.name, e.date || ' ' || r.stage_type)
  from races as r join elections as e on e.id = r.election_id join offices as o on o.id = r.office_id
  join districts as d on d.id = o.district_id where r.id = ${sql.ref(id)})`;
const OF_DISTRICT = sql`(select d.name from districts as d where d.id = t.district_id)`;
const OF_PERSON = sql`(select p.name from persons as p where p.id = t.person_id)`;

/** The names of the records `t` of each kind. */
const NAMES: Readonly<Record<RecordKind, RawBuilder<unknown>>> = {
  district: sql`concat_ws(', ', t.name, t.type, t.state)`,
  boundary: sql`${OF_DISTRICT} || ' from ' || t.start_date`,
  party: sql`t.name`,
  office: sql`concat_ws(', ', t.name, ${OF_DISTRICT})`,
  person: sql`t.name`,
  officeholder: sql`concat_ws(', ', ${OF_PERSON}, ${OFFICE}, t.start_date)`,
  contact: sql`t.contact_type || ' ' || t.contact`,
  election: sql`concat_ws(', ', t.date || ' ' || t.type, ${OF_DISTRICT})`,
  race: RACE('t.id'),
  candidate: sql`concat_ws(', ', ${OF_PERSON}, ${RACE('t.race_id')})`,
  ballot_measure: sql`concat_ws(', ', t.name, ${OF_DISTRICT})`,
  voting_place: sql`concat_ws(', ', t.name, t.address, (select e.date from elections as e where e.id = t.election_id))`,
  deadline: sql`concat_ws(', ', t.kind, ${OF_DISTRICT})`,
  election_office: sql`concat_ws(', ', t.name, ${OF_DISTRICT})`,
};

interface Judged {
  readonly id: number;
  readonly name: string;
  readonly is_own: boolean;
  readonly others: readonly string[] | null;
  readonly kept: string | null;
  readonly is_referenced: boolean;
  /** Whether the source still brings records that refer to one that it is not said to lack. */
  readonly is_needed: boolean;
}

/**
 * Removes the records of the list `withdrawn`, those that refer to others first, and what only they referred to and no other source
 * brings. A record stays if another source has it too, if a row that stays refers to it, or if a decision names the person.
 * @returns what is removed, and what of the list stays.
 */
export async function removeRecords(db: Database, scope: RemovalScope): Promise<WithdrawnRecord[]> {
  const all: WithdrawnRecord[] = [];
  for (const table of TABLES.toReversed()) {
    const { name, kind } = table;
    if (kind === null) continue;
    if (name === 'persons') await undoMerges(db, scope);
    const judged = await judge(db, table, kind, scope);
    const gone = judged.filter((each) => reasonToStay(each) === null).map(({ id }) => id);
    for (const each of judged) {
      const stays = reasonToStay(each);
      if (each.is_own || stays === null)
        all.push({
          table: name,
          kind,
          id: each.id,
          name: each.name,
          isOwn: each.is_own,
          stays,
          others: each.others ?? [],
        });
    }
    const shared = judged
      .filter(({ is_needed, others, kept }) => !is_needed && (others ?? (name === 'parties' && kept)))
      .map(({ id }) => id);
    await sql`/* withdraw.provenance */
      delete from record_sources as r using sources as o
      where o.id = r.source_id and r.kind = ${kind}::record_kind and r.record_id = any(${shared}::int[]) and not ${scope.isOther}`.execute(
      db,
    );
    if (gone.length === 0) continue;
    await listParents(db, table, gone, scope);
    await sql`/* withdraw.remove */ delete from ${sql.table(name)} where id = any(${gone}::int[])`.execute(db);
    await sql`/* withdraw.identifiers */
      delete from external_identifiers where kind = ${kind}::record_kind and record_id = any(${gone}::int[])`.execute(
      db,
    );
    await forgetRemoved(db, [name, 'contacts']);
  }
  await forgetLeftOut(db);
  return all;
}

/** Forgets what sources have left out of races that they do not have any more. */
async function forgetLeftOut(db: Database): Promise<void> {
  await sql`/* withdraw.left-out */
    with settled as (
      select r.id, jsonb_object_agg(e.key, e.value) filter (where exists (
        select from record_sources as s join sources as o on o.id = s.source_id
        where s.kind = 'race' and s.record_id = r.id and o.name = e.key)) as left_out
      from races as r cross join jsonb_each(r.left_out) as e group by r.id
    )
    update races as r set left_out = s.left_out from settled as s
    where s.id = r.id and r.left_out is distinct from s.left_out`.execute(db);
}

function reasonToStay({ others, kept, is_referenced }: Judged): string | null {
  if (others !== null) return `it is of ${others.join(', ')} too`;
  if (kept !== null) return kept;
  return is_referenced ? 'records that stay refer to it' : null;
}

/** Returns the listed records of a table, with what speaks against their removal. */
async function judge(db: Database, { name }: DatasetTable, kind: RecordKind, scope: RemovalScope): Promise<Judged[]> {
  const isOf = (record: RecordKind, which: RawBuilder<boolean>) =>
    sql`exists (select from record_sources as x join sources as o on o.id = x.source_id
      where x.kind = ${record}::record_kind and x.record_id = r.id and ${which})`;
  /** Whether a row refers to the record; contacts go with their owner, unless another source has them. */
  const isReferenced = (which?: RawBuilder<boolean>) => {
    const all = TABLES.flatMap((from) =>
      from.columns.flatMap(({ name: column, type, references, apart }) => {
        if (references !== name || from.kind === null) return [];
        const only = which ?? (from.name === 'contacts' ? scope.isOther : undefined);
        const refers = apart
          ? sql`r.id in (select candidate_id from candidate_parties where party_id = t.id)`
          : type === 'ids'
            ? sql`t.id = any(r.${sql.ref(column)})`
            : sql`r.${sql.ref(column)} = t.id`;
        return [
          sql`exists (select from ${sql.table(from.name)} as r where ${refers} and ${only ? isOf(from.kind, only) : sql`true`})`,
        ];
      }),
    );
    return all.length > 0 ? sql`(${sql.join(all, sql` or `)})` : sql`false`;
  };
  const isStaged = sql`exists (select from ${sql.table(stageName(name))} as s where ${
    name === 'boundaries' || name === 'contacts' ? sql`false` : sql`s.id = t.id and s.line > 0`
  })`;
  const kept: Partial<Record<TableName, RawBuilder<unknown>>> = {
    // Public codes, which are in every database (migration 0003).
    parties: sql`case when t.id <= 7 then 'it is a party of every database' end`,
    persons: sql`case when exists (select from person_merges as m where m.person_id = t.id and m.rule = 'operator')
      or exists (select from distinct_persons as d where t.id in (d.person_id, d.other_id))
      then 'a decision to merge or split names the person' end`,
  };
  const { rows } = await sql<Judged>`/* withdraw.judge */
    select t.id, w.is_own, ${NAMES[kind]} as name,
      (select array_agg(distinct o.name order by o.name) from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = w.kind and r.record_id = t.id and ${scope.isOther}) as others,
      ${kept[name] ?? sql`null::text`} as kept,
      ${isReferenced()} as is_referenced, not w.is_own and ${isReferenced(sql`not ${scope.isOther}`)} as is_needed
    from withdrawn as w join ${sql.table(name)} as t on t.id = w.id
    where w.kind = ${kind}::record_kind and not ${scope.isImport ? isStaged : sql`false`}
    order by name, t.id`.execute(db);
  return rows;
}

/** Lists the records that removed ones refer to, and that the source has brought. */
async function listParents(
  db: Database,
  table: DatasetTable,
  gone: readonly number[],
  scope: RemovalScope,
): Promise<void> {
  for (const { name, type, references, apart } of table.columns) {
    const kind = references && tableOf(references).kind;
    if (!kind) continue;
    const ids = apart
      ? sql`select party_id as id from candidate_parties where candidate_id = any(${gone}::int[])`
      : sql`select ${type === 'ids' ? sql`unnest(${sql.ref(name)})` : sql.ref(name)} as id
          from ${sql.table(table.name)} where id = any(${gone}::int[])`;
    await sql`/* withdraw.parents */
      insert into withdrawn (kind, id, is_own)
      select distinct ${kind}::record_kind, p.id, false from (${ids}) as p
      where exists (select from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = ${kind}::record_kind and r.record_id = p.id and not ${scope.isOther})
      on conflict do nothing`.execute(db);
  }
}

/**
 * Forgets the merges that a rule of an import made of records without a candidacy or term now, and gives records of other sources back
 * that such a rule made part of a person whom only the withdrawn data bring.
 */
async function undoMerges(db: Database, scope: RemovalScope): Promise<void> {
  await sql`/* withdraw.forget-merges */
    with emptied as (
      delete from person_merges as m
      where rule <> 'operator' and exists (select from withdrawn as w
          where w.kind = 'candidate' and w.id = any(m.candidates) or w.kind = 'officeholder' and w.id = any(m.officeholders))
        and not exists (select from candidates as c where c.id = any(m.candidates))
        and not exists (select from officeholders as h where h.id = any(m.officeholders))
      returning person_id, identifiers
    )
    delete from external_identifiers as e using emptied
    where e.kind = 'person' and e.record_id = emptied.person_id and e.scheme || E'\n' || e.value = any(emptied.identifiers)`.execute(
    db,
  );
  if (scope.isImport) return;
  const { rows } = await sql<{ id: number }>`/* withdraw.merges */
    select m.merged_id as id
    from person_merges as m join withdrawn as w on w.kind = 'person' and w.id = m.person_id
    where m.rule <> 'operator'
      and not exists (select from record_sources as r join sources as o on o.id = r.source_id
        where r.kind = 'person' and r.record_id = m.person_id and ${scope.isOther})
      and not exists (select from candidates as c where c.person_id = m.person_id and not exists (
        select from person_merges as x where x.person_id = m.person_id and c.id = any(x.candidates)))
      and not exists (select from officeholders as h where h.person_id = m.person_id and not exists (
        select from person_merges as x where x.person_id = m.person_id and h.id = any(x.officeholders)))
    order by 1`.execute(db);
  for (const { id } of rows) await restorePerson(db, id, false);
  await sql`/* withdraw.list */
    insert into withdrawn select 'person', id, true from unnest(${rows.map(({ id }) => id)}::int[]) as id
    on conflict (kind, id) do update set is_own = true`.execute(db);
}
