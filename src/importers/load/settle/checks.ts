import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { type Column, type DatasetTable, TABLES, type TableName } from '../../exchange/format.ts';
import { MAX_ERRORS, type ValidationError, type ValidationErrors } from '../../exchange/validation-errors.ts';
import { stageName } from '../stage/staging.ts';

/** The tables that a load supplies, and what happens to existing rows that it does not supply. */
export interface Scope {
  /** Tables that the load supplies, even if it has no rows for them. */
  readonly supplied: ReadonlySet<TableName>;
  /** Tables with rows that could not be read: references to them cannot be checked. */
  readonly unreadable: ReadonlySet<TableName>;
  /** If true, rows of the supplied tables that are not in the load are deleted. */
  readonly replace: boolean;
}

/** A staged row that fails a check. */
export interface Finding extends ValidationError {
  readonly table: TableName;
  /** The line number that identifies the row in its staging table. */
  readonly stageLine: number | null;
  /** The reason with `…` in place of its detail, if it has one. */
  readonly sentence?: string;
  readonly detail?: string;
}

interface Found {
  line: number | null;
  origin: string | null;
  detail: string;
  total: number;
}

/**
 * Runs the checks that need all rows: duplicate keys, dangling references, persons who are in a race twice, and
 * boundaries of a district that are in effect on the same day. Each check is one statement per table.
 * @returns the findings, at most `most` rows per check; all are counted.
 */
export async function findConflicts(
  db: Database,
  scope: Scope,
  most = MAX_ERRORS,
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
        ...(reason(detail) === reason('') ? {} : { sentence: reason('…'), detail }),
      });
    }
  };

  for (const table of TABLES.filter(({ name }) => scope.supplied.has(name))) {
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
      await run(table, 'ocdid', sameOcdid(scope), (other) => `is also the ocdid of district ${other}`);
    }
    if (table.name === 'candidates')
      await run(
        table,
        'person_id',
        samePerson(scope),
        (other) => `${other} already; a candidacy for several parties is one row that lists them in party_ids`,
      );
    if (table.name === 'boundaries')
      await run(table, 'start_date', overlaps(scope), (other) => `the district has ${other}`);
    if (scope.replace)
      for (const [from, column] of referrers(table.name, scope))
        await run(table, null, removed(table, from, column), (detail) => detail);
  }
  return { findings, count };
}

/** Adds findings to the validation errors; `count` is their total number. */
export function addFindings(errors: ValidationErrors, findings: readonly Finding[], count = findings.length): void {
  for (const { file, line, column, reason } of findings) errors.add({ file, line, column, reason });
  errors.countMore(count - findings.length);
}

/** Returns the name of one row of a table, in the terms of its file. */
export function noun(table: TableName): string {
  return NOUNS[table];
}

const NOUNS: Record<TableName, string> = {
  districts: 'district',
  boundaries: 'boundary',
  newer_maps: 'newer map',
  town_points: 'point of a town',
  zip_points: 'point of a ZIP code',
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
  voting_places: 'voting place',
  deadlines: 'deadline',
  district_election_offices: 'election office of a district',
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

/**
 * Returns a condition that finds references to ids that are neither in the load nor in the rows that it leaves in the
 * database.
 */
function dangling(table: DatasetTable, column: Column, target: TableName, scope: Scope): RawBuilder<Found> {
  const stays =
    scope.replace && scope.supplied.has(target)
      ? sql`false`
      : sql`exists (select from ${sql.table(target)} as t where t.id = r.id)`;
  const ids = column.type === 'ids' ? sql`unnest(s.${sql.ref(column.name)})` : sql`(select s.${sql.ref(column.name)})`;
  return sql<Found>`/* import.dangling */
    select s.line, s.origin, r.id::text as detail, count(*) over () as total
    from ${sql.table(stageName(table.name))} as s cross join lateral ${ids} as r (id)
    where r.id is not null
      and not exists (select from ${sql.table(stageName(target))} as t where t.id = r.id)
      and not exists (select from stage_rejected as t where t.kind = ${target} and t.id = r.id)
      and not (${stays})
    order by s.line`;
}

/** Finds districts of one type with the same OCD id. Districts of different types may share one. */
function sameOcdid(scope: Scope): RawBuilder<Found> {
  const remaining = scope.replace
    ? sql`select id, ocdid, type, 0 as line from districts where false`
    : sql`select id, ocdid, type, 0 as line from districts as d
          where not exists (select from stage_districts as s where s.id = d.id)`;
  return sql<Found>`/* import.same-ocdid */
    select s.line, s.origin, min(o.id)::text as detail, count(*) over () as total
    from stage_districts as s
    join (select id, ocdid, type, line from stage_districts union all ${remaining}) as o
      on o.ocdid = s.ocdid and o.type = s.type and o.id <> s.id and o.line < s.line
    group by s.line, s.origin order by s.line`;
}

/** Finds persons who are twice a candidate of one race, which would double votes. */
function samePerson(scope: Scope): RawBuilder<Found> {
  const remaining = scope.replace
    ? sql`select id, race_id, person_id, null::integer, null::text from candidates where false`
    : sql`select id, race_id, person_id, null::integer, null::text from candidates as c
          where not exists (select from stage_candidates as s where s.id = c.id)`;
  return sql<Found>`/* import.same-person */
    select s.line, s.origin,
      'candidate ' || s.id || ': person ' || s.person_id || ' is in race ' || s.race_id || ' as candidate '
        || min(o.id || coalesce(' (' || coalesce(o.origin, 'line ' || o.line) || ')', ' in the database')) as detail,
      count(*) over () as total
    from stage_candidates as s
    join (select id, race_id, person_id, line, origin from stage_candidates union all ${remaining})
      as o (id, race_id, person_id, line, origin)
      on o.race_id = s.race_id and o.person_id = s.person_id and o.id <> s.id
    where o.line is null or o.line < s.line
    group by s.line, s.origin, s.id, s.person_id, s.race_id order by s.line`;
}

/**
 * Finds overlapping boundaries. Two boundaries of a district may share one day: the last day of one and the first day
 * of the other. This is as strict as the table constraint, and stricter for boundaries of one or two days.
 */
function overlaps(scope: Scope): RawBuilder<Found> {
  const remaining = scope.replace
    ? sql`select district_id, start_date, end_date, null::integer, null::text from boundaries where false`
    : sql`select district_id, start_date, end_date, null::integer, null::text from boundaries as b
          where not exists (
            select from stage_boundaries as s where s.district_id = b.district_id and s.start_date = b.start_date)`;
  return sql<Found>`/* import.overlaps */
    select s.line, s.origin,
      min('a boundary from ' || o.start_date || coalesce(' to ' || o.end_date, ' on')
        || coalesce(' (' || coalesce(o.origin, 'line ' || o.line) || ')', ' in the database')) as detail,
      count(*) over () as total
    from stage_boundaries as s
    join (select district_id, start_date, end_date, line, origin from stage_boundaries union all ${remaining})
      as o (district_id, start_date, end_date, line, origin)
      on o.district_id = s.district_id and o.start_date <> s.start_date
      and s.start_date < coalesce(o.end_date, 'infinity') and o.start_date < coalesce(s.end_date, 'infinity')
    where o.line is null or o.line < s.line
    group by s.line, s.origin order by s.line`;
}

/**
 * Returns the tables that the load does not supply, with the columns by which they refer to a table that it replaces.
 */
function referrers(target: TableName, scope: Scope): [from: DatasetTable, column: Column][] {
  return TABLES.filter((table) => !scope.supplied.has(table.name)).flatMap((table) =>
    table.columns
      .filter((column) => column.references === target)
      .map((column): [DatasetTable, Column] => [table, column]),
  );
}

function removed(target: DatasetTable, from: DatasetTable, { name, type, apart }: Column): RawBuilder<Found> {
  const ids = type === 'ids' ? sql`unnest(${sql.ref(name)})` : sql.ref(name);
  const referring = apart
    ? sql`select party_id as id from candidate_parties`
    : sql`select ${ids} as id from ${sql.table(from.name)}`;
  const what = `${noun(target.name)} `;
  const why = ` is not in the file, but ${from.file} was not supplied, and rows in the database refer to the id: `;
  return sql<Found>`/* import.removed */
    select null::integer as line, null::text as origin,
      ${what}::text || r.id || ${why}::text || count(*) as detail, count(*) over () as total
    from (${referring}) as r
    where r.id is not null and not exists (select from ${sql.table(stageName(target.name))} as s where s.id = r.id)
    group by r.id order by r.id`;
}
