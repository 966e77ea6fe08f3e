import {
  __Directive,
  __Field,
  __Schema,
  __Type,
  type DirectiveNode,
  type FieldNode,
  GraphQLError,
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
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import type { OperationLimits } from '../../../base/config/limits.ts';
import { DEFAULT_PAGE, LARGEST_PAGE } from '../../../graph/builder/connection.ts';
import { type ArgumentCosts, type FieldCosts, ROOT_COSTS } from '../../../graph/builder/field-costs.ts';
import { type Definitions, fieldsIn, givenValue, isCondition, type Variables } from './selections.ts';

/** The complexity of an operation, computed before anything is validated or executed. */
export interface QueryComplexity {
  /** Levels of fields below the operation, without introspection, which a rule of graphql-js limits. */
  readonly depth: number;
  /** Number of aliased fields; those in a fragment count for each spread. */
  readonly aliases: number;
  readonly directives: number;
  /**
   * Estimated number of records in the response: each field with a selection set, multiplied by the lists around it. A
   * large leaf counts as the number of records of the same size, for each alias, and a field that takes long to compute
   * as more records. What `@skip` and `@include` exclude costs nothing.
   */
  readonly cost: number;
}

/** The complexity of a selection set. */
interface SelectionComplexity extends QueryComplexity {
  /** Cost that counts once for the object, however many records a page has: that of leaves of a connection. */
  readonly once: number;
}

/** The complexity of all operations of a document. */
export interface DocumentComplexity extends QueryComplexity {
  /**
   * The values of the variables that it depends on: numbers, Booleans, or none. Undefined if it depends on another value, which
   * may be long and is not kept.
   */
  readonly inputs: ReadonlyMap<string, unknown> | undefined;
}

/** Returns whether the complexity of a document is the same for other variables. */
export function isForVariables({ inputs }: DocumentComplexity, variables: Variables): boolean {
  for (const [name, value] of inputs ?? []) if (givenValue(variables, name) !== value) return false;
  return inputs !== undefined;
}

/** Assumed length of a list that is given neither by an argument nor by the field. */
const USUAL_LIST = 3;
/** Upper bound of all numbers, far below the limit of exact integers. */
const MAX_VALUE = 1e12;

/** The price of an object of the schema: nothing else happens while all of them are built. */
const INTROSPECTION_COST = 10;
/** How many objects the fields of introspection have on average; `__type` counts as several, of which its client chooses one. */
const INTROSPECTION_LENGTHS = [
  [__Schema, { types: 120, directives: 7 }],
  [__Type, { fields: 8, inputFields: 1, enumValues: 2, interfaces: 0.2, possibleTypes: 0.2, ofType: 0.5 }],
  [__Field, { args: 0.5 }],
  [__Directive, { args: 1 }],
] as const;
const lengthOfIntrospection: ReadonlyMap<GraphQLField<unknown, unknown> | undefined, number> = new Map([
  [TypeMetaFieldDef, 4],
  ...INTROSPECTION_LENGTHS.flatMap(([type, lengths]) =>
    Object.entries(lengths).map(([name, length]) => [type.getFields()[name], length] as const),
  ),
]);
/** How often one object may select a response name or spread fragments: the rules of GraphQL compare every two of them. */
const MOST_REPEATED = 40;
/** How many fields a document may select, those of fragments for each use. */
const MOST_SELECTED = 5_000;
/** More than any limit of the depth: only fragments that spread themselves are deeper, which validation rejects. */
const DEEPEST = 60;

/** Returns the possible values of an argument; none if it is omitted. */
type ValuesOf = (node: FieldNode | DirectiveNode, name: string) => readonly unknown[];

/**
 * Computes the complexity of a document that need not be valid; all but its cost whatever `@skip` and `@include` say, since
 * what they exclude is validated as well. Every fragment is measured once, so the time is linear in the length of the document even if its fragments expand to much more. A
 * recursive spread counts as nothing; validation rejects it.
 */
export function computeComplexity(
  schema: GraphQLSchema,
  { operations, fragments, defaults }: Definitions,
  variables: Variables,
): DocumentComplexity {
  const byFragment = new Map<string, SelectionComplexity>();
  const inputs = new Map<string, unknown>();
  let isKept = true;
  const valuesOf = argumentReader(defaults, (name) => {
    const value = givenValue(variables, name);
    isKept &&= typeof value !== 'object' && typeof value !== 'string';
    inputs.set(name, value);
    return value;
  });

  function ofFragment(name: string): SelectionComplexity {
    const cached = byFragment.get(name);
    if (cached) return cached;
    byFragment.set(name, NOTHING);
    const fragment = fragments.get(name);
    const type = fragment && schema.getType(fragment.typeCondition.name.value);
    const found = fragment ? ofSelections(fragment.selectionSet, type) : NOTHING;
    byFragment.set(name, found);
    return found;
  }

  function ofSelections(set: SelectionSetNode, type: GraphQLNamedType | null | undefined): SelectionComplexity {
    let total = NOTHING;
    for (const selection of set.selections) {
      const directives = selection.directives?.length ?? 0;
      let part: SelectionComplexity;
      if (selection.kind === Kind.FIELD) part = ofField(selection, type);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) part = ofFragment(selection.name.value);
      else part = ofSelections(selection.selectionSet, innerType(selection.typeCondition?.name.value, type));
      const excluded = mayBeIncluded(selection, valuesOf) ? undefined : { cost: 0, once: 0 };
      total = sum(total, { ...part, directives: part.directives + directives, ...excluded });
    }
    return total;
  }

  function innerType(condition: string | undefined, type: GraphQLNamedType | null | undefined) {
    return condition === undefined ? type : schema.getType(condition);
  }

  function ofField(node: FieldNode, type: GraphQLNamedType | null | undefined): SelectionComplexity {
    const aliases = node.alias ? 1 : 0;
    const field = type && fieldOf(type, node.name.value);
    if (!node.selectionSet) {
      const { wholeListCost: once = 0 } = costsOf(field);
      return { depth: 1, aliases, directives: 0, cost: leafCost(costsOf(field), node, valuesOf), once };
    }
    const inner = ofSelections(node.selectionSet, field && getNamedType(field.type));
    const count = field ? listSize(field, node, valuesOf) : 1;
    const once = inner.once + computationCost(field, node, valuesOf) + (field ? rootCost(field, type) : 0);
    const isIntrospection = node.name.value.startsWith('__');
    if (isIntrospection) {
      const cost = Math.ceil(Math.min(INTROSPECTION_COST * count * (1 + inner.cost), MAX_VALUE));
      return { ...inner, depth: 0, aliases: inner.aliases + aliases, cost, once: 0 };
    }
    return {
      depth: inner.depth + 1,
      aliases: inner.aliases + aliases,
      directives: inner.directives,
      cost: Math.min(count * (1 + inner.cost) + once, MAX_VALUE),
      once: 0,
    };
  }

  function rootCost(field: GraphQLField<unknown, unknown>, type: GraphQLNamedType): number {
    if (type !== schema.getQueryType()) return 0;
    return getNamedType(field.type).name.endsWith('Connection') ? ROOT_COSTS.connection : ROOT_COSTS.field;
  }

  function fieldOf(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | undefined {
    return isObjectType(type) || isInterfaceType(type) ? schema.getField(type, name) : undefined;
  }

  const { once: _, ...total } = operations
    .map((operation) => ofSelections(operation.selectionSet, schema.getRootType(operation.operation)))
    .reduce(sum, NOTHING);
  return { ...total, inputs: isKept ? inputs : undefined };
}

const NOTHING: SelectionComplexity = { depth: 0, aliases: 0, directives: 0, cost: 0, once: 0 };

function sum(one: SelectionComplexity, other: SelectionComplexity): SelectionComplexity {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: Math.min(one.aliases + other.aliases, MAX_VALUE),
    directives: Math.min(one.directives + other.directives, MAX_VALUE),
    cost: Math.min(one.cost + other.cost, MAX_VALUE),
    once: Math.min(one.once + other.once, MAX_VALUE),
  };
}

/** Returns whether `@skip` and `@include` include a selection, for one of the possible values of their arguments. */
function mayBeIncluded({ directives = [] }: SelectionNode, valuesOf: ValuesOf): boolean {
  return directives.every((directive) => {
    if (!isCondition(directive.name)) return true;
    const excluding = directive.name.value === 'skip';
    const values = valuesOf(directive, 'if');
    return values.length === 0 || values.some((value) => value !== excluding);
  });
}

/**
 * Returns the maximum number of records of a field: its page size, the number of points, ids or identifiers in its argument, or its usual
 * size.
 */
function listSize(field: GraphQLField<unknown, unknown>, node: FieldNode, valuesOf: ValuesOf): number {
  const ofIntrospection = lengthOfIntrospection.get(field);
  if (ofIntrospection !== undefined) return ofIntrospection;
  if (field.args.some((argument) => argument.name === 'first')) {
    const sizes = ['first', 'last'].flatMap((name) => valuesOf(node, name)).filter((size) => typeof size === 'number');
    if (sizes.length > 0) return Math.max(...sizes.map((size) => Math.min(Math.max(size, 1), LARGEST_PAGE)));
    return costsOf(field).listLength ?? DEFAULT_PAGE;
  }
  if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) return 1;
  const lists = ['points', 'ids', 'identifiers'].flatMap((name) => valuesOf(node, name)).filter(Array.isArray);
  if (lists.length > 0) return Math.max(1, ...lists.map((values) => values.length));
  return costsOf(field).listLength ?? USUAL_LIST;
}

/** Returns what a field says about its costs. */
function costsOf(field: GraphQLField<unknown, unknown> | null | undefined): FieldCosts {
  return field?.extensions ?? {};
}

function computationCost(
  field: GraphQLField<unknown, unknown> | null | undefined,
  node: FieldNode,
  valuesOf: ValuesOf,
): number {
  const ofArguments = (field?.args ?? []).map(({ name, extensions }) => {
    const { computation = 0 }: ArgumentCosts = extensions;
    return computation > 0 && valuesOf(node, name).some((value) => value !== null) ? computation : 0;
  });
  return ofArguments.reduce((total, cost) => total + cost, costsOf(field).computation ?? 0);
}

function leafCost({ leafCost: cost }: FieldCosts, node: FieldNode, valuesOf: ValuesOf): number {
  if (!cost) return 0;
  const { argument } = cost;
  const values = (argument === undefined ? [] : valuesOf(node, argument)).filter((value) => typeof value === 'number');
  return Math.max(...(values.length > 0 ? values : [0]).map(cost.of));
}

/**
 * Returns the reader of argument values. A variable without a value has its default; the defaults of all operations
 * count.
 */
function argumentReader(defaults: Definitions['defaults'], readVariable: (variable: string) => unknown): ValuesOf {
  return (node, name) => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (!value) return [];
    if (value.kind !== Kind.VARIABLE) return [valueFromASTUntyped(value)];
    const variable = value.name.value;
    const given = readVariable(variable);
    if (given !== undefined) return [given];
    return (defaults.get(variable) ?? []).map((byDefault) => valueFromASTUntyped(byDefault));
  };
}

const LIMITS = {
  depth: ['QUERY_TOO_DEEP', 'levels of fields', 'Select less deeply.'],
  aliases: ['TOO_MANY_ALIASES', 'aliases', 'Request several points or ids in one field, or send several requests.'],
  directives: ['TOO_MANY_DIRECTIVES', 'directives', 'Remove unnecessary directives.'],
  cost: [
    'QUERY_TOO_COSTLY',
    'records',
    'Request smaller pages, fewer points, fewer nested lists or simpler geometries (a higher tolerance).',
  ],
} as const;

/**
 * Returns an error that names the first exceeded limit with the actual and the allowed value; undefined if none is
 * exceeded.
 */
export function checkLimits(complexity: QueryComplexity, limits: OperationLimits): GraphQLError | undefined {
  for (const limit of ['depth', 'aliases', 'directives', 'cost'] as const) {
    const [code, unit, advice] = LIMITS[limit];
    const [actual, most] = [complexity[limit], limits[limit]];
    if (actual <= most) continue;
    const amount = limit === 'cost' ? `may return ${actual} ${unit}` : `has ${actual} ${unit}`;
    return new GraphQLError(`The operation ${amount}; at most ${most} are allowed. ${advice}`, {
      extensions: { code, limit: most, value: actual },
    });
  }
  return undefined;
}

/**
 * Returns the error of a document in which one object selects a response name or spreads fragments too often, or an
 * operation selects too many fields; undefined if none does. No client needs that, and validation takes a time that grows with its
 * square.
 */
export function checkRepetition({ operations, fragments }: Definitions): GraphQLError | undefined {
  let selected = 0;
  const objects = operations.map(({ selectionSet }) => ({ sets: [selectionSet], depth: 0 }));
  for (const { sets, depth } of objects) {
    const spread = new Set<string>();
    const fields = new Map<string, FieldNode[]>();
    for (const [field] of fieldsIn(sets, fragments, undefined, spread)) {
      if (++selected > MOST_SELECTED) {
        const many = `The document selects more than ${MOST_SELECTED} fields, those of fragments counted for each use.`;
        return tooLong(many, MOST_SELECTED, selected);
      }
      const name = (field.alias ?? field.name).value;
      const same = fields.get(name);
      if (same) same.push(field);
      else fields.set(name, [field]);
    }
    if (spread.size > MOST_REPEATED) {
      const many = `${spread.size} fragments are spread in one object; at most ${MOST_REPEATED} are allowed.`;
      return tooLong(many, MOST_REPEATED, spread.size);
    }
    for (const [name, same] of fields) {
      if (same.length > MOST_REPEATED) {
        const many = `${name} is selected ${same.length} times in one object; at most ${MOST_REPEATED} are allowed.`;
        return tooLong(`${many} Select it once.`, MOST_REPEATED, same.length);
      }
      const inner = same.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0 && depth < DEEPEST) objects.push({ sets: inner, depth: depth + 1 });
    }
  }
  return undefined;
}

function tooLong(message: string, limit: number, value: number): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_LONG', limit, value } });
}
