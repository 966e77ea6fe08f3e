import { ServiceError } from '../errors.ts';

/** The page requested by a connection's `first` and `after`. */
export interface Page<Position> {
  readonly limit: number;
  readonly after: Position | undefined;
}

export interface Connection<Node> {
  /** Returns the number of nodes on all pages. Called only if `totalCount` is selected. */
  readonly count: () => Promise<number>;
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export const DEFAULT_PAGE = 25;
export const LARGEST_PAGE = 100;

/**
 * Reads `first` and `after`.
 * @param readPosition converts the decoded cursor into a position; returns undefined if it is not one.
 * @throws ServiceError if the page size is out of range, or the cursor was not issued by this connection.
 */
export function readPage<Position>(
  args: { readonly first?: number | null; readonly after?: string | null },
  readPosition: (decoded: unknown) => Position | undefined,
): Page<Position> {
  const limit = args.first ?? DEFAULT_PAGE;
  if (limit < 1 || limit > LARGEST_PAGE)
    throw new ServiceError('INVALID_PARAMETER', `first must be from 1 to ${LARGEST_PAGE}, not ${limit}.`);
  if (args.after == null) return { limit, after: undefined };
  const after = readPosition(decodeCursor(args.after));
  if (after === undefined)
    throw new ServiceError('INVALID_PARAMETER', 'after must be a cursor that this connection returned.');
  return { limit, after };
}

/**
 * Returns a page as a Relay connection. It uses keyset pagination: a cursor is the position of its node in the sort
 * order, so every page costs the same.
 * @param fetch returns up to `limit` nodes after the position `after`; called with one more than the page size.
 * @param count returns the number of nodes on all pages.
 */
export async function connectionOf<Node, Position extends readonly unknown[]>(
  page: Page<Position>,
  fetch: (after: Position | undefined, limit: number) => Promise<readonly Node[]>,
  positionOf: (node: Node) => Position,
  count: () => Promise<number>,
): Promise<Connection<Node>> {
  const found = await fetch(page.after, page.limit + 1);
  const edges = found.slice(0, page.limit).map((node) => ({ cursor: encodeCursor(positionOf(node)), node }));
  return {
    count,
    edges,
    pageInfo: {
      hasNextPage: found.length > page.limit,
      hasPreviousPage: page.after !== undefined,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Returns whether a part of a decoded cursor is a valid id: PostgreSQL fails on integers of more than 32 bits. */
export function isCursorId(part: unknown): part is number {
  return typeof part === 'number' && (part | 0) === part;
}

/** Returns whether a part of a decoded cursor is valid PostgreSQL text: no NUL and no lone surrogates. */
export function isCursorText(part: unknown): part is string {
  return typeof part === 'string' && !part.includes('\0') && part.isWellFormed();
}

function encodeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
