import type { Point } from '../districts/districts.store.ts';

/** Under which names an object repeats the point that it is about. */
export interface Echoes {
  readonly latitude: readonly string[];
  readonly longitude: readonly string[];
}

export const NO_ECHOES: Echoes = { latitude: [], longitude: [] };

/** No text in PostgreSQL holds a NUL, so none is taken for these. */
const MARKS = { latitude: '\0lat', longitude: '\0long' } as const;
const MARKED = {
  latitude: Buffer.from(JSON.stringify(MARKS.latitude)),
  longitude: Buffer.from(JSON.stringify(MARKS.longitude)),
} as const;

/** A part of an answer as JSON, with marks where it repeats the point. */
export function toFragment(part: unknown, echoes: Echoes): Buffer {
  const isEcho = [...echoes.latitude, ...echoes.longitude].some(
    (name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name),
  );
  if (!isEcho) return Buffer.from(JSON.stringify(part));
  const marked: Record<string, unknown> = { ...(part as object) };
  for (const axis of ['latitude', 'longitude'] as const) {
    for (const name of echoes[axis]) if (name in marked) marked[name] = MARKS[axis];
  }
  return Buffer.from(JSON.stringify(marked));
}

/** The bytes of a fragment for a point. */
export function fill(fragment: Buffer, point: Point, echoes: Echoes): Buffer[] {
  let parts = [fragment];
  for (const axis of ['latitude', 'longitude'] as const) {
    const value = Buffer.from(JSON.stringify(point[axis] + 0));
    for (const _ of echoes[axis]) parts = parts.flatMap((part) => filled(part, MARKED[axis], value));
  }
  return parts;
}

function filled(part: Buffer, mark: Buffer, value: Buffer): Buffer[] {
  const at = part.indexOf(mark);
  return at < 0 ? [part] : [part.subarray(0, at), value, part.subarray(at + mark.length)];
}
