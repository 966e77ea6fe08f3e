import { hash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, print } from 'graphql';
import { stringifyJson } from '../graphql/raw-json.ts';
import type { Answers, Asking } from './answers.ts';
import { fill, toFragment } from './fragment.ts';
import { type Keeping, type PointOperation, readKeeping } from './point-operation.ts';

type Variables = Readonly<Record<string, unknown>>;

export interface CachedOperation {
  readonly document: DocumentNode;
  readonly variables: Variables;
  readonly asking: Asking;
  /** Runs the document: with `variables` themselves, or for some of its points only. */
  run(variables: Variables): Promise<ExecutionResult>;
}

/**
 * Answers GraphQL operations from what is kept.
 * @returns the body of the answer, or undefined: the answer has errors or may not be kept, and nothing was found out
 * that running the document in the usual way would not find out.
 */
export function createGraphAnswers(answers: Answers) {
  const known = new WeakMap<DocumentNode, { readonly keeping: Keeping; readonly id: string }>();

  function readOnce(document: DocumentNode) {
    const read = known.get(document) ?? {
      keeping: readKeeping(document),
      id: hash('sha256', print(document), 'base64url'),
    };
    known.set(document, read);
    return read;
  }

  return async function answer(operation: CachedOperation): Promise<Buffer | undefined> {
    const { document, variables, asking, run } = operation;
    const { keeping, id } = readOnce(document);
    if (keeping.kind === 'none') return undefined;
    if (keeping.kind === 'points') return answerPoints(answers, keeping, `graphql ${id}`, operation);
    return answers.ofData(`graphql ${id} ${JSON.stringify(variables)}`, asking, async () => {
      const result = await run(variables);
      return result.errors ? undefined : Buffer.from(stringifyJson(result));
    });
  };
}

async function answerPoints(
  answers: Answers,
  operation: PointOperation,
  id: string,
  { variables, asking, run }: CachedOperation,
): Promise<Buffer | undefined> {
  const { name, isList, echoes } = operation;
  const points = operation.pointsOf(variables);
  if (!points) return undefined;
  const key = `${id} ${JSON.stringify(operation.othersOf(variables))}`;
  const parts = await answers.ofPoints(key, points, asking, async (missing) => {
    const asked = missing.flatMap((index) => points[index] ?? []);
    const isAll = missing.length === points.length;
    const { data, errors } = await run(isAll ? variables : operation.variablesFor(variables, asked));
    if (errors || !data) return undefined;
    const found = (isList ? data[name] : [data[name]]) as readonly unknown[];
    return found.map((part) => toFragment(part, echoes));
  });
  if (!parts) return undefined;
  const filled = parts.flatMap((part, index) => {
    const point = points[index];
    return [...(index > 0 ? [COMMA] : []), ...(point ? fill(part, point) : [part])];
  });
  const [start, end] = isList ? ['[', ']}}'] : ['', '}}'];
  return Buffer.concat([Buffer.from(`{"data":{${JSON.stringify(name)}:${start}`), ...filled, Buffer.from(end)]);
}

const COMMA = Buffer.from(',');
