import type { ResponseLimits } from '../../../base/config/limits.ts';
import { dictionary } from '../../../base/dictionary.ts';
import { stringifyJson } from '../../../graph/builder/raw-json.ts';
import type { Point } from '../../../graph/districts/districts.store.ts';
import { locationId } from '../../../graph/districts/location-id.ts';
import type { PointNames } from '../documents/caching.ts';

/** PostgreSQL text cannot contain NUL, so no value of the data is mistaken for a placeholder. */
const PLACEHOLDERS = { latitude: '\0lat', longitude: '\0long', id: '\0id' } as const;
const PLACEHOLDER_BYTES = {
  latitude: Buffer.from(JSON.stringify(PLACEHOLDERS.latitude)),
  longitude: Buffer.from(JSON.stringify(PLACEHOLDERS.longitude)),
  id: Buffer.from(JSON.stringify(PLACEHOLDERS.id)),
} as const;

/** Maximum number of bytes by which a placeholder is longer than what replaces it. */
const PLACEHOLDER_EXTRA_BYTES = 16;

type Member = keyof PointNames;
const MEMBERS: readonly Member[] = ['latitude', 'longitude', 'id'];

/**
 * Serialises a part of a response as JSON, with placeholders for the members that repeat the point.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
export function toTemplate(part: unknown, names: PointNames, limits?: ResponseLimits): Buffer {
  const repeated = MEMBERS.flatMap((member) => names[member].map((name) => [member, name] as const)).filter(
    ([, name]) => typeof part === 'object' && part !== null && Object.hasOwn(part, name),
  );
  if (repeated.length === 0) return Buffer.from(stringifyJson(part, limits));
  const withPlaceholders: Record<string, unknown> = dictionary({ ...(part as object) });
  for (const [member, name] of repeated) withPlaceholders[name] = PLACEHOLDERS[member];
  return Buffer.from(stringifyJson(withPlaceholders, limits, PLACEHOLDER_EXTRA_BYTES * repeated.length));
}

/**
 * Creates the function that returns the bytes of a response template for a point; the template itself if it does not repeat
 * the point. It splits each template once, since a cached template is filled many times.
 */
export function createTemplateFiller(): (template: Buffer, point: Point) => Buffer[] {
  const splits = new WeakMap<Buffer, readonly (Buffer | Member)[]>();
  return (template, point) => {
    const parts = splits.get(template) ?? split(template);
    splits.set(template, parts);
    return parts.map((part) => (typeof part === 'string' ? Buffer.from(JSON.stringify(memberOf(part, point))) : part));
  };
}

function memberOf(member: Member, point: Point): string | number {
  return member === 'id' ? locationId(point) : point[member] + 0;
}

function split(template: Buffer): (Buffer | Member)[] {
  const placeholders = MEMBERS.map((member) => ({ member, at: template.indexOf(PLACEHOLDER_BYTES[member]) })).filter(
    ({ at }) => at >= 0,
  );
  const [first] = placeholders.sort((one, other) => one.at - other.at);
  if (!first) return [template];
  const { member, at } = first;
  return [template.subarray(0, at), member, ...split(template.subarray(at + PLACEHOLDER_BYTES[member].length))];
}
