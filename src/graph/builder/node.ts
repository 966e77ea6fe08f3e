import type { ObjectRef } from '@pothos/core';
import { ServiceError } from '../../base/errors.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import { type BuilderTypes, builder, requireGrants } from './builder.ts';
import type { Context } from './context.ts';
import { readGlobalId } from './global-id.ts';
import { checkListLength } from './list-length.ts';
import { isGranted } from './required-grants.ts';

/** Maximum number of ids in one request. */
export const MOST_NODES = 100;

export const NodeInterface = builder.interfaceRef<object>('Node').implement({
  description:
    'An object that `node` and `nodes` find by its ID. Its values are the same whichever way it was found, so that a client may keep it in a cache under its ID.',
  fields: (t) => ({
    id: t.id({
      description:
        'Global ID: unique across all types. The ID of a record is opaque and stable across imports: base64url of the type, a colon and a key. Do not take it apart; keys may change their form.',
    }),
  }),
});

interface NodeType {
  /** The grants of which the caller needs one; every caller may see the type if omitted. */
  readonly grants?: readonly AccessGrant[];
  /** Finds an object by the key in its global id, of which any client may have made up the text. */
  readonly find: (context: Context, key: string) => Promise<object | null> | object | null;
  /** For records: returns the record with a number in the database. */
  readonly load?: (context: Context, databaseId: number) => Promise<object | null>;
}

const nodeTypes = new Map<string, NodeType>();

/** Makes the objects of a type available by their global ids. */
export function defineNode(type: string, nodeType: NodeType): void {
  nodeTypes.set(type, nodeType);
}

export interface RecordOptions<Row> {
  /** The grants of which the caller needs one. */
  readonly grants: readonly [AccessGrant, ...AccessGrant[]];
  /** Returns the record with a number in the database; null if there is none. */
  readonly load: (context: Context, databaseId: number) => Promise<Row | null>;
  /** Returns the record with the key in its global id; needed only if the key is not the number in the database. */
  readonly find?: (context: Context, key: string) => Promise<Row | null>;
}

export interface RecordIds {
  readonly id?: string | number | null | undefined;
  readonly databaseId?: number | null | undefined;
}

/** The options of the ids of a record as arguments, and as members of the argument `by`. */
export const GLOBAL_ID = { description: 'The global ID, as returned in `id`.' };
export const NUMBER = { description: 'The number, as returned in `databaseId` and by REST.' };

/** The description of the argument `by`. */
export const BY =
  'Exactly one identifier, in place of the other arguments: by its type, editors and generated clients know that it is one.';

const RecordByInput = builder.inputType('RecordBy', {
  isOneOf: true,
  description: 'One of the ids of a record.',
  fields: (t) => ({ id: t.id(GLOBAL_ID), databaseId: t.int(NUMBER) }),
});

/**
 * Returns the one identifier that was given, as an argument of its own or in `by`.
 * @param names those of the arguments.
 */
export function oneIdentifier<Ids extends object>(
  field: string,
  names: readonly string[],
  { by, ...own }: Ids & { readonly by?: Ids | null | undefined },
): Omit<Ids, 'by'> {
  if (Object.values({ ...own, by }).filter((given) => given != null).length === 1) return by ?? own;
  const listed = new Intl.ListFormat('en-GB').format(['by', ...names]);
  throw new ServiceError('INVALID_PARAMETER', `${field} takes exactly one of ${listed}.`);
}

/**
 * Makes the records of a type available by their global ids.
 * @returns the options of the root field that returns one record, by exactly one of `id`, `databaseId` and `by`.
 */
export function defineRecord<Row extends object>(
  type: ObjectRef<BuilderTypes, Row>,
  { grants, load, find = (context, key) => loadByText(load, context, key) }: RecordOptions<Row>,
) {
  defineNode(type.name, { grants, find, load });
  const field = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
  return {
    ...requireGrants(...grants),
    caching: 'whole' as const,
    args: builder.args((t) => ({
      by: t.field({ type: RecordByInput, description: BY }),
      id: t.id(GLOBAL_ID),
      databaseId: t.int(NUMBER),
    })),
    async resolve(_: unknown, ids: RecordIds & { by?: RecordIds | null }, context: Context): Promise<Row | null> {
      const { id, databaseId } = oneIdentifier(field, ['id', 'databaseId'], ids);
      if (databaseId != null) return load(context, databaseId);
      return find(context, readKey(type.name, String(id)));
    },
  };
}

/**
 * Returns the key in the global id of a type.
 * @throws ServiceError INVALID_PARAMETER if it is not the id of an object of this type.
 */
function readKey(type: string, id: string, argument = 'id'): string {
  const read = readGlobalId(id);
  if (read?.type === type) return read.key;
  throw invalidId(
    read && nodeTypes.has(read.type)
      ? `must be the global ID of an object of the type ${type}, and this is one of the type ${read.type}`
      : `must be a global ID, as the field id of ${type} returns it${isNumber(id) ? `; the number ${id} is a databaseId` : ''}`,
    argument,
  );
}

/**
 * Returns the number of a record by its global id in an argument; 0, which no record has, for a key that is no number.
 * @throws ServiceError INVALID_PARAMETER if it is not the id of a record of this type.
 */
export function readRecordKey(type: string, id: string, argument: string): number {
  return toNumber(readKey(type, id, argument)) ?? 0;
}

function invalidId(reason: string, argument = 'id'): ServiceError {
  return new ServiceError('INVALID_PARAMETER', `${argument} ${reason}.`, [{ name: argument, reason }]);
}

function isNumber(id: string): boolean {
  return /^-?\d+$/.test(id);
}

/** Loads a record by a text; null if the text is not a 32-bit integer in its usual form. */
async function loadByText<Row>(load: RecordOptions<Row>['load'], context: Context, key: string): Promise<Row | null> {
  const id = toNumber(key);
  return id === undefined ? null : load(context, id);
}

/** Returns a 32-bit integer in its usual form; undefined for any other text. */
function toNumber(key: string): number | undefined {
  const number = Number(key) | 0;
  return String(number) === key ? number : undefined;
}

async function findNode(context: Context, id: string): Promise<object | null> {
  if (isNumber(id)) {
    const reason = `must be a global ID; for the number ${id} use the field of the type, for example district(databaseId: ${id})`;
    throw invalidId(reason);
  }
  const { type = '', key = '' } = readGlobalId(id) ?? {};
  const found = await visibleType(context, type)?.find(context, key);
  return found ? { ...found, __typename: type } : null;
}

/** Returns a type, if there is one with this name that the caller may see. */
function visibleType(context: Context, name: string): NodeType | undefined {
  const type = nodeTypes.get(name);
  return type?.grants && !isGranted(context, type.grants) ? undefined : type;
}

/** Returns whether the caller may see the objects of a type. */
export function isNodeVisible(context: Context, type: string): boolean {
  return visibleType(context, type) !== undefined;
}

/** Returns the record of a type with a number in the database, as the value of a field of the type `Node`. */
export async function loadNode(context: Context, type: string, databaseId: number): Promise<object | null> {
  const found = await visibleType(context, type)?.load?.(context, databaseId);
  return found ? { ...found, __typename: type } : null;
}

/**
 * Finds one object for each of a list of keys. A key that is rejected is null with an error at its own place: the others
 * are found.
 */
export function findEach<Key>(keys: readonly Key[], find: (key: Key) => Promise<object | null>) {
  return keys.map((key) =>
    find(key).catch((error: unknown) => {
      // The executor takes an error in a list for that of one element.
      if (error instanceof ServiceError) return error;
      throw error;
    }),
  );
}

/** The options and the description of the grants of a field that returns objects of any type. */
export const GRANTS_OF_NODES = ['districts', 'officeholders', 'election_dates', 'elections'] as const;
export const NODE_GRANTS = requireGrants(...GRANTS_OF_NODES);
export const SAME_GRANTS =
  'Each type requires the same grants as the field that returns one object of it: an object of a type that the package does not include is null, as if it did not exist.';

builder.queryFields((t) => ({
  node: t.field({
    caching: 'never',
    personal: 'id of a point',
    type: NodeInterface,
    description: `One object by its global ID; null if there is none. ${SAME_GRANTS}`,
    ...NODE_GRANTS,
    args: { id: t.arg.id({ required: true, description: 'The global ID, as returned in `id`.' }) },
    resolve: (_, { id }, context) => findNode(context, String(id)),
  }),
  nodes: t.field({
    caching: 'never',
    personal: 'id of a point',
    type: t.listRef(NodeInterface, { nullable: true }),
    description: `Up to ${MOST_NODES} objects by their global IDs, in input order; null for each ID without an object, and null with an error for each number, which is no global ID. Those of one type are read in one SQL statement. ${SAME_GRANTS}`,
    ...NODE_GRANTS,
    args: { ids: t.arg.idList({ required: true, description: 'The global IDs, in any order, of any types.' }) },
    resolve: (_, { ids }, context) => {
      checkListLength('nodes', 'ids', ids, MOST_NODES);
      return findEach(ids, (id) => findNode(context, String(id)));
    },
  }),
}));
