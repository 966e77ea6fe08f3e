import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

/** Executes the queries in a JSON array on standard input through Hive Gateway, and prints their results. */
const [supergraph] = process.argv.slice(2);
const gateway = createGatewayRuntime({
  supergraph: await readFile(supergraph, 'utf8'),
  logging: false,
  propagateHeaders: { fromClientToSubgraphs: ({ request }) => ({ 'x-api-key': request.headers.get('x-api-key') }) },
});
const results = [];
for (const query of JSON.parse(await text(process.stdin))) {
  const response = await gateway.fetch('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': process.env.API_KEY },
    body: JSON.stringify({ query }),
  });
  results.push(await response.json());
}
process.stdout.write(JSON.stringify(results), () => process.exit());
