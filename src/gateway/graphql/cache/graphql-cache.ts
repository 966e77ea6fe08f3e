import type { ExecutionResult } from 'graphql';
import type { ResponseLimits } from '../../../base/config/limits.ts';
import { encodeJson } from '../../../graph/builder/raw-json.ts';
import { responseTooLarge } from '../../../graph/builder/response-size.ts';
import { readPoint } from '../../../graph/builder/scalars.ts';
import { MOST_POINTS, type Point } from '../../../graph/districts/districts.store.ts';
import type { Found, ResponseCache } from '../../cache/response-cache.ts';
import type { CachingByPoint } from '../documents/caching.ts';
import { givenValue, type Variables } from '../documents/selections.ts';
import type { Operation } from '../execution/execute.ts';
import { createTemplateFiller, toTemplate } from './response-template.ts';

/** Executes the document of an operation, with its variables or with those for some of its points only. */
export type Run = (variables: Variables) => Promise<ExecutionResult>;

/** A result, or in its place the body of the response to it. */
export type CompletedResult = ExecutionResult & { readonly body?: Buffer };

/** What the cache has of the response to an operation. */
export interface CachedResponse {
  /** Undefined if a part of it is missing. */
  readonly body: Buffer | undefined;
  /**
   * Executes what is missing, and caches it.
   * @returns the body; the result if it has errors or may not be cached.
   * @throws ServiceError RESPONSE_TOO_LARGE
   */
  complete(run: Run): Promise<CompletedResult>;
}

export interface GraphQLCache {
  /** Looks up the response to an operation: without a promise if all that this takes is in memory. */
  find(operation: Operation): CachedResponse | Promise<CachedResponse>;
}

/** An operation that is cached by its points, or as a whole. */
interface CachedOperation extends Operation {
  readonly variableValues: Variables;
  readonly caching: CachingByPoint | undefined;
  readonly points: readonly Point[] | undefined;
}

/** Creates the cache of responses to GraphQL operations. */
export function createGraphQLCache(cache: ResponseCache): GraphQLCache {
  const fill = createTemplateFiller();

  /** Returns the body of a response; undefined if it is too large. */
  function assemble(operation: CachedOperation, bodies: readonly Buffer[]): Buffer | undefined {
    const { caching, points, contextValue } = operation;
    if (!points) return bodies[0];
    const filled = bodies.flatMap((body, index) => {
      const parts = fill(body, points[index] as Point);
      return index > 0 ? [COMMA, ...parts] : parts;
    });
    const parts = caching?.isList ? framed(operation, caching, filled) : filled;
    const { bytes } = contextValue.responseLimits ?? { bytes: Number.POSITIVE_INFINITY };
    if (parts.reduce((sum, { length }) => sum + length, 0) > bytes) return undefined;
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  /** Executes the missing parts of a response, or all if the data have changed since; returns a result with errors as it is. */
  async function make(operation: CachedOperation, { bodies, complete }: Found, run: Run) {
    const { variableValues, caching, points = [] } = operation;
    const missing = points.filter((_, index) => bodies[index] === undefined);
    const isPart = caching !== undefined && missing.length < points.length;
    const result = await run(isPart ? { ...variableValues, [caching.variables[0]]: missing } : variableValues);
    if (result.errors) return isPart ? run(variableValues) : result;
    const completed = await complete(await toBodies(operation, result));
    if (completed) return completed;
    const again = await run(variableValues);
    return again.errors ? again : toBodies(operation, again);
  }

  function responseOf(operation: CachedOperation, found: Found): CachedResponse {
    const bodies = found.bodies.includes(undefined) ? undefined : (found.bodies as readonly Buffer[]);
    const body = bodies && assemble(operation, bodies);
    return {
      body,
      async complete(run) {
        const made = bodies ?? (await make(operation, found, run));
        if (!isBodies(made)) return made;
        const completed = body ?? assemble(operation, made);
        if (completed) return { body: completed };
        throw responseTooLarge(operation.contextValue.responseLimits as ResponseLimits);
      },
    };
  }

  return {
    find(operation) {
      const { prepared, contextValue, variableValues } = operation;
      const variables = variableValues ?? {};
      const form = prepared.analysis.findCaching(variables);
      const caching = form.kind === 'points' ? form : undefined;
      const points = caching && pointsOf(caching, variables);
      if (form.kind === 'none' || (caching && !points)) return { body: undefined, complete: (run) => run(variables) };
      const others = JSON.stringify(caching ? othersOf(caching, variables) : variables);
      const { textHash, dependsOnLanguage } = prepared.analysis;
      const languages = dependsOnLanguage ? (contextValue.languages ?? '') : '';
      const found = cache.find(`graphql ${textHash} ${languages} ${others}`, points, contextValue);
      const cached = { ...operation, variableValues: variables, caching, points };
      return found instanceof Promise ? found.then((each) => responseOf(cached, each)) : responseOf(cached, found);
    },
  };
}

function isBodies(made: ExecutionResult | readonly Buffer[]): made is readonly Buffer[] {
  return Array.isArray(made);
}

/** Returns the points in the variables of an operation; undefined if they are invalid. */
export function pointsOf(
  { isList, variables: [first, second] }: CachingByPoint,
  variables: Variables,
): readonly Point[] | undefined {
  const value = givenValue(variables, first);
  const points = isList ? value : [{ latitude: value, longitude: givenValue(variables, second ?? '') }];
  if (!Array.isArray(points) || points.length === 0 || points.length > MOST_POINTS) return undefined;
  const read = points.map(pointIn);
  return read.every((point) => point !== undefined) ? read : undefined;
}

function pointIn(value: unknown): Point | undefined {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 2 ? readPoint(value) : undefined;
}

/** Returns the variables of an operation without its points. */
function othersOf({ variables: [first, second = first] }: CachingByPoint, variables: Variables): Variables {
  const { [first]: _first, [second]: _second, ...others } = variables;
  return others;
}

const COMMA = Buffer.from(',');

/** Returns the parts of a body with what is before and after them in the response. */
function framed(operation: Operation, { name, isList }: CachingByPoint, parts: readonly Buffer[]): readonly Buffer[] {
  const extensions = operation.prepared.analysis.findNotInPackage(operation, operation.contextValue.caller.grants);
  const [start, end] = isList ? ['[', ']'] : ['', ''];
  const rest = extensions ? `},"extensions":${JSON.stringify(extensions)}}` : '}}';
  return [Buffer.from(`{"data":{${JSON.stringify(name)}:${start}`), ...parts, Buffer.from(end + rest)];
}

/** Placeholders make the parts longer than they are in the response; its actual size is checked at the end. */
const PLACEHOLDER_FACTOR = 2;

/**
 * Returns what is cached of a result: its text; of a single point the text with placeholders, of a list that of each item.
 * @throws ServiceError RESPONSE_TOO_LARGE as soon as all parts together are much larger than the limit.
 */
async function toBodies(operation: CachedOperation, result: ExecutionResult): Promise<Buffer[]> {
  const { caching } = operation;
  const { responseLimits: limits } = operation.contextValue;
  if (!caching) return [Buffer.from(await encodeJson(result, limits))];
  const { name, isList, pointNames } = caching;
  const value = result.data?.[name];
  let length = 0;
  const templates = ((isList ? value : [value]) as readonly unknown[]).map((part) => {
    const template = toTemplate(part, pointNames, limits);
    length += template.length;
    if (limits && length > limits.bytes * PLACEHOLDER_FACTOR) throw responseTooLarge(limits);
    return template;
  });
  return isList ? templates : [Buffer.concat(framed(operation, caching, templates))];
}
