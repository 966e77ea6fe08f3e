import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import type { Conditions } from '../documents/conditions.ts';

/** A field of an operation: all nodes with the same response key, merged. */
export interface SelectedField {
  readonly key: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parent: GraphQLObjectType;
  /** Undefined for `__typename`. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** The fields selected on its objects; undefined for a leaf. */
  readonly fields: readonly SelectedField[] | undefined;
}

/**
 * Merges the selections of a query as graphql-js does when it executes it.
 * @returns undefined for operations that the planner leaves to the executor: with introspection, abstract types,
 * directives other than `@skip` and `@include`, or conditions that are not Boolean.
 */
export function selectFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  conditions: Conditions,
): readonly SelectedField[] | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  let isSupported = true;

  function isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every(({ name, arguments: argumentNodes = [] }) => {
      const value = argumentNodes[0]?.value;
      const condition =
        value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
      if ((name.value !== 'include' && name.value !== 'skip') || typeof condition !== 'boolean') isSupported = false;
      return condition === (name.value === 'include');
    });
  }

  /** Adds the fields of the selections to `found`. A fragment applies once, however often one object spreads it. */
  function collect(
    selections: readonly SelectionNode[],
    found: Map<string, [FieldNode, ...FieldNode[]]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!isIncluded(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const nodes = found.get(key);
        if (nodes) nodes.push(selection);
        else found.set(key, [selection]);
        continue;
      }
      // The parent is an object, so the type condition of a valid fragment always applies.
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet.selections, found, spread);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        collect(fragments.get(selection.name.value)?.selectionSet.selections ?? [], found, spread);
      }
    }
  }

  function select(parent: GraphQLObjectType, sets: readonly (readonly SelectionNode[])[]): readonly SelectedField[] {
    const found = new Map<string, [FieldNode, ...FieldNode[]]>();
    const spread = new Set<string>();
    for (const selections of sets) collect(selections, found, spread);
    return [...found].map(([key, nodes]) => {
      const { value: name } = nodes[0].name;
      const field = parent.getFields()[name];
      if (!field && name !== '__typename') isSupported = false;
      const type = field && getNamedType(field.type);
      const inner = nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet.selections] : []));
      if (inner.length > 0 && !isObjectType(type)) isSupported = false;
      return { key, nodes, parent, field, fields: isObjectType(type) ? select(type, inner) : undefined };
    });
  }

  const query = schema.getQueryType();
  const selected = query ? select(query, [operation.selectionSet.selections]) : [];
  return isSupported ? selected : undefined;
}
