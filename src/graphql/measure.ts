import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { DEFAULT_PAGE, LARGEST_PAGE } from './connection.ts';

/** How much an operation asks for, before anything is validated or run. */
export interface Measure {
  /** Levels of fields below the operation; introspection does not count, graphql's own rule limits it. */
  readonly depth: number;
  /** Fields under a name that is not their own, fragments counted wherever they are spread. */
  readonly aliases: number;
  readonly directives: number;
  /** Records that the answer may hold: each field with fields of its own, times the lists around it. */
  readonly cost: number;
}

/** Records in a list, where a field does not say it (by `extensions.listSize` or an argument). */
const USUAL_LIST = 3;
/** Numbers are cut here, long before they lose their precision. */
const BEYOND = 1e12;

type Variables = Readonly<Record<string, unknown>>;

/**
 * Measures a document that has been parsed only. Every fragment is measured once, so the work grows with the length of
 * the document, whatever its fragments would expand to. A fragment that spreads itself measures as nothing where it
 * does: validation refuses it.
 */
export function measure(schema: GraphQLSchema, document: DocumentNode, variables: Variables): Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const known = new Map<string, Measure>();

  function ofFragment(name: string): Measure {
    const measured = known.get(name);
    if (measured) return measured;
    known.set(name, NOTHING);
    const fragment = fragments.get(name);
    const type = fragment && schema.getType(fragment.typeCondition.name.value);
    const found = fragment ? ofSelections(fragment.selectionSet, type) : NOTHING;
    known.set(name, found);
    return found;
  }

  function ofSelections(set: SelectionSetNode, type: GraphQLNamedType | null | undefined): Measure {
    let total = NOTHING;
    for (const selection of set.selections) {
      const directives = selection.directives?.length ?? 0;
      let part: Measure;
      if (selection.kind === Kind.FIELD) part = ofField(selection, type);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) part = ofFragment(selection.name.value);
      else part = ofSelections(selection.selectionSet, innerType(selection.typeCondition?.name.value, type));
      total = sum(total, { ...part, directives: part.directives + directives });
    }
    return total;
  }

  function innerType(condition: string | undefined, type: GraphQLNamedType | null | undefined) {
    return condition === undefined ? type : schema.getType(condition);
  }

  function ofField(node: FieldNode, type: GraphQLNamedType | null | undefined): Measure {
    const aliases = node.alias ? 1 : 0;
    if (!node.selectionSet) return { depth: 1, aliases, directives: 0, cost: 0 };
    if (node.name.value.startsWith('__')) return { depth: 0, aliases, directives: 0, cost: 0 };
    const field = type && fieldOf(type, node.name.value);
    const inner = ofSelections(node.selectionSet, field && getNamedType(field.type));
    const count = field ? listSize(field, node, variables) : 1;
    return {
      depth: inner.depth + 1,
      aliases: inner.aliases + aliases,
      directives: inner.directives,
      cost: Math.min(count * (1 + inner.cost), BEYOND),
    };
  }

  return operations
    .map((operation) => ofSelections(operation.selectionSet, schema.getRootType(operation.operation)))
    .reduce(sum, NOTHING);
}

const NOTHING: Measure = { depth: 0, aliases: 0, directives: 0, cost: 0 };

function sum(one: Measure, other: Measure): Measure {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: Math.min(one.aliases + other.aliases, BEYOND),
    directives: Math.min(one.directives + other.directives, BEYOND),
    cost: Math.min(one.cost + other.cost, BEYOND),
  };
}

function fieldOf(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** How many records a field may answer: a page as long as asked for, as many as the points asked for, or its usual size. */
function listSize(field: GraphQLField<unknown, unknown>, node: FieldNode, variables: Variables): number {
  if (field.args.some((argument) => argument.name === 'first')) {
    const first = argumentOf(node, 'first', variables);
    return typeof first === 'number' ? Math.min(Math.max(first, 1), LARGEST_PAGE) : DEFAULT_PAGE;
  }
  if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) return 1;
  const points = argumentOf(node, 'points', variables);
  if (Array.isArray(points)) return Math.max(points.length, 1);
  const usual = field.extensions.listSize;
  return typeof usual === 'number' ? usual : field.name === 'edges' ? 1 : USUAL_LIST;
}

function argumentOf(node: FieldNode, name: string, variables: Variables): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
  return value && plainValue(value, variables);
}

function plainValue(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.LIST) return value.values;
  return undefined;
}
