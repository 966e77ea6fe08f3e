import { hash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, print } from 'graphql';
import type { ResponseLimits } from '../config/limits.ts';
import type { Point } from '../districts/districts.store.ts';
import { encodeJson } from '../graphql/execution/raw-json.ts';
import { responseTooLarge } from '../graphql/execution/response-size.ts';
import { type Caching, type PointOperation, readCaching } from './point-operation.ts';
import type { CacheScope, ResponseCache } from './response-cache.ts';
import { createTemplateFiller, type PointNames, toTemplate } from './response-template.ts';

type Variables = Readonly<Record<string, unknown>>;

export interface CachedOperation {
  readonly document: DocumentNode;
  readonly variables: Variables;
  readonly scope: CacheScope;
  readonly limits?: ResponseLimits | undefined;
  /** The extensions of its result, which depend on the document, the variables other than points, and the grants. */
  readonly extensions?: object | undefined;
}

export interface GraphQLCache {
  /** Returns the body of a response in memory; undefined if finding one requires more than reading memory. */
  peek(operation: CachedOperation): Buffer | undefined;
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
export function createGraphQLCache(cache: ResponseCache, schema: GraphQLSchema): GraphQLCache {
  const fill = createTemplateFiller();
  const readDocuments = new WeakMap<DocumentNode, { readonly caching: Caching; readonly id: string }>();

  function readOnce(document: DocumentNode) {
    const read = readDocuments.get(document) ?? {
      caching: readCaching(schema, document),
      id: `graphql ${hash('sha256', print(document), 'base64url')}`,
    };
    readDocuments.set(document, read);
    return read;
  }

  /**
   * Assembles the body of a response about points from the parts for each point.
   * @throws ServiceError RESPONSE_TOO_LARGE
   */
  function assemble(
    { name, isList }: PointOperation,
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
    peek(operation) {
      const { document, variables, scope } = operation;
      const { caching, id } = readOnce(document);
      if (caching.kind === 'none') return undefined;
      if (caching.kind === 'whole') return cache.peekData(`${id} ${JSON.stringify(variables)}`, scope);
      const points = caching.pointsOf(variables);
      const parts = points && cache.peekPoints(pointsKey(caching, id, variables), points, scope);
      return parts && points && assemble(caching, parts, points, operation);
    },
    async respond(operation, run) {
      const { document, variables, scope, limits } = operation;
      const { caching, id } = readOnce(document);
      if (caching.kind === 'none') return undefined;
      if (caching.kind === 'whole') {
        return cache.ofData(`${id} ${JSON.stringify(variables)}`, scope, async () => {
          const result = await run(variables);
          return result.errors ? undefined : encodeJson(result, limits);
        });
      }
      const { name, isList, pointNames } = caching;
      const points = caching.pointsOf(variables);
      if (!points) return undefined;
      const parts = await cache.ofPoints(pointsKey(caching, id, variables), points, scope, async (missing) => {
        const missingPoints = missing.flatMap((index) => points[index] ?? []);
        const isAll = missing.length === points.length;
        const { data, errors } = await run(isAll ? variables : caching.variablesFor(variables, missingPoints));
        if (errors || !data) return undefined;
        const found = (isList ? data[name] : [data[name]]) as readonly unknown[];
        return toTemplates(found, pointNames, limits);
      });
      return parts && assemble(caching, parts, points, operation);
    },
  };
}

function pointsKey(operation: PointOperation, id: string, variables: Variables): string {
  return `${id} ${JSON.stringify(operation.othersOf(variables))}`;
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
