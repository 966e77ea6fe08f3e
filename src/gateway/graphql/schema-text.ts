import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  isInterfaceType,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  parseConstValue,
  print,
  printSchema,
  visit,
} from 'graphql';
import { schema } from '../../graph/schema.ts';

/**
 * Returns the schema in the schema definition language, with the directives of its fields and sorted types and members,
 * as in `schema.graphql`.
 */
export function schemaText(): string {
  // graphql-js prints no applied directives; `printSchemaWithDirectives` of graphql-tools omits defaults of 0.
  const document = visit(parse(printSchema(lexicographicSortSchema(schema)), { noLocation: true }), {
    [Kind.OBJECT_TYPE_DEFINITION]: withDirectives,
    [Kind.INTERFACE_TYPE_DEFINITION]: withDirectives,
  });
  return `${withEmptyLines(print(document))}\n`;
}

/** Returns a type with the directives that the extensions of its fields state. */
function withDirectives<Node extends { name: { value: string }; fields?: readonly FieldDefinitionNode[] }>(
  node: Node,
): Node {
  const type = schema.getType(node.name.value);
  if (!isObjectType(type) && !isInterfaceType(type)) return node;
  const fields = type.getFields();
  return {
    ...node,
    fields: node.fields?.map((field) => ({
      ...field,
      directives: [...(field.directives ?? []), ...directiveNodes(fields[field.name.value]?.extensions.directives)],
    })),
  };
}

function directiveNodes(directives: unknown): ConstDirectiveNode[] {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const all = Object.entries((directives ?? {}) as Record<string, readonly object[]>).flatMap(([directive, uses]) =>
    uses.map((values) => [directive, values] as const),
  );
  return all.map(([directive, values]) => ({
    kind: Kind.DIRECTIVE,
    name: name(directive),
    arguments: Object.entries(values).map(([argument, value]) => ({
      kind: Kind.ARGUMENT,
      name: name(argument),
      // The arguments are text, lists and booleans, whose JSON is also GraphQL.
      value: parseConstValue(JSON.stringify(value), { noLocation: true }),
    })),
  }));
}

const QUOTES = '"""';

/** Adds an empty line before each description, as `printSchema` does. */
function withEmptyLines(text: string): string {
  const lines: string[] = [];
  let isDescription = false;
  for (const line of text.split('\n')) {
    const hasQuotes = line.trimStart().startsWith(QUOTES);
    const isFirst = /(^|[{(])$/.test(lines.at(-1) ?? '');
    if (hasQuotes && !isDescription && !isFirst) lines.push('');
    lines.push(line);
    const isOneLine = hasQuotes && line.trim().length > QUOTES.length;
    if (hasQuotes && !isOneLine) isDescription = !isDescription;
  }
  return lines.join('\n');
}
