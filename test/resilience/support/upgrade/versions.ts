import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seeded } from '../../../cache/requests.ts';
import { createClient, type TestRequest } from '../client.ts';
import { drawRequest } from '../drawn.ts';
import { startGateway } from '../gateway.ts';
import { REQUESTS } from '../readers.ts';

const run = promisify(execFile);

/** What creates the schema and the data of a version, with its own modules, and prints a key. */
const SEED = `
  const { openDatabase, openPool } = await import('./src/database/database.ts');
  const { migrate } = await import('./src/database/migrate.ts');
  const { createElectionWorld } = await import('./test/support/election-world.ts');
  const { keyOf } = await import('./test/resilience/support/gateway.ts');
  const at = { connectionString: process.env.DATABASE_URL };
  const db = openDatabase(openPool({ at, size: 1, statementTimeoutMs: 0, waitMs: 30000 }));
  await migrate(db);
  await createElectionWorld(db);
  await db.destroy();
  console.log(await keyOf(process.env.DATABASE_URL, 'full'));
`;

/** Creates the schema of a version of the service with the small country of its tests; returns a key without rate limits. */
export async function seedAs(root: string, databaseUrl: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SEED], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl },
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
  const gateway = await startGateway({ ...environment, RESPONSE_CACHE_BYTES: '0' }, { root });
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
