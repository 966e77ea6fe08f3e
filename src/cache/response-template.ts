import type { ResponseLimits } from '../config/limits.ts';
import type { Point } from '../districts/districts.store.ts';
import { stringifyJson } from '../graphql/raw-json.ts';

/** The response names under which an object repeats the coordinates of its point. */
export interface Echoes {
  readonly latitude: readonly string[];
  readonly longitude: readonly string[];
}

/** PostgreSQL text cannot contain NUL, so no value of the data is mistaken for a placeholder. */
const MARKS = { latitude: '\0lat', longitude: '\0long' } as const;
const MARKED = {
  latitude: Buffer.from(JSON.stringify(MARKS.latitude)),
  longitude: Buffer.from(JSON.stringify(MARKS.longitude)),
} as const;

/** Maximum number of bytes by which a placeholder is longer than the number that replaces it. */
const MARKED_BYTES = 16;

/**
 * Serialises a part of a response as JSON, with placeholders for the coordinates of the point.
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
/** Split templates, since a cached template is filled many times. */
const splits = new WeakMap<Buffer, readonly (Buffer | Axis)[]>();

/** Returns the bytes of a response template for a point; the template itself if it contains no coordinates. */
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
