import { z } from 'zod';
import type { ErrorCode } from '../../base/errors.ts';
import { ERRORS } from '../../base/errors.ts';
import { requiredOf } from '../http/read-parameters.ts';
import { type BulkOperation, bulkErrors, bulkOperations, bulkSchemas } from './bulk-operations.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import {
  type ErrorExample,
  errorExamples,
  errorResponse,
  failureSchema,
  lookupErrors,
  NOT_MODIFIED,
} from './error-responses.ts';
import type { Json, OpenApiDocument, OpenApiParameter, PathItem } from './types.ts';

/**
 * Returns the OpenAPI description of the legacy paths and the bulk download, generated from the schemas that parse the
 * parameters and type the responses.
 * @param publicUrl the public address of the service; the document's own address decides if it is undefined.
 *
 * `@fastify/swagger` 9.9 is not used: it derives the document from the route schemas of Fastify, which would validate the
 * parameters a second time and serialise responses that are sent as cached bytes, and it has neither examples for each
 * error nor aliases of a path. zod converts the schemas.
 */
export function openApiDocument(publicUrl?: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ballotgraph: the legacy REST paths',
      version: '1',
      summary: 'Districts, officeholders, elections and ballots of a point or a state',
      description: [
        "A request needs an API key in the header `x-api-key`, except where the security requirement of a path is optional: what the operator publishes there is answered without one, by the grants of the package `public`. The key's package determines which endpoints are available and which fields a response has.",
        'Every response is JSON with `success`, `data` and `message`, regardless of its status. Clients must tolerate additional fields, and fields that their package omits.',
        'Lists in parameters are separated by commas. An empty parameter counts as missing, an unknown one is ignored.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'lookups', description: 'Lookups by point and by state.' },
      { name: 'bulk', description: 'Files with the rows of stored queries.' },
    ],
    paths: Object.fromEntries([...endpoints.flatMap(pathsOf), ...bulkOperations.map(bulkPathOf)]),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The API key of the caller.' },
      },
      schemas: componentSchemas(),
      responses: Object.fromEntries(
        [...errorExamples, ...lookupErrors, ...bulkErrors, ...endpoints.flatMap(({ errors = [] }) => errors)].map(
          (error) => [error.code, errorResponse(error)] satisfies [ErrorCode, Json],
        ),
      ),
    },
  } as OpenApiDocument;
}

function bulkPathOf({ path, method, operation, responseName, errors }: BulkOperation): [string, PathItem] {
  const schema = { $ref: `#/components/schemas/${responseName}` };
  const responses = {
    200: { description: 'The response.', content: { 'application/json': { schema } } },
    ...errorsOf([...errorExamples, ...errors]),
  };
  return [path, { [method]: { ...operation, responses } }];
}

function pathsOf(endpoint: Endpoint): [string, PathItem][] {
  return endpoint.paths.map((path, index) => [
    path,
    {
      get: {
        operationId: index === 0 ? endpoint.operationId : `${endpoint.operationId}Alias`,
        summary: index === 0 ? endpoint.summary : `${endpoint.summary} (another name of ${endpoint.paths[0]})`,
        description: `${endpoint.description} ${endpoint.grant ? `Needs the grant \`${endpoint.grant}\`.` : 'Each type needs the grant of its own path.'}${index === 0 && endpoint.isPublic ? ' Without a key, it answers what the operator publishes.' : ''}`,
        tags: ['lookups'],
        ...(index === 0 && endpoint.isPublic && { security: WITH_OR_WITHOUT_KEY }),
        parameters: parametersOf(endpoint),
        responses: responsesOf(endpoint),
      },
    },
  ]);
}

const WITH_OR_WITHOUT_KEY = [{}, { apiKey: [] }] as const;

function parametersOf({ parameters, example }: Endpoint): OpenApiParameter[] {
  const required = requiredOf(parameters);
  const inExample = new URLSearchParams(example?.query);
  const { properties = {} } = jsonSchema(parameters) as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, example, title: _, ...property }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: String(description),
    schema: property,
    ...(property.type === 'array' && { style: 'form', explode: false }),
    ...(example !== undefined && { example: property.type === 'array' ? [example] : example }),
    ...(inExample.has(name) && !required.includes(name) && { 'x-in-example': true }),
  }));
}

function responsesOf({ operationId, example, errors = [] }: Endpoint): Json {
  return {
    200: {
      description: 'The response.',
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${responseName(operationId)}` },
          ...(example && { example: example.response }),
        },
      },
    },
    304: NOT_MODIFIED,
    ...errorsOf([...errorExamples, ...lookupErrors, ...errors]),
  };
}

function errorsOf(errors: readonly ErrorExample[]): Json {
  return Object.fromEntries(
    errors.map(({ code }) => [ERRORS[code].status, { $ref: `#/components/responses/${code}` }]),
  );
}

/** Returns the operations of a document with their paths, in document order. */
export function operationsOf({ paths }: Pick<OpenApiDocument, 'paths'>) {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ path, method: 'GET' as const, operation: get }] : []),
    ...(post ? [{ path, method: 'POST' as const, operation: post }] : []),
  ]);
}

function responseName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`;
}

function componentSchemas(): Record<string, Json> {
  const envelopes = endpoints.map(({ operationId, summary, data }) => {
    const envelope = z.object({
      success: z.literal(true),
      data: data as z.ZodType,
      message: z
        .string()
        .nullable()
        .describe('Null in a lookup, unless its point has no district and latitude and longitude look exchanged.'),
    });
    return envelope.meta({ id: responseName(operationId), description: `Response: ${summary}.` });
  });
  const { $defs = {} } = jsonSchema(z.tuple([failureSchema, ...envelopes, ...bulkSchemas])) as {
    $defs?: Record<string, Json>;
  };
  return $defs;
}

/** Converts a zod schema to JSON Schema in its simplest form, with references to the components. */
function jsonSchema(schema: z.ZodType): Json {
  const made = z.toJSONSchema(schema, { io: 'output', override: ({ jsonSchema: node }) => simplify(node) });
  return JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

function simplify(node: z.core.JSONSchema.BaseSchema): void {
  // Responses may gain fields at any time (specification, Versioning 3).
  delete node.additionalProperties;
  if (node.type === 'integer' && node.maximum === Number.MAX_SAFE_INTEGER) {
    delete node.minimum;
    delete node.maximum;
  }
  if (node.format === 'date') delete node.pattern;
  const [value, other] = node.anyOf ?? [];
  if (node.anyOf?.length === 2 && other?.type === 'null' && typeof value?.type === 'string' && !value.enum) {
    delete node.anyOf;
    Object.assign(node, value, { description: node.description ?? value.description, type: [value.type, 'null'] });
  }
}
