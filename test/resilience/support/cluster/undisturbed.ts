import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { loadSample } from '../../../../src/operate/start/sample.ts';
import { seeded } from '../../../drawn/random.ts';
import { map } from '../../../support/editions.ts';
import { createClient, graphql, type TestRequest } from '../client.ts';
import { keyOf, runCommand, startGateway } from '../gateway.ts';
import { BIN, startPostgres } from '../postgres.ts';

/** What both services have in common, so that their responses are comparable. */
export const SAME = { TODAY: '2026-06-15', PUBLIC_URL: 'http://elections.example' };

/** Places in the states of the sample, and one outside. */
const PLACES = [
  [44.2601, -72.5754],
  [44.3106, -69.7795],
  [61.2181, -149.9003],
  [35.687, -105.9378],
  [40.7128, -74.006],
  [10, 10],
] as const;
const MORE_PLACES = 40;
const CITIES = map({ districts: 60, details: 40 });

/** What the package `public` publishes, for Varnish to cache: the tile has the cities, which each import changes. */
const PUBLIC = [
  '/tiles/CITY_TOWN/2026-06-15/6/19/23.pbf',
  '/data/elections_by_state?state=ME&election_date=2022-11-08',
  '/data/election_dates/list?state=ME',
];

/** A request with the key that it needs. */
export interface AskedRequest extends TestRequest {
  readonly needsKey: boolean;
}

/**
 * Returns the requests of the readers. Every third one is about the cities, whose records each import changes; the same facts are
 * requested in several ways at once, so that no single statement can produce the whole response.
 */
export function requestsOf(seed: number): readonly AskedRequest[] {
  const draw = seeded(seed);
  const points = [
    ...PLACES,
    ...Array.from({ length: MORE_PLACES }, () => [30 + draw() * 18, -120 + draw() * 50] as const),
  ];
  const withKey: TestRequest[] = points.flatMap(([latitude, longitude], at) => {
    const point = `location(latitude: ${latitude}, longitude: ${longitude})`;
    const choices: TestRequest[] = [
      graphql(
        `{ ${point} { districts { id name type offices { name officeholders { status person { name } party { name } contacts { value } } } } } }`,
      ),
      graphql(
        `{ ${point} { ballot(electionDate: "2022-11-08") { districts { district { name } races { office { name } candidates { votes share person { name } } } } } } }`,
      ),
      { path: `/data/officeholders?lat=${latitude}&long=${longitude}` },
      { path: `/data/elections_by_point?lat=${latitude}&long=${longitude}&election_date=2022-11-08` },
    ];
    return at < PLACES.length ? choices : choices.slice(at % 4, (at % 4) + 1);
  });
  withKey.push(
    graphql(
      '{ stateBallot(state: "ME", electionDate: "2022-11-08") { totalCount edges { node { district { name } races { totalVotes } } } } }',
    ),
    graphql('{ people(name: "Collins", first: 5) { edges { node { name } } } }'),
    { path: '/data/election_dates/list?state=AK&year=2022' },
  );
  const pages = ['/', '/docs', '/schema.graphql', '/openapi.json', ...PUBLIC].map((path) => ({
    path,
    needsKey: false,
  }));
  const others = [...withKey.map((request) => ({ ...request, needsKey: true })), ...pages];
  return others.flatMap((request, at) =>
    at % 2 === 0 ? [request] : [request, { ...graphql(CITIES.query), needsKey: true }],
  );
}

/** A service that nothing disturbs, on the same data: its responses are the correct ones. */
export interface Undisturbed {
  readonly url: string;
  readonly key: string;
  /** The correct responses to the requests, for the data as they are now. */
  answers(): Promise<readonly string[]>;
  /** Imports the next edition of the cities; returns the arguments that import it elsewhere. */
  importNext(): Promise<readonly string[]>;
  /** Copies its data, with the key, into an empty database that has the extensions. */
  copyTo(url: string): Promise<void>;
  remove(): Promise<void>;
}

export async function startUndisturbed(requests: readonly AskedRequest[]): Promise<Undisturbed> {
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const postgres = await startPostgres({ settings: ['fsync=off'], fill: (db) => loadSample(db) });
  const key = await keyOf(postgres.url, 'full');
  const grants = 'districts,boundaries,elections,election_dates';
  await runCommand(['packages', 'set', 'public', '--grants', grants], { DATABASE_URL: postgres.url });
  const gateway = await startGateway({ DATABASE_URL: postgres.url, RESPONSE_CACHE_BYTES: '0', ...SAME });
  let edition = 0;

  async function importNext(): Promise<readonly string[]> {
    edition++;
    const args = CITIES.write(folder, edition);
    const { code, text } = await runCommand(['import', ...args], { DATABASE_URL: postgres.url });
    if (code !== 0) throw new Error(`The import failed with ${code}:\n${text}`);
    return args;
  }
  await importNext();

  return {
    url: postgres.url,
    key,
    importNext,
    async answers() {
      const client = createClient(gateway.url);
      const answers: string[] = [];
      for (const { needsKey, ...request } of requests) {
        const { status, text } = await client.send(request, needsKey ? key : undefined);
        if (status !== 200 || text.startsWith('{"errors":'))
          throw new Error(`${request.path}: ${status} ${text.slice(0, 500)}`);
        answers.push(text);
      }
      client.close();
      return answers;
    },
    copyTo: (url) => copyDatabase(postgres.url, url),
    async remove() {
      await gateway.stop();
      await postgres.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/** Copies the data of a database into an empty one that has the extensions, as the user of that one. */
async function copyDatabase(from: string, to: string): Promise<void> {
  // PostGIS creates that table with its rows, and owns it.
  const dumped = ['--format=custom', '--exclude-table-data=spatial_ref_sys', '--dbname', from];
  const dump = spawn(join(BIN, 'pg_dump'), dumped, { stdio: ['ignore', 'pipe', 'inherit'] });
  const options = ['--no-owner', '--no-privileges', '--no-comments', '--exit-on-error', '--single-transaction'];
  const restore = spawn(join(BIN, 'pg_restore'), [...options, '--dbname', to], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(restore, 'close');
  await pipeline(dump.stdout, restore.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`pg_restore ended with ${code}`);
}
