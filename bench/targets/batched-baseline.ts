import { createServer } from 'node:http';
import pg from 'pg';
import { BALLOT, DISTRICTS, OFFICEHOLDERS } from './baseline-sql.ts';
import { announce, PG_OPTIONS, POOL, TODAY } from './settings.ts';

/**
 * The batched baseline: the statements of the baseline, each shared by the requests that wait for it, as the gateway
 * shares its reads. It shows how much of a ratio is due to sharing statements.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: POOL, options: PG_OPTIONS });

/** Statements of a kind that run at the same time: more would leave fewer requests to share each. */
const MAX_CONCURRENT = 3;

interface Waiting {
  readonly latitude: string | null;
  readonly longitude: string | null;
  readonly resolve: (body: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs a statement for the points of all requests that wait. */
class Batcher {
  readonly #name: string;
  readonly #text: string;
  readonly #date: string;
  #waiting: Waiting[] = [];
  #running = 0;
  #scheduled = false;

  constructor(name: string, text: string, date: string) {
    const one = text
      .replaceAll('$1', 'point.latitude')
      .replaceAll('$2', 'point.longitude')
      .replaceAll('$3', '$3::date');
    this.#name = name;
    this.#text = `select (${one}) as body
      from unnest($1::float8[], $2::float8[]) with ordinality as point(latitude, longitude, n) order by n`;
    this.#date = date;
  }

  load(latitude: string | null, longitude: string | null): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ latitude, longitude, resolve, reject });
      if (this.#scheduled || this.#running >= MAX_CONCURRENT) return;
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#runBatch();
      });
    });
  }

  #runBatch(): void {
    if (this.#waiting.length === 0 || this.#running >= MAX_CONCURRENT) return;
    const batch = this.#waiting.splice(0, Math.ceil(this.#waiting.length / (MAX_CONCURRENT - this.#running)));
    const values = [batch.map((each) => each.latitude), batch.map((each) => each.longitude), this.#date];
    this.#running++;
    pool
      .query<{ body: string }>({ name: this.#name, text: this.#text, values })
      .then(
        ({ rows }) => batch.map(({ resolve }, index) => resolve(rows[index]?.body ?? '')),
        (error: unknown) => batch.map(({ reject }) => reject(error)),
      )
      .finally(() => {
        this.#running--;
        this.#runBatch();
      });
  }
}

const batchers: Readonly<Record<string, Batcher>> = {
  '/districts': new Batcher('districts', DISTRICTS, TODAY),
  '/officeholders': new Batcher('officeholders', OFFICEHOLDERS, TODAY),
  '/ballot': new Batcher('ballot', BALLOT, '2024-11-05'),
};

const server = createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const batcher = batchers[pathname];
  if (!batcher) return response.writeHead(404).end();
  return batcher.load(query.get('lat'), query.get('long')).then(
    (body) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
announce(server.listen(0, '127.0.0.1'));
