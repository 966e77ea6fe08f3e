import type { Json } from '../rest/types.ts';
import { paragraph, prose, table, text } from './html.ts';

export type Schemas = Readonly<Record<string, Json>>;

/** Returns a short description of a JSON Schema as HTML, with links to the shapes on the same page. */
export function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return link(nameOf(schema));
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((each) => typeOf(each as Json)).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${text(String(value))}</code>`).join(', ');
  if (schema.const !== undefined) return `<code>${text(String(schema.const))}</code>`;
  const types = [schema.type].flat().map((type) => {
    if (type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`;
    if (type === 'object') return nested(schema);
    return type === 'string' && schema.format ? `${String(schema.format)}` : String(type);
  });
  return types.join(' or ');
}

/** Returns the name of the component that a schema refers to. */
export function nameOf({ $ref }: Json): string {
  return String($ref).replace(/^.*\//, '');
}

/** Returns the names of the components that schemas refer to, directly or through others, each once. */
export function shapesIn(roots: readonly unknown[], schemas: Schemas): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = '$ref' in value ? nameOf(value as Json) : undefined;
    if (name === undefined) {
      for (const member of Object.values(value)) visit(member);
    } else if (!found.has(name)) {
      found.add(name);
      visit(schemas[name]);
    }
  };
  for (const root of roots) visit(root);
  return [...found];
}

/** Describes the fields of a component. */
export function shape(name: string, schema: Json): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = (schema.required ?? []) as string[];
  const rows = properties.map(([field, value]) => [
    `<code>${text(field)}</code>`,
    typeOf(value) + (required.includes(field) ? '' : ' or left out'),
    prose(String(value.description ?? '')),
  ]);
  return `<h3 id="${text(name)}"><code>${text(name)}</code></h3>
${paragraph(String(schema.description ?? ''))}
${table(['Field', 'Type', 'Meaning'], rows)}`;
}

function nested(schema: Json): string {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return fields.length === 0
    ? 'object'
    : `object: ${fields.map(([name, value]) => `<code>${text(name)}</code> (${typeOf(value)})`).join(', ')}`;
}

function link(name: string): string {
  return `<a href="#${text(name)}">${text(name)}</a>`;
}
