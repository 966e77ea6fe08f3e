import { type GraphQLLeafType, isEnumType } from 'graphql';

const INT = 2 ** 31;

type IsValid = (value: unknown) => boolean;

/** Checks for scalar values in responses. The other scalars are checked by their `parseValue`. */
const SCALARS: Readonly<Record<string, IsValid>> = {
  Int: (value) => Number.isInteger(value) && Number(value) >= -INT && Number(value) < INT,
  Float: (value) => Number.isFinite(value),
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string',
  GeoJSON: (value) => isOutline(value),
};

export function isLeafValue(type: GraphQLLeafType, value: unknown): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined;
  const isValid = SCALARS[type.name];
  if (isValid) return isValid(value);
  try {
    return Object.is(type.parseValue(value), Object.is(value, -0) ? 0 : value);
  } catch {
    return false;
  }
}

/** Returns whether a value is a Polygon or a MultiPolygon (RFC 7946) with closed rings of positions in range. */
function isOutline(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, coordinates, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) return false;
  if (type === 'Polygon') return isPolygon(coordinates);
  return type === 'MultiPolygon' && isListOf(coordinates, isPolygon);
}

const isPolygon: IsValid = (value) => isListOf(value, isRing);

const isRing: IsValid = (value) =>
  isListOf(value, isPosition) &&
  value.length >= 4 &&
  JSON.stringify(value[0]) === JSON.stringify(value[value.length - 1]);

const isPosition: IsValid = (value) =>
  isListOf(value, Number.isFinite) &&
  value.length === 2 &&
  Math.abs(Number(value[0])) <= 180 &&
  Math.abs(Number(value[1])) <= 90;

function isListOf(value: unknown, isItem: IsValid): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}
