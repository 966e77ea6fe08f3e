import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { grantsKey } from '../../../graph/builder/grants.ts';
import { namedGrant, type Requirement } from '../../../graph/builder/required-grants.ts';
import type { AccessGrant } from '../../../store/sql/tables.ts';
import { type Conditions, conditionsOf, type Definitions, fieldsIn, type Variables, valuesOf } from './selections.ts';

/** The fields of an operation that require a grant, in whole or for some values, which the package of the caller lacks. */
export interface NotInPackage {
  /** The missing grant; a list of grants if one of them suffices. */
  readonly grant: AccessGrant | readonly AccessGrant[];
  /** The response names from the root to each field, without indices of lists. */
  readonly paths: readonly (readonly string[])[];
}

type Path = readonly string[];
type Grants = ReadonlySet<AccessGrant>;

/** The maximum number of paths in a response. */
const MOST_PATHS = 100;

/**
 * The maximum number of results cached for a document. There is one for each combination of grants, operation and
 * values of the variables in `@skip` and `@include`.
 */
const MAX_RESULTS = 20;

/** The `extensions` of a response. */
type PackageExtensions = { readonly notInPackage: readonly NotInPackage[] };

/** A cached result. */
interface Found {
  readonly extensions: PackageExtensions | undefined;
}

/** Which operation of a document is executed, with the values of its variables. */
interface ChosenOperation {
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Variables | null | undefined;
}

/**
 * Returns the extensions that name the fields of an operation which are null or incomplete because of the caller's
 * package; undefined if there are none. They depend on the operation, its variables and the grants only, and so reveal nothing
 * about the data.
 */
export type FindNotInPackage = (operation: ChosenOperation, grants: Grants) => PackageExtensions | undefined;

/** What is known of a document. */
interface ReadDocument {
  readonly document: DocumentNode;
  readonly definitions: Definitions;
  /** The names of the variables in `@skip` and `@include`. */
  readonly conditionNames: ReadonlySet<string>;
  /** The requirements of all fields of the document. */
  readonly requirements: ReadonlySet<Requirement>;
}

/** Creates the function that finds the fields of a valid document which packages do not include. */
export function createFindNotInPackage(schema: GraphQLSchema, read: ReadDocument): FindNotInPackage {
  const { document, definitions, conditionNames } = read;
  const requirements = [...read.requirements];
  if (requirements.length === 0) return () => undefined;
  // With such an argument it depends on values of variables, which no key may contain.
  const isByConditions = requirements.every(({ argument }) => argument === undefined);
  const known = new LRUCache<string, Found>({ max: MAX_RESULTS });

  return ({ operationName, variableValues }, grants) => {
    if (requirements.every((requirement) => isMet(requirement, grants))) return undefined;
    const operation = getOperationAST(document, operationName);
    const conditions = operation && conditionsOf(operation, conditionNames, variableValues);
    if (!conditions) return undefined;
    const key = `${grantsKey(grants)} ${operationName ?? ''} ${conditions.key}`;
    const cached = known.get(key);
    if (cached) return cached.extensions;
    const notInPackage = grouped(
      hiddenFields(schema, definitions.fragments, operation, conditions, valuesOf(operation, variableValues), grants),
    );
    const extensions = notInPackage.length > 0 ? { notInPackage } : undefined;
    if (isByConditions) known.set(key, { extensions });
    return extensions;
  };
}

/** Returns what a field requires. */
export function requirementsOf({ extensions }: GraphQLField<unknown, unknown>): readonly Requirement[] {
  return (extensions.requirements ?? []) as readonly Requirement[];
}

function isMet({ grants: required }: Requirement, grants: Grants): boolean {
  return required.some((grant) => grants.has(grant));
}

/** Returns whether a field requires the grants with the arguments that it is given. */
function isRequired({ argument }: Requirement, field: FieldNode, variables: Variables): boolean {
  return (
    argument === undefined ||
    (field.arguments ?? []).some(
      ({ name, value }) => name.value === argument && hasCondition(valueFromASTUntyped(value, variables)),
    )
  );
}

/** Returns whether the value of an argument is one, or an input object that has one. */
function hasCondition(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value != null;
  return Object.values(value).some(hasCondition);
}

/**
 * Yields the selected fields whose requirements are not met, with their paths: none below a field that is null as a
 * whole.
 */
function* hiddenFields(
  schema: GraphQLSchema,
  fragments: Definitions['fragments'],
  operation: OperationDefinitionNode,
  conditions: Conditions,
  variables: Variables,
  grants: Grants,
): Generator<readonly [Requirement, Path]> {
  /** The fragments that the objects at each path have spread. */
  const spreads = new Map<string, Set<string>>();

  function* within(
    set: SelectionSetNode,
    parent: GraphQLNamedType | null | undefined,
    path: Path,
  ): Generator<readonly [Requirement, Path]> {
    const spread = spreads.get(path.join('.')) ?? new Set();
    spreads.set(path.join('.'), spread);
    for (const [node, typeCondition] of fieldsIn([set], fragments, conditions, spread)) {
      const type = typeCondition === undefined ? parent : schema.getType(typeCondition);
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
      if (!field) continue;
      const inner = [...path, (node.alias ?? node.name).value];
      const unmet = requirementsOf(field).filter(
        (requirement) => !isMet(requirement, grants) && isRequired(requirement, node, variables),
      );
      const whole = unmet.find(({ partly }) => !partly);
      for (const requirement of whole ? [whole] : unmet) yield [requirement, inner];
      if (node.selectionSet && !whole) yield* within(node.selectionSet, getNamedType(field.type), inner);
    }
  }

  yield* within(operation.selectionSet, schema.getRootType(operation.operation), []);
}

/** Groups fields by the grants that they require; a field that is selected several times counts once. */
function grouped(fields: Iterable<readonly [Requirement, Path]>): NotInPackage[] {
  const groups = new Map<string, { grant: NotInPackage['grant']; paths: Map<string, Path> }>();
  let count = 0;
  for (const [{ grants }, path] of fields) {
    const group = groups.get(grants.join()) ?? { grant: namedGrant(grants), paths: new Map() };
    groups.set(grants.join(), group);
    if (!group.paths.has(path.join('.')) && ++count > MOST_PATHS) break;
    group.paths.set(path.join('.'), path);
  }
  return [...groups.values()].map(({ grant, paths }) => ({ grant, paths: [...paths.values()] }));
}
