import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

/** The definitions of a document. */
export interface Definitions {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The defaults of the variables of all operations, by name: for what holds whichever of them is executed. */
  readonly defaults: ReadonlyMap<string, readonly ValueNode[]>;
}

/** Values of the variables in `@skip` and `@include`, which decide which fields are selected. */
export type Conditions = Readonly<Record<string, boolean>>;

/** Values of variables by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A field of an object, with the type condition of the innermost fragment around it; undefined if that has none. */
type SelectedNode = readonly [node: FieldNode, typeCondition: string | undefined];

/** Returns the definitions of a document, valid or not. */
export function definitionsOf(document: DocumentNode): Definitions {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  const defaults = new Map<string, ValueNode[]>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  for (const { variableDefinitions = [] } of operations) {
    for (const { variable, defaultValue } of variableDefinitions) {
      const name = variable.name.value;
      if (defaultValue) defaults.set(name, [...(defaults.get(name) ?? []), defaultValue]);
    }
  }
  return { operations, fragments, defaults };
}

/**
 * Yields the fields that selection sets of one object select, those of fragments in place. As in graphql-js, a fragment
 * applies once, however often the object spreads it: fragments that spread others twice would take exponential time.
 * @param conditions omits what `@skip` and `@include` exclude; undefined to yield all fields.
 * @param spread the names of the fragments that the object has spread so far.
 */
export function* fieldsIn(
  sets: readonly SelectionSetNode[],
  fragments: Definitions['fragments'],
  conditions: Conditions | undefined,
  spread: Set<string> = new Set(),
  typeCondition?: string,
): Generator<SelectedNode> {
  for (const selection of sets.flatMap(({ selections }) => selections)) {
    if (conditions && !isIncluded(selection, conditions)) continue;
    if (selection.kind === Kind.FIELD) {
      yield [selection, typeCondition];
      continue;
    }
    const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
    if (name !== undefined && spread.has(name)) continue;
    if (name !== undefined) spread.add(name);
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (!fragment) continue;
    const inner = fragment.typeCondition?.name.value ?? typeCondition;
    yield* fieldsIn([fragment.selectionSet], fragments, conditions, spread, inner);
  }
}

/** Returns the values of an operation's variables as a request has them, or their defaults, none of them coerced. */
export function valuesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables | null | undefined,
): Variables {
  const values = Object.create(null) as Record<string, unknown>;
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const given = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
    values[name] = given === undefined && defaultValue ? valueFromASTUntyped(defaultValue) : given;
  }
  return values;
}

/**
 * Returns the values of the variables in `@skip` and `@include` in an operation, or their defaults.
 * @returns undefined if one is not a Boolean, which the executor rejects.
 */
export function conditionsOf(
  operation: OperationDefinitionNode,
  names: ReadonlySet<string>,
  variables: Variables | null | undefined,
): Conditions | undefined {
  const conditions = Object.create(null) as Record<string, boolean>;
  if (names.size === 0) return conditions;
  for (const [name, value] of Object.entries(valuesOf(operation, variables))) {
    if (!names.has(name)) continue;
    if (typeof value !== 'boolean') return undefined;
    conditions[name] = value;
  }
  return conditions;
}

/** Returns whether a directive is `@skip` or `@include`. */
export function isCondition({ value }: NameNode): boolean {
  return value === 'include' || value === 'skip';
}

/** Returns whether the `@skip` and `@include` directives of a selection include it. */
function isIncluded({ directives = [] }: SelectionNode, conditions: Conditions): boolean {
  return directives.every(({ name, arguments: argumentNodes = [] }) => {
    if (!isCondition(name)) return true;
    const value = argumentNodes[0]?.value;
    const condition =
      value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
    return condition === (name.value === 'include');
  });
}
