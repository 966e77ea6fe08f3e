import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';

/** Values of the variables in `@skip` and `@include`, which decide which fields are selected. */
export type Conditions = Readonly<Record<string, boolean>>;

/** Returns the names of the variables in `@skip` and `@include`. */
export function conditionNamesOf(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ name, arguments: argumentNodes = [] }: DirectiveNode) => {
      if (!isCondition(name)) return;
      for (const { value } of argumentNodes) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return names;
}

/**
 * Returns the values of these variables in an operation, or their defaults.
 * @returns undefined if one is not a Boolean, which the executor rejects.
 */
export function conditionsOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  names: ReadonlySet<string>,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): Conditions | undefined {
  const conditions: Record<string, boolean> = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    if (!names.has(name)) continue;
    const byDefault = defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined;
    const value = variables && Object.hasOwn(variables, name) ? variables[name] : byDefault;
    if (typeof value !== 'boolean') return undefined;
    conditions[name] = value;
  }
  return conditions;
}

/** Returns whether the `@skip` and `@include` directives of a selection include it. */
export function isIncluded({ directives = [] }: SelectionNode, conditions: Conditions): boolean {
  return directives.every(({ name, arguments: argumentNodes = [] }) => {
    if (!isCondition(name)) return true;
    const value = argumentNodes[0]?.value;
    const condition =
      value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
    return condition === (name.value === 'include');
  });
}

function isCondition({ value }: NameNode): boolean {
  return value === 'include' || value === 'skip';
}
