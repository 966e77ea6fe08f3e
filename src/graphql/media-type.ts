export const JSON_TYPE = 'application/json';
export const GRAPHQL_TYPE = 'application/graphql-response+json';

/**
 * Returns the media type of an error response in the GraphQL format: the one of the two with the higher quality in the
 * Accept header, the first of them if both are equal, and `application/json` if neither is named.
 */
export function errorMediaType(accept: string | undefined): string {
  const named = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .map(([type, ...parameters]) => ({ type, quality: qualityIn(parameters) }))
    .filter(({ type, quality }) => (type === GRAPHQL_TYPE || type === JSON_TYPE) && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return named[0]?.type ?? JSON_TYPE;
}

function qualityIn(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = stated === undefined ? 1 : Number(stated.slice(2));
  return Number.isNaN(quality) ? 0 : quality;
}
