import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { Caller, EndpointGrant } from '../../graph/builder/caller.ts';
import type { Context, InTurn } from '../../graph/builder/context.ts';
import { stringifyJson } from '../../graph/builder/raw-json.ts';
import { responseTooLarge } from '../../graph/builder/response-size.ts';
import type { Point } from '../../graph/districts/districts.store.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { Found, ResponseCache } from '../cache/response-cache.ts';
import { createTemplateFiller, toTemplate } from '../graphql/cache/response-template.ts';
import type { PointNames } from '../graphql/documents/caching.ts';
import type { Execute } from '../graphql/execution/execute.ts';
import type { Shape } from '../graphql/execution/shape.ts';
import { prepareDocument } from '../graphql/typed-document.ts';
import { success } from '../http/envelope.ts';
import { createParameterReader, type Query } from '../http/read-parameters.ts';
import type { ErrorExample } from './error-responses.ts';
import { LooksExchangedDocument } from './generated/documents.ts';

/** What a response depends on in addition to the data: the parameters and the grants of the caller's package. */
export interface EndpointInput<Parameters> {
  readonly parameters: Parameters;
  readonly caller: Caller;
}

/** An example query and its response, with each list truncated to its first element. */
export interface Example {
  readonly query: string;
  readonly response: unknown;
}

/** Definition of a legacy path: its parameters, the GraphQL document that it runs, and the shape of its response. */
export interface EndpointDefinition<
  Parameters extends z.ZodObject,
  Data extends z.ZodType,
  Result,
  Variables extends Record<string, unknown>,
> {
  /** The path, followed by its aliases. */
  readonly paths: readonly [string, ...string[]];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The grant that a package needs; FORBIDDEN errors name the endpoint by it. Omitted where the document decides by its fields. */
  readonly grant?: EndpointGrant;
  /** Grants that callers have here in addition to those of their package: the path shows these data in every package. */
  readonly addedGrants?: readonly AccessGrant[];
  /**
   * Whether the path also answers without a key, if the operator publishes the data: if a response depends on the
   * parameters, the data and the grants alone, and tells of no place where a person lives.
   */
  readonly isPublic?: boolean;
  readonly parameters: Parameters;
  /** The shape of `data` in the envelope. */
  readonly data: Data;
  /** The response of the sample to the examples of some parameters; verified by a test. */
  readonly example?: Example;
  readonly document: TypedDocumentNode<Result, Variables>;
  /** Returns the variables of the document. They exclude what the caller may not see or has not requested. */
  variables(input: EndpointInput<z.output<Parameters>>): Variables;
  /**
   * Whether a response depends on where a person lives more closely than its districts tell: because the parameters
   * contain an address, or because it is computed for the point itself. Then it is not cached.
   */
  isPersonal?(input: EndpointInput<z.output<Parameters>>): boolean;
  /** The errors that this path alone returns. */
  readonly errors?: readonly ErrorExample[];
  /** Whether a response has nothing yet for which a request with the parameter `wait` waits. */
  isEmpty?(body: Buffer | string): boolean;
  /** Whether later changes of the data leave a response as it is. */
  isLasting?(body: Buffer | string): boolean;
  /**
   * Shapes of the contract that can be compiled to SQL, by type and field of the schema; `reshape` accepts these as
   * well. Undefined if it needs the objects.
   */
  shapes?(input: EndpointInput<z.output<Parameters>>): Readonly<Record<string, Shape>> | undefined;
  /** Converts the result of the document to the shape of the contract: a pure function. */
  reshape(result: Result, input: EndpointInput<z.output<Parameters>>): z.output<Data>;
}

export interface Endpoint
  extends Pick<
    EndpointDefinition<z.ZodObject, z.ZodType, unknown, Record<string, unknown>>,
    | 'paths'
    | 'operationId'
    | 'summary'
    | 'description'
    | 'grant'
    | 'addedGrants'
    | 'isPublic'
    | 'parameters'
    | 'data'
    | 'example'
    | 'isLasting'
    | 'errors'
  > {
  /**
   * Returns the body of the response to a query: without a promise if it is cached in memory. A body from the cache is the
   * same buffer for repeated calls.
   * @param cache the response cache; undefined if it is disabled.
   * @throws ServiceError INVALID_PARAMETER, or the error of the executed document.
   */
  respond(query: Query, context: Context, execute: Execute, cache?: ResponseCache | undefined): Body | Promise<Body>;
}

type Body = Buffer | string;

/** Creates an endpoint from a definition; validates and prepares its document. */
export function defineEndpoint<
  Parameters extends z.ZodObject,
  Data extends z.ZodType,
  Result,
  Variables extends Record<string, unknown>,
>(definition: EndpointDefinition<Parameters, Data, Result, Variables>): Endpoint {
  const { document, variables, shapes, reshape, isPersonal, isEmpty, ...described } = definition;
  const run = prepareDocument(document);
  const fill = createTemplateFiller();
  const read = createParameterReader(definition.parameters);
  const endpoint: Endpoint = {
    ...described,
    respond(query, context, execute, cache) {
      const { responseLimits: limits } = context;
      const input = { parameters: read(query), caller: context.caller };
      const { point, others } = pointIn(input.parameters);
      const runDocument = async () => reshape(await run(execute, variables(input), context, shapes?.(input)), input);
      if (!cache || isPersonal?.(input)) {
        return runDocument().then((data) => {
          return withMessage(stringifyJson(success(data), limits), point, context, execute);
        });
      }
      const toBody = (template: Buffer) => {
        const parts = point ? fill(template, point) : [template];
        checkLength(parts, context);
        return withMessage(parts.length > 1 ? Buffer.concat(parts) : template, point, context, execute);
      };
      const respond = ({ bodies: [cached], complete }: Found) => {
        if (cached) return toBody(cached);
        return runDocument().then((data) => {
          const template = enveloped(toTemplate(data, POINT_NAMES, limits));
          complete([template]);
          return toBody(template);
        });
      };
      const found = cache.find(`${definition.operationId} ${JSON.stringify(others)}`, point && [point], context);
      return found instanceof Promise ? found.then(respond) : respond(found);
    },
  };
  return isEmpty ? { ...endpoint, respond: waitFor(endpoint.respond, isEmpty) } : endpoint;
}

/** Wraps the function that responds: while a response is empty, it waits for as long as the parameter `wait` says. */
function waitFor(respond: Endpoint['respond'], isEmpty: (body: Body) => boolean): Endpoint['respond'] {
  return async (query, context, execute, cache) => {
    const { waiting } = context;
    const until = performance.now() + Number(query.wait || 0) * 1_000;
    let inTurn: InTurn | undefined;
    for (;;) {
      const before = waiting?.latest;
      const read = async () => respond(query, context, execute, cache);
      const body = await (inTurn ? inTurn(read) : read());
      const left = until - performance.now();
      if (!waiting || !isEmpty(body) || left < 1) return body;
      inTurn ??= await waiting.pause();
      if (!(await waiting.change(before, Math.ceil(left)))) return body;
    }
  };
}

const runLooksExchanged = prepareDocument(LooksExchangedDocument);

/** Every record that a path returns for a point has an id. */
const ID = '"id":';

/** Returns a body, with a message if it has no record and the two numbers of its point look exchanged. */
function withMessage(body: Body, point: Point | undefined, context: Context, execute: Execute): Body | Promise<Body> {
  return !point || body.includes(ID) ? body : withHint(body, point, context, execute);
}

async function withHint(body: Body, point: Point, context: Context, execute: Execute): Promise<Body> {
  const { location } = await runLooksExchanged(execute, point, context);
  if (!location.looksExchanged) return body;
  const message = `lat and long look exchanged: no district contains this point, but lat=${point.longitude} and long=${point.latitude} are in the data.`;
  return JSON.stringify({ ...JSON.parse(body.toString()), message });
}

/**
 * Checks the response size.
 * @throws ServiceError RESPONSE_TOO_LARGE.
 */
function checkLength(parts: readonly Buffer[], { responseLimits }: Context): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (responseLimits && length > responseLimits.bytes) throw responseTooLarge(responseLimits);
}

/** Wraps data that is already JSON in a `success` envelope. */
function enveloped(data: Buffer): Buffer {
  return Buffer.concat([BEFORE, data, AFTER]);
}

const [BEFORE, AFTER] = JSON.stringify(success(0))
  .split('0')
  .map((part) => Buffer.from(part)) as [Buffer, Buffer];

const POINT_NAMES: PointNames = { latitude: ['latitude'], longitude: ['longitude'], id: [] };

/** Separates the point from the other parameters. */
function pointIn({ lat, long, wait: _, ...others }: Record<string, unknown>) {
  const point = typeof lat === 'number' && typeof long === 'number' ? { latitude: lat, longitude: long } : undefined;
  return { point, others };
}
