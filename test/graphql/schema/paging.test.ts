import fc from 'fast-check';
import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../../src/graph/schema.ts';
import { useDatabase } from '../../support/database.ts';
import { VOTE } from '../../support/election-world.ts';
import { contextOf, prepare } from '../../support/graph.ts';
import { createRichWorld } from '../../support/rich-world.ts';
import { insert } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createRichWorld(database.db);
  // Eight districts within two, for the connections of a district.
  const ids = Array.from({ length: 10 }, (_, index) => 8_000 + index);
  await insert(
    database.db,
    'districts',
    ids.map((id) => ({ id, type: 'Special District' as const, name: `Square ${id % 3}` })),
  );
  for (const [index, id] of ids.entries()) {
    const corners = index === 0 ? [0, 0, 9, 9] : index === 9 ? [0, 0, 20, 20] : [index, index, index + 1, index + 1];
    await sql`
      with made as (
        insert into boundaries (district_id, start_date, precise, geometry, digest)
        select ${id}, '2000-01-01', true, ST_Multi(ST_MakeEnvelope(${sql.join(corners)}, 4326)), ${`square ${id}`}
        returning id, geometry)
      insert into boundary_pieces (boundary_id, geometry) select id, (ST_Dump(geometry)).geom from made`.execute(
      database.db,
    );
  }
});

const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);

/** Executes a query with the planner and with the resolvers alone, which return the same. */
async function run(query: string): Promise<Record<string, unknown>> {
  const results = [planned, resolved].map(async (execute) => {
    const result = await execute({ prepared: prepare(query), contextValue: contextOf(database.db) });
    const { data, errors } = JSON.parse(JSON.stringify(result));
    expect(errors, query).toBeUndefined();
    return JSON.stringify(data);
  });
  const [one, other] = await Promise.all(results);
  expect(one).toBe(other);
  return JSON.parse(one as string);
}

/** A connection: its field on the way from the root, the arguments that it needs, and the type. */
interface Connected {
  readonly path: string;
  readonly args: string;
  readonly type: GraphQLObjectType;
}

/** The fields with a connection, with the arguments that they need. */
const NEEDED: Readonly<Record<string, string>> = {
  stateBallot: `state: "AA", electionDate: "${VOTE.date2024}"`,
  contains: '',
  containedIn: 'minimumShare: 0.001',
  results: 'by: PRECINCT',
};
/** The object with the connection, for one that is no root field. */
const PARENTS: Readonly<Record<string, string>> = {
  contains: 'district(databaseId: 8000)',
  containedIn: 'district(databaseId: 8001)',
  votingPlaces: `election(databaseId: ${VOTE.alpha2024})`,
  results: `race(databaseId: ${VOTE.regularFirst})`,
};

/** Every field of the schema that returns a connection. */
const connections: Connected[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((parent) =>
    Object.values(parent.getFields()).flatMap(({ name, type }) => {
      const named = getNamedType(type);
      if (!named.name.endsWith('Connection')) return [];
      const path = parent.name === 'Query' ? name : `${PARENTS[name]} { ${name}`;
      return [{ path, args: NEEDED[name] ?? '', type: named as GraphQLObjectType }];
    }),
  );

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly object[];
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

async function pageOf({ path, args }: Connected, window: string, node = '__typename'): Promise<Page> {
  const given = [args, window].filter((text) => text !== '').join(', ');
  const selection = `{ totalCount nodes { ${node} } edges { cursor node { ${node} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const isBelow = path.includes('{');
  const data = await run(`{ ${path}${given && `(${given})`} ${selection} ${isBelow ? '}' : ''} }`);
  const [root] = Object.values(data) as [Page];
  return isBelow ? (Object.values(root)[0] as Page) : root;
}

interface Window {
  readonly size: number | undefined;
  readonly isBackward: boolean;
  /** The places of the edges of the cursors in the list. */
  readonly after: number | undefined;
  readonly before: number | undefined;
}

const DEFAULT_PAGE = 25;

/** The algorithm of the Relay specification, on a list that is in memory. */
function relayPage(all: readonly string[], { size, isBackward, after, before }: Window) {
  const first = isBackward ? undefined : (size ?? DEFAULT_PAGE);
  const last = isBackward ? size : undefined;
  let edges = all.filter(
    (_, place) => (after === undefined || place > after) && (before === undefined || place < before),
  );
  const inRange = edges.length;
  if (first !== undefined) edges = edges.slice(0, first);
  if (last !== undefined) edges = edges.slice(Math.max(0, edges.length - last));
  return {
    cursors: edges,
    pageInfo: {
      hasNextPage: first === undefined ? before !== undefined : inRange > first,
      hasPreviousPage: last === undefined ? after !== undefined : inRange > last,
      startCursor: edges.at(0) ?? null,
      endCursor: edges.at(-1) ?? null,
    },
  };
}

describe.each(connections.map((each) => [each.path, each] as const))('the pages of %s', (_, connected) => {
  it('are those of the Relay specification, for any cursors', async () => {
    const all = (await pageOf(connected, 'first: 100')).edges.map(({ cursor }) => cursor);
    expect(all.length).toBeGreaterThan(1);
    const place = fc.option(fc.nat(all.length - 1), { nil: undefined });
    const window = fc.record({ isBackward: fc.boolean(), size: fc.nat(all.length + 1), after: place, before: place });
    await fc.assert(
      fc.asyncProperty(window, fc.boolean(), async ({ size, ...given }, isDefault) => {
        const asked: Window = { ...given, size: isDefault && !given.isBackward ? undefined : size };
        const cursor = (name: 'after' | 'before') => {
          const at = asked[name];
          return at === undefined ? [] : [`${name}: "${all[at]}"`];
        };
        const sizes = asked.size === undefined ? [] : [`${asked.isBackward ? 'last' : 'first'}: ${asked.size}`];
        const page = await pageOf(connected, [...sizes, ...cursor('after'), ...cursor('before')].join(', '));
        const { cursors, pageInfo } = relayPage(all, asked);
        expect(page.edges.map((edge) => edge.cursor)).toEqual(cursors);
        expect(page.pageInfo).toEqual(pageInfo);
        expect(page.totalCount).toBe(all.length);
        expect(page.nodes).toHaveLength(cursors.length);
      }),
      { numRuns: 25, seed: 20 },
    );
  });

  it.each([false, true])('between two cursors end (backward: %s)', async (isBackward) => {
    const all = (await pageOf(connected, 'first: 100')).edges.map(({ cursor }) => cursor);
    const [near, far, size] = isBackward
      ? (['before', 'after', 'last'] as const)
      : (['after', 'before', 'first'] as const);
    const end = isBackward ? all[0] : all.at(-1);
    const found: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const bound: string = cursor === null ? '' : `, ${near}: "${cursor}"`;
      const { edges, pageInfo }: Page = await pageOf(connected, `${size}: 1, ${far}: "${end}"${bound}`);
      for (const edge of edges) found.push(edge.cursor);
      expect(found.length).toBeLessThanOrEqual(all.length);
      if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) break;
      cursor = isBackward ? pageInfo.startCursor : pageInfo.endCursor;
    }
    expect(found).toEqual(isBackward ? all.slice(1).reverse() : all.slice(0, -1));
  });

  it('start at the start with an empty cursor, and are empty with the size 0', async () => {
    const start = await pageOf(connected, 'first: 2');
    expect(await pageOf(connected, 'first: 2, after: "", before: ""')).toEqual(start);
    for (const size of ['first', 'last']) {
      const empty = await pageOf(connected, `${size}: 0`);
      expect(empty).toMatchObject({ nodes: [], edges: [], totalCount: start.totalCount });
      expect(empty.pageInfo).toEqual({
        ...{ hasNextPage: size === 'first', hasPreviousPage: size === 'last' },
        ...{ startCursor: null, endCursor: null },
      });
    }
  });

  it('have the nodes of their edges, with all that a node has', async () => {
    const type = getNamedType(connected.type.getFields().nodes?.type) as GraphQLObjectType;
    const leaves = fieldsOf(type).filter((field) => isLeafType(getNamedType(field.type)));
    const below = fieldsOf(type).flatMap((field) => {
      const named = getNamedType(field.type);
      if (!isObjectType(named) || named.name.endsWith('Connection')) return [];
      const inner = fieldsOf(named).filter((each) => isLeafType(getNamedType(each.type)));
      return [`${field.name} { ${inner.map(({ name }) => name).join(' ')} }`];
    });
    const all = leaves.map(({ name }) => name).join(' ');
    for (const selection of ['__typename', all, ...below, [all, ...below].join(' ')]) {
      for (const window of ['first: 100', 'last: 2', 'first: 0']) {
        const { nodes, edges } = await pageOf(connected, window, selection);
        expect(nodes).toEqual(edges.map(({ node }) => node));
      }
    }
  });
});

function fieldsOf(type: GraphQLObjectType) {
  return Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
}
