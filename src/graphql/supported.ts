import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  visit,
} from 'graphql';

/**
 * Returns whether the query planner can plan every query against a schema: one without abstract types and nested lists.
 */
export function isPlannableSchema(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .every((type) => !isObjectType(type) || Object.values(type.getFields()).every(({ type }) => isPlannableType(type)));
}

function isPlannableType(type: GraphQLOutputType): boolean {
  const nullable = getNullableType(type);
  const item: GraphQLOutputType = isListType(nullable) ? nullable.ofType : nullable;
  const named = getNullableType(item);
  return isLeafType(named) || isObjectType(named);
}

/**
 * Returns whether the query planner can plan a validated document. graphql-js executes all others: introspection, which
 * is rare and large; other directives than `@skip` and `@include`; and a field with the alias `__proto__`, as the planner
 * makes plain objects.
 */
export function isPlannable(document: DocumentNode): boolean {
  let isSupported = true;
  visit(document, {
    [Kind.FIELD]: ({ name, alias }: FieldNode) => {
      isSupported &&= name.value !== '__schema' && name.value !== '__type' && alias?.value !== '__proto__';
    },
    [Kind.DIRECTIVE]: ({ name }: DirectiveNode) => {
      isSupported &&= name.value === 'skip' || name.value === 'include';
    },
  });
  return isSupported;
}

/** Returns the names of the variables in `@skip` and `@include`, of all operations of a document. */
export function conditionsOf(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ arguments: given = [] }: DirectiveNode) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return names;
}
