import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BALLOT, DISTRICTS, MANY_POINTS, OFFICEHOLDERS, STATE_PAGE } from './floor-sql.ts';
import { announce, EXPORT_SQL, POOL, TODAY } from './subject.ts';

/**
 * The baseline: the least work that gives the same response. One hand-written, prepared statement per request, its JSON
 * passed through, behind bare node:http. No keys, no limits, no checks.
 */
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: POOL,
  // As in the connections of the service: each statement is planned once.
  options: '-c plan_cache_mode=force_generic_plan -c jit=off',
});

async function answer(name: string, text: string, values: readonly unknown[]): Promise<string> {
  const { rows } = await pool.query<{ body: string }>({ name, text, values: [...values] });
  return rows[0]?.body ?? '';
}

async function pointsOf(request: IncomingMessage): Promise<{ latitude: number; longitude: number }[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function exportCsv(response: ServerResponse): Promise<void> {
  const client = await pool.connect();
  response.writeHead(200, { 'content-type': 'text/csv' });
  client
    .query(copyTo(`copy (${EXPORT_SQL}) to stdout with (format csv, header)`))
    .on('end', () => client.release())
    .pipe(response);
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://floor');
  const point = [query.get('lat'), query.get('long')];
  let body: string;
  if (pathname === '/districts') body = await answer('districts', DISTRICTS, [...point, TODAY]);
  else if (pathname === '/officeholders') body = await answer('officeholders', OFFICEHOLDERS, [...point, TODAY]);
  else if (pathname === '/ballot') body = await answer('ballot', BALLOT, [...point, query.get('date')]);
  else if (pathname === '/state') body = await answer('state', STATE_PAGE, [query.get('state'), query.get('date')]);
  else if (pathname === '/points') {
    const points = await pointsOf(request);
    const values = [points.map((each) => each.latitude), points.map((each) => each.longitude), TODAY];
    body = await answer('points', MANY_POINTS, values);
  } else return exportCsv(response);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  route(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
});
announce(server.listen(0, '127.0.0.1'));
