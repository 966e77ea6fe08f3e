import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { listPackages, setPackage } from '../../src/gateway/access/access.store.ts';
import { openDatabase, openPool } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { drawRequest } from '../drawn/requests.ts';
import { insertPrecincts } from '../support/precincts.ts';
import { createVotingWorld } from '../support/voting-world.ts';
import { createClient, type TestRequest } from './support/client.ts';
import { everyField, FORMS, fieldsExceeding } from './support/every-field.ts';
import { keyOf, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';
import { argument, report, Tally } from './support/report.ts';

// Requests every field of the schema, and sends random requests to both APIs, with keys of four packages in turn, to a
// gateway that caches responses and plans queries and to one that does neither: no response has a value beyond the
// package of its key, and each equals the response of a gateway that has never served another package.

const requests = argument('requests', 100_000);
const seed = argument('seed', Math.floor(Math.random() * 2 ** 31));
const CLIENTS = 16;
const DRAWN = 300;
const PACKAGES = ['no-results', 'lookup', 'bulk-only', 'full'] as const;
type Package = (typeof PACKAGES)[number];
/** After a start, responses are not cached for two seconds. */
const SETTLED_MS = 2_200;
const LONGEST_URL = 8_000;

const postgres = await startPostgres({
  async fill(world) {
    await createVotingWorld(world);
    const { id } = await world
      .insertInto('sources')
      .values({ name: 'Results' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertPrecincts(world, id);
  },
});
const pool = openPool({ at: { connectionString: postgres.url }, size: 1, statementTimeoutMs: 0, waitMs: 30_000 });
const db = openDatabase(pool);
// Vote counts that cannot be confused with any other value in a response.
await sql`update candidates set votes_for_cand = 77000000 + id where votes_for_cand is not null`.execute(db);
await sql`update ranked_choice_rounds set votes_for = 77100000 + candidate_id where votes_for is not null`.execute(db);
await sql`update precinct_results set votes = array[77400000 + id, 77500000 + id]`.execute(db);
await sql`update ballot_measures set yes_votes_total = 77200000 + id, no_votes_total = 77300000 + id`.execute(db);
await setPackage(db, { name: 'bulk-only', grants: ['bulk'], description: 'Bulk download of nothing' });
const grants = new Map((await listPackages(db)).map((each) => [each.name, new Set<string>(each.grants)]));
await db.destroy();
const RESULTS = /\b77\d{6}\b|"(Won|Lost|Advanced|Approved|Defeated|Too close to call)"/;

const { documents, requested, all } = everyField([
  ['coverage', 'state: "AA"', 1],
  ['sources', '', 1],
]);
const random = seeded(seed);
const drawn = Array.from({ length: DRAWN }, () => drawRequest(random));
const hashes = new Map(documents.map((query) => [query, hash('sha256', query)]));
const trusted = await mkdtemp(join(tmpdir(), 'resilience-'));
await writeFile(
  join(trusted, 'documents.json'),
  JSON.stringify(Object.fromEntries([...hashes].map(([query, sha256]) => [sha256, query]))),
);

const keys = new Map<Package, string>();
for (const name of PACKAGES) keys.set(name, await keyOf(postgres.url, name));
const environment = {
  DATABASE_URL: postgres.url,
  TODAY: '2026-07-01',
  MAX_IN_FLIGHT_PER_KEY: '64',
  MAX_QUERY_TOKENS: '10000',
  MAX_QUERY_COST: '1000000000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
  // However slow the machine: a rejection for overload cannot be compared.
  PERSISTED_DIR: trusted,
};
const PLAIN = { ...environment, RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' };

/** The request id of an error differs in every response, and may begin like vote counts. */
const textOf = (text: string) => text.replace(/"request_?[iI]d":\s*"[^"]*"/g, '');
const textKey = (name: Package, what: string) => `${name} ${what}`;

const expected = new Map<string, string>();
const exceeding = new Tally();
let [withResults, completedInFull] = [0, 0];
for (const name of PACKAGES) {
  const gateway = await startGateway(PLAIN);
  const client = createClient(gateway.url);
  const own = grants.get(name) ?? new Set();
  for (const query of documents) {
    const { text } = await client.send(FORMS.plain(query), keys.get(name) ?? '');
    expected.set(textKey(name, query), textOf(text));
    for (const field of fieldsExceeding(JSON.parse(text).data, own)) exceeding.add(`${name}: ${field}`);
    if (name !== 'full') continue;
    if (!text.includes('"errors"')) completedInFull++;
    if (RESULTS.test(text)) withResults++;
  }
  for (const request of drawn) {
    const { text } = await client.send(request, keys.get(name) ?? '');
    expected.set(textKey(name, JSON.stringify(request)), textOf(text));
    if (name === 'full' && RESULTS.test(text)) withResults++;
  }
  client.close();
  await gateway.stop();
}

const gateways = [await startGateway(PLAIN), await startGateway(environment)];
const clients = gateways.map(({ url }) => createClient(url));
for (const client of clients) await client.send(FORMS.plain('{ __typename }'), keys.get('full') ?? '');
await sleep(SETTLED_MS);

const counts = { requests: 0, leaks: 0, different: 0, failed: 0 };
const forms = new Tally();
const examples: string[] = [];
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

function chooseRequest(): { what: string; form: string; request: TestRequest } {
  if (random() < 0.5) {
    const request = pick(drawn);
    return { what: JSON.stringify(request), form: 'drawn', request };
  }
  const query = pick(documents);
  const [form, make] = pick(Object.entries(FORMS));
  const request = make(query, hashes.get(query) ?? '');
  if (request.path.length > LONGEST_URL) return { what: query, form: 'plain', request: FORMS.plain(query) };
  return { what: query, form, request };
}

async function client(): Promise<void> {
  while (counts.requests < requests) {
    counts.requests++;
    const { what, form, request } = chooseRequest();
    const [name, which] = [pick(PACKAGES), Math.floor(random() * clients.length)];
    const key = keys.get(name) ?? '';
    let response = await clients[which]?.send(request, key);
    if (response?.text.includes('PersistedQueryNotFound')) {
      response = await clients[which]?.send(FORMS['registered by its hash'](what, hashes.get(what) ?? ''), key);
    }
    if (!response || response.status >= 500) {
      counts.failed++;
      if (examples.length < 3)
        examples.push(`${name} ${form} ${what.slice(0, 200)}: ${response?.status} ${response?.text}`);
      continue;
    }
    forms.add(`${form}, ${which === 0 ? 'uncached' : 'cached'}`);
    const text = textOf(response.text);
    if (name !== 'full' && RESULTS.test(text)) counts.leaks++;
    if (text !== expected.get(textKey(name, what))) {
      counts.different++;
      if (examples.length < 3) examples.push(`${name} ${form} ${what.slice(0, 200)}: ${response.text.slice(0, 300)}`);
    }
  }
}
await Promise.all(Array.from({ length: CLIENTS }, client));
for (const each of clients) each.close();
const exitCodes = await Promise.all(gateways.map((gateway) => gateway.stop()));
await rm(trusted, { recursive: true });
await postgres.remove();
const notSelected = [...all].filter((field) => !requested.has(field));
report(
  'four packages, every field',
  {
    seed,
    ...counts,
    fields: all.size,
    notSelected,
    documents: documents.length,
    completedInFull,
    drawn: drawn.length,
    withResults,
    exceeding,
    forms,
    examples,
    exitCodes,
  },
  {
    'every field was selected': notSelected.length === 0 && completedInFull === documents.length,
    'results were there to leak': withResults > documents.length / 3,
    'no value beyond the package': counts.leaks === 0 && Object.keys(exceeding.toJSON()).length === 0,
    'the response of a gateway without other packages': counts.different + counts.failed === 0,
  },
);
