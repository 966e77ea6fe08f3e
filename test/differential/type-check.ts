import {
  type DocumentNode,
  type FieldNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { isCalendarDate } from '../../src/base/dates.ts';
import type { DrawnRequest } from '../drawn/documents.ts';

/** Checks of JSON values by type name; a type without a check accepts any value. */
const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: Number.isInteger,
  Float: Number.isFinite,
  Latitude: (value) => Number.isFinite(value) && Math.abs(Number(value)) <= 90,
  Longitude: (value) => Number.isFinite(value) && Math.abs(Number(value)) <= 180,
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => typeof value === 'string' && isCalendarDate(value),
  GeoJSON: (value) => typeof value === 'object' && value !== null && 'type' in value,
};

/**
 * Checks the data of a response against the schema, without the executor: the names in every object and their order,
 * lists, values of leaves and enums, and that non-null fields are not null. @returns the errors by path.
 */
export function typeErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: DrawnRequest,
  data: unknown,
): string[] {
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  if (!operation || !root) return ['There is no such operation'];
  const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!variableValues) return ['The response has data in spite of invalid variables'];
  const conditions: Readonly<Record<string, unknown>> = variableValues.coerced;
  const problems: string[] = [];
  if (data !== null) checkObject(data, root, [operation.selectionSet], 'data');
  return problems;

  function isIncluded({ directives = [] }: Pick<FieldNode, 'directives'>): boolean {
    return directives.every(({ name, arguments: given = [] }) => {
      const value = given[0]?.value;
      const isTrue =
        value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
      return isTrue === (name.value === 'include');
    });
  }

  function collect({ selections }: SelectionSetNode, found: Map<string, FieldNode[]>, type: GraphQLObjectType): void {
    const applies = (condition?: NamedTypeNode) =>
      condition === undefined || [type, ...type.getInterfaces()].some(({ name }) => name === condition.name.value);
    for (const selection of selections.filter(isIncluded)) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        found.set(key, [...(found.get(key) ?? []), selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition)) collect(selection.selectionSet, found, type);
      } else {
        for (const each of document.definitions) {
          const isIt = each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value;
          if (isIt && applies(each.typeCondition)) collect(each.selectionSet, found, type);
        }
      }
    }
  }

  function checkObject(value: unknown, type: GraphQLObjectType, sets: readonly SelectionSetNode[], path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.push(`${path} is no object`);
      return;
    }
    const found = new Map<string, FieldNode[]>();
    for (const set of sets) collect(set, found, type);
    const [names, expected] = [Object.keys(value).join(), [...found.keys()].join()];
    if (names !== expected) problems.push(`${path} has ${names}, not ${expected}`);
    for (const [key, nodes] of found) {
      const name = nodes[0]?.name.value ?? '';
      const member = (value as Record<string, unknown>)[key];
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (name === '__typename') {
        if (member !== type.name) problems.push(`${path}.${key} is not ${type.name}`);
      } else if (!name.startsWith('__')) {
        const field = type.getFields()[name];
        if (field) check(member, field.type, inner, `${path}.${key}`);
        else problems.push(`${type.name} has no ${name}`);
      }
    }
  }

  /** Checks an object of an interface, if the document selects the name of its type. */
  function checkAbstract(value: unknown, type: GraphQLInterfaceType, sets: readonly SelectionSetNode[], path: string) {
    const { __typename: name } = value as { __typename?: string };
    const found = schema.getPossibleTypes(type).find((each) => each.name === name);
    if (name !== undefined && !found) problems.push(`${path} is no ${type}: ${name}`);
    if (found) checkObject(value, found, sets, path);
  }

  function check(value: unknown, type: GraphQLOutputType, sets: readonly SelectionSetNode[], path: string): void {
    if (isNonNullType(type)) {
      if (value === null || value === undefined) problems.push(`${path} is ${value}`);
      else check(value, type.ofType, sets, path);
    } else if (value === undefined) problems.push(`${path} is not there`);
    else if (value === null) return;
    else if (isListType(type)) {
      if (!Array.isArray(value)) problems.push(`${path} is no list`);
      else for (const [index, item] of value.entries()) check(item, type.ofType, sets, `${path}.${index}`);
    } else if (isObjectType(type)) checkObject(value, type, sets, path);
    else if (isInterfaceType(type)) checkAbstract(value, type, sets, path);
    else if (isEnumType(type)) {
      if (!type.getValues().some(({ name }) => name === value)) problems.push(`${path} is no ${type.name}`);
    } else if (!(LEAVES[String(type)]?.(value) ?? true)) problems.push(`${path} is no ${type}`);
  }
}
