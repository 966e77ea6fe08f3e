import type { operationsOf } from '../rest/document.ts';
import type { Json, OpenApiParameter } from '../rest/types.ts';
import { codeBox, paragraph, prose, table, text } from './html.ts';
import { nameOf, type Schemas, shape, shapesIn, typeOf } from './json-schema.ts';

/** An operation of the OpenAPI document, with the other names of its path. */
export type DocumentedOperation = ReturnType<typeof operationsOf>[number] & { readonly aliases: readonly string[] };

export interface EndpointPageOptions {
  readonly schemas: Schemas;
  /** The address of the gateway in the example, without a path. */
  readonly address: string;
  readonly key: string;
}

interface JsonResponse {
  readonly content: { readonly 'application/json': { readonly schema: Json; readonly example?: unknown } };
}

/**
 * Describes an operation: its parameters, an example, a form that sends requests, and the shapes of its response. The
 * form is hidden until `web/docs.ts` runs, as it does nothing without it.
 */
export function endpointPage(documented: DocumentedOperation, { schemas, address, key }: EndpointPageOptions): string {
  const { path, method, operation, aliases } = documented;
  const { summary, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const { schema, example } = (responses['200'] as JsonResponse).content['application/json'];
  const { data } = (schemas[nameOf(schema)]?.properties ?? {}) as { data?: Json };
  const names = [path, ...aliases].map((name) => `<span class="verb">${method}</span>${text(name)}`);
  const shapes = shapesIn([data, body?.schema], schemas);
  return `<h1>${text(summary)}</h1>
${paragraph(description)}
<section class="ep">
<div class="path">${names.join('<br>')}</div>
${parameters.length > 0 ? `<div>${table(['Parameter', 'Required', 'Type', 'Meaning'], parameters.map(parameterRow))}</div>` : ''}
${body ? `<div>The body: ${typeOf(body.schema)}, as JSON</div>` : ''}
${tryForm(documented)}
<div><h2>For example</h2>${codeBox(curlOf(documented, address, key), 'Request with curl', 'curl')}</div>
<div><h2>Response</h2><p>The <code>data</code>: ${typeOf(data ?? {})}. All <a href="/docs/errors">errors</a> have one shape.</p>
<p class="small" role="status" id="outcome">${example === undefined ? '' : `<span class="tag solid">200</span> in the sample, each list truncated to its first element`}</p>
${codeBox(example === undefined ? 'Send a request to see its response.' : JSON.stringify(example, null, 2), 'Response', 'response')}</div>
</section>
${shapes.length > 0 ? `<h2 id="shapes">Shapes</h2>${shapes.map((name) => shape(name, schemas[name] ?? {})).join('\n')}` : ''}`;
}

function curlOf({ path, method, operation }: DocumentedOperation, address: string, key: string): string {
  const body = operation.requestBody?.content['application/json'].example;
  const query = operation.parameters
    .filter((parameter) => parameter.required || parameter['x-in-example'])
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const url = `${address}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const sent = method === 'POST' ? `-H 'content-type: application/json' -d '${JSON.stringify(body)}' ` : '';
  return `curl -H 'x-api-key: ${key}' ${sent}\\\n  '${url}'`;
}

function parameterRow({ name, required, schema, description }: OpenApiParameter): string[] {
  return [`<code>${text(name)}</code>`, required ? 'required' : 'optional', typeOf(schema), prose(description)];
}

function tryForm({ path, method, operation }: DocumentedOperation): string {
  const body = operation.requestBody?.content['application/json'];
  return `<form id="try" data-path="${text(path)}" data-method="${method}" autocomplete="off" hidden><h2>Try it</h2>
<div class="tryit">${operation.parameters.map(field).join('')}
${body ? `<label class="wide-f">Body<textarea class="in" name="body" rows="5" spellcheck="false">${text(JSON.stringify(body.example, null, 2))}</textarea></label>` : ''}
<label class="wide-f">x-api-key<input class="in" id="key" required spellcheck="false"></label></div>
<div class="row"><button class="btn primary">Send request</button><button class="btn" type="button" id="copy">Copy as curl</button></div></form>`;
}

function field({ name, required, schema, example, ...parameter }: OpenApiParameter): string {
  const value = required || parameter['x-in-example'] ? String(example) : '';
  const type = schema.format === 'date' ? 'date' : 'text';
  return `<label>${text(name)}<input class="in" type="${type}" name="${text(name)}" value="${text(value)}"${required ? ' required' : ''} spellcheck="false"></label>`;
}
