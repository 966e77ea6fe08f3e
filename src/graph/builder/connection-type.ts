import type { FieldRef, ObjectRef } from '@pothos/core';
import { type BuilderTypes, builder } from './builder.ts';
import { type Connection, DEFAULT_PAGE, LARGEST_PAGE, LAST_PAGE } from './connection.ts';
import type { ArgumentCosts } from './field-costs.ts';
import type { RecordConnection } from './keyset.ts';
import type { PlannedRows } from './relation.ts';

const PageInfoObject = builder.objectRef<Connection<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Position of a page in its list (Relay cursor connections).',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description:
        'Whether more edges follow this page, up to `before` if it is given. For a page requested with `last`: true with `before`, whose edge follows, and false without it.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description:
        'Whether more edges precede this page. For a page requested with `last`: from `after` on if it is given. For any other page: true with `after`, whose edge precedes it, or with a page number above 1, and false without both.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'Cursor of the first edge: pass it as `before` to get the previous page. Null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'Cursor of the last edge: pass it as `after` to get the next page. Null on an empty page.',
    }),
  }),
});

/** The costs of what connections compute from their whole lists (see `FieldCosts.wholeListCost`). */
interface ListCosts {
  readonly totalCount: number;
  readonly updatedAt: number;
}

const USUAL_COSTS: ListCosts = { totalCount: 1_000, updatedAt: 8_000 };

/**
 * Defines the connection type of a node type: `<Node>Connection` with `<Node>Edge`. The Relay plugin is not used
 * because here every element has a description.
 * @param nodes the plural noun for the nodes in descriptions, for example `districts`.
 * @param nodeRows how the query planner finds a node by its row: the nodes of a page are then read in one statement, not
 * in one for each of their relations.
 */
export function connectionType<Node>(
  node: ObjectRef<BuilderTypes, Node>,
  nodes: string,
  nodeRows: PlannedRows,
  costs: Pick<ListCosts, 'totalCount'> = USUAL_COSTS,
): ObjectRef<BuilderTypes, Connection<Node>> {
  return connectionWithEdges(node, nodes, nodeRows, node.name, () => ({}), costs);
}

type Edge<Node> = Connection<Node>['edges'][number];
type EdgeFields<Row> = (
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Edge<Row>>,
) => Readonly<Record<string, FieldRef<BuilderTypes>>>;

/**
 * Defines a connection type as `connectionType` does, whose edges have further fields.
 * @param name the beginning of the names of both types.
 */
export function connectionWithEdges<Node, Row extends Node>(
  node: ObjectRef<BuilderTypes, Node>,
  nodes: string,
  nodeRows: PlannedRows,
  name: string,
  edgeFields: EdgeFields<Row>,
  costs: Pick<ListCosts, 'totalCount'> = USUAL_COSTS,
): ObjectRef<BuilderTypes, Connection<Row>> {
  const edge = builder.objectRef<Edge<Row>>(`${name}Edge`);
  edge.implement({
    description: `One of the ${nodes} on a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'Cursor of this edge: pass it as `after` to continue after it, or as `before` to end before it.',
      }),
      node: t.field({
        type: node,
        description: 'The record itself.',
        extensions: { relation: { ...nodeRows, keyMember: 'node' } },
        resolve: (parent) => parent.node as never,
      }),
      ...edgeFields(t),
    }),
  });
  const connection = builder.objectRef<Connection<Row>>(`${name}Connection`);
  connection.implement({
    description: `One page of ${nodes}, with cursors for paging.`,
    fields: (t) => ({
      // The size of the page counts for the connection.
      edges: t.field({
        listLength: 1,
        type: [edge],
        description: `The ${nodes} on this page, in list order.`,
        resolve: (parent) => parent.edges,
      }),
      nodes: t.field({
        listLength: 1,
        type: [node],
        description: `The ${nodes} on this page, without their edges: the same records as \`edges { node }\`, in the same order.`,
        extensions: { relation: { ...nodeRows, keyMember: 'nodes' } },
        resolve: (parent) => parent.nodes as never,
      }),
      pageInfo: t.field({
        type: PageInfoObject,
        description: 'The cursors of this page, and whether more edges follow.',
        resolve: (parent) => parent.pageInfo,
      }),
      totalCount: t.int({
        wholeListCost: costs.totalCount,
        description: `Total number of ${nodes} on all pages. Computed by a separate query only when selected.`,
        resolve: (parent) => parent.count(),
      }),
    }),
  });
  return connection;
}

/**
 * Defines the connection type of records, with the time of the latest change.
 * @param nodes the plural noun for the records in descriptions.
 * @param costs higher for lists whose statements join their tables with others.
 */
export function recordConnectionType<Node>(
  node: ObjectRef<BuilderTypes, Node>,
  nodes: string,
  nodeRows: PlannedRows,
  costs: ListCosts = USUAL_COSTS,
): ObjectRef<BuilderTypes, RecordConnection<Node>> {
  const connection = connectionType(node, nodes, nodeRows, costs) as ObjectRef<BuilderTypes, RecordConnection<Node>>;
  builder.objectField(connection, 'updatedAt', (t) =>
    t.field({
      wholeListCost: costs.updatedAt,
      type: 'DateTime',
      nullable: true,
      description: `Time of the latest change of the ${nodes} on all pages; null if there are none. Computed by a separate query only when selected. Read it with the first page and pass it as \`updatedSince\` to the next request for changes: then no change is missed, not even one that an import makes between two pages.`,
      resolve: (parent) => parent.updatedAt(),
    }),
  );
  return connection;
}

/** Longer than any valid cursor, which contains at most the name of a record. */
const LONGEST_CURSOR = 2_000;

const cursorLimit = { maxLength: LONGEST_CURSOR };

/** The arguments of a field that returns a connection. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `Maximum number of edges to return, from 0 to ${LARGEST_PAGE}; ${DEFAULT_PAGE} by default. With 0 the page is empty.`,
  }),
  after: t.string({
    description: 'Return edges after this cursor; from the start of the list by default, or if it is empty.',
    extensions: cursorLimit,
  }),
  last: t.int({
    description: `Instead of \`first\`: maximum number of edges to return, from 0 to ${LARGEST_PAGE}, from the end of the list or before \`before\`.`,
  }),
  before: t.string({
    description: 'Return edges before this cursor; to the end of the list by default, or if it is empty.',
    extensions: cursorLimit,
  }),
}));

/** The arguments of a connection that clients may also page through by number. */
export const numberedPageArgs = builder.args((t) => ({
  ...pageArgs,
  page: t.int({
    description: `Page number, as an alternative to cursors: from 1 to ${LAST_PAGE}, in pages of \`first\` edges. Pages after the last one are empty. An import between two pages shifts their records; cursors do not.`,
  }),
}));

/** The argument for the changes since an earlier request. */
export const updatedSinceArg = builder.args((t) => ({
  updatedSince: t.field({
    type: 'DateTime',
    description:
      'Only records whose `updatedAt` is later than this time; all by default. Removed records are not returned.',
    // The times of all records are compared.
    extensions: { computation: 6_000 } satisfies ArgumentCosts,
  }),
}));

/** The arguments of a field that returns a connection of records. */
export const recordPageArgs = { ...pageArgs, ...updatedSinceArg };
