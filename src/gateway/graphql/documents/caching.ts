import { type ArgumentNode, type FieldNode, type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { rootFieldOf } from '../../../graph/builder/root-fields.ts';
import { type Conditions, conditionsOf, type Definitions, fieldsIn, type Variables } from './selections.ts';

/** The response names under which an object repeats its point: the coordinates, and the id that contains them. */
export interface PointNames {
  readonly latitude: readonly string[];
  readonly longitude: readonly string[];
  readonly id: readonly string[];
}

/** How responses are cached that are a list of parts, each of which depends on a single point. */
export interface CachingByPoint {
  readonly kind: 'points';
  /** The response name of the field in `data`, and whether its value is a list. */
  readonly name: string;
  readonly isList: boolean;
  /** The names under which a part repeats its point. */
  readonly pointNames: PointNames;
  /** The names of the variables with the points: the list, or latitude and longitude. */
  readonly variables: readonly [points: string] | readonly [latitude: string, longitude: string];
}

/** How responses to an operation may be cached: by point, as a whole, or not at all. */
export type Caching = CachingByPoint | { readonly kind: 'whole' } | { readonly kind: 'none' };

/** Returns how the response to a document with the given variables may be cached. */
export type FindCaching = (variables: Variables) => Caching;

/** What is known of a document. */
interface ReadDocument {
  readonly definitions: Definitions;
  /** How often each variable is named, its definition included. */
  readonly uses: ReadonlyMap<string, number>;
  /** The names of the variables in `@skip` and `@include`. */
  readonly conditionNames: ReadonlySet<string>;
  /** The fields that depend on more than the boundaries that cover a point: points with the same share responses. */
  readonly pointFields: ReadonlySet<FieldNode>;
}

const NOT_CACHED = { kind: 'none' } as const;
const WHOLE = { kind: 'whole' } as const;
/** The maximum number of results kept for a document: one for each combination of the values of its conditions. */
const MAX_RESULTS = 20;
/** The number of times that the only field with a variable and its definition name it. */
const USED_ONCE = 2;

/**
 * Creates the function that finds how responses to a document may be cached: only those of a single operation. Whether a
 * field is selected is asked of the variables of each request, what the text and the keys may contain of the whole document.
 */
export function createFindCaching(schema: GraphQLSchema, read: ReadDocument): FindCaching {
  const { definitions, uses, conditionNames, pointFields } = read;
  const { fragments } = definitions;
  const [operation, ...others] = definitions.operations;
  if (!operation || others.length > 0 || operation.operation !== 'query') return () => NOT_CACHED;
  const { selectionSet } = operation;
  const fields = [...fieldsIn([selectionSet], fragments, undefined)].map(([node]) => node);
  const cachingOf = ({ name }: FieldNode) => rootFieldOf(schema, name.value).caching;
  const [field, ...rest] = fields.filter((each) => cachingOf(each) !== 'whole');
  if (!field) return () => WHOLE;
  // A key has all variables but those of the point: no other field may be given a place, selected or not.
  if (rest.length > 0 || cachingOf(field) !== 'by point') return () => NOT_CACHED;
  const variables = pointVariablesOf(field);
  if (!variables?.every((name) => uses.get(name) === USED_ONCE)) return () => NOT_CACHED;
  const byPoint: CachingByPoint = {
    kind: 'points',
    name: (field.alias ?? field.name).value,
    isList: variables.length === 1,
    pointNames: pointNamesIn(field, definitions),
    variables,
  };
  const known = new LRUCache<string, Caching, Conditions>({
    max: MAX_RESULTS,
    memoMethod: (_key, _old, { context: conditions }) => {
      const selected = [...fieldsIn([selectionSet], fragments, conditions)];
      const isAlone = selected.length === 1 && selected[0]?.[0] === field;
      return isAlone && !selectsOf(pointFields, field.selectionSet, fragments, conditions) ? byPoint : NOT_CACHED;
    },
  });
  return (given) => {
    const conditions = conditionsOf(operation, conditionNames, given);
    return conditions ? known.memo(conditions.key, { context: conditions }) : NOT_CACHED;
  };
}

/** Returns whether a selection set selects one of the fields; it reads each fragment once. */
function selectsOf(
  wanted: ReadonlySet<FieldNode>,
  set: SelectionSetNode | undefined,
  fragments: Definitions['fragments'],
  conditions: Conditions,
  spread: Set<string> = new Set(),
): boolean {
  if (!set || wanted.size === 0) return false;
  return [...fieldsIn([set], fragments, conditions, spread)].some(
    ([node]) => wanted.has(node) || selectsOf(wanted, node.selectionSet, fragments, conditions, spread),
  );
}

/** Returns the variables with the points of a field; undefined for a literal or an address, which no key may contain. */
function pointVariablesOf({ arguments: given = [] }: FieldNode): CachingByPoint['variables'] | undefined {
  const names = new Set(given.map(({ name }) => name.value));
  if (names.has('points')) {
    const points = variableOf(given, 'points');
    return points === undefined ? undefined : [points];
  }
  const [latitude, longitude] = [variableOf(given, 'latitude'), variableOf(given, 'longitude')];
  const isPoint = latitude !== undefined && longitude !== undefined && !names.has('address');
  return isPoint ? [latitude, longitude] : undefined;
}

function variableOf(given: readonly ArgumentNode[], argument: string): string | undefined {
  const value = given.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : undefined;
}

function pointNamesIn({ selectionSet }: FieldNode, { fragments }: Definitions): PointNames {
  const names = { latitude: new Set<string>(), longitude: new Set<string>(), id: new Set<string>() };
  for (const [{ name, alias }] of fieldsIn(selectionSet ? [selectionSet] : [], fragments, undefined)) {
    if (Object.hasOwn(names, name.value)) names[name.value as keyof PointNames].add((alias ?? name).value);
  }
  return { latitude: [...names.latitude], longitude: [...names.longitude], id: [...names.id] };
}
