import type { VariableValues } from 'graphql';
import type { Context } from './context.ts';
import { isGranted } from './grants.ts';
import { JsonText } from './json-text.ts';
import type { FieldPlan, LevelPlan } from './level-plan.ts';
import { besideNulls } from './loader.ts';
import type { Shape } from './shape.ts';
import type { Subtrees } from './subtree.ts';
import type { SubtreePlan } from './subtree-plan.ts';

type Answer = Record<string, unknown>;

export interface LevelRun {
  readonly context: Context;
  readonly variables: VariableValues;
  readonly ending: AbortSignal | null | undefined;
  /** The subtrees that the store answers as a whole; undefined where each level is read by itself. */
  readonly subtrees?: Subtrees | undefined;
  /** Whether subtrees may stand in the answer as JSON (`JsonText`), for those who word it as JSON. */
  readonly asText?: boolean | undefined;
  /** Those in which subtrees are to be worded (see `Operation`). */
  readonly shapes?: Readonly<Record<string, Shape>> | undefined;
}

/**
 * Runs a planned query level by level: each field for all objects at its place at once. What hangs on the caller and
 * on arguments is found out once for all of them, and nothing waits object by object.
 * @throws what a resolver throws, and an Error for a null where none may be. Both stand in the answer of graphql-js as
 *   well, which says where.
 */
export async function runLevels(plan: LevelPlan, run: LevelRun): Promise<Answer> {
  const answer: Answer = { ...plan.blank };
  await runLevel(plan, [undefined], [answer], run);
  return answer;
}

/** @returns undefined when all is there already. */
function runLevel(
  { fields }: LevelPlan,
  parents: readonly unknown[],
  answers: readonly Answer[],
  run: LevelRun,
): Promise<unknown> | undefined {
  if (parents.length === 0) return undefined;
  run.ending?.throwIfAborted();
  const waiting: Promise<unknown>[] = [];
  try {
    for (const field of fields) {
      const waits = runField(field, parents, answers, run);
      if (waits) waiting.push(waits);
    }
  } catch (error) {
    waiting.push(Promise.reject(error));
  }
  if (waiting.length === 0) return undefined;
  return waiting.length === 1 ? waiting[0] : Promise.all(waiting);
}

function runField(
  field: FieldPlan,
  parents: readonly unknown[],
  answers: readonly Answer[],
  run: LevelRun,
): Promise<unknown> | undefined {
  if (field.grants && !isGranted(run.context, field.grants)) return undefined;
  const known = field.subtree?.isKnown && knownOf(field.subtree, parents);
  if (known) return complete(field, known, answers, run);
  const texts = field.subtree?.isWorthwhile ? run.subtrees?.read(field.subtree, parents, run) : undefined;
  if (texts) return texts.then((found) => putTexts(field, found, answers, run));
  const values = field.loads ? loaded(field, field.loads, parents, run) : resolved(field, parents, run);
  if (Array.isArray(values)) return complete(field, values, answers, run);
  return (values as Promise<readonly unknown[]>).then((found) => complete(field, found, answers, run));
}

/** The objects of which nothing is asked for but the id, by which their parents know them; undefined where one does not. */
function knownOf({ rows }: SubtreePlan, parents: readonly unknown[]): readonly unknown[] | undefined {
  const ids = parents.map((parent) => (parent as Record<string, unknown>)[String(rows.by)]);
  if (ids.some((id) => id !== null && typeof id !== 'number')) return undefined;
  return ids.map((id) => (id === null ? null : { id }));
}

type Values = readonly unknown[] | Promise<readonly unknown[]>;

function resolved(field: FieldPlan, parents: readonly unknown[], { context, variables }: LevelRun): Values {
  const args = field.args(variables);
  let waits = false;
  const values = parents.map((parent) => {
    const value = field.resolve(parent, args, context);
    waits ||= isPromise(value);
    return value;
  });
  return waits ? Promise.all(values) : values;
}

function loaded(
  field: FieldPlan,
  { loader, keyOf }: NonNullable<FieldPlan['loads']>,
  parents: readonly unknown[],
  { context, variables }: LevelRun,
): Values {
  const args = field.args(variables);
  const keys = parents.map((parent) => keyOf(parent, args, context));
  if (!keys.includes(null)) return loader(context).loadAll(keys);
  const put = (found: readonly unknown[]) => besideNulls(keys, found);
  const found = loader(context).loadAll(keys.filter((key) => key !== null));
  return isPromise(found) ? found.then(put) : put(found);
}

function isPromise<Value>(value: unknown): value is Promise<Value> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<Value>).then === 'function';
}

/** Puts whole subtrees into the answers. */
function putTexts(
  { key, coordinate, isNonNull, subtree }: FieldPlan,
  texts: readonly (string | null)[],
  answers: readonly Answer[],
  { asText, shapes }: LevelRun,
): void {
  const staysText = asText || shapes?.[subtree?.coordinate ?? ''] !== undefined;
  for (const [index, text] of texts.entries()) {
    if (text === null && isNonNull) throw nullError(coordinate);
    const answer = answers[index];
    if (answer && text !== null) answer[key] = staysText ? new JsonText(text) : JSON.parse(text);
  }
}

/** The error of graphql-js for a null in a field that has none. */
function nullError(coordinate: string): Error {
  return new Error(`Cannot return null for non-nullable field ${coordinate}.`);
}

/** Puts the values of a field into the answers, and goes on with the objects among them. */
function complete(
  field: FieldPlan,
  values: readonly unknown[],
  answers: readonly Answer[],
  run: LevelRun,
): Promise<unknown> | undefined {
  const { key, coordinate, level, isList } = field;
  const objects: unknown[] = [];
  const inner: Answer[] = [];
  const one = (value: unknown, isNonNull: boolean): unknown => {
    if (value === null || value === undefined) {
      if (isNonNull) throw nullError(coordinate);
      return null;
    }
    if (field.leaf) return field.leaf(value);
    const answer: Answer = { ...level?.blank };
    objects.push(value);
    inner.push(answer);
    return answer;
  };
  answers.forEach((answer, index) => {
    const value = values[index];
    if (!isList || value === null || value === undefined) answer[key] = one(value, field.isNonNull);
    else if (Array.isArray(value)) answer[key] = value.map((item) => one(item, field.isItemNonNull));
    else throw new Error(`${coordinate} has no list.`);
  });
  return level && runLevel(level, objects, inner, run);
}
