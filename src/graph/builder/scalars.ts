import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLDateTimeISO, GraphQLLocalDate } from 'graphql-scalars';
import { isCalendarDate } from '../../base/dates.ts';

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

/** The first and the last millisecond that can be written with a year of four digits. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time as text in UTC with milliseconds. This is the DateTimeISO of graphql-scalars, renamed, for texts instead of
 * Date objects: the query planner returns texts too.
 */
export const DateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  extensions: { codegenScalarType: 'string' },
  description:
    'A time as `YYYY-MM-DDThh:mm:ss.sssZ`, for example `2024-11-05T20:00:00.000Z` (RFC 3339). As input with any offset from UTC and with or without fractions of a second, of which digits after the third are ignored.',
  serialize: (value) => GraphQLDateTimeISO.serialize(value),
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parseDateTime(value: unknown, node?: ValueNode): string {
  const time = typeof value === 'string' ? readTime(value) : undefined;
  if (time && time.getTime() >= FIRST_TIME && time.getTime() <= LAST_TIME) return time.toISOString();
  throw invalid('A DateTime must be an existing time with an offset from UTC as a string, YYYY-MM-DDThh:mm:ssZ.', node);
}

/** Returns the time that a text denotes; undefined if graphql-scalars rejects it. */
function readTime(text: string): Date | undefined {
  try {
    return GraphQLDateTimeISO.parseValue(text);
  } catch {
    return undefined;
  }
}

/**
 * Decimal degrees as maps, geocoders and decimal types produce them, with any number of decimals: no exponent, no plus
 * sign, ASCII digits only (contract, Parameters).
 */
export const DECIMAL_DEGREES = /^-?(\d{1,3}(\.\d*)?|\.\d+)$/;

/**
 * Returns the degrees that a value of a variable denotes: a number, or a plain decimal as text, which clients send that
 * take scalars they do not know for texts; undefined if it is neither or out of bounds.
 */
function readDegrees(value: unknown, bound: number): number | undefined {
  const degrees = typeof value === 'string' && DECIMAL_DEGREES.test(value) ? Number(value) : value;
  return typeof degrees === 'number' && Math.abs(degrees) <= bound ? degrees + 0 : undefined;
}

const MOST_LATITUDE = 90;
const MOST_LONGITUDE = 180;

/** Returns the point with the coordinates, as `Latitude` and `Longitude` read them; undefined if one is none. */
export function readPoint(given: { latitude?: unknown; longitude?: unknown }) {
  const latitude = readDegrees(given.latitude, MOST_LATITUDE);
  const longitude = readDegrees(given.longitude, MOST_LONGITUDE);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/**
 * Defines a scalar for degrees between two bounds. Latitude and Longitude of graphql-scalars reject the literal `44`
 * because it is not `44.0`, and parse degrees, minutes and seconds in strings.
 */
function degrees(name: string, bound: number, description: string): GraphQLScalarType<number, number> {
  const parse = (value: unknown, node?: ValueNode): number => {
    const read = readDegrees(value, bound);
    if (read !== undefined) return read;
    throw invalid(`A ${name} must be a number from -${bound} to ${bound}, in degrees.`, node);
  };
  return new GraphQLScalarType<number, number>({
    name,
    description: `${description} As input also a plain decimal as text (\`"-72.5"\`), as clients send it that do not know this scalar.`,
    specifiedByURL: 'https://epsg.io/4326',
    extensions: { codegenScalarType: 'number' },
    serialize: (value) => parse(value),
    parseValue: (value) => parse(value),
    parseLiteral: (node) => parse(degreesOf(node), node),
  });
}

function degreesOf(node: ValueNode): unknown {
  if (node.kind === Kind.STRING) return node.value;
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

/**
 * A ZIP code of five digits as text: the first digits may be 0. The four further digits of a ZIP+4 code are accepted and
 * ignored.
 */
export const ZipCodeScalar = new GraphQLScalarType<string, string>({
  name: 'ZipCode',
  specifiedByURL: 'https://pe.usps.com/text/pub28/28c2_007.htm',
  extensions: { codegenScalarType: 'string' },
  description:
    'A ZIP code as text of five digits, for example `05602`. As input also with the four digits of ZIP+4 (`05602-1234`), which are ignored.',
  serialize: (value) => String(value),
  parseValue: (value) => parseZipCode(value),
  parseLiteral: (node) => parseZipCode(node.kind === Kind.STRING ? node.value : undefined, node),
});

function parseZipCode(value: unknown, node?: ValueNode): string {
  const [, code] = (typeof value === 'string' && /^(\d{5})(-\d{4})?$/.exec(value)) || [];
  if (code !== undefined) return code;
  throw invalid('A ZipCode must be a string of five digits, for example "05602".', node);
}

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
