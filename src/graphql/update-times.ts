import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { AccessGrant, RecordKind } from '../database/tables.ts';
import { inSql, type RowScope } from './in-sql.ts';
import { objectRelation } from './relation.ts';

/** The kinds of records that have the time of their last change. Contacts are part of the record that they belong to. */
export type UpdatedKind = Exclude<RecordKind, 'contact'>;

type TimeColumn = 'updated_at' | `${'results' | 'geometry' | 'contact' | 'social'}_updated_at`;

/** The values of a record of a table, without the times of its changes. */
export type ValuesOf<Table> = Omit<Selectable<Table>, TimeColumn>;

interface Times {
  readonly table: string;
  /** The columns with the time of the last change of a part, and the grant with which a package includes the part. */
  readonly parts?: readonly (readonly [column: TimeColumn, grant: AccessGrant])[];
}

const RESULTS = [['results_updated_at', 'results']] as const;
const CONTACTS = [
  ['contact_updated_at', 'contact'],
  ['social_updated_at', 'social'],
] as const;

const TIMES: Readonly<Record<UpdatedKind, Times>> = {
  ballot_measure: { table: 'ballot_measures', parts: RESULTS },
  boundary: { table: 'boundaries', parts: [['geometry_updated_at', 'boundaries']] },
  candidate: { table: 'candidates', parts: RESULTS },
  district: { table: 'districts' },
  election: { table: 'elections' },
  office: { table: 'offices' },
  officeholder: { table: 'officeholders', parts: CONTACTS },
  party: { table: 'parties' },
  person: { table: 'persons', parts: CONTACTS },
  race: { table: 'races' },
};

type Grants = Pick<RowScope, 'isGranted'>;

/**
 * Returns the SQL expression for the time of the last change of a record, among the parts that the caller may see: a
 * change of another part must not be told (migration 0024).
 */
function timeInSql(kind: UpdatedKind, row: string, { isGranted }: Grants): string {
  const { parts = [] } = TIMES[kind];
  const times = parts.flatMap(([column, grant]) => (isGranted(grant) ? [`${row}.${column}`] : []));
  return times.length === 0 ? `${row}.updated_at` : `greatest(${[`${row}.updated_at`, ...times].join(', ')})`;
}

/** Returns the SQL expression for a time as a value of the scalar `DateTime`. */
export function dateTimeInSql(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Returns the options of the field `updatedAt` of records of a kind. */
export function updatedAtOf(kind: UpdatedKind) {
  const { table } = TIMES[kind];
  const text = (scope: Grants) => dateTimeInSql(timeInSql(kind, 'stored', scope));
  const found = objectRelation<{ readonly id: number }, { readonly updated_at: string } | null>({
    name: `${table}.updatedAt`,
    parentKey: { id: 'int' },
    from: ({ id }, scope) =>
      `(select stored.id, ${text(scope)} as updated_at from ${table} stored) ${scope.row} where ${scope.row}.id = ${id}`,
  });
  return {
    resolve: async (parent: { readonly id: number }, _: unknown, context: Parameters<typeof found.load>[0]) =>
      (await found.load(context, parent))?.updated_at ?? null,
    ...inSql((scope) => `(select ${text(scope)} from ${table} stored where stored.id = ${scope.row}.id)`, 'id'),
  };
}

/** The times of the last changes of the records in a list, whose rows have the alias `r`. */
export interface UpdateTimes {
  /** Returns the condition that a record changed after a time. */
  readonly after: (time: string) => RawBuilder<unknown>;
  /** The SQL expression for the time of a row, as a value of the scalar `DateTime`. */
  readonly latest: string;
}

/** Returns the times of a list of records of a kind. */
export function updateTimesOf(kind: UpdatedKind, scope: Grants): UpdateTimes {
  const { table } = TIMES[kind];
  const time = timeInSql(kind, 'stored', scope);
  return {
    after: (since) => sql`exists (
      select from ${sql.table(table)} stored where stored.id = r.id and ${sql.raw(time)} > ${since}::timestamptz)`,
    latest: dateTimeInSql(`max((select ${time} from ${table} stored where stored.id = r.id))`),
  };
}
