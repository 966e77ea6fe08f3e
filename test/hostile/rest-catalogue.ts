import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { VALUES } from './values.ts';

/** Hostile REST requests, derived from a valid one for each path. */

/** Values of the parameters that have to be there. */
const VALID: Readonly<Record<string, string>> = {
  lat: '42',
  long: '-98',
  election_date: '2024-11-05',
  state: 'VT',
  text: 'Montpelier',
};
/** Each path with its parameters. */
export const paths = endpoints.flatMap(({ paths, parameters }) =>
  paths.map((path) => ({ path, names: Object.keys(parameters.shape) })),
);
export const valuesOf = (name: string) =>
  VALUES[(name === 'election_date' || name === 'on' ? 'date' : name) as keyof typeof VALUES];
/** A path with its parameters, some of them changed; one that is undefined is left out. */
export const addressOf = (path: string, names: readonly string[], changed: Record<string, string | undefined> = {}) => {
  const given = {
    ...Object.fromEntries(names.filter((name) => name in VALID).map((name) => [name, VALID[name]])),
    ...changed,
  };
  const query = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `${path}?${query.join('&')}`;
};

/** The required parameters of a path. */
export const requiredOf = (path: string, names: readonly string[]) =>
  names.filter(
    (name) => name in VALID && (name !== 'state' || path.includes('statewide') || path.includes('by_state')),
  );

/** Addresses in which a required parameter is missing, empty or repeated. */
export const incomplete = (path: string, names: readonly string[], name: string) => [
  addressOf(path, names, { [name]: undefined }),
  addressOf(path, names, { [name]: '' }),
  addressOf(path, names, { [name]: '%20%20' }),
  `${addressOf(path, names)}&${name}=${VALID[name]}`,
  `${addressOf(path, names, { [name]: undefined })}&${name}[]=${VALID[name]}`,
];

/** Addresses with an invalid encoding: in the value of a known parameter, in another value, and in a name. */
export const misencoded = (path: string, names: readonly string[], encoding: string) => [
  addressOf(path, names, { [names[0] ?? '']: encoding }),
  `${addressOf(path, names)}&other=${encoding}`,
  `${addressOf(path, names)}&${encoding}=1`,
];

export const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK', 'QUERY'] as const;

/** Suffixes that turn a path into one that does not exist. */
export const SUFFIXES = ['//evil.example', '/..', '/%2e%2e%2f', '/x', ';a=b', '%3Flat=1', ' '] as const;
export const withSuffix = (path: string, suffix: string) => encodeURI(`${path}${suffix}`).replaceAll('%25', '%');
