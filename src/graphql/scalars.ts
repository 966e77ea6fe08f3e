import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLLocalDate } from 'graphql-scalars';
import { isCalendarDate } from '../dates.ts';

/**
 * A calendar date. This is the LocalDate of graphql-scalars, renamed, without the year 0000, which LocalDate accepts
 * and PostgreSQL rejects.
 */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  description: 'A calendar day as `YYYY-MM-DD`, for example `2024-11-05`, without a time or a time zone.',
  serialize: (value) => GraphQLLocalDate.serialize(value),
  parseValue: parseDate,
  parseLiteral: (node) => parseDate(node.kind === Kind.STRING ? node.value : undefined),
});

function parseDate(value: unknown): string {
  if (typeof value === 'string' && isCalendarDate(value)) return value;
  throw invalid('A Date must be an existing day as a string, YYYY-MM-DD.');
}

/**
 * Defines a scalar for degrees between two bounds. Latitude and Longitude of graphql-scalars reject the literal `44`
 * because it is not `44.0`, and parse degrees, minutes and seconds in strings; these scalars accept JSON numbers only.
 */
function degrees(name: string, bound: number, description: string): GraphQLScalarType<number, number> {
  const parse = (value: unknown): number => {
    if (isWithin(value, bound)) return value + 0;
    throw invalid(`A ${name} must be a number from -${bound} to ${bound}, in degrees.`);
  };
  return new GraphQLScalarType<number, number>({
    name,
    description,
    serialize: parse,
    parseValue: parse,
    parseLiteral: (node) => parse(numberOf(node)),
  });
}

function isWithin(value: unknown, bound: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= bound;
}

const MOST_LATITUDE = 90;
const MOST_LONGITUDE = 180;
export const isLatitude = (value: unknown): value is number => isWithin(value, MOST_LATITUDE);
export const isLongitude = (value: unknown): value is number => isWithin(value, MOST_LONGITUDE);

function numberOf(node: ValueNode): number | undefined {
  return node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : undefined;
}

export const LatitudeScalar = degrees(
  'Latitude',
  MOST_LATITUDE,
  'Degrees north of the equator in WGS 84, from -90 to 90.',
);

export const LongitudeScalar = degrees(
  'Longitude',
  MOST_LONGITUDE,
  'Degrees east of Greenwich in WGS 84, from -180 to 180: negative in the Americas. -180 and 180 are the same meridian.',
);

export const GeoJsonScalar = new GraphQLScalarType<object, object>({
  name: 'GeoJSON',
  description: 'A geometry object as defined by RFC 7946: WGS 84, longitude before latitude.',
  serialize: (value) => value as object,
  parseValue: rejectInput,
  parseLiteral: rejectInput,
});

function rejectInput(): never {
  throw invalid('GeoJSON is an output type; it is not accepted as input.');
}

function invalid(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'INVALID_PARAMETER' } });
}
