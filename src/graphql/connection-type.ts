import type { ObjectRef } from '@pothos/core';
import { type BuilderTypes, builder } from './builder.ts';
import { type Connection, DEFAULT_PAGE, LARGEST_PAGE } from './connection.ts';

const PageInfoObject = builder.objectRef<Connection<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Where a page lies among all pages (Relay cursor connections).',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether something follows this page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether this page was reached by a cursor.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Of the first edge; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Of the last edge: pass it as `after` for the next page. Null on an empty page.',
    }),
  }),
});

/**
 * Defines the connection type of a node type: `<Node>Connection` with `<Node>Edge`. The Relay plugin is not used
 * because these connections only page forward, as keyset pagination does, and describe every element.
 * @param nodes the plural noun for the nodes in descriptions, for example `districts`.
 */
export function connectionType<Node>(
  node: ObjectRef<BuilderTypes, Node>,
  nodes: string,
): ObjectRef<BuilderTypes, Connection<Node>> {
  const edge = builder.objectRef<Connection<Node>['edges'][number]>(`${node.name}Edge`);
  edge.implement({
    description: `One of the ${nodes} on a page, with its place in the order.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Pass it as `after` to go on behind this edge.' }),
      node: t.field({ type: node, description: 'The record itself.', resolve: (parent) => parent.node as never }),
    }),
  });
  const connection = builder.objectRef<Connection<Node>>(`${node.name}Connection`);
  connection.implement({
    description: `A page of ${nodes}, and the way to the next.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: `The ${nodes} of this page, in order.`,
        resolve: (parent) => parent.edges,
      }),
      pageInfo: t.field({
        type: PageInfoObject,
        description: 'Where this page lies.',
        resolve: (parent) => parent.pageInfo,
      }),
      totalCount: t.int({
        description: `How many ${nodes} there are on all pages together. Takes a statement of its own, only when asked.`,
        resolve: (parent) => parent.count(),
      }),
    }),
  });
  return connection;
}

/** Longer than any valid cursor, which contains at most the name of a record. */
const LONGEST_CURSOR = 2_000;

/** The arguments `first` and `after` of a field that returns a connection. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many to answer at most, from 1 to ${LARGEST_PAGE}; ${DEFAULT_PAGE} when left out.`,
  }),
  after: t.string({
    description: 'The cursor to go on behind; from the beginning when left out.',
    extensions: { maxLength: LONGEST_CURSOR },
  }),
}));
