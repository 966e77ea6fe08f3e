import { type ArgumentNode, type FieldNode, type GraphQLSchema, Kind } from 'graphql';
import { rootFieldOf } from '../schema/root-fields.ts';
import { type Definitions, fieldsIn } from './selections.ts';

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

/** How responses to a document may be cached: by point, as a whole, or not at all. */
export type Caching = CachingByPoint | { readonly kind: 'whole' } | { readonly kind: 'none' };

/** What is known of a document. */
interface ReadDocument {
  readonly definitions: Definitions;
  /** How often each variable is named, its definition included. */
  readonly uses: ReadonlyMap<string, number>;
  /** Whether a field depends on more than the boundaries that cover a point: points with the same share responses. */
  readonly dependsOnPoint: boolean;
}

const NOT_CACHED = { kind: 'none' } as const;
const WHOLE = { kind: 'whole' } as const;
/** The number of times that the only field with a variable and its definition name it. */
const USED_ONCE = 2;

/** Returns how responses to a document may be cached: only those of a single operation. */
export function cachingOf(schema: GraphQLSchema, { definitions, uses, dependsOnPoint }: ReadDocument): Caching {
  const [operation, ...others] = definitions.operations;
  if (!operation || others.length > 0 || operation.operation !== 'query') return NOT_CACHED;
  const fields = operation.selectionSet.selections;
  if (!fields.every((each) => each.kind === Kind.FIELD)) return NOT_CACHED;
  if (fields.every(({ name }) => rootFieldOf(schema, name.value).caching === 'whole')) return WHOLE;
  const [field] = fields;
  if (!field || fields.length > 1 || field.directives?.length || dependsOnPoint) return NOT_CACHED;
  if (rootFieldOf(schema, field.name.value).caching !== 'by point') return NOT_CACHED;
  const variables = pointVariablesOf(field);
  if (!variables?.every((name) => uses.get(name) === USED_ONCE)) return NOT_CACHED;
  return {
    kind: 'points',
    name: (field.alias ?? field.name).value,
    isList: variables.length === 1,
    pointNames: pointNamesIn(field, definitions),
    variables,
  };
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
