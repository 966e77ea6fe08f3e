import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { columnsOf, dateTimeText, greatest, typed } from '../../store/sql/functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { AccessGrant, DB, RecordKind } from '../../store/sql/tables.ts';
import { leaf } from './leaf.ts';
import { nullableRelation } from './relation.ts';
import type { Grants, Scope } from './scope.ts';

/**
 * The kinds of records that have the time of their last change. Contacts are part of the record that they belong to; election
 * offices have the day of their source.
 */
export type UpdatedKind = Exclude<RecordKind, 'contact' | 'election_office'>;

type Time = Date | null;

/** A table of records. */
interface Times {
  readonly table: UpdatedTable;
  /** The columns with the time of the last change of a part, and the grant with which a package includes the part. */
  readonly parts: readonly (readonly [column: string, grant: AccessGrant])[];
}

/** The tables with the columns `id` and `updated_at`. */
type UpdatedTable = {
  [Table in keyof DB]: DB[Table] extends { id: unknown; updated_at: unknown } ? Table : never;
}[keyof DB];

/** Returns the times of a table whose parts have columns with times of their own. */
function timesOf<Table extends UpdatedTable>(
  table: Table,
  parts: { readonly [Column in keyof DB[Table] & `${string}_updated_at`]: AccessGrant },
): Times {
  return { table, parts: Object.entries<AccessGrant>(parts) };
}

const TIMES: Readonly<Record<UpdatedKind, Times>> = {
  ballot_measure: timesOf('ballot_measures', { results_updated_at: 'results' }),
  boundary: timesOf('boundaries', { geometry_updated_at: 'boundaries' }),
  candidate: timesOf('candidates', { results_updated_at: 'results' }),
  deadline: timesOf('deadlines', {}),
  district: timesOf('districts', {}),
  election: timesOf('elections', {}),
  office: timesOf('offices', {}),
  officeholder: timesOf('officeholders', { contact_updated_at: 'contact', social_updated_at: 'social' }),
  party: timesOf('parties', {}),
  person: timesOf('persons', { contact_updated_at: 'contact', social_updated_at: 'social' }),
  race: timesOf('races', {}),
  voting_place: timesOf('voting_places', {}),
};

/** A table of records, of which only the columns that all of them have are known. */
const storedIn = (kind: UpdatedKind) => query.selectFrom(`${TIMES[kind].table as 'offices'} as stored`);

/**
 * Returns the time of the last change of a record `stored`, among the parts that the caller may see: a change of another
 * part must not be told (migration 0024).
 */
function timeOf(kind: UpdatedKind, { isGranted }: Grants): RawBuilder<Time> {
  const columns = TIMES[kind].parts.flatMap(([column, grant]) => (isGranted(grant) ? [column] : []));
  const column = columnsOf<Readonly<Record<string, Time>>>('stored');
  return greatest([column('updated_at'), ...columns.map((each) => column(each))]);
}

/** Returns the options of the field `updatedAt` of records of a kind. */
export function updatedAtOf(kind: UpdatedKind) {
  const found = nullableRelation({
    name: `${TIMES[kind].table}.updatedAt`,
    key: { id: 'int' },
    rows: ({ id }, scope: Scope) =>
      storedIn(kind)
        .select(['stored.id', dateTimeText(timeOf(kind, scope)).as('updated_at')])
        .where('stored.id', '=', id),
  });
  return {
    resolve: async (parent: { readonly id: number }, _: unknown, context: Parameters<typeof found.load>[0]) =>
      (await found.load(context, parent))?.updated_at ?? null,
    ...leaf<{ readonly id: number }>(
      (column, scope) =>
        storedIn(kind)
          .select(dateTimeText(timeOf(kind, scope)).as('updated_at'))
          .where('stored.id', '=', column('id')),
      'id',
    ),
  };
}

/** The times of the last changes of the records in a list. */
export interface UpdateTimes {
  /** Returns the condition that a record changed after a time. */
  readonly after: (time: string) => Expression<SqlBool>;
  /** The latest time of all rows, as a value of the scalar `DateTime`. */
  readonly latest: ReturnType<typeof dateTimeText>;
}

/**
 * Returns the times of a list of records of a kind.
 * @param id the column of the list with their ids.
 */
export function updateTimesOf(kind: UpdatedKind, id: Expression<number>, grants: Grants): UpdateTimes {
  const time = timeOf(kind, grants);
  const stored = storedIn(kind).where('stored.id', '=', id);
  return {
    after: (since) =>
      sql<SqlBool>`exists ${stored.select('stored.id').where(sql<SqlBool>`${time} > ${typed('timestamptz', since)}`)}`,
    latest: dateTimeText(sql`max(${stored.select(time.as('time'))})`),
  };
}
