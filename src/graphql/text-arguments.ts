import {
  type DocumentNode,
  type GraphQLArgument,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Maximum number of characters of a text whose argument does not set `extensions.maxLength`. */
const MOST_CHARACTERS = 100;

type Variables = Readonly<Record<string, unknown>>;

/** The text arguments of a document, and the defaults of its variables. */
export interface TextArguments {
  readonly textArguments: readonly { readonly argument: GraphQLArgument; readonly value: ValueNode }[];
  readonly defaults: Variables;
}

/** Returns the arguments of a valid document that take text, directly or within an input object. */
export function textArgumentsOf(schema: GraphQLSchema, document: DocumentNode): TextArguments {
  const textArguments: { argument: GraphQLArgument; value: ValueNode }[] = [];
  const defaults: Record<string, unknown> = {};
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.ARGUMENT]: ({ value }: { value: ValueNode }) => {
        const argument = types.getArgument();
        if (argument && takesText(argument.type)) textArguments.push({ argument, value });
      },
      [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) => {
        if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
      },
    }),
  );
  return { textArguments, defaults };
}

/**
 * Checks the texts of an operation, literals and variables, before it is executed.
 * @returns an error for the first argument whose text the database cannot store or search within reasonable time;
 * undefined if there is none. Values that are not text are left to GraphQL's coercion.
 */
export function checkTexts({ textArguments, defaults }: TextArguments, variables: Variables): GraphQLError | undefined {
  if (textArguments.length === 0) return undefined;
  const values = { ...defaults, ...definedOf(variables) };
  for (const { argument, value } of textArguments) {
    const limit = lengthLimitOf(argument);
    const error = errorIn(argument.name, argument.type, valueFromASTUntyped(value, values), limit);
    if (error) return error;
  }
  return undefined;
}

/** Returns the maximum number of characters of an argument or input field. */
export function lengthLimitOf({ extensions }: Pick<GraphQLArgument, 'extensions'>): number {
  return typeof extensions.maxLength === 'number' ? extensions.maxLength : MOST_CHARACTERS;
}

function takesText(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (named === GraphQLString) return true;
  return isInputObjectType(named) && Object.values(named.getFields()).some((field) => takesText(field.type));
}

function errorIn(name: string, type: GraphQLInputType, value: unknown, limit: number): GraphQLError | undefined {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return firstError(items, (item) => errorIn(name, nullable.ofType, item, limit));
  }
  if (isInputObjectType(nullable)) {
    if (typeof value !== 'object' || value === null) return undefined;
    return firstError(Object.values(nullable.getFields()), (field) =>
      errorIn(`${name}.${field.name}`, field.type, (value as Variables)[field.name], lengthLimitOf(field)),
    );
  }
  return nullable === GraphQLString && typeof value === 'string' ? errorInText(name, value, limit) : undefined;
}

function errorInText(name: string, text: string, limit: number): GraphQLError | undefined {
  const reason =
    text.length > limit
      ? `must have at most ${limit} characters, not ${text.length}`
      : text.includes('\0')
        ? 'must not contain the character NUL (U+0000)'
        : text.isWellFormed()
          ? undefined
          : 'must be Unicode: it contains one half of a surrogate pair without the other';
  return reason === undefined
    ? undefined
    : new GraphQLError(`${name} ${reason}.`, {
        extensions: { code: 'INVALID_PARAMETER', parameters: [{ name, reason }] },
      });
}

function firstError<Item>(
  items: readonly Item[],
  check: (item: Item) => GraphQLError | undefined,
): GraphQLError | undefined {
  for (const item of items) {
    const error = check(item);
    if (error) return error;
  }
  return undefined;
}

/** Returns the defined variables; an undefined one has its default. */
function definedOf(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}
