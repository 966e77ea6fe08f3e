import { defineConfig, loadGraphQLHTTPSubgraph } from '@graphql-mesh/compose-cli';

/** The gateway as the only subgraph of a supergraph. */
export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadGraphQLHTTPSubgraph('ballotgraph', {
        endpoint: process.env.GATEWAY ?? 'http://localhost:4000/graphql',
        source: '../../schema.graphql',
        operationHeaders: { 'x-api-key': '{context.headers.x-api-key}' },
      }),
    },
  ],
});
