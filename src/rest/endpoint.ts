import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { z } from 'zod';
import type { Caller, EndpointGrant } from '../access/caller.ts';
import type { Answers } from '../answers/answers.ts';
import { type Echoes, fill, toFragment } from '../answers/fragment.ts';
import type { Context } from '../graphql/context.ts';
import type { Execute } from '../graphql/execute.ts';
import { responseTooLarge } from '../graphql/response-size.ts';
import type { Shape } from '../graphql/shape.ts';
import { success } from './envelope.ts';
import { type Query, readParameters } from './read-parameters.ts';
import { prepareDocument } from './run-document.ts';

/** What an answer depends on beside the data: the parameters, and what the caller's package includes. */
export interface Asked<Parameters> {
  readonly parameters: Parameters;
  readonly caller: Caller;
}

/** A query and the answer to it, each list cut to its first element. */
export interface Example {
  readonly query: string;
  readonly answer: unknown;
}

/** One legacy path: what it takes, the one document that it runs against the schema, and the shape of its answer. */
export interface EndpointDefinition<
  Parameters extends z.ZodObject,
  Answer extends z.ZodType,
  Result,
  Variables extends Record<string, unknown>,
> {
  /** The path, then its other names. */
  readonly paths: readonly [string, ...string[]];
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What a package must include; the endpoint is named so in refusals. */
  readonly grant: EndpointGrant;
  readonly parameters: Parameters;
  /** The shape of `data` in the envelope. */
  readonly data: Answer;
  /** What the sample answers to the examples of some parameters; a test asks it. */
  readonly example?: Example;
  readonly document: TypedDocumentNode<Result, Variables>;
  /** The variables of the document. What the caller may not see or has not asked for is left out by them. */
  variables(asked: Asked<z.output<Parameters>>): Variables;
  /** The shapes of the contract that the store may word, by type and field of the schema; `reshape` takes these as well. */
  shapes?(asked: Asked<z.output<Parameters>>): Readonly<Record<string, Shape>>;
  /** The document's answer in the shape of the contract: a pure function. */
  reshape(result: Result, asked: Asked<z.output<Parameters>>): z.output<Answer>;
}

export interface Endpoint
  extends Pick<
    EndpointDefinition<z.ZodObject, z.ZodType, unknown, Record<string, unknown>>,
    'paths' | 'operationId' | 'summary' | 'description' | 'grant' | 'parameters' | 'data' | 'example'
  > {
  /**
   * Answers a query with what belongs into `data`.
   * @throws ServiceError INVALID_PARAMETER, or what failed below.
   */
  answer(query: Query, context: Context, execute: Execute): Promise<unknown>;
  /** The whole body of the answer, from what is kept where there is something: then the very same buffer each time. */
  answerKept(query: Query, context: Context, execute: Execute, answers: Answers): Promise<Buffer>;
}

/** An endpoint of a definition, its document validated and ready. */
export function defineEndpoint<
  Parameters extends z.ZodObject,
  Answer extends z.ZodType,
  Result,
  Variables extends Record<string, unknown>,
>(definition: EndpointDefinition<Parameters, Answer, Result, Variables>): Endpoint {
  const { document, variables, shapes, reshape, ...described } = definition;
  const run = prepareDocument(document);
  const read = (query: Query, { caller }: Context) => ({
    parameters: readParameters(definition.parameters, query),
    caller,
  });
  const answerTo = async (asked: Asked<z.output<Parameters>>, context: Context, execute: Execute) =>
    reshape(await run(execute, variables(asked), context, shapes?.(asked)), asked);
  return {
    ...described,
    answer: (query, context, execute) => answerTo(read(query, context), context, execute),
    async answerKept(query, context, execute, answers) {
      const asked = read(query, context);
      const asking = { caller: context.caller, today: context.today, ending: context.ending };
      const { point, others } = pointIn(asked.parameters);
      const key = `${definition.operationId} ${JSON.stringify(others)}`;
      const make = async () =>
        enveloped(toFragment(await answerTo(asked, context, execute), POINT_IN_ANSWER, context.responseLimits));
      const fragment = point
        ? (await answers.ofPoints(key, [point], asking, async () => [await make()]))?.[0]
        : await answers.ofData(key, asking, make);
      const body = fragment ?? (await make());
      const parts = point ? fill(body, point) : [body];
      checkLength(parts, context);
      return parts.length > 1 ? Buffer.concat(parts) : body;
    },
  };
}

/** @throws ServiceError RESPONSE_TOO_LARGE */
function checkLength(parts: readonly Buffer[], { responseLimits }: Context): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (responseLimits && length > responseLimits.bytes) throw responseTooLarge(responseLimits);
}

/** `success` around data that are JSON already. */
function enveloped(data: Buffer): Buffer {
  return Buffer.concat([BEFORE, data, AFTER]);
}

const [BEFORE, AFTER] = JSON.stringify(success(0))
  .split('0')
  .map((part) => Buffer.from(part)) as [Buffer, Buffer];

const POINT_IN_ANSWER: Echoes = { latitude: ['latitude'], longitude: ['longitude'] };

/** The point among the parameters, apart from the others. */
function pointIn({ lat, long, ...others }: Record<string, unknown>) {
  const point = typeof lat === 'number' && typeof long === 'number' ? { latitude: lat, longitude: long } : undefined;
  return { point, others };
}
