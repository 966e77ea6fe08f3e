export const JSON_TYPE = 'application/json';
export const GRAPHQL_TYPE = 'application/graphql-response+json';

/** The media type of a response to a GraphQL request. */
export type GraphQLMediaType = typeof JSON_TYPE | typeof GRAPHQL_TYPE;
