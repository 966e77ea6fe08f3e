import { type DocumentNode, type GraphQLSchema, Kind, type ValueNode, visit } from 'graphql';
import { readGlobalId } from '../schema/global-id.ts';
import { personalFields, rootFieldOf } from '../schema/root-fields.ts';

/**
 * Returns whether the text of a document may contain an address or a point.
 * @param document the parsed document; undefined if the text cannot be parsed.
 */
export function mayHoldPlace(schema: GraphQLSchema, source: string, document: DocumentNode | undefined): boolean {
  return personalFields(schema).some((name) => source.includes(name)) && (!document || holdsPlace(schema, document));
}

/**
 * Returns whether a document contains an address or a point, as a literal or as the default value of a variable; such a
 * document is not cached.
 */
export function holdsPlace(schema: GraphQLSchema, document: DocumentNode): boolean {
  return hasLiteral(document, (field) => {
    const { personal } = rootFieldOf(schema, field);
    if (personal === 'id of a point') return isPointId;
    return personal && isText;
  });
}

/**
 * Returns whether a document contains an address in the same way; such a document is not registered for its hash, while
 * one with coordinates is, because its client asks for it.
 */
export function holdsAddress(schema: GraphQLSchema, document: DocumentNode): boolean {
  return hasLiteral(document, (field) =>
    rootFieldOf(schema, field).personal === 'address or point' ? isString : undefined,
  );
}

type IsPersonal = (value: ValueNode) => boolean;

const isString: IsPersonal = ({ kind }) => kind === Kind.STRING;
const isText: IsPersonal = ({ kind }) => kind === Kind.STRING || kind === Kind.FLOAT || kind === Kind.INT;
const isPointId: IsPersonal = (value) => value.kind === Kind.STRING && readGlobalId(value.value)?.type === 'Location';

/** @param personalIn returns which values are personal in the arguments of a field. */
function hasLiteral(document: DocumentNode, personalIn: (field: string) => IsPersonal | undefined): boolean {
  const defaults = new Map<string, ValueNode>();
  const given: { readonly value: ValueNode; readonly isPersonal: IsPersonal }[] = [];
  visit(document, {
    [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) => {
      if (defaultValue) defaults.set(variable.name.value, defaultValue);
    },
    [Kind.FIELD]: ({ name, arguments: nodes = [] }) => {
      const isPersonal = personalIn(name.value);
      if (!isPersonal) return;
      for (const argument of nodes) {
        if (argument.name.value !== 'first') given.push({ value: argument.value, isPersonal });
      }
    },
  });
  return given.some(({ value, isPersonal }) => contains(value, defaults, isPersonal));
}

/** Returns whether a value, or the default of a variable in it, contains one that is personal. */
function contains(value: ValueNode, defaults: ReadonlyMap<string, ValueNode>, isPersonal: IsPersonal): boolean {
  const containsPersonal = (part: ValueNode) => contains(part, defaults, isPersonal);
  if (value.kind === Kind.LIST) return value.values.some(containsPersonal);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => containsPersonal(field.value));
  if (value.kind !== Kind.VARIABLE) return isPersonal(value);
  const byDefault = defaults.get(value.name.value);
  return byDefault !== undefined && containsPersonal(byDefault);
}
