import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { type Fault, type Faults, MOST_FAULTS } from './faults.ts';
import { type Column, type DatasetTable, TABLES, type TableName, tableOf } from './format.ts';
import { stageName } from './staging.ts';

/** What a load brings, and what becomes of the rows of the store that it does not bring. */
export interface Scope {
  /** Tables that the load brings rows for, be it none. */
  readonly brought: ReadonlySet<TableName>;
  /** Tables of which not all rows could be read: what refers to them cannot be checked. */
  readonly unreadable: ReadonlySet<TableName>;
  /** Rows of the tables brought that are not in the load are removed. */
  readonly replace: boolean;
}

/** A row of a stage that fails a check. */
export interface Finding extends Fault {
  readonly table: TableName;
  /** The line that the stage knows the row by. */
  readonly stageLine: number | null;
  /** The reason without what is of the row alone; the reason itself where it is left out. */
  readonly kind?: string;
}

interface Found {
  line: number | null;
  origin: string | null;
  detail: string;
  total: number;
}

/**
 * The checks that need all rows: keys that are there twice, references that point nowhere, boundaries of a district
 * that are in effect on the same day. Each is one statement per table.
 * @returns what was found, at most `most` rows per check; all are counted.
 */
export async function findConflicts(
  db: Database,
  scope: Scope,
  most = MOST_FAULTS,
): Promise<{ findings: Finding[]; count: number }> {
  const findings: Finding[] = [];
  let count = 0;
  const run = async (
    table: DatasetTable,
    column: string | null,
    query: RawBuilder<Found>,
    reason: (detail: string) => string,
  ) => {
    const { rows } = await sql<Found>`${query} limit ${sql.lit(most)}`.execute(db);
    count += rows[0]?.total ?? 0;
    for (const { line, origin, detail } of rows) {
      findings.push({
        table: table.name,
        stageLine: line,
        file: origin ?? table.file,
        line: origin === null ? line : null,
        column,
        reason: reason(detail),
        kind: reason('…'),
      });
    }
  };

  for (const table of TABLES.filter(({ name }) => scope.brought.has(name))) {
    if (table.key.length > 0) {
      await run(table, table.key.join(', '), sameKey(table), (first) => `is used in ${first} already`);
    }
    for (const column of table.columns.filter((column) => column.references)) {
      const target = column.references as TableName;
      if (scope.unreadable.has(target)) continue;
      await run(
        table,
        column.name,
        dangling(table, column, target, scope),
        (id) => `there is no ${noun(target)} ${id}`,
      );
    }
    if (table.name === 'districts') {
      await run(table, 'ocdid', sameOcdid(scope), (other) => `is the ocdid of district ${other} too`);
    }
    if (table.name === 'boundaries')
      await run(table, 'start_date', overlaps(scope), (other) => `the district has ${other}`);
    if (scope.replace)
      for (const [from, column] of referrers(table.name, scope))
        await run(table, null, removed(table, from, column), (detail) => detail);
  }
  return { findings, count };
}

/** Notes findings as faults; `count` is how many there are in all. */
export function addFindings(faults: Faults, findings: readonly Finding[], count = findings.length): void {
  for (const { file, line, column, reason } of findings) faults.add({ file, line, column, reason });
  faults.countMore(count - findings.length);
}

/** One of the rows of a table, in the words of its file. */
export function noun(table: TableName): string {
  return NOUNS[table];
}

const NOUNS: Record<TableName, string> = {
  districts: 'district',
  boundaries: 'boundary',
  parties: 'party',
  offices: 'office',
  persons: 'person',
  officeholders: 'officeholder',
  contacts: 'contact',
  elections: 'election',
  races: 'race',
  candidates: 'candidate',
  ranked_choice_rounds: 'round',
  ballot_measures: 'ballot measure',
};

function sameKey(table: DatasetTable): RawBuilder<Found> {
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  return sql<Found>`/* import.same-key */
    select line, origin, coalesce(first_origin, 'line ' || first_line) as detail, count(*) over () as total
    from (
      select line, origin, first_value(line) over same as first_line, first_value(origin) over same as first_origin
      from ${sql.table(stageName(table.name))} window same as (partition by ${key} order by line)
    ) as keyed
    where line > first_line order by line`;
}

/** Whether a row that a load leaves in the store, or brings, has the id. */
function dangling(table: DatasetTable, column: Column, target: TableName, scope: Scope): RawBuilder<Found> {
  const stays =
    scope.replace && scope.brought.has(target)
      ? sql`false`
      : sql`exists (select from ${sql.table(target)} as t where t.id = r.id)`;
  const ids = column.type === 'ids' ? sql`unnest(s.${sql.ref(column.name)})` : sql`(select s.${sql.ref(column.name)})`;
  return sql<Found>`/* import.dangling */
    select s.line, s.origin, r.id::text as detail, count(*) over () as total
    from ${sql.table(stageName(table.name))} as s cross join lateral ${ids} as r (id)
    where r.id is not null
      and not exists (select from ${sql.table(stageName(target))} as t where t.id = r.id)
      and not exists (select from stage_refused as t where t.kind = ${target} and t.id = r.id)
      and not (${stays})
    order by s.line`;
}

function sameOcdid(scope: Scope): RawBuilder<Found> {
  const kept = scope.replace
    ? sql`select id, ocdid, 0 as line from districts where false`
    : sql`select id, ocdid, 0 as line from districts as d where not exists (select from stage_districts as s where s.id = d.id)`;
  return sql<Found>`/* import.same-ocdid */
    select s.line, s.origin, min(o.id)::text as detail, count(*) over () as total
    from stage_districts as s
    join (select id, ocdid, line from stage_districts union all ${kept}) as o
      on o.ocdid = s.ocdid and o.id <> s.id and o.line < s.line
    group by s.line, s.origin order by s.line`;
}

/**
 * Two boundaries of a district may share one day, the last of one and the first of the other. This is as strict as the
 * constraint of the table, and stricter for boundaries of a day or two.
 */
function overlaps(scope: Scope): RawBuilder<Found> {
  const kept = scope.replace
    ? sql`select district_id, start_date, end_date, null::integer, null::text from boundaries where false`
    : sql`select district_id, start_date, end_date, null::integer, null::text from boundaries as b
          where not exists (
            select from stage_boundaries as s where s.district_id = b.district_id and s.start_date = b.start_date)`;
  return sql<Found>`/* import.overlaps */
    select s.line, s.origin,
      min('a boundary from ' || o.start_date || coalesce(' to ' || o.end_date, ' on')
        || coalesce(' (' || coalesce(o.origin, 'line ' || o.line) || ')', ' in the store')) as detail,
      count(*) over () as total
    from stage_boundaries as s
    join (select district_id, start_date, end_date, line, origin from stage_boundaries union all ${kept})
      as o (district_id, start_date, end_date, line, origin)
      on o.district_id = s.district_id and o.start_date <> s.start_date
      and s.start_date < coalesce(o.end_date, 'infinity') and o.start_date < coalesce(s.end_date, 'infinity')
    where o.line is null or o.line < s.line
    group by s.line, s.origin order by s.line`;
}

/** The tables that the load does not bring, with the columns by which they refer to one that it replaces. */
function referrers(target: TableName, scope: Scope): [from: DatasetTable, column: string][] {
  const fromFormat = TABLES.filter((table) => !scope.brought.has(table.name)).flatMap((table) =>
    table.columns
      .filter((column) => column.references === target && !column.apart)
      .map((column): [DatasetTable, string] => [table, column.name]),
  );
  const apart: [DatasetTable, string][] =
    target === 'parties' && !scope.brought.has('candidates') ? [[tableOf('candidates'), 'party_ids']] : [];
  return [...fromFormat, ...apart];
}

function removed(target: DatasetTable, from: DatasetTable, column: string): RawBuilder<Found> {
  const referring =
    column === 'party_ids'
      ? sql`select party_id as id from candidate_parties`
      : sql`select ${sql.ref(column)} as id from ${sql.table(from.name)}`;
  const what = `${noun(target.name)} `;
  const why = ` is not in the file, but ${from.file} was not brought and the store has rows of it that refer to it: `;
  return sql<Found>`/* import.removed */
    select null::integer as line, null::text as origin,
      ${what}::text || r.id || ${why}::text || count(*) as detail, count(*) over () as total
    from (${referring}) as r
    where r.id is not null and not exists (select from ${sql.table(stageName(target.name))} as s where s.id = r.id)
    group by r.id order by r.id`;
}
