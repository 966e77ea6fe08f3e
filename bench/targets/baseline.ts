import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { BALLOT, DISTRICTS, MANY_POINTS, OFFICEHOLDERS, RACES, STATE_PAGE } from './baseline-sql.ts';
import { announce, PG_OPTIONS, POOL, TODAY } from './settings.ts';

/**
 * The baseline: the least work that gives the same response. One hand-written, prepared statement per request, its JSON
 * passed through, behind bare node:http. No keys, no limits, no checks.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: POOL, options: PG_OPTIONS });

async function run(name: string, text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({ name, text, values: [...values] });
  return rows[0]?.body ?? '';
}

async function pointsOf(request: IncomingMessage): Promise<{ latitude: number; longitude: number }[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const point = [query.get('lat'), query.get('long')];
  let body: string;
  if (pathname === '/districts') body = await run('districts', DISTRICTS, [...point, TODAY]);
  else if (pathname === '/officeholders') body = await run('officeholders', OFFICEHOLDERS, [...point, TODAY]);
  else if (pathname === '/ballot') body = await run('ballot', BALLOT, [...point, query.get('date')]);
  else if (pathname === '/state') body = await run('state', STATE_PAGE, [query.get('state'), query.get('date')]);
  else if (pathname === '/races') body = await run('races', RACES, [query.get('state'), query.get('date')]);
  else if (pathname === '/points') {
    const points = await pointsOf(request);
    const values = [points.map((each) => each.latitude), points.map((each) => each.longitude), TODAY];
    body = await run('points', MANY_POINTS, values);
  } else return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
announce(server.listen(0, '127.0.0.1'));
