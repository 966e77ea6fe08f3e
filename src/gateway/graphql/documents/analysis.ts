import { hash } from 'node:crypto';
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  print,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { readGlobalId } from '../../../graph/builder/global-id.ts';
import type { Requirement } from '../../../graph/builder/required-grants.ts';
import { type PersonalArguments, rootFieldOf } from '../../../graph/builder/root-fields.ts';
import { createFindCaching } from './caching.ts';
import { createFindNotInPackage, requirementsOf } from './not-in-package.ts';
import { type Definitions, definitionsOf, isCondition } from './selections.ts';
import { type TextArgument, takesText } from './text-arguments.ts';

/** The arguments `from` and `to` of one field, both ends of a range of days. */
export interface RangeArguments {
  readonly from: ValueNode;
  readonly to: ValueNode;
}

/**
 * What is known of a document before it is executed: the facts that its checks, its caching and its plans need, from one
 * visit. What depends on the values of its variables is a function of them. A document that is not valid has them as well, as far as it fits the schema.
 */
export type DocumentAnalysis = ReturnType<typeof analyse>;

/** Analyses a document, valid or not. */
export function analyse(schema: GraphQLSchema, document: DocumentNode) {
  const { personal, ...facts } = visitDocument(schema, document);
  const definitions = definitionsOf(document);
  const { defaults } = definitions;
  let textHash: string | undefined;
  let label: string | undefined;
  return {
    definitions,
    /** The arguments that take text. */
    texts: facts.texts,
    ranges: facts.ranges,
    /** The names of the variables in `@skip` and `@include`. */
    conditionNames: facts.conditionNames,
    /** Whether it asks for types of the schema, beyond `__typename`. */
    isIntrospection: facts.isIntrospection,
    /** Whether a response depends on the languages that the client prefers. */
    dependsOnLanguage: facts.dependsOnLanguage,
    /**
     * Whether it contains an address or a point, as a literal or as a default: such a document is not cached, whatever the values
     * of its variables, because its text is what tells the place.
     */
    holdsPlace: personal.some(({ value, kind }) => contains(value, defaults, IS_PLACE[kind])),
    /**
     * Whether it contains an address in the same way: such a document is not registered for its hash, while one with
     * coordinates is, because its client asks for it.
     */
    holdsAddress: personal.some(
      ({ value, kind }) => kind === 'address or point' && contains(value, defaults, isString),
    ),
    findCaching: createFindCaching(schema, { definitions, ...facts }),
    findNotInPackage: createFindNotInPackage(schema, { document, definitions, ...facts }),
    /** The SHA-256 of the document, however it is formatted; computed on first use. */
    get textHash() {
      textHash ??= hash('sha256', print(document), 'base64url');
      return textHash;
    },
    /** The hash that labels the document in metrics and in the log; computed on first use. */
    get label() {
      label ??= operationHash(document);
      return label;
    },
  };
}

/** The facts that a document has at its single nodes. */
function visitDocument(schema: GraphQLSchema, document: DocumentNode) {
  const texts: TextArgument[] = [];
  const ranges: RangeArguments[] = [];
  const conditionNames = new Set<string>();
  const requirements = new Set<Requirement>();
  const uses = new Map<string, number>();
  const personal: { readonly value: ValueNode; readonly kind: PersonalArguments }[] = [];
  const pointFields = new Set<FieldNode>();
  let isIntrospection = false;
  let dependsOnLanguage = false;
  const types = new TypeInfo(schema);

  function readField(node: FieldNode): void {
    const { name, arguments: given = [] } = node;
    const field = types.getFieldDef();
    isIntrospection ||= name.value === '__schema' || name.value === '__type';
    for (const requirement of field ? requirementsOf(field) : []) requirements.add(requirement);
    if (field?.extensions.dependsOnPoint) pointFields.add(node);
    dependsOnLanguage ||= field?.args.some((argument) => argument.name === 'language') === true;
    const [from, to] = ['from', 'to'].map((end) => given.find((argument) => argument.name.value === end)?.value);
    if (from && to) ranges.push({ from, to });
    // By its name alone: it may hold a place even where the document does not fit the schema.
    const { personal: kind } = rootFieldOf(schema, name.value);
    if (!kind) return;
    for (const argument of given) if (argument.name.value !== 'first') personal.push({ value: argument.value, kind });
  }

  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD]: readField,
      [Kind.ARGUMENT]: ({ value }: { readonly value: ValueNode }) => {
        const argument = types.getArgument();
        if (argument && takesText(argument.type)) texts.push({ argument, value });
      },
      [Kind.DIRECTIVE]: ({ name, arguments: given = [] }: DirectiveNode) => {
        if (!isCondition(name)) return;
        for (const { value } of given) if (value.kind === Kind.VARIABLE) conditionNames.add(value.name.value);
      },
      [Kind.VARIABLE]: ({ name }) => {
        uses.set(name.value, (uses.get(name.value) ?? 0) + 1);
      },
    }),
  );
  return {
    ...{ texts, ranges, conditionNames, requirements, uses, personal, pointFields },
    ...{ isIntrospection, dependsOnLanguage },
  };
}

type IsPersonal = (value: ValueNode) => boolean;

const isString: IsPersonal = ({ kind }) => kind === Kind.STRING;
const isText: IsPersonal = ({ kind }) => kind === Kind.STRING || kind === Kind.FLOAT || kind === Kind.INT;
/** Returns whether a value in the arguments of a root field is a place, by what the field says of its arguments. */
const IS_PLACE: Readonly<Record<PersonalArguments, IsPersonal>> = {
  point: isText,
  'address or point': isText,
  'id of a point': (value) => value.kind === Kind.STRING && readGlobalId(value.value)?.type === 'Location',
};

/** Returns whether a value, or a default of a variable in it, contains one that is personal. */
function contains(value: ValueNode, defaults: Definitions['defaults'], isPersonal: IsPersonal): boolean {
  const containsPersonal = (part: ValueNode) => contains(part, defaults, isPersonal);
  if (value.kind === Kind.LIST) return value.values.some(containsPersonal);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => containsPersonal(field.value));
  if (value.kind !== Kind.VARIABLE) return isPersonal(value);
  return (defaults.get(value.name.value) ?? []).some(containsPersonal);
}

/** Returns the first 12 hexadecimal digits of the SHA-256 of a document without its literals. */
function operationHash(document: DocumentNode): string {
  const bare = visit(document, {
    [Kind.INT]: (node) => ({ ...node, value: '0' }),
    [Kind.FLOAT]: (node) => ({ ...node, value: '0' }),
    [Kind.STRING]: (node) => ({ ...node, value: '' }),
    [Kind.LIST]: (node) => ({ ...node, values: [] }),
    [Kind.OBJECT]: (node) => ({ ...node, fields: [] }),
  });
  return hash('sha256', print(bare)).slice(0, 12);
}
