import { type GraphQLSchema, getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { namesMeant, selectionMeant } from '../../names/similar-names.ts';

/** The errors of graphql-js about unknown names: of a field, an argument, and a field of an input. Their suggestions come from spelling. */
const UNKNOWN = [
  /^(Cannot query field "(?<name>\w+)" on type "(?<on>\w+)"\.)(?<rest>.*)/s,
  /^(Unknown argument "(?<name>\w+)" on field "(?<on>\w+\.\w+)"\.)(?<rest>.*)/s,
  /^(.*Expected value of type "(?<on>\w+)" not to include unknown field "(?<name>\w+)")(?:\. Did you mean .*\? Found|, found)(?<rest>: .*)/s,
] as const;

/**
 * Returns the message of an error about an unknown name with what the name means, if that is known, in place of names
 * with a similar spelling (`races` of a ballot is no `date`).
 */
export function withMeaning(message: string, schema: GraphQLSchema): string {
  for (const pattern of UNKNOWN) {
    const found = pattern.exec(message);
    const { name, on, rest } = found?.groups ?? {};
    if (!found || !name || !on) continue;
    const meant = meaning(name, on, schema);
    if (meant.length === 0) return message;
    const listed = new Intl.ListFormat('en', { type: 'disjunction' }).format(meant.map((each) => `"${each}"`));
    const suggestion = ` Did you mean ${listed}?`;
    return rest?.startsWith(':') ? `${found[1]}.${suggestion} Found${rest}` : `${found[1]}${suggestion}`;
  }
  return message;
}

function meaning(written: string, on: string, schema: GraphQLSchema): string[] {
  const selection = selectionMeant(written, on);
  if (selection !== undefined) return [selection];
  const [typeName = '', fieldName] = on.split('.');
  const type = schema.getType(typeName);
  if (isInputObjectType(type)) return namesMeant(written, Object.keys(type.getFields()));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const fields = type.getFields();
  if (fieldName === undefined) {
    const found = namesMeant(written, Object.keys(fields));
    const node = getNamedType(fields.nodes?.type);
    // A list with cursors, of which a field of its records was written.
    const ofNodes = isObjectType(node) && found.length === 0 ? namesMeant(written, Object.keys(node.getFields())) : [];
    return [...found, ...ofNodes.map((each) => `nodes { ${each} }`)];
  }
  const args = fields[fieldName]?.args ?? [];
  const found = namesMeant(
    written,
    args.map(({ name }) => name),
  );
  if (found.length > 0) return found;
  return args.flatMap(({ name, type: of }) => {
    const input = getNamedType(of);
    const inner = isInputObjectType(input) ? namesMeant(written, Object.keys(input.getFields())) : [];
    return inner.map((each) => `${name}: { ${each}: … }`);
  });
}
