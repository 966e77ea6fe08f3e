import { hash } from 'node:crypto';
import { globalIdOf, hashOfLines } from '../../store/sql/functions.ts';
import { leaf } from './leaf.ts';

/** The type and the key of an object within its type. */
export interface TypeAndKey {
  readonly type: string;
  readonly key: string;
}

/**
 * Returns the global id of an object: `Type:key` in base64url. For a record the key is its number in the database, for
 * other objects a hash of what they consist of. Keys are ASCII and at most 40 characters long.
 */
export function globalId(type: string, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** Returns the type and key of a global id; undefined for any other text. */
export function readGlobalId(id: string): TypeAndKey | undefined {
  const [type = '', ...rest] = Buffer.from(id, 'base64url').toString().split(':');
  const key = rest.join(':');
  return rest.length > 0 && globalId(type, key) === id ? { type, key } : undefined;
}

/** Describes the field `id` of a record. */
export const RECORD_ID =
  'Global ID: unique across all types, opaque, and stable across imports. `node` finds the record by it.';

/** Returns the options of the field `id` of a record whose number is in the column `id`. */
export function recordId(type: string) {
  return {
    description: RECORD_ID,
    resolve: ({ id }: { readonly id: number }) => globalId(type, id),
    ...leaf<{ readonly id: number }>((column) => globalIdOf(type, column('id')), 'id'),
  };
}

/** Describes the field `databaseId` of a record. */
export const DATABASE_ID =
  'The number of the record, which REST returns as `id`: unique within its type, and stable across imports.';

type HashedValue = string | number | boolean | readonly number[] | null | undefined;

/**
 * Returns the options of the field `id` of an object that is not a record: a hash of what it consists of, so that equal
 * objects have the same id, and different ones different ids, whichever way they were found.
 * @param what names the content in the description.
 * @param columns the columns with the content: text, days, integers, lists of integers, and Booleans.
 */
export function contentId<Column extends string>(type: string, what: string, columns: readonly Column[]) {
  return {
    description: `Global ID: a hash of ${what}. It identifies the object in a client's cache; \`node\` does not find it, as it changes together with the data.`,
    resolve: (row: { readonly [Each in Column]: HashedValue }) =>
      globalId(type, hash('md5', columns.map((column) => asText(row[column])).join('\n'))),
    ...leaf<{ readonly [Each in Column]: HashedValue }>((column) =>
      globalIdOf(type, hashOfLines(columns.map((each) => column(each)))),
    ),
  };
}

/** Returns a value as PostgreSQL converts it to text; an empty text for null. */
function asText(value: HashedValue): string {
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value ?? '');
}
