import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { isLeafValue } from './graphql-leaves.ts';
import { type SelectionSource, selectedFields } from './graphql-selection.ts';

export interface GraphQLRequest {
  /** The text of the document; undefined if unknown, as for a persisted document that was registered elsewhere. */
  readonly query?: string | undefined;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The maximum number of violations reported. */
const MOST_VIOLATIONS = 20;

/**
 * Returns how a GraphQL response violates the GraphQL specification or the schema: the members of the response, the
 * form of its errors, and each response key, list, null, enum and scalar of the data.
 */
export function graphqlViolations(schema: GraphQLSchema, request: GraphQLRequest, response: unknown): string[] {
  if (!isRecord(response)) return [`the response is no object but ${excerpt(response)}`];
  const found = Object.keys(response)
    .filter((name) => !['data', 'errors', 'extensions'].includes(name))
    .map((name) => `the response has the member ${name}`);
  const { data, errors, extensions } = response;
  if ('extensions' in response && !isRecord(extensions)) found.push('extensions is no object');
  found.push(...errorViolations(response));
  if (data === undefined && errors === undefined) found.push('the response has neither data nor errors');
  if (data === null && errors === undefined) found.push('data is null without an error');
  if (!isRecord(data)) {
    if (data !== undefined && data !== null) found.push(`data is no object but ${excerpt(data)}`);
    return found;
  }
  if (request.query === undefined) return [...found, 'the document is not known: call knowDocuments'];
  return [...found, ...dataViolations(schema, request, data)].slice(0, MOST_VIOLATIONS);
}

function errorViolations({ data, errors }: Record<string, unknown>): string[] {
  if (errors === undefined) return [];
  if (!Array.isArray(errors) || errors.length === 0) return [`errors is no filled list but ${excerpt(errors)}`];
  return errors.flatMap((error: unknown, index) => {
    const at = `errors[${index}]`;
    if (!isRecord(error)) return [`${at} is no object`];
    const { message, locations, path, extensions } = error;
    const found = Object.keys(error)
      .filter((name) => !['message', 'locations', 'path', 'extensions'].includes(name))
      .map((name) => `${at} has the member ${name}`);
    if (typeof message !== 'string' || message === '') found.push(`${at}.message is ${excerpt(message)}`);
    if ('locations' in error && !isFilledList(locations, isLocation)) found.push(`${at}.locations is malformed`);
    if ('extensions' in error && !isRecord(extensions)) found.push(`${at}.extensions is no object`);
    if ('path' in error) {
      if (!isFilledList(path, isPathKey)) found.push(`${at}.path is malformed`);
      else if (data === undefined) found.push(`${at} has a path in a response without data`);
      else if (!leadsToNull(data, path)) found.push(`${at}.path leads to no null: ${path.join('.')}`);
    } else if (isRecord(data)) found.push(`${at} has no path next to data`);
    return found;
  });
}

/** Returns whether the field of an error, or a parent of it, is null. */
function leadsToNull(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null) return true;
    if (typeof key === 'number' ? !Array.isArray(value) : !isRecord(value)) return false;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value === null;
}

function dataViolations(schema: GraphQLSchema, request: GraphQLRequest, data: Record<string, unknown>): string[] {
  const document = parse(request.query ?? '');
  const operation = getOperationAST(document, request.operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return ['there is data, though the request names no operation'];
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((definition) => [definition.name.value, definition]),
  );
  const source: SelectionSource = { operation, fragments, variables: request.variables ?? {} };
  const found: string[] = [];
  checkObject(root, [operation.selectionSet], data, 'data');
  return found;

  function checkObject(
    type: GraphQLObjectType,
    selections: readonly (SelectionSetNode | undefined)[],
    value: Record<string, unknown>,
    at: string,
  ): void {
    if (found.length >= MOST_VIOLATIONS) return;
    const fields = selectedFields(source, type, selections);
    const [expected, keys] = [[...fields.keys()], Object.keys(value)];
    const surplus = keys.filter((key) => !fields.has(key));
    const missing = expected.filter((key) => !Object.hasOwn(value, key));
    found.push(...surplus.map((key) => `${at} has the key ${key}, which is not selected`));
    found.push(...missing.map((key) => `${at} has no key ${key}`));
    if (surplus.length + missing.length === 0 && keys.some((key, index) => key !== expected[index])) {
      found.push(`${at} has its keys in another order than the operation: ${keys.join(', ')}`);
    }
    for (const [key, nodes] of fields) {
      const name = nodes[0]?.name.value ?? '';
      const field = fieldOf(schema, type, name);
      if (!field) found.push(`${at}.${key} is of the field ${name}, which ${type.name} has not`);
      else if (Object.hasOwn(value, key)) {
        if (field === TypeNameMetaFieldDef && value[key] !== type.name) found.push(`${at}.${key} is not ${type.name}`);
        const below = nodes.map(({ selectionSet }) => selectionSet);
        checkValue(field.type, below, value[key], `${at}.${key}`);
      }
    }
  }

  function checkValue(
    type: GraphQLOutputType,
    selections: readonly (SelectionSetNode | undefined)[],
    value: unknown,
    at: string,
  ): void {
    if (isNonNullType(type)) {
      if (value === null) found.push(`${at} is null, though it is ${type}`);
      else checkValue(type.ofType, selections, value, at);
    } else if (value === null) {
      return;
    } else if (isListType(type)) {
      if (!Array.isArray(value)) found.push(`${at} is no list but ${excerpt(value)}`);
      else for (const [index, item] of value.entries()) checkValue(type.ofType, selections, item, `${at}[${index}]`);
    } else if (isLeafType(type)) {
      if (!isLeafValue(type, value)) found.push(`${at} is no ${type.name} but ${excerpt(value)}`);
    } else if (!isRecord(value)) {
      found.push(`${at} is no ${type.name} but ${excerpt(value)}`);
    } else if (isObjectType(type)) {
      checkObject(type, selections, value, at);
    } else if (!schema.getPossibleTypes(type).some((possible) => fits(possible, selections, value, at))) {
      found.push(`${at} is none of the types of ${type.name}`);
    }
  }

  /** Whether an object has no violations as one of a type: operations need not select `__typename`. */
  function fits(
    type: GraphQLObjectType,
    selections: readonly (SelectionSetNode | undefined)[],
    value: Record<string, unknown>,
    at: string,
  ): boolean {
    const before = found.length;
    checkObject(type, selections, value, at);
    return found.splice(before).length === 0;
  }
}

function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return type.getFields()[name];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilledList<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

const isPathKey = (key: unknown): key is string | number =>
  typeof key === 'string' || (Number.isInteger(key) && Number(key) >= 0);

const isLocation = (place: unknown): place is { line: number; column: number } =>
  isRecord(place) &&
  Object.keys(place).length === 2 &&
  [place.line, place.column].every((number) => Number.isInteger(number) && Number(number) >= 1);

function excerpt(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 80);
}
