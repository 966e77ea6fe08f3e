import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The selected fields of an object, by response key, in the order of the operation. */
export type SelectedFields = ReadonlyMap<string, readonly FieldNode[]>;

export interface SelectionSource {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the fields that an operation selects on an object, with fragments spread and `@skip`, `@include` applied. It
 * is an independent implementation (GraphQL, "Field Collection"), so that it does not repeat a defect of the one under
 * test.
 */
export function selectedFields(
  source: SelectionSource,
  type: GraphQLObjectType,
  selectionSets: readonly (SelectionSetNode | undefined)[],
): SelectedFields {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const applies = (condition: string | undefined) =>
    condition === undefined || condition === type.name || type.getInterfaces().some(({ name }) => name === condition);

  function add(selections: readonly SelectionNode[]): void {
    for (const selection of selections) {
      if (!isIncluded(source, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const same = fields.get(key);
        if (same) same.push(selection);
        else fields.set(key, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value)) add(selection.selectionSet.selections);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = source.fragments.get(selection.name.value);
        if (fragment && applies(fragment.typeCondition.name.value)) add(fragment.selectionSet.selections);
      }
    }
  }

  for (const set of selectionSets) add(set?.selections ?? []);
  return fields;
}

function isIncluded({ operation, variables }: SelectionSource, { directives = [] }: SelectionNode): boolean {
  return directives.every(({ name, arguments: args = [] }) => {
    if (name.value !== 'skip' && name.value !== 'include') return true;
    const value = args.find((argument) => argument.name.value === 'if')?.value;
    let holds = value?.kind === Kind.BOOLEAN && value.value;
    if (value?.kind === Kind.VARIABLE) {
      const definition = operation.variableDefinitions?.find(
        ({ variable }) => variable.name.value === value.name.value,
      );
      const preset = definition?.defaultValue;
      const given = Object.hasOwn(variables, value.name.value) ? variables[value.name.value] : undefined;
      holds = given === undefined ? preset?.kind === Kind.BOOLEAN && preset.value : given === true;
    }
    return holds === (name.value === 'include');
  });
}
