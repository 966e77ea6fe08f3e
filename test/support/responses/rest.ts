import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isCalendarDate } from '../../../src/base/dates.ts';
import type { Json, OpenApiDocument } from '../../../src/gateway/rest/types.ts';

export interface RestResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: { readonly 'application/json'?: { readonly schema: Json } };
  readonly $ref?: string;
}

/** Returns how a response violates the OpenAPI document; undefined for a path that it does not describe. */
export type CheckRest = (response: RestResponse) => string[] | undefined;

/**
 * Compiles the schemas of an OpenAPI document into a check of responses: the status must be described for the
 * operation, its headers must be present, and its body must match the schema without additional fields. Methods that
 * the document does not describe must be rejected in the documented error format.
 */
export function createRestCheck(document: OpenApiDocument): CheckRest {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    formats: { date: isCalendarDate, int64: { type: 'number', validate: Number.isSafeInteger } },
    keywords: ['example'],
  });
  ajv.addSchema({ $id: 'openapi', $defs: prepared(document.components.schemas) });
  const compiled = new Map<string, ValidateFunction>();

  function fits(schema: Json, body: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(prepared(schema));
    compiled.set(key, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
    });
  }

  const responses = document.components.responses as Readonly<Record<string, DescribedResponse>>;
  const resolve = (described: DescribedResponse): DescribedResponse =>
    described.$ref === undefined ? described : (responses[described.$ref.split('/').at(-1) ?? ''] ?? {});

  return function check({ method, path, status, headers, body }) {
    const item = document.paths[path];
    if (!item) return undefined;
    // The client has disconnected: this response is written to the log only.
    if (status === 499) return [];
    const operation = method === 'POST' ? item.post : ['GET', 'HEAD'].includes(method) ? item.get : undefined;
    if (!operation) {
      if (method === 'OPTIONS' && status === 204 && body === '') return [];
      if (status < 400) return [`${method} is not described, and has the status ${status}`];
      return bodyViolations({ $ref: '#/components/schemas/Failure' }, body, fits);
    }
    const described = (operation.responses as Readonly<Record<string, DescribedResponse>>)[status];
    if (!described) return [`the status ${status} is not described: ${body.slice(0, 200)}`];
    const { headers: sent = {}, content } = resolve(described);
    const missing = Object.keys(sent)
      .filter((name) => headers[name.toLowerCase()] === undefined)
      .map((name) => `the header ${name} is missing from a ${status}`);
    const schema = content?.['application/json']?.schema;
    if (!schema) return body === '' ? missing : [...missing, `the ${status} has a body`];
    if (method === 'HEAD' && body === '') return missing;
    if (!String(headers['content-type']).startsWith('application/json')) {
      missing.push(`the type of the content is ${headers['content-type']}`);
    }
    return [...missing, ...bodyViolations(schema, body, fits)];
  };
}

function bodyViolations(schema: Json, body: string, fits: (schema: Json, body: unknown) => string[]): string[] {
  try {
    return fits(schema, JSON.parse(body));
  } catch (error) {
    if (error instanceof SyntaxError) return [`the body is no JSON: ${body.slice(0, 80)}`];
    throw error;
  }
}

/** Returns the same schemas with references into the bundle, and with undescribed properties forbidden. */
function prepared<Schema extends object>(schemas: Schema): Schema {
  const text = JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"openapi#/$defs/');
  return JSON.parse(text, (_, node) =>
    node?.type === 'object' && node.properties ? { ...node, unevaluatedProperties: false } : node,
  );
}
