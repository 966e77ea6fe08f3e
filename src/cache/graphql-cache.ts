import type { ExecutionResult } from 'graphql';
import type { ResponseLimits } from '../config/limits.ts';
import { MOST_POINTS, type Point } from '../districts/districts.store.ts';
import type { CachingByPoint } from '../graphql/documents/caching.ts';
import type { Variables } from '../graphql/documents/selections.ts';
import type { Operation } from '../graphql/execution/execute.ts';
import { encodeJson } from '../graphql/execution/raw-json.ts';
import { responseTooLarge } from '../graphql/execution/response-size.ts';
import { readPoint } from '../graphql/schema/scalars.ts';
import type { Found, ResponseCache } from './response-cache.ts';
import { createTemplateFiller, toTemplate } from './response-template.ts';

/** Executes the document of an operation, with its variables or with those for some of its points only. */
export type Run = (variables: Variables) => Promise<ExecutionResult>;

/** What the cache has of the response to an operation. */
export interface CachedResponse {
  /** The body; undefined if a part of it is missing. */
  readonly body: Buffer | undefined;
  /**
   * Executes what is missing, and caches it.
   * @returns the body; the result if it has errors or may not be cached.
   * @throws ServiceError RESPONSE_TOO_LARGE
   */
  complete(run: Run): Promise<Buffer | ExecutionResult>;
}

export interface GraphQLCache {
  /** Looks up the response to an operation: without a promise if all that this takes is in memory. */
  find(operation: Operation): CachedResponse | Promise<CachedResponse>;
}

/** How the response to an operation is cached: as a whole, or by points. */
interface Form {
  readonly operation: Operation;
  readonly variables: Variables;
  readonly caching: CachingByPoint | undefined;
  readonly points: readonly Point[] | undefined;
}

/** Creates the cache of responses to GraphQL operations. */
export function createGraphQLCache(cache: ResponseCache): GraphQLCache {
  const fill = createTemplateFiller();

  /** Returns the body of a response; undefined if it is too large. */
  function assemble({ operation, caching, points }: Form, bodies: readonly Buffer[]): Buffer | undefined {
    if (!points) return bodies[0];
    const filled = bodies.flatMap((body, index) => {
      const parts = fill(body, points[index] as Point);
      return index > 0 ? [COMMA, ...parts] : parts;
    });
    const parts = caching?.isList ? framed(operation, caching, filled) : filled;
    const { responseLimits } = operation.contextValue;
    if (responseLimits && parts.reduce((sum, { length }) => sum + length, 0) > responseLimits.bytes) return undefined;
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  function responseOf(form: Form, { bodies, complete }: Found): CachedResponse {
    const { variables, caching, points = [], operation } = form;
    const found = bodies.includes(undefined) ? undefined : (bodies as Buffer[]);
    const body = found && assemble(form, found);

    /** Executes what is missing, and all if the data have changed meanwhile; returns a result with errors as it is. */
    async function make(run: Run): Promise<Buffer[] | ExecutionResult> {
      const missing = points.filter((_, index) => bodies[index] === undefined);
      const isPart = caching !== undefined && missing.length < points.length;
      const result = await run(isPart ? { ...variables, [caching.variables[0]]: missing } : variables);
      if (result.errors) return isPart ? run(variables) : result;
      const completed = await complete(await toBodies(form, result));
      if (completed) return completed as Buffer[];
      const again = await run(variables);
      return again.errors ? again : toBodies(form, again);
    }

    return {
      body,
      async complete(run) {
        if (body) return body;
        const made = found ?? (await make(run));
        if (!Array.isArray(made)) return made;
        const assembled = assemble(form, made);
        if (!assembled) throw responseTooLarge(operation.contextValue.responseLimits as ResponseLimits);
        return assembled;
      },
    };
  }

  return {
    find(operation) {
      const { prepared, contextValue, variableValues } = operation;
      const variables = variableValues ?? {};
      const { analysis } = prepared;
      const found = analysis.findCaching(variables);
      const caching = found.kind === 'points' ? found : undefined;
      const points = caching && pointsOf(caching, variables);
      if (found.kind === 'none' || (caching && !points)) return { body: undefined, complete: (run) => run(variables) };
      const key = `graphql ${analysis.textHash} ${JSON.stringify(caching ? othersOf(caching, variables) : variables)}`;
      const form = { operation, variables, caching, points };
      const cached = cache.find(key, points, contextValue);
      return cached instanceof Promise ? cached.then((each) => responseOf(form, each)) : responseOf(form, cached);
    },
  };
}

/** Returns the points in the variables of an operation; undefined if they are invalid. */
export function pointsOf(
  { isList, variables: [first, second] }: CachingByPoint,
  variables: Variables,
): readonly Point[] | undefined {
  const given = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  const points = isList ? given(first) : [{ latitude: given(first), longitude: given(second ?? '') }];
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
async function toBodies({ operation, caching }: Form, result: ExecutionResult): Promise<Buffer[]> {
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
