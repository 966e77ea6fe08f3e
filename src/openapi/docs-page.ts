import { operationsOf } from './document.ts';
import type { Json, OpenApiDocument, OpenApiOperation, OpenApiParameter } from './types.ts';

export interface DocsPageOptions {
  /** The address on which the service listens, used in the example URLs. */
  readonly listen: { readonly host: string; readonly port: number };
  /** A public API key with which the examples can be run unchanged. */
  readonly demoKey?: string | undefined;
}

/**
 * Renders the OpenAPI document as a single HTML page without scripts or external resources, so that its content security
 * policy allows nothing else. Existing viewers (Swagger UI, Scalar, Redoc) are not used: each is a script of a megabyte or
 * more that needs inline styles and shows nothing without JavaScript.
 */
export function docsPage(document: OpenApiDocument, { listen, demoKey }: DocsPageOptions): string {
  const { info, components } = document;
  const host = ['0.0.0.0', '::'].includes(listen.host) ? 'localhost' : listen.host;
  const call = { address: `http://${host}:${listen.port}`, key: demoKey ?? 'YOUR KEY' };
  const all = operationsOf(document);
  const operations = all.filter(({ operation }) => !operation.operationId.endsWith('Alias'));
  const aliasesOf = ({ operationId }: OpenApiOperation) =>
    all.filter(({ operation }) => operation.operationId === `${operationId}Alias`).map(({ path }) => path);
  const shapes = Object.entries(components.schemas).filter(([name]) => !name.endsWith('Response'));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${text(info.title)}</title>
<style>${STYLE}</style>
<h1>${text(info.title)}</h1>
${info.description.split('\n\n').map(paragraph).join('\n')}
<p>This page as an OpenAPI document: <a href="/openapi.json">/openapi.json</a></p>
<ul>${operations.map(({ path, operation: { operationId, summary } }) => `<li><a href="#${operationId}"><code>${text(path)}</code></a> ${text(summary)}</li>`).join('\n')}</ul>
${operations.map((each) => describe(each, aliasesOf(each.operation), components.schemas, call)).join('\n')}
<h2 id="errors">Errors</h2>
${errors(components.responses as Json)}
<h2 id="shapes">Shapes</h2>
${shapes.map(([name, schema]) => shape(name, schema)).join('\n')}
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;overflow-wrap:normal}th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;border-bottom:1px solid #8884}
pre{padding:.6rem;background:#8881;overflow-x:auto}th:last-child{width:40%}h2{margin-top:3rem}h3 code{font-weight:inherit}`;

function describe(
  { path, method, operation }: ReturnType<typeof operationsOf>[number],
  aliases: readonly string[],
  schemas: Readonly<Record<string, Json>>,
  { address, key }: { readonly address: string; readonly key: string },
): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const { schema, example } = (responses['200'] as JsonResponse).content['application/json'];
  const envelope = schemas[nameOf(schema)]?.properties as { data: Json } | undefined;
  const names = [path, ...aliases].map((name) => `<code>${method} ${text(name)}</code>`);
  const query = parameters
    .filter((parameter) => parameter.required || parameter['x-in-example'])
    .map(({ name, example: value }) => `${name}=${encodeURIComponent(String(value))}`);
  return `<h2 id="${operationId}">${text(summary)}</h2>
<p>${names.join(' or ')}</p>
${paragraph(description)}
${parameters.length > 0 ? table(['Parameter', 'Required', 'Type', 'Meaning'], parameters.map(parameterRow)) : ''}
${body ? `<p>The body: ${typeOf(body.schema)}, as JSON</p>` : ''}
<p>For example:</p>
<pre>curl -H 'x-api-key: ${text(key)}' ${body ? `-H 'content-type: application/json' -d '${text(JSON.stringify(body.example))}' ` : ''}\\
  '${text(`${address}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`)}'</pre>
<p>The <code>data</code> of the response: ${typeOf(envelope?.data ?? {})}</p>
${example === undefined ? '' : `<details><summary>Response of the sample, with each list truncated to its first element</summary><pre>${text(JSON.stringify(example, null, 2))}</pre></details>`}`;
}

function parameterRow({ name, required, schema, description }: OpenApiParameter): string[] {
  return [`<code>${text(name)}</code>`, required ? 'yes' : 'no', typeOf(schema), prose(description)];
}

function shape(name: string, schema: Json): string {
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

function errors(responses: Json): string {
  const rows = Object.values(responses as Record<string, JsonResponse>).map(({ description, content }) => {
    const { status, message } = content['application/json'].example as { status: number; message: string };
    return [String(status), prose(description), `<code>${text(message)}</code>`];
  });
  return `<p>The body is always ${link('Failure')}.</p>${table(['Status', 'When', 'Message, for example'], rows)}`;
}

interface JsonResponse {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: Json; readonly example?: unknown } };
}

/** Returns a short description of a JSON Schema with links to the shapes. */
function typeOf(schema: Json): string {
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
function nameOf({ $ref }: Json): string {
  return String($ref).replace(/^.*\//, '');
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = `${cells('th', head)}${rows.map((row) => cells('td', row)).join('\n')}`;
  return `<div class="wide" tabindex="0"><table>${body}</table></div>`;
}

function paragraph(content: string): string {
  return content === '' ? '' : `<p>${prose(content)}</p>`;
}

/** Converts plain text to HTML; text in backticks becomes `<code>`. */
function prose(content: string): string {
  return text(content).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

function text(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
