import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { MOST_POINTS, type Point } from '../districts/districts.store.ts';
import { rootFieldOf } from '../graphql/schema/root-fields.ts';
import { isLatitude, isLongitude } from '../graphql/schema/scalars.ts';
import type { PointNames } from './response-template.ts';

type Variables = Readonly<Record<string, unknown>>;

/** An operation about points only: its result is a list of parts, each of which depends on a single point. */
export interface PointOperation {
  readonly kind: 'points';
  /** The response name of the field in `data`, and whether its value is a list. */
  readonly name: string;
  readonly isList: boolean;
  /** The names under which a part repeats its point. */
  readonly pointNames: PointNames;
  /** Returns the requested points; undefined if the variables are invalid. */
  pointsOf(variables: Variables): readonly Point[] | undefined;
  /** Returns the variables without the points. */
  othersOf(variables: Variables): Variables;
  /** Returns the variables for some of the points only. */
  variablesFor(variables: Variables, points: readonly Point[]): Variables;
}

/** How responses to an operation may be cached: by point, as a whole, or not at all. */
export type Caching = PointOperation | { readonly kind: 'whole' } | { readonly kind: 'none' };

const NOT_CACHED = { kind: 'none' } as const;
const WHOLE = { kind: 'whole' } as const;

/** Returns how responses to a document with one operation may be cached. */
export function readCaching(schema: GraphQLSchema, document: DocumentNode): Caching {
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation || operations.length > 1 || operation.operation !== 'query') return NOT_CACHED;
  const fields = operation.selectionSet.selections;
  if (!fields.every((each) => each.kind === Kind.FIELD)) return NOT_CACHED;
  if (fields.every(({ name }) => rootFieldOf(schema, name.value).caching === 'whole')) return WHOLE;
  const [field] = fields;
  if (!field || fields.length > 1 || field.directives?.length) return NOT_CACHED;
  if (rootFieldOf(schema, field.name.value).caching !== 'by point') return NOT_CACHED;
  if (dependsOnPoint(schema, document)) return NOT_CACHED;
  const reading = field.arguments?.some(({ name }) => name.value === 'points') ? listOf(field) : oneOf(field);
  if (!reading?.names.every((name) => usesOf(document, name) === 1)) return NOT_CACHED;
  const { names, ...points } = reading;
  return {
    kind: 'points',
    name: field.alias?.value ?? field.name.value,
    pointNames: pointNamesIn(document, field),
    othersOf: (variables) => Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name))),
    ...points,
  };
}

/**
 * Returns whether a document may have a field of a point whose value depends on more than the boundaries that cover the
 * point: points with the same boundaries share their cached responses.
 */
function dependsOnPoint(schema: GraphQLSchema, document: DocumentNode): boolean {
  const type = schema.getType('Location');
  const fields = isObjectType(type) ? type.getFields() : {};
  let found = false;
  visit(document, {
    [Kind.FIELD]: ({ name }) => {
      found ||= fields[name.value]?.extensions.dependsOnPoint === true;
    },
  });
  return found;
}

type Reading = Pick<PointOperation, 'isList' | 'pointsOf' | 'variablesFor'> & { readonly names: readonly string[] };

function oneOf({ arguments: argumentNodes = [] }: FieldNode): Reading | undefined {
  // An address must not become a part of the key.
  if (argumentNodes.some(({ name }) => name.value === 'address')) return undefined;
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) => readerOf(argumentNodes, name));
  if (!latitude || !longitude) return undefined;
  return {
    isList: false,
    names: [latitude.variable, longitude.variable],
    pointsOf: (variables) => {
      const point = { latitude: latitude.read(variables), longitude: longitude.read(variables) };
      return isPoint(point) ? [point] : undefined;
    },
    variablesFor: (variables) => variables,
  };
}

function listOf({ arguments: argumentNodes = [] }: FieldNode): Reading | undefined {
  const variable = readerOf(argumentNodes, 'points')?.variable;
  if (variable === undefined) return undefined;
  return {
    isList: true,
    names: [variable],
    pointsOf: (variables) => {
      const points = variables[variable];
      return Array.isArray(points) && points.length > 0 && points.length <= MOST_POINTS && points.every(isPoint)
        ? points
        : undefined;
    },
    variablesFor: (variables, points) => ({ ...variables, [variable]: points }),
  };
}

function readerOf(argumentNodes: readonly ArgumentNode[], name: string) {
  const value = argumentNodes.find((argument) => argument.name.value === name)?.value;
  // A literal would become a part of the key.
  if (value?.kind !== Kind.VARIABLE) return undefined;
  const variable = value.name.value;
  return { variable, read: (variables: Variables) => variables[variable] };
}

function isPoint(value: unknown): value is Point {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { latitude, longitude } = value as Partial<Record<string, unknown>>;
  return isLatitude(latitude) && isLongitude(longitude);
}

/** Returns how often a variable is used, without its definition. */
function usesOf(document: DocumentNode, name: string): number {
  let count = -1;
  visit(document, {
    [Kind.VARIABLE]: (node: { name: { value: string } }) => void (node.name.value === name && count++),
  });
  return count;
}

function isRepeated(name: string): name is keyof PointNames {
  return name === 'latitude' || name === 'longitude' || name === 'id';
}

function pointNamesIn(document: DocumentNode, field: FieldNode): PointNames {
  const pointNames = { latitude: [] as string[], longitude: [] as string[], id: [] as string[] };
  const read = (set: SelectionSetNode | undefined): void => {
    for (const each of set?.selections ?? []) {
      if (each.kind === Kind.INLINE_FRAGMENT) read(each.selectionSet);
      else if (each.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = document.definitions.find(
          (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === each.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) read(fragment.selectionSet);
      } else if (isRepeated(each.name.value)) {
        pointNames[each.name.value].push(each.alias?.value ?? each.name.value);
      }
    }
  };
  read(field.selectionSet);
  return pointNames;
}
