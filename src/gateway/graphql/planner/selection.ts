import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Conditions, type Definitions, fieldsIn } from '../documents/selections.ts';

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
 * @returns undefined for operations that the planner leaves to the executor: with introspection or abstract types.
 */
export function selectFields(
  schema: GraphQLSchema,
  { fragments }: Definitions,
  operation: OperationDefinitionNode,
  conditions: Conditions,
): readonly SelectedField[] | undefined {
  let isSupported = true;

  function select(parent: GraphQLObjectType, sets: readonly SelectionSetNode[]): readonly SelectedField[] {
    const found = new Map<string, [FieldNode, ...FieldNode[]]>();
    // The parent is an object, so the type conditions of valid fragments always apply.
    for (const [node] of fieldsIn(sets, fragments, conditions)) {
      const key = (node.alias ?? node.name).value;
      const nodes = found.get(key);
      if (nodes) nodes.push(node);
      else found.set(key, [node]);
    }
    return [...found].map(([key, nodes]) => {
      const { value: name } = nodes[0].name;
      const field = parent.getFields()[name];
      if (!field && name !== '__typename') isSupported = false;
      const type = field && getNamedType(field.type);
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0 && !isObjectType(type)) isSupported = false;
      return { key, nodes, parent, field, fields: isObjectType(type) ? select(type, inner) : undefined };
    });
  }

  const query = schema.getQueryType();
  const selected = query ? select(query, [operation.selectionSet]) : [];
  return isSupported ? selected : undefined;
}
