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
  type VariableDefinitionNode,
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
export interface Conditions {
  readonly values: ReadonlyMap<string, boolean>;
  /** Identifies the values among those of the same operation. */
  readonly key: string;
}

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
  for (const definition of variableDefinitions) {
    values[definition.variable.name.value] = valueIn(definition, variables);
  }
  return values;
}

function valueIn({ variable, defaultValue }: VariableDefinitionNode, variables: Variables | null | undefined): unknown {
  const given = givenValue(variables, variable.name.value);
  return given === undefined && defaultValue ? valueFromASTUntyped(defaultValue) : given;
}

/** Returns the value of a variable in a request; undefined if it has none. */
export function givenValue(variables: Variables | null | undefined, name: string): unknown {
  return variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/**
 * Returns the values of the variables in `@skip` and `@include` in an operation, or their defaults.
 * @returns undefined if one is not a Boolean, which the executor rejects.
 */
export function conditionsOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  names: ReadonlySet<string>,
  variables: Variables | null | undefined,
): Conditions | undefined {
  if (names.size === 0) return NO_CONDITIONS;
  const values = new Map<string, boolean>();
  let key = '';
  for (const definition of variableDefinitions) {
    const name = definition.variable.name.value;
    if (!names.has(name)) continue;
    const value = valueIn(definition, variables);
    if (typeof value !== 'boolean') return undefined;
    values.set(name, value);
    key += value ? '1' : '0';
  }
  return { values, key };
}

const NO_CONDITIONS: Conditions = { values: new Map(), key: '' };

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
      value?.kind === Kind.VARIABLE
        ? conditions.values.get(value.name.value)
        : value?.kind === Kind.BOOLEAN && value.value;
    return condition === (name.value === 'include');
  });
}
