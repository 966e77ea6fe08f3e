import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { grantsKey } from '../../access/grants.ts';
import type { AccessGrant } from '../../database/tables.ts';
import type { Operation } from '../execution/execute.ts';
import { namedGrant, type Requirement } from '../schema/required-grants.ts';
import { type Conditions, conditionNamesOf, conditionsOf, isIncluded } from './conditions.ts';

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

/**
 * Returns the extensions that name the fields of an operation which are null or incomplete because of the caller's
 * package; undefined if there are none. They depend on the operation and the grants only, and so reveal nothing about the data.
 */
export type FindNotInPackage = (
  operation: Pick<Operation, 'document' | 'operationName' | 'variableValues'>,
  grants: Grants,
) => PackageExtensions | undefined;

/** Creates the function that finds the fields which packages do not include. It reads each document once. */
export function createFindNotInPackage(schema: GraphQLSchema): FindNotInPackage {
  const documents = new WeakMap<DocumentNode, ReturnType<typeof read>>();

  function read(document: DocumentNode) {
    const found = new LRUCache<string, Found>({ max: MAX_RESULTS });
    return { requirements: requirementsIn(schema, document), conditionNames: conditionNamesOf(document), found };
  }

  return ({ document, operationName, variableValues }, grants) => {
    const known = documents.get(document) ?? read(document);
    documents.set(document, known);
    if (known.requirements.every((requirement) => isMet(requirement, grants))) return undefined;
    const operation = getOperationAST(document, operationName);
    const conditions = operation && conditionsOf(operation, known.conditionNames, variableValues);
    if (!conditions) return undefined;
    const key = JSON.stringify([grantsKey(grants), operationName, conditions]);
    const cached = known.found.get(key);
    if (cached) return cached.extensions;
    const notInPackage = grouped(hiddenFields(schema, document, operation, conditions, grants));
    const extensions = notInPackage.length > 0 ? { notInPackage } : undefined;
    known.found.set(key, { extensions });
    return extensions;
  };
}

function requirementsOf({ extensions }: GraphQLField<unknown, unknown>): readonly Requirement[] {
  return (extensions.requirements ?? []) as readonly Requirement[];
}

function isMet({ grants: required }: Requirement, grants: Grants): boolean {
  return required.some((grant) => grants.has(grant));
}

/** Returns the requirements of all fields in a valid document. */
function requirementsIn(schema: GraphQLSchema, document: DocumentNode): readonly Requirement[] {
  const typeInfo = new TypeInfo(schema);
  const found = new Set<Requirement>();
  const enter = () => {
    const field = typeInfo.getFieldDef();
    for (const requirement of field ? requirementsOf(field) : []) found.add(requirement);
  };
  visit(document, visitWithTypeInfo(typeInfo, { [Kind.FIELD]: enter }));
  return [...found];
}

/** Returns whether a field requires the grants with the arguments that it is given. */
function isRequired({ argument }: Requirement, field: FieldNode): boolean {
  return (
    argument === undefined ||
    (field.arguments ?? []).some(({ name, value }) => name.value === argument && value.kind !== Kind.NULL)
  );
}

/**
 * Yields the selected fields whose requirements are not met, with their paths: none below a field that is null as a
 * whole.
 */
function* hiddenFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  conditions: Conditions,
  grants: Grants,
): Generator<readonly [Requirement, Path]> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  function* within(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType | null | undefined,
    path: Path,
  ): Generator<readonly [Requirement, Path]> {
    for (const selection of selections) {
      if (!isIncluded(selection, conditions)) continue;
      if (selection.kind !== Kind.FIELD) {
        const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        const condition = inner?.typeCondition?.name.value;
        if (inner) yield* within(inner.selectionSet, condition === undefined ? type : schema.getType(condition), path);
        continue;
      }
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[selection.name.value] : undefined;
      if (!field) continue;
      const inner = [...path, (selection.alias ?? selection.name).value];
      const unmet = requirementsOf(field).filter(
        (requirement) => !isMet(requirement, grants) && isRequired(requirement, selection),
      );
      const whole = unmet.find(({ partly }) => !partly);
      for (const requirement of whole ? [whole] : unmet) yield [requirement, inner];
      if (selection.selectionSet && !whole) yield* within(selection.selectionSet, getNamedType(field.type), inner);
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
