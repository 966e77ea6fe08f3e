import { ServiceError } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { type Connection, connectionFrom, LARGEST_PAGE, type Page, readPage } from '../graphql/connection.ts';
import { pageArgs } from '../graphql/connection-type.ts';

const LAST_PAGE = 1_000_000;
const LAST_ORDINAL = LAST_PAGE * LARGEST_PAGE;

/** The arguments of a connection for clients that may also count pages. */
export const numberedPageArgs = builder.args((t) => ({
  first: pageArgs.first,
  after: pageArgs.after,
  page: t.int({
    description: `Page number, as an alternative to \`after\`: from 1 to ${LAST_PAGE}, in pages of \`first\` edges. Pages after the last one are empty.`,
  }),
}));

export interface NumberedPage {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly page?: number | null | undefined;
}

/** A node with its position in the whole list, counted from 1. */
export type Numbered<Node> = Node & { readonly ordinal: number };

/**
 * Returns a connection whose cursors are positions in the list. It is used for lists that clients page through by
 * number and whose record ids a package may hide: cursors can be decoded by any client.
 * @param fetch returns up to `limit` nodes starting at `offset`.
 * @throws ServiceError INVALID_PARAMETER for a page that does not exist.
 */
export async function numberedConnection<Node extends object>(
  requested: NumberedPage,
  fetch: (offset: number, limit: number) => Promise<readonly Node[]>,
  count: () => Promise<number>,
): Promise<Connection<Numbered<Node>>> {
  const read = readNumberedPage(requested);
  const offset = read.after?.[0] ?? 0;
  return connectionFrom(
    read,
    async (limit) => {
      return (await fetch(offset, limit)).map((node, index) => ({ ...node, ordinal: offset + index + 1 }));
    },
    (node) => [node.ordinal] as const,
    count,
  );
}

function readNumberedPage({ first = null, after = null, page = null }: NumberedPage): Page<readonly [number]> {
  const read = readPage({ first, after }, readOrdinal);
  if (page === null) return read;
  if (page < 1 || page > LAST_PAGE)
    throw new ServiceError('INVALID_PARAMETER', `page must be from 1 to ${LAST_PAGE}, not ${page}.`);
  if (after !== null) throw new ServiceError('INVALID_PARAMETER', 'Give after or page, not both.');
  return page === 1 ? read : { ...read, after: [(page - 1) * read.limit] };
}

function readOrdinal(decoded: unknown): readonly [number] | undefined {
  if (!Array.isArray(decoded) || decoded.length !== 1) return undefined;
  const ordinal: unknown = decoded[0];
  return typeof ordinal === 'number' && Number.isInteger(ordinal) && ordinal >= 0 && ordinal <= LAST_ORDINAL
    ? [ordinal]
    : undefined;
}
