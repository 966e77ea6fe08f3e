import { hash } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, print } from 'graphql';
import { wordJson } from '../graphql/json-text.ts';
import { type ResponseLimits, responseTooLarge } from '../graphql/response-size.ts';
import type { Answers, Asking } from './answers.ts';
import { type Echoes, fill, toFragment } from './fragment.ts';
import { type Keeping, type PointOperation, readKeeping } from './point-operation.ts';

type Variables = Readonly<Record<string, unknown>>;

export interface GraphQuestion {
  readonly document: DocumentNode;
  readonly variables: Variables;
  readonly asking: Asking;
  readonly limits?: ResponseLimits | undefined;
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

  return async function answer(question: GraphQuestion): Promise<Buffer | undefined> {
    const { document, variables, asking, limits, run } = question;
    const { keeping, id } = readOnce(document);
    if (keeping.kind === 'none') return undefined;
    if (keeping.kind === 'points') return answerPoints(answers, keeping, `graphql ${id}`, question);
    return answers.ofData(`graphql ${id} ${JSON.stringify(variables)}`, asking, async () => {
      const result = await run(variables);
      return result.errors ? undefined : Buffer.from(wordJson(result, limits));
    });
  };
}

async function answerPoints(
  answers: Answers,
  operation: PointOperation,
  id: string,
  { variables, asking, limits, run }: GraphQuestion,
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
    return toFragments(found, echoes, limits);
  });
  if (!parts) return undefined;
  const filled = parts.flatMap((part, index) => {
    const point = points[index];
    return [...(index > 0 ? [COMMA] : []), ...(point ? fill(part, point) : [part])];
  });
  const [start, end] = isList ? ['[', ']}}'] : ['', '}}'];
  const body = [Buffer.from(`{"data":{${JSON.stringify(name)}:${start}`), ...filled, Buffer.from(end)];
  if (limits && lengthOf(body) > limits.bytes) throw responseTooLarge(limits);
  return Buffer.concat(body);
}

const COMMA = Buffer.from(',');

/** Marks make the parts longer than they are in the response, whose length is checked at the end. */
const MARKED_PER_BYTE = 2;

/** @throws ServiceError RESPONSE_TOO_LARGE as soon as all parts together are much larger than a response may be. */
function toFragments(parts: readonly unknown[], echoes: Echoes, limits: ResponseLimits | undefined): Buffer[] {
  let length = 0;
  return parts.map((part) => {
    const fragment = toFragment(part, echoes, limits);
    length += fragment.length;
    if (limits && length > limits.bytes * MARKED_PER_BYTE) throw responseTooLarge(limits);
    return fragment;
  });
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((length, part) => length + part.length, 0);
}
