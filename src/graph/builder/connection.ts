import { ServiceError } from '../../base/errors.ts';

/** The arguments of a connection: `first` edges after or before a cursor, or the `last` ones. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  /** Instead of a cursor: the number of the page, from 1, of connections with that argument. */
  readonly page?: number | null | undefined;
}

/** The page requested by these arguments. */
export interface Page<Position> {
  readonly limit: number;
  readonly after: Position | undefined;
  readonly before: Position | undefined;
  /** Whether the page is the end of its range (`last`), not the start. */
  readonly isBackward: boolean;
  /** The number of nodes to skip, for a page requested by its number. */
  readonly offset: number;
}

export interface Connection<Node> {
  /** Returns the number of nodes on all pages. Called only if `totalCount` is selected. */
  readonly count: () => Promise<number>;
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  /** The nodes of the edges, in the same order. */
  readonly nodes: readonly Node[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export const DEFAULT_PAGE = 25;
export const LARGEST_PAGE = 100;
/** The greatest number of a page. */
export const LAST_PAGE = 1_000_000;

/**
 * Returns the maximum length of a list that is no connection; null if it is not limited.
 * @throws ServiceError INVALID_PARAMETER if it is out of range.
 */
export function readLimit(first: number | null | undefined): number | null {
  return first == null ? null : checkedSize('first', first);
}

function checkedSize(name: string, size: number): number {
  if (size >= 0 && size <= LARGEST_PAGE) return size;
  throw new ServiceError('INVALID_PARAMETER', `${name} must be from 0 to ${LARGEST_PAGE}, not ${size}.`);
}

/**
 * Reads the arguments of a connection. An empty cursor counts as missing: clients send one for the first page.
 * @param readPosition converts a decoded cursor into a position; returns undefined if it is not one.
 * @throws ServiceError if the page size or the page number is out of range, or a cursor was not issued by this
 * connection.
 */
export function readPage<Position>(
  { first, last, page, ...cursors }: PageArgs,
  readPosition: (decoded: unknown) => Position | undefined,
): Page<Position> {
  const [after, before] = [cursors.after || null, cursors.before || null];
  if (first != null && last != null) throw new ServiceError('INVALID_PARAMETER', 'Give first or last, not both.');
  const isBackward = last != null;
  const limit = isBackward ? checkedSize('last', last) : checkedSize('first', first ?? DEFAULT_PAGE);
  const offset = page == null ? 0 : (checkedNumber(page, { after, last, before }) - 1) * limit;
  const readCursor = (name: string, cursor: string | null) => {
    if (cursor === null) return undefined;
    const position = readPosition(decodeCursor(cursor));
    if (position !== undefined) return position;
    throw new ServiceError('INVALID_PARAMETER', `${name} must be a cursor that this connection returned.`);
  };
  return { limit, isBackward, after: readCursor('after', after), before: readCursor('before', before), offset };
}

function checkedNumber(page: number, others: Omit<PageArgs, 'page' | 'first'>): number {
  if (page < 1 || page > LAST_PAGE)
    throw new ServiceError('INVALID_PARAMETER', `page must be from 1 to ${LAST_PAGE}, not ${page}.`);
  const [other] = Object.entries(others).find(([, value]) => value != null) ?? [];
  if (other) throw new ServiceError('INVALID_PARAMETER', `Give ${other} or page, not both.`);
  return page;
}

/**
 * Returns a page as a Relay connection. In the direction of the page, whether more edges follow is counted; in the other
 * direction, the edge of the cursor or of an earlier page is taken to exist (Relay, HasNextPage and HasPreviousPage).
 * @param fetch returns up to `limit` nodes of the page in list order; called with one more than the page size.
 * @param positionOf returns the position of a node, which its cursor contains.
 * @param count returns the number of nodes on all pages.
 */
export async function connectionFrom<Node, Position extends readonly unknown[]>(
  page: Page<Position>,
  fetch: (limit: number) => Promise<readonly Node[]>,
  positionOf: (node: Node) => Position,
  count: () => Promise<number>,
): Promise<Connection<Node>> {
  const { limit, isBackward, after, before, offset } = page;
  const found = await fetch(limit + 1);
  const hasMore = found.length > limit;
  const nodes = isBackward ? found.slice(Math.max(found.length - limit, 0)) : found.slice(0, limit);
  const edges = nodes.map((node) => ({ cursor: encodeCursor(positionOf(node)), node }));
  return {
    count,
    edges,
    nodes,
    pageInfo: {
      hasNextPage: isBackward ? before !== undefined : hasMore,
      hasPreviousPage: isBackward ? hasMore : after !== undefined || offset > 0,
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
