import type { ExecutionResult } from 'graphql';
import type { ResponseLimits } from '../config/limits.ts';
import { MOST_POINTS, type Point } from '../districts/districts.store.ts';
import type { CachingByPoint, PointNames } from '../graphql/documents/caching.ts';
import type { PreparedDocument } from '../graphql/documents/documents.ts';
import type { Variables } from '../graphql/documents/selections.ts';
import { encodeJson } from '../graphql/execution/raw-json.ts';
import { responseTooLarge } from '../graphql/execution/response-size.ts';
import { readPoint } from '../graphql/schema/scalars.ts';
import type { CacheScope, ResponseCache } from './response-cache.ts';
import { createTemplateFiller, toTemplate } from './response-template.ts';

export interface CachedOperation {
  readonly prepared: PreparedDocument;
  readonly variables: Variables;
  readonly scope: CacheScope;
  readonly limits?: ResponseLimits | undefined;
  /** The extensions of its result, which depend on the document, the variables other than points, and the grants. */
  readonly extensions?: object | undefined;
}

export interface GraphQLCache {
  /**
   * Returns the body of the response from the cache or executes the operation with `run` and caches the response.
   * @param run executes the document, with the variables of the operation or with those for some of its points only.
   * @returns undefined for a result with errors, and for an operation that cannot be cached.
   */
  respond(
    operation: CachedOperation,
    run: (variables: Variables) => Promise<ExecutionResult>,
  ): Promise<Buffer | undefined>;
}

/** Creates the cache of responses to GraphQL operations. */
export function createGraphQLCache(cache: ResponseCache): GraphQLCache {
  const fill = createTemplateFiller();

  /**
   * Assembles the body of a response about points from the parts for each point.
   * @throws ServiceError RESPONSE_TOO_LARGE
   */
  function assemble(
    { name, isList }: CachingByPoint,
    parts: readonly Buffer[],
    points: readonly Point[],
    { limits, extensions }: Pick<CachedOperation, 'limits' | 'extensions'>,
  ): Buffer {
    const all = parts.flatMap((part, index) => {
      const point = points[index];
      return [...(index > 0 ? [COMMA] : []), ...(point ? fill(part, point) : [part])];
    });
    const [start, end] = isList ? ['[', ']'] : ['', ''];
    const rest = extensions ? `},"extensions":${JSON.stringify(extensions)}}` : '}}';
    const body = [Buffer.from(`{"data":{${JSON.stringify(name)}:${start}`), ...all, Buffer.from(`${end}${rest}`)];
    if (limits && body.reduce((length, part) => length + part.length, 0) > limits.bytes) throw responseTooLarge(limits);
    return Buffer.concat(body);
  }

  return {
    async respond(operation, run) {
      const { prepared, variables, scope, limits } = operation;
      const caching = prepared.analysis.findCaching(variables);
      if (caching.kind === 'none') return undefined;
      if (caching.kind === 'whole') {
        const found = await cache.find(keyOf(prepared, variables), undefined, scope);
        if (found.bodies[0]) return found.bodies[0];
        const result = await run(variables);
        const body = result.errors ? undefined : await encodeJson(result, limits);
        if (body) found.complete([body]);
        return body;
      }
      const { name, isList, pointNames } = caching;
      const points = pointsOf(caching, variables);
      if (!points) return undefined;

      /** Executes the operation for some of its points, and returns their parts of the response. */
      async function make(missing: readonly Point[], values: Variables): Promise<readonly Buffer[] | undefined> {
        if (missing.length === 0) return [];
        const { data, errors } = await run(values);
        if (errors || !data) return undefined;
        const parts = (isList ? data[name] : [data[name]]) as readonly unknown[];
        return toTemplates(parts, pointNames, limits);
      }

      const { bodies, complete } = await cache.find(keyOf(prepared, othersOf(caching, variables)), points, scope);
      const missing = points.filter((_, index) => bodies[index] === undefined);
      const isAll = missing.length === points.length;
      const made = await make(missing, isAll ? variables : { ...variables, [caching.variables[0]]: missing });
      if (!made) return undefined;
      const parts = missing.length === 0 ? (bodies as Buffer[]) : await complete(made);
      const all = parts ?? (await make(points, variables));
      return all && assemble(caching, all, points, operation);
    },
  };
}

function keyOf({ analysis }: PreparedDocument, variables: Variables): string {
  return `graphql ${analysis.textHash} ${JSON.stringify(variables)}`;
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
function othersOf({ variables: names }: CachingByPoint, variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.some((each) => each === name)));
}

const COMMA = Buffer.from(',');

/** Placeholders make the parts longer than they are in the response; its actual size is checked at the end. */
const PLACEHOLDER_FACTOR = 2;

/**
 * Serialises the parts of a response.
 * @throws ServiceError RESPONSE_TOO_LARGE as soon as all parts together are much larger than the limit.
 */
function toTemplates(parts: readonly unknown[], pointNames: PointNames, limits: ResponseLimits | undefined): Buffer[] {
  let length = 0;
  return parts.map((part) => {
    const template = toTemplate(part, pointNames, limits);
    length += template.length;
    if (limits && length > limits.bytes * PLACEHOLDER_FACTOR) throw responseTooLarge(limits);
    return template;
  });
}
