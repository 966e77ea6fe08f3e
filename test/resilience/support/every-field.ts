import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { globalId } from '../../../src/graph/builder/global-id.ts';
import { schema } from '../../../src/graph/schema.ts';
import { graphql, type TestRequest } from './client.ts';

const POINT = 'latitude: 42, longitude: -98';
/** The day on which the districts of Congress were redrawn. */
const NEW_MAP = 'on: "2023-01-03"';

/**
 * All entry fields of the schema, with arguments that match data of the small country of the tests; for a field that
 * returns objects of any type, the type of the object, and the only field to select of what is too deep to select whole.
 */
const ENTRIES: readonly (readonly [field: string, args: string, levels: number, type?: string, only?: string])[] = [
  ['location', POINT, 3],
  ['locations', `points: [{ ${POINT} }, { latitude: 48, longitude: -85 }]`, 2],
  ['area', 'boundingBox: { west: -98, south: 42, east: -97, north: 43 }', 2],
  ['zip', 'code: "05602"', 2],
  ['geocode', 'text: "Alpha"', 2],
  ['findable', '', 1],
  ['districts', '', 3],
  ['elections', '', 3],
  ['people', 'name: "able"', 3],
  ['stateBallot', 'state: "AA", electionDate: "2022-11-08"', 4],
  ['bulkQueries', '', 1],
  ['mapChanges', `state: "AA", type: CONGRESS, ${NEW_MAP}`, 3],
  ['offices', '', 2],
  ['officeholders', '', 2],
  ['parties', '', 2],
  ['races', '', 3],
  ['candidates', '', 3],
  ['ballotMeasures', '', 3],
  ['node', `id: "${globalId('Race', 600)}"`, 2, 'Race'],
  ['node', `id: "${globalId('Officeholder', 1)}"`, 2, 'Officeholder'],
  ['nodes', `ids: ["${globalId('Candidate', 803)}", "${globalId('BallotMeasure', 700)}"]`, 1, 'Candidate'],
  ['nodes', `ids: ["${globalId('BallotMeasure', 700)}", "${globalId('Boundary', 1_000_000)}"]`, 1, 'BallotMeasure'],
  ['record', 'scheme: "ocdid", value: "ocd-division/country:us/state:aa"', 2, 'District'],
  ['records', 'identifiers: [{ scheme: "geoid", value: "91" }, { scheme: "fec", value: "H0AA01001" }]', 1, 'District'],
  ...[1, 10, 20, 30].map((id) => ['district', `databaseId: ${id}`, 2] as const),
  ['district', 'databaseId: 10', 3],
  ...[100, 101, 102, 104].map((id) => ['office', `databaseId: ${id}`, 2] as const),
  ...[1, 2, 4].map((id) => ['officeholder', `databaseId: ${id}`, 2] as const),
  ...[1, 3, 5].map((id) => ['person', `databaseId: ${id}`, 2] as const),
  ...[500, 503, 504].map((id) => ['election', `databaseId: ${id}`, 3] as const),
  ...[600, 601, 603, 605, 606, 607].map((id) => ['race', `databaseId: ${id}`, 2] as const),
  ['node', `id: "${globalId('Race', 601)}"`, 5, 'Race', 'results'],
  ...[803, 810, 811, 812].map((id) => ['candidate', `databaseId: ${id}`, 2] as const),
  ...[200, 201].map((id) => ['boundary', `databaseId: ${id}`, 2] as const),
  ['party', 'databaseId: 1', 1],
  ['changes', 'after: "start", types: ["Party"]', 2],
  ['votingPlace', 'databaseId: 900', 3],
  ...[700, 701, 703].map((id) => ['ballotMeasure', `databaseId: ${id}`, 2] as const),
];

/** Fields with a required argument, and the argument. */
const NEEDED: Readonly<Record<string, string>> = {
  ballot: 'electionDate: "2022-11-08"',
  results: 'by: PRECINCT',
  predecessors: NEW_MAP,
  successors: NEW_MAP,
};

export interface EveryField {
  readonly documents: readonly string[];
  /** All fields that the documents select, as `Type.field`. */
  readonly requested: ReadonlySet<string>;
  /** All fields of the schema, as `Type.field`. */
  readonly all: ReadonlySet<string>;
}

/**
 * Returns documents that together select every field of the schema.
 * @param more entry fields in addition to `ENTRIES`.
 */
export function everyField(more: typeof ENTRIES = []): EveryField {
  const requested = new Set<string>();
  const query = queryType();

  function selection(type: GraphQLObjectType, levels: number, only?: string): string {
    return Object.values(type.getFields())
      .filter(({ name }) => only === undefined || name === only)
      .flatMap((field) => {
        const isNeeded = field.args.some(isRequiredArgument);
        const args = isNeeded ? NEEDED[field.name] : undefined;
        if (isNeeded && args === undefined) return [];
        const inner = getNamedType(field.type);
        if (isObjectType(inner) && levels === 0) return [];
        requested.add(`${type.name}.${field.name}`);
        // The nodes of a connection are those of its edges, which are selected with all that is below them.
        const isRepeated = field.name === 'nodes' && type.name.endsWith('Connection');
        const below = isObjectType(inner) ? ` { ${selection(inner, isRepeated ? 0 : levels - 1)} }` : '';
        const ofAny = isInterfaceType(inner) ? ' { __typename id }' : '';
        return [`${field.name}${args ? `(${args})` : ''}${below}${ofAny}`];
      })
      .join(' ');
  }

  const documents = [...ENTRIES, ...more].map(([name, args, levels, type, only]) => {
    const inner = type === undefined ? getNamedType(query.getFields()[name]?.type) : schema.getType(type);
    if (!isObjectType(inner)) throw new Error(`There is no entry ${name}`);
    requested.add(`${query.name}.${name}`);
    const selected = selection(inner, levels, only);
    const below = type === undefined ? selected : `__typename id ... on ${type} { ${selected} }`;
    return `{ ${name}${args ? `(${args})` : ''} { ${below} } }`;
  });
  const all = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && type !== schema.getSubscriptionType())
    .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
  return { documents, requested, all: new Set(all) };
}

/**
 * Returns the fields in a response to one of the documents that have a value although the package lacks the grant that
 * their description requires, as `Type.field`.
 */
export function fieldsExceeding(data: unknown, grants: ReadonlySet<string>): string[] {
  const exceeding: string[] = [];
  walk(data, queryType());
  return exceeding;

  function walk(value: unknown, type: GraphQLObjectType): void {
    for (const each of Array.isArray(value) ? value.flat() : [value]) {
      if (typeof each !== 'object' || each === null) continue;
      for (const [name, member] of Object.entries(each)) {
        const field = type.getFields()[name];
        if (!field) continue;
        const needed = grantsOf(field);
        const isEmpty = member === null || (Array.isArray(member) && member.length === 0);
        if (!isEmpty && needed.length > 0 && !needed.some((grant) => grants.has(grant))) {
          exceeding.push(`${type.name}.${name}`);
        }
        const inner = getNamedType(field.type);
        if (isObjectType(inner)) walk(member, inner);
      }
    }
  }
}

/** Returns the grants of which any one makes the field visible, by its description. */
function grantsOf({ description }: GraphQLField<unknown, unknown>): string[] {
  const sentence = /Requires (?:the grant|one of the grants) ([^.;]*)/.exec(description ?? '')?.[1] ?? '';
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, grant]) => grant ?? '');
}

function queryType(): GraphQLObjectType {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no query type');
  return query;
}

/** Ways to send the same operation: its text in the URL, or a reference to it. */
export const FORMS = {
  plain: (query: string): TestRequest => graphql(query),
  'in the address': (query: string): TestRequest => ({ path: `/graphql?query=${encodeURIComponent(query)}` }),
  'registered by its hash': (query: string, sha256: string): TestRequest => persisted({ query, sha256 }),
  'by its hash': (_query: string, sha256: string): TestRequest => persisted({ sha256 }),
  trusted: (_query: string, sha256: string): TestRequest => ({
    path: '/graphql',
    body: JSON.stringify({ documentId: `sha256:${sha256}` }),
  }),
} as const;

function persisted({ query, sha256 }: { query?: string; sha256: string }): TestRequest {
  const extensions = { persistedQuery: { version: 1, sha256Hash: sha256 } };
  return { path: '/graphql', body: JSON.stringify({ query, extensions }) };
}
