import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  validate,
} from 'graphql';
import { leafValue, type Pick } from './values.ts';

/** A GraphQL request as it is sent. */
export interface DrawnRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface DrawnDocument {
  /** Draws new values for the variables of the document. */
  request(): DrawnRequest;
}

const MOST_DEPTH = 7;
/** Marks a variable that is omitted. */
const ABSENT = Symbol('absent');
/** Names that every JavaScript object has. */
const NAMES_OF_OBJECTS = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'];
/** The same, names in responses, and names that are fields of several types. */
const ALIASES = [
  ...NAMES_OF_OBJECTS,
  ...['prototype', 'toJSON', 'then', 'length'],
  ...['data', 'errors', 'path', 'id', 'name', 'latitude', 'longitude', 'date', 'district', '_', 'A1'],
];

interface Variable {
  readonly type: string;
  readonly definition: string;
  draw(): unknown;
}

/** The selections of an object by response name: a name always has the same field and arguments. */
type Scope = Map<string, { readonly call: string; readonly inner: Scope }>;

/** Draws a valid document against a schema: fields, arguments, variables, fragments, conditions, several operations. */
export function drawDocument(schema: GraphQLSchema, random: () => number): DrawnDocument {
  for (;;) {
    const { query, operationName, variables } = drawOnce(schema, random);
    if (validate(schema, parse(query)).length > 0) continue;
    return {
      request: () => {
        const drawn = [...variables].map(([name, { draw }]) => [name, draw()] as const);
        const given = Object.fromEntries(drawn.filter(([, value]) => value !== ABSENT));
        return { query, variables: given, ...(operationName !== undefined && { operationName }) };
      },
    };
  }
}

function drawOnce(schema: GraphQLSchema, random: () => number) {
  const root = schema.getQueryType();
  if (!root) throw new Error('The schema has no query type');
  const pick: Pick = (items) => items[Math.floor(random() * items.length)] as (typeof items)[number];
  const chance = (part: number) => random() < part;
  const variables = new Map<string, Variable>();
  const fragments = new Map<string, { readonly type: string; readonly text: string }>();
  let left = 4 + Math.floor(random() ** 2 * 60);

  function variable(type: string, draw: () => unknown, fallback?: string): string {
    const same = [...variables].filter(([, known]) => known.type === type && fallback === undefined);
    const [known] = chance(0.3) && same.length > 0 ? [pick(same)] : [];
    if (known) return `$${known[0]}`;
    const unused = NAMES_OF_OBJECTS.filter((each) => !variables.has(each));
    const name =
      chance(0.4) && unused.length > 0 ? pick(unused) : pick(['v', 'id', 'first', 'points']) + variables.size;
    const definition = `$${name}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}`;
    variables.set(name, { type: fallback === undefined ? type : `${type} = ${fallback}`, definition, draw });
    return `$${name}`;
  }

  /** A value as JSON. */
  function plain(type: GraphQLInputType, name: string, owner: string): unknown {
    const nullable = getNullableType(type);
    if (nullable === type && chance(0.05)) return null;
    if (isListType(nullable)) {
      // A single value is coerced to a list.
      if (chance(0.15)) return plain(nullable.ofType, name, owner);
      const length = Math.floor(random() ** 2 * 5);
      return Array.from({ length }, () => plain(nullable.ofType, name, owner));
    }
    if (!isInputObjectType(nullable)) return leafValue(nullable, name, owner, pick);
    const fields = Object.values(nullable.getFields()).filter((field) => isRequiredInputField(field) || chance(0.4));
    return Object.fromEntries(fields.map((field) => [field.name, plain(field.type, field.name, owner)]));
  }

  function literal(type: GraphQLInputType, value: unknown): string {
    const nullable = getNullableType(type);
    if (value === null) return 'null';
    if (isListType(nullable)) {
      if (!Array.isArray(value)) return literal(nullable.ofType, value);
      return `[${value.map((item) => literal(nullable.ofType, item)).join(', ')}]`;
    }
    if (isInputObjectType(nullable)) {
      const fields = nullable.getFields();
      const given = Object.entries(value as object).map(
        ([name, each]) => `${name}: ${literal(fields[name]?.type ?? nullable, each)}`,
      );
      return `{ ${given.join(', ')} }`;
    }
    return isEnumType(nullable) ? String(value) : JSON.stringify(value);
  }

  /** A value in a document: a literal, a variable, or an object or a list with variables in it. */
  function written(type: GraphQLInputType, name: string, owner: string): string {
    const nullable = getNullableType(type);
    if (chance(0.35)) return writtenVariable(type, name, owner);
    if (isListType(nullable) && chance(0.8)) {
      const length = Math.floor(random() ** 2 * 5);
      return `[${Array.from({ length }, () => written(nullable.ofType, name, owner)).join(', ')}]`;
    }
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields());
      return `{ ${writtenAll(fields, owner, isRequiredInputField)} }`;
    }
    return literal(type, plain(type, name, owner));
  }

  function writtenVariable(type: GraphQLInputType, name: string, owner: string): string {
    const nullable = getNullableType(type);
    if (isNonNullType(type)) {
      if (chance(0.75)) return variable(String(type), () => plain(type, name, owner));
      const fallback = literal(type, plain(type, name, owner));
      const draw = () => (chance(0.4) ? ABSENT : chance(0.2) ? null : plain(type, name, owner));
      return variable(String(nullable), draw, fallback);
    }
    const isStrict = chance(0.3);
    const required = new GraphQLNonNull(nullable);
    const draw = () =>
      isStrict ? plain(required, name, owner) : chance(0.3) ? pick([ABSENT, null]) : plain(type, name, owner);
    const fallback = chance(0.2) ? literal(type, plain(type, name, owner)) : undefined;
    return isStrict ? variable(String(required), draw) : variable(String(type), draw, fallback);
  }

  function writtenAll<Input extends GraphQLArgument | GraphQLInputField>(
    inputs: readonly Input[],
    owner: string,
    isRequired: (input: Input) => boolean,
  ): string {
    return inputs
      .filter((input) => isRequired(input) || chance(0.4))
      .map((input) => `${input.name}: ${written(input.type, input.name, owner)}`)
      .join(', ');
  }

  function directives(part = 0.1): string {
    if (!chance(part)) return '';
    const condition = () => {
      if (chance(0.3)) return pick(['true', 'false']);
      if (chance(0.6)) return variable('Boolean!', () => pick([true, false]));
      return variable('Boolean', () => pick([true, false, true, false, ABSENT, ABSENT, null]), pick(['true', 'false']));
    };
    const names = pick([['skip'], ['include'], ['include'], ['skip', 'include']]);
    return names.map((name) => ` @${name}(if: ${condition()})`).join('');
  }

  function field(type: GraphQLObjectType, depth: number, scope: Scope): string {
    left--;
    const fields = Object.values(type.getFields()).filter(
      (each) => !isCompositeType(getNamedType(each.type)) || depth < MOST_DEPTH,
    );
    const objects = fields.filter((each) => isObjectType(getNamedType(each.type)));
    const isDeep = objects.length > 0 && left > 0 && chance(0.5);
    const chosen = chance(0.04) ? undefined : pick(isDeep ? objects : fields);
    // A location takes either a point or an address; most have a point.
    const isPoint = chosen?.name === 'location' && chance(0.9);
    const args = chosen?.args.filter(({ name }) => !isPoint || name !== 'address') ?? [];
    const given = chosen ? writtenAll(args, chosen.name, (each) => isPoint || isRequiredArgument(each)) : '';
    const call = `${chosen?.name ?? '__typename'}${given ? `(${given})` : ''}`;
    const free = (name: string) => (scope.get(name)?.call ?? call) === call;
    const wished = chance(0.25) ? pick(ALIASES) : (chosen?.name ?? '__typename');
    let key = wished;
    for (let number = 1; !free(key); number++) key = `${wished === '__typename' ? 't' : wished}${number}`;
    const inner = scope.get(key)?.inner ?? new Map();
    scope.set(key, { call, inner });
    const alias = key === (chosen?.name ?? '__typename') ? '' : `${key}: `;
    const below = getNamedType(chosen?.type);
    const selections = isObjectType(below)
      ? ` { ${selection(below, depth + 1, inner)} }`
      : isInterfaceType(below)
        ? ` { ${abstractSelection(below, depth + 1, inner)} }`
        : '';
    return `${alias}${call}${directives()}${selections}`;
  }

  /** The fields of an interface, and of one type that has it. */
  function abstractSelection(type: GraphQLInterfaceType, depth: number, scope: Scope): string {
    const one = pick(schema.getPossibleTypes(type));
    for (const name of ['__typename', 'id']) scope.set(name, { call: name, inner: new Map() });
    return `__typename id ... on ${one.name} { ${selection(one, depth, scope)} }`;
  }

  function selection(type: GraphQLObjectType, depth: number, scope: Scope): string {
    const count = 1 + Math.floor(random() ** 2 * 6);
    const parts: string[] = [];
    while (parts.length === 0 || (parts.length < count && left > 0)) parts.push(part(type, depth, scope));
    return parts.join(' ');
  }

  function part(type: GraphQLObjectType, depth: number, scope: Scope): string {
    if (left > 0 && chance(0.08)) {
      const condition = chance(0.6) ? ` on ${type.name}` : '';
      return `...${condition}${directives(0.4)} { ${selection(type, depth, scope)} }`;
    }
    if (left > 0 && chance(0.07)) return `...${fragment(type, depth, scope)}${directives(0.3)}`;
    return field(type, depth, scope);
  }

  /** Returns the name of a fragment: a new one, or one that is already spread elsewhere. */
  function fragment(type: GraphQLObjectType, depth: number, scope: Scope): string {
    const same = [...fragments].filter(([, known]) => known.type === type.name);
    if (same.length > 0 && chance(0.5)) return pick(same)[0];
    const name = pick(['F', 'constructor', type.name]) + fragments.size;
    // A fragment must not spread itself.
    fragments.set(name, { type: '', text: '' });
    const text = `fragment ${name} on ${type.name} { ${selection(type, depth, scope)} }`;
    fragments.set(name, { type: type.name, text });
    return name;
  }

  /** Mostly points, from which most of the graph can be reached. */
  function rootSelection(type: GraphQLObjectType, scope: Scope): string {
    if (chance(0.02)) return '__type(name: "Race") { name fields { name } }';
    const points = Object.values(type.getFields()).filter(({ name }) => name.startsWith('location'));
    if (points.length === 0 || chance(0.5)) return selection(type, 1, scope);
    const only = Object.create(type, {
      getFields: { value: () => Object.fromEntries(points.map((e) => [e.name, e])) },
    });
    return Array.from({ length: pick([1, 1, 1, 1, 2, 3]) }, () => part(only as GraphQLObjectType, 1, scope)).join(' ');
  }

  const body = rootSelection(root, new Map());
  const [isNamed, isOneOfTwo] = [chance(0.3), chance(0.1)];
  const name = isNamed || isOneOfTwo ? ' Asked' : '';
  const definitions = [...variables.values()].map(({ definition }) => definition).join(', ');
  const query = [
    ...(isOneOfTwo ? ['query Other { __typename }'] : []),
    `${definitions || name ? `query${name}${definitions ? ` (${definitions})` : ''} ` : ''}{ ${body} }`,
    ...[...fragments.values()].map(({ text }) => text),
  ].join('\n');
  return { query, variables, operationName: name && (isOneOfTwo || chance(0.5)) ? name.trim() : undefined };
}
