import { hash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, print } from 'graphql';
import type { ResponseLimits } from '../config/limits.ts';
import type { Point } from '../districts/districts.store.ts';
import { stringifyJson } from '../graphql/raw-json.ts';
import { responseTooLarge } from '../graphql/response-size.ts';
import { type Keeping, type PointOperation, readKeeping } from './point-operation.ts';
import type { Answers, CacheScope } from './response-cache.ts';
import { type Echoes, fill, toFragment } from './response-template.ts';

type Variables = Readonly<Record<string, unknown>>;

export interface CachedOperation {
  readonly document: DocumentNode;
  readonly variables: Variables;
  readonly scope: CacheScope;
  readonly limits?: ResponseLimits | undefined;
}

export interface GraphAnswers {
  /** Returns the body of a response in memory; undefined if finding one requires more than reading memory. */
  peek(operation: CachedOperation): Buffer | undefined;
  /**
   * Returns the body of the response from the cache, or executes the operation with `run` and caches the response.
   * @param run executes the document, with the variables of the operation or with those for some of its points only.
   * @returns undefined for a result with errors, and for an operation that cannot be cached.
   */
  respond(
    operation: CachedOperation,
    run: (variables: Variables) => Promise<ExecutionResult>,
  ): Promise<Buffer | undefined>;
}

/** Creates the cache of responses to GraphQL operations. */
export function createGraphAnswers(answers: Answers): GraphAnswers {
  const known = new WeakMap<DocumentNode, { readonly keeping: Keeping; readonly id: string }>();

  function readOnce(document: DocumentNode) {
    const read = known.get(document) ?? {
      keeping: readKeeping(document),
      id: `graphql ${hash('sha256', print(document), 'base64url')}`,
    };
    known.set(document, read);
    return read;
  }

  return {
    peek({ document, variables, scope, limits }) {
      const { keeping, id } = readOnce(document);
      if (keeping.kind === 'none') return undefined;
      if (keeping.kind === 'whole') return answers.peekData(`${id} ${JSON.stringify(variables)}`, scope);
      const points = keeping.pointsOf(variables);
      const parts = points && answers.peekPoints(pointsKey(keeping, id, variables), points, scope);
      return parts && points && filled(keeping, parts, points, limits);
    },
    async respond({ document, variables, scope, limits }, run) {
      const { keeping, id } = readOnce(document);
      if (keeping.kind === 'none') return undefined;
      if (keeping.kind === 'whole') {
        return answers.ofData(`${id} ${JSON.stringify(variables)}`, scope, async () => {
          const result = await run(variables);
          return result.errors ? undefined : Buffer.from(stringifyJson(result, limits));
        });
      }
      const { name, isList, echoes } = keeping;
      const points = keeping.pointsOf(variables);
      if (!points) return undefined;
      const parts = await answers.ofPoints(pointsKey(keeping, id, variables), points, scope, async (missing) => {
        const asked = missing.flatMap((index) => points[index] ?? []);
        const isAll = missing.length === points.length;
        const { data, errors } = await run(isAll ? variables : keeping.variablesFor(variables, asked));
        if (errors || !data) return undefined;
        const found = (isList ? data[name] : [data[name]]) as readonly unknown[];
        return toFragments(found, echoes, limits);
      });
      return parts && filled(keeping, parts, points, limits);
    },
  };
}

function pointsKey(operation: PointOperation, id: string, variables: Variables): string {
  return `${id} ${JSON.stringify(operation.othersOf(variables))}`;
}

/**
 * Assembles the body of a response about points from the parts for each point.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
function filled(
  { name, isList }: PointOperation,
  parts: readonly Buffer[],
  points: readonly Point[],
  limits: ResponseLimits | undefined,
): Buffer {
  const all = parts.flatMap((part, index) => {
    const point = points[index];
    return [...(index > 0 ? [COMMA] : []), ...(point ? fill(part, point) : [part])];
  });
  const [start, end] = isList ? ['[', ']}}'] : ['', '}}'];
  const body = [Buffer.from(`{"data":{${JSON.stringify(name)}:${start}`), ...all, Buffer.from(end)];
  if (limits && body.reduce((length, part) => length + part.length, 0) > limits.bytes) throw responseTooLarge(limits);
  return Buffer.concat(body);
}

const COMMA = Buffer.from(',');

/** Placeholders make the parts longer than they are in the response; its actual size is checked at the end. */
const PLACEHOLDER_FACTOR = 2;

/**
 * Serialises the parts of a response.
 * @throws ServiceError RESPONSE_TOO_LARGE as soon as all parts together are much larger than the limit.
 */
function toFragments(parts: readonly unknown[], echoes: Echoes, limits: ResponseLimits | undefined): Buffer[] {
  let length = 0;
  return parts.map((part) => {
    const fragment = toFragment(part, echoes, limits);
    length += fragment.length;
    if (limits && length > limits.bytes * PLACEHOLDER_FACTOR) throw responseTooLarge(limits);
    return fragment;
  });
}
