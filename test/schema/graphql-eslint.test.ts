import graphqlEslint from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const SCHEMA = 'schema.graphql';
const DOCUMENTS = ['src/gateway/rest/*.graphql', 'src/gateway/mcp/tools/*.graphql'];
const EXAMPLES = ['examples/*.graphql'];

const { configs } = graphqlEslint;

/** The rules that are not applied as they are: their options or `off`, and why. */
const EXCEPTIONS = {
  // Values without an identity, which belong to the object that has them, and what Relay defines for paging.
  '@graphql-eslint/strict-id-in-types': [
    'error',
    {
      exceptions: {
        types: [
          ...['Area', 'BoundingBox', 'Contact', 'CoverageLayer', 'DistrictShare', 'GeocodeMatch', 'GeocodePoint'],
          ...['Geocoding', 'Identifier', 'RankedChoiceRound'],
          ...['SocialLink', 'ZipCodeArea', 'DistrictSuccession', 'DistrictSuccessionPart', 'MapChanges', 'MapDay'],
          ...['LocationChange', 'LocationLayer', 'NearestLine', 'Findable', 'NextElections'],
          ...['Deadline', 'LocalText', 'LocationVoting', 'LocationVotingPlace', 'OpenInterval'],
          ...['CandidateVotes', 'PrecinctResult', 'Change', 'ChangePage'],
          'PageInfo',
        ],
        suffixes: ['Connection', 'Edge'],
      },
    },
  ],
  // Lists that are always complete and short, such as the districts of a point, are lists, not connections.
  '@graphql-eslint/relay-edge-types': ['error', { withEdgeSuffix: true, listTypeCanWrapOnlyEdgeType: false }],
} as const;

/** Errors that remain, and why they are none. */
const REMAINING = [
  // The ballot of a district in a list of a state's ballots is not found by `node`: refetch the list.
  "Edge type's field `node` must implement `Node` interface.",
  // The time of a change: "at" alone says nothing.
  'Field "changedAt" starts with the name of the parent type "Change"',
  // An officeholder is not the prefix "office" and a "holder": it is the other type of this graph.
  'Field "officeholders" starts with the name of the parent type "Office"',
  // The votes of a precinct are a value of their race, without an id of their own.
  "Edge type's field `node` must implement `Node` interface.",
  // The publisher of an edition, as data sets call it.
  'Field "source" starts with the name of the parent type "Source"',
];

const configOf = (files: string[], rules: object) => ({
  files,
  plugins: { '@graphql-eslint': graphqlEslint },
  languageOptions: {
    parser: graphqlEslint.parser,
    parserOptions: { graphQLConfig: { schema: SCHEMA, documents: [...DOCUMENTS, ...EXAMPLES] } },
  },
  rules,
});

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    configOf([SCHEMA], {
      ...configs['flat/schema-recommended'].rules,
      ...configs['flat/schema-relay'].rules,
      ...EXCEPTIONS,
    }),
    configOf(EXAMPLES, configs['flat/operations-recommended'].rules),
    // REST and MCP have no cache for which the ids of all objects would be needed.
    configOf(DOCUMENTS, {
      ...configs['flat/operations-recommended'].rules,
      '@graphql-eslint/require-selections': 'off',
    }),
  ] as never,
});

async function errorsIn(files: readonly string[]): Promise<string[]> {
  const results = await eslint.lintFiles([...files]);
  expect(results.length).toBeGreaterThanOrEqual(files.length);
  return results.flatMap(({ messages }) => messages.map(({ message }) => message));
}

describe('graphql-eslint, recommended and Relay rules', () => {
  it('finds nothing in the schema but the errors listed here', async () => {
    expect(await errorsIn([SCHEMA])).toEqual(REMAINING);
  });

  it('finds nothing in the documents', async () => {
    expect(await errorsIn([...DOCUMENTS, ...EXAMPLES])).toEqual([]);
  });

  it('finds a type without a description', async () => {
    const [result] = await eslint.lintText('type Query { a: Int }', { filePath: SCHEMA });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toContain('@graphql-eslint/require-description');
  });
});
