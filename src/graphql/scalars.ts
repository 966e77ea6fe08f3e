import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLLocalDate } from 'graphql-scalars';
import { isCalendarDate } from '../dates.ts';

/**
 * A calendar date. This is the LocalDate of graphql-scalars, renamed, without the year 0000, which LocalDate accepts
 * and PostgreSQL rejects.
 */
export const DateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  extensions: { codegenScalarType: 'string' },
  description: 'A calendar day as `YYYY-MM-DD`, for example `2024-11-05`, without a time or a time zone.',
  serialize: (value) => GraphQLLocalDate.serialize(value),
  parseValue: (value) => parseDate(value),
  parseLiteral: (node) => parseDate(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parseDate(value: unknown, node?: ValueNode): string {
  if (typeof value === 'string' && isCalendarDate(value)) return value;
  throw invalid('A Date must be an existing day as a string, YYYY-MM-DD.', node);
}

/**
 * Defines a scalar for degrees between two bounds. Latitude and Longitude of graphql-scalars reject the literal `44`
 * because it is not `44.0`, and parse degrees, minutes and seconds in strings; these scalars accept JSON numbers only.
 */
function degrees(name: string, bound: number, description: string): GraphQLScalarType<number, number> {
  const parse = (value: unknown, node?: ValueNode): number => {
    if (isWithin(value, bound)) return value + 0;
    throw invalid(`A ${name} must be a number from -${bound} to ${bound}, in degrees.`, node);
  };
  return new GraphQLScalarType<number, number>({
    name,
    description,
    specifiedByURL: 'https://epsg.io/4326',
    extensions: { codegenScalarType: 'number' },
    serialize: (value) => parse(value),
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(numberOf(node), node),
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
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7946.html#section-3.1',
  extensions: { codegenScalarType: 'object' },
  description: 'A geometry object as defined by RFC 7946: WGS 84, longitude before latitude.',
  serialize: (value) => value as object,
  parseValue: () => rejectInput(),
  parseLiteral: (node) => rejectInput(node),
});

function rejectInput(node?: ValueNode): never {
  throw invalid('GeoJSON is an output type; it is not accepted as input.', node);
}

/** Creates the error for an invalid value, located at its literal in the document. */
function invalid(message: string, node?: ValueNode): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { code: 'INVALID_PARAMETER' } });
}
