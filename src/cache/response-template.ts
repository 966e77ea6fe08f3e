import type { ResponseLimits } from '../config/limits.ts';
import type { Point } from '../districts/districts.store.ts';
import { stringifyJson } from '../graphql/raw-json.ts';

/** The response names under which an object repeats the coordinates of its point. */
export interface CoordinateNames {
  readonly latitude: readonly string[];
  readonly longitude: readonly string[];
}

/** PostgreSQL text cannot contain NUL, so no value of the data is mistaken for a placeholder. */
const PLACEHOLDERS = { latitude: '\0lat', longitude: '\0long' } as const;
const PLACEHOLDER_BYTES = {
  latitude: Buffer.from(JSON.stringify(PLACEHOLDERS.latitude)),
  longitude: Buffer.from(JSON.stringify(PLACEHOLDERS.longitude)),
} as const;

/** Maximum number of bytes by which a placeholder is longer than the number that replaces it. */
const PLACEHOLDER_EXTRA_BYTES = 16;

/**
 * Serialises a part of a response as JSON, with placeholders for the coordinates of the point.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
export function toTemplate(part: unknown, coordinateNames: CoordinateNames, limits?: ResponseLimits): Buffer {
  const hasCoordinates = [...coordinateNames.latitude, ...coordinateNames.longitude].some(
    (name) => typeof part === 'object' && part !== null && Object.hasOwn(part, name),
  );
  if (!hasCoordinates) return Buffer.from(stringifyJson(part, limits));
  const withPlaceholders: Record<string, unknown> = { ...(part as object) };
  for (const axis of ['latitude', 'longitude'] as const) {
    for (const name of coordinateNames[axis])
      if (Object.hasOwn(withPlaceholders, name)) withPlaceholders[name] = PLACEHOLDERS[axis];
  }
  return Buffer.from(
    stringifyJson(
      withPlaceholders,
      limits,
      PLACEHOLDER_EXTRA_BYTES * (coordinateNames.latitude.length + coordinateNames.longitude.length),
    ),
  );
}

type Axis = keyof Point;
const AXES: readonly Axis[] = ['latitude', 'longitude'];
/**
 * Creates the function that returns the bytes of a response template for a point; the template itself if it contains no
 * coordinates. It splits each template once, since a cached template is filled many times.
 */
export function createTemplateFiller(): (template: Buffer, point: Point) => Buffer[] {
  const splits = new WeakMap<Buffer, readonly (Buffer | Axis)[]>();
  return (template, point) => {
    const parts = splits.get(template) ?? split(template);
    splits.set(template, parts);
    return parts.map((part) => (typeof part === 'string' ? Buffer.from(JSON.stringify(point[part] + 0)) : part));
  };
}

function split(template: Buffer): (Buffer | Axis)[] {
  const placeholders = AXES.map((axis) => ({ axis, at: template.indexOf(PLACEHOLDER_BYTES[axis]) })).filter(
    ({ at }) => at >= 0,
  );
  const [first] = placeholders.sort((one, other) => one.at - other.at);
  if (!first) return [template];
  const { axis, at } = first;
  return [template.subarray(0, at), axis, ...split(template.subarray(at + PLACEHOLDER_BYTES[axis].length))];
}
