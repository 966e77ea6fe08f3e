import { hash } from 'node:crypto';
import { isGrant } from '../../graph/builder/grants.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import { checkSql, SqlRejection } from './sql-check.ts';

/** A query that the operator has stored for the bulk download. */
export interface StoredQuery {
  /** The name of its file, without `.sql`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Grants that a package needs, in addition to `bulk`, to see and run the query. */
  readonly grants: readonly AccessGrant[];
  /** Where the query is listed: queries with a position come first, in its order; the others follow by id. */
  readonly position: number;
  readonly sql: string;
  /** Digest of the SQL: a query with a different text has new files. */
  readonly digest: string;
}

export const QUERY_ID = /^[A-Za-z0-9_-]{1,64}$/;

const FIELDS = ['title', 'description', 'grants', 'position'] as const;
type Field = (typeof FIELDS)[number];

const HEADER_LINE = /^--(?: (?<name>[a-z]+):)?(?<text>.*)$/;

/**
 * Parses a stored query. Its header is the comment at its start, with one `-- name: value` per line; long values
 * continue on the following lines:
 *
 * ```sql
 * -- title: Upcoming elections
 * -- description: Elections from today on,
 * --   by date.
 * -- grants: election_dates
 * select …
 * ```
 * @throws SqlRejection that states what is wrong with the file.
 */
export function parseQueryFile(id: string, text: string): StoredQuery {
  if (!QUERY_ID.test(id)) throw new SqlRejection('its name may hold up to 64 of the characters A-Z a-z 0-9 _ - only');
  const { title, description, grants, position } = readHeader(text);
  if (!title) throw new SqlRejection('its header has no title (-- title: …)');
  if (!description) throw new SqlRejection('its header has no description (-- description: …)');
  const sql = checkSql(text);
  const digest = hash('sha256', sql, 'base64url');
  return { id, title, description, grants: readGrants(grants), position: readPosition(position), sql, digest };
}

function readPosition(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new SqlRejection(`its header has the position "${text}"; it must be a whole number from 1 to 9999`);
}

function readHeader(text: string): Partial<Record<Field, string>> {
  const values: Partial<Record<Field, string>> = {};
  let current: Field | undefined;
  for (const line of text.split(/\r?\n/)) {
    const groups = HEADER_LINE.exec(line)?.groups;
    if (!groups) break;
    const { name, text: value = '' } = groups;
    if (name !== undefined) {
      current = FIELDS.find((field) => field === name);
      if (!current) throw new SqlRejection(`its header has "${name}"; it may have ${FIELDS.join(', ')}`);
      if (values[current] !== undefined) throw new SqlRejection(`its header has "${name}" twice`);
      values[current] = value.trim();
    } else if (current) {
      values[current] = `${values[current]} ${value.trim()}`.trim();
    }
  }
  return values;
}

function readGrants(list = ''): AccessGrant[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      if (!isGrant(name)) throw new SqlRejection(`its header names the grant "${name}", which there is not`);
      return name;
    });
}
