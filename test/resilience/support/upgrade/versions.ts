import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seeded } from '../../../drawn/random.ts';
import { drawRequest } from '../../../drawn/requests.ts';
import { createClient, graphql, type TestRequest } from '../client.ts';
import { startGateway } from '../gateway.ts';
import { REQUESTS } from '../readers.ts';

const run = promisify(execFile);

/** What creates the schema and the data of a version, with its own modules, and prints a key. */
const SEED = `
  const { existsSync } = await import('node:fs');
  // A version before src/store has both modules in src/database.
  const store = existsSync('src/store') ? ['store/sql', 'store'] : ['database', 'database'];
  const { openDatabase, openPool } = await import('./src/' + store[0] + '/database.ts');
  const { migrate } = await import('./src/' + store[1] + '/migrate.ts');
  const { createElectionWorld } = await import('./test/support/election-world.ts');
  const { keyOf } = await import('./test/resilience/support/gateway.ts');
  const at = { connectionString: process.env.DATABASE_URL };
  const db = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 30000 }));
  await migrate(db);
  await createElectionWorld(db);
  await db.destroy();
  console.log(await keyOf(process.env.DATABASE_URL, 'full'));
`;

/** What prints the documents that select every field of the schema of a version. */
const EVERY_FIELD = `
  const { everyField } = await import('./test/resilience/support/every-field.ts');
  const { documents } = everyField([['coverage', 'state: "AA"', 1], ['sources', '', 1]]);
  console.log(JSON.stringify(documents));
`;

/** Limits under which a document may select every field. */
const NO_LIMITS = { MAX_QUERY_TOKENS: '10000', MAX_QUERY_COST: '1000000000', MAX_EVENT_LOOP_DELAY_MS: '0' };

/** Creates the schema of a version of the service with the small country of its tests; returns a key without rate limits. */
export async function seedAs(root: string, databaseUrl: string): Promise<string> {
  return evaluateIn(root, SEED, databaseUrl);
}

/** Returns requests that together select every field of the schema of a version. */
export async function everyFieldOf(root: string): Promise<readonly TestRequest[]> {
  const documents: readonly string[] = JSON.parse(await evaluateIn(root, EVERY_FIELD));
  return documents.map((document) => graphql(document));
}

/** Runs a module in the folder of a version; returns the last line that it prints. */
async function evaluateIn(root: string, module: string, databaseUrl?: string): Promise<string> {
  const { PATH, HOME } = process.env;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', module], {
    cwd: root,
    env: { PATH, HOME, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    maxBuffer: 1e8,
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}

/** Returns fixed requests of every kind, and as many random ones as requested, each once. */
export function requestsOf(seed: number, count: number): readonly TestRequest[] {
  const draw = seeded(seed);
  const drawn = Array.from({ length: count }, () => drawRequest(draw));
  return [...new Map([...REQUESTS, ...drawn].map((request) => [JSON.stringify(request), request])).values()];
}

/** Returns the responses of a version that nothing disturbs; undefined for each request that it rejects. */
export async function answersOf(
  root: string,
  environment: Record<string, string>,
  requests: readonly TestRequest[],
  key: string,
): Promise<readonly (string | undefined)[]> {
  const gateway = await startGateway({ ...environment, ...NO_LIMITS, RESPONSE_CACHE_BYTES: '0' }, { root });
  const client = createClient(gateway.url);
  const answers: (string | undefined)[] = [];
  for (const request of requests) {
    const { status, text } = await client.send(request, key);
    answers.push(status === 200 && !text.includes('"errors"') ? text : undefined);
  }
  client.close();
  await gateway.stop();
  return answers;
}

/** The folder of this version. */
export const THIS_ROOT = join(import.meta.dirname, '../../../..');
