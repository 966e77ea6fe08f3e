import {
  type DirectiveNode,
  type DocumentNode,
  getOperationAST,
  Kind,
  type SelectionNode,
  type ValueNode,
  visit,
} from 'graphql';
import type { Operation } from './execute.ts';

/** Values of the variables in `@skip` and `@include`, which decide which fields are selected. */
export type Conditions = Readonly<Record<string, unknown>>;

/** Returns the names of the variables in `@skip` and `@include`. */
export function conditionNamesOf(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE]: ({ arguments: argumentNodes = [] }: DirectiveNode) => {
      for (const { value } of argumentNodes) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Returns the values of these variables, or their defaults. */
export function conditionsOf(
  { document, operationName }: Pick<Operation, 'document' | 'operationName'>,
  names: readonly string[],
  variables: Readonly<Record<string, unknown>>,
): Conditions {
  const operation = getOperationAST(document, operationName);
  const defaults = new Map(
    operation?.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );
  const byDefault = (value: ValueNode | undefined) => (value?.kind === Kind.BOOLEAN ? value.value : undefined);
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(variables, name) ? variables[name] : byDefault(defaults.get(name))]),
  );
}

/** Returns whether the `@skip` and `@include` directives of a selection include it. */
export function isIncluded({ directives = [] }: SelectionNode, conditions: Conditions): boolean {
  return directives.every(({ name: { value: name }, arguments: argumentNodes = [] }) => {
    if (name !== 'include' && name !== 'skip') return true;
    const value = argumentNodes[0]?.value;
    const condition =
      value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
    return condition === (name === 'include');
  });
}
