import type { Point } from '../districts/districts.store.ts';
import { stringifyJson } from '../graphql/raw-json.ts';
import type { ResponseLimits } from '../graphql/response-size.ts';

/** Under which names an object repeats the point that it is about. */
export interface Echoes {
  readonly latitude: readonly string[];
  readonly longitude: readonly string[];
}

/** No text in PostgreSQL holds a NUL, so none is taken for these. */
const MARKS = { latitude: '\0lat', longitude: '\0long' } as const;
const MARKED = {
  latitude: Buffer.from(JSON.stringify(MARKS.latitude)),
  longitude: Buffer.from(JSON.stringify(MARKS.longitude)),
} as const;

/** A mark is at most so much longer than the number in its place. */
const MARKED_BYTES = 16;

/**
 * A part of an answer as JSON, with marks where it repeats the point.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
export function toFragment(part: unknown, echoes: Echoes, limits?: ResponseLimits): Buffer {
  const isEcho = [...echoes.latitude, ...echoes.longitude].some(
    (name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name),
  );
  if (!isEcho) return Buffer.from(stringifyJson(part, limits));
  const marked: Record<string, unknown> = { ...(part as object) };
  for (const axis of ['latitude', 'longitude'] as const) {
    for (const name of echoes[axis]) if (Object.hasOwn(marked, name)) marked[name] = MARKS[axis];
  }
  return Buffer.from(stringifyJson(marked, limits, MARKED_BYTES * (echoes.latitude.length + echoes.longitude.length)));
}

type Axis = keyof Point;
const AXES: readonly Axis[] = ['latitude', 'longitude'];
/** Fragments are filled again and again as long as they are kept. */
const splits = new WeakMap<Buffer, readonly (Buffer | Axis)[]>();

/** The bytes of a fragment for a point; the fragment itself when it does not repeat the point. */
export function fill(fragment: Buffer, point: Point): Buffer[] {
  const parts = splits.get(fragment) ?? split(fragment);
  splits.set(fragment, parts);
  return parts.map((part) => (typeof part === 'string' ? Buffer.from(JSON.stringify(point[part] + 0)) : part));
}

function split(fragment: Buffer): (Buffer | Axis)[] {
  const marks = AXES.map((axis) => ({ axis, at: fragment.indexOf(MARKED[axis]) })).filter(({ at }) => at >= 0);
  const [first] = marks.sort((one, other) => one.at - other.at);
  if (!first) return [fragment];
  const { axis, at } = first;
  return [fragment.subarray(0, at), axis, ...split(fragment.subarray(at + MARKED[axis].length))];
}
