import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { inPortions } from '../../src/base/event-loop-turns.ts';
import { computeComplexity } from '../../src/gateway/graphql/documents/query-complexity.ts';
import { definitionsOf } from '../../src/gateway/graphql/documents/selections.ts';
import { geocode } from '../../src/graph/places/geocode.ts';
import { schema } from '../../src/graph/schema.ts';
import { runImport } from '../../src/importers/import.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf } from '../support/graph.ts';
import { longestPiece } from '../support/longest-piece.ts';
import { createWorld } from '../support/world.ts';
import { useFiles } from './files.ts';

/** No request occupies the event loop for longer in one piece, in milliseconds of processor time. */
const MOST_MS = 50;
const LONGEST = 199;

const database = useDatabase();
const write = useFiles();
const service = useApp(database, { RESPONSE_CACHE_BYTES: '0' });

const NAMES = 'A B C D E F G H Old Mill Hill Main North Saint Street Road Lane Drive Court Avenue'.split(' ');
const SUFFIXES = ['St', 'Rd', 'Ln', 'Dr', 'Ave'];
const TOWNS = ['Dover', 'Smyrna', 'Norton', 'Newport', 'Hill', 'Mill Town'];

function fill(words: string, length = LONGEST): string {
  const parts = words.split(' ');
  let text = '';
  for (let at = 0; text.length < length; at++) text += `${parts[at % parts.length]} `;
  return text.slice(0, length);
}

const TEXTS: Readonly<Record<string, string>> = {
  'single letters': `7 ${fill('a b c d e f g h', LONGEST - 2)}`,
  'single letters without a number': fill('a b c d e f g h'),
  abbreviations: `7 ${fill('st rd ln dr av ct', LONGEST - 2)}`,
  'abbreviations and directions': `7 ${fill('st n rd s ln e dr w', LONGEST - 2)}`,
  'ordinary words': `7 ${fill('old mill hill rd north main st', LONGEST - 2)}`,
  'mistyped saints': `7 ${fill('saint sain aint', LONGEST - 2)}`,
  'words before a state': `7 ${fill('main st n', LONGEST - 5)} ne`,
  'letters that stand for many': `7 ${'\ufdfa'.repeat(LONGEST - 2)}`,
  'words between commas': `7 ${fill('main, st, n, mill', LONGEST - 2)}`,
};

beforeAll(async () => {
  await createWorld(database.db);
  const lines = NAMES.flatMap((name, i) =>
    SUFFIXES.flatMap((suffix, j) =>
      TOWNS.map((town, k) => `7,${name} ${suffix},${town},DE,1990${k},${-75.9 + (i * 30 + j * 6 + k) / 1000},39.5`),
    ),
  );
  const csv = ['NUMBER,STREET,CITY,REGION,POSTCODE,LON,LAT', ...lines].join('\n');
  await runImport(database.db, 'address-points', [write('a.csv', csv)], { preset: 'openaddresses' });
  // Compiles what the measured requests run.
  for (const text of ['7 a st dover de', fill('main st n', 40)]) await Promise.all([rest(text), graphql(text, 1)]);
});

const rest = (text: string) =>
  service.app.inject({
    url: `/data/geocode?text=${encodeURIComponent(text)}`,
    headers: { 'x-api-key': service.key('full') },
  });

const aliases = (count: number, field: string) => Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');
const GEOCODE = 'geocode(text: $text) { ambiguous matches { label confidence } }';

function send(query: string, text: string) {
  return service.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { 'x-api-key': service.key('full') },
    payload: { query: `query ($text: String!) { ${query} }`, variables: { text } },
  });
}

const graphql = (text: string, count: number) => send(aliases(count, GEOCODE), text);
const location = (text: string, count: number) =>
  send(aliases(count, 'location(address: $text) { districts { name } }'), text);

describe.each(Object.entries(TEXTS))('an address of %s', (_, text) => {
  it('occupies the event loop for a moment by REST', async () => {
    const { result, longestMs } = await longestPiece(() => rest(text), MOST_MS);
    expect(result.statusCode).toBe(200);
    expect(longestMs).toBeLessThan(MOST_MS);
  });

  it('occupies the event loop for a moment in each of thirty aliases', async () => {
    const { result, longestMs } = await longestPiece(() => graphql(text, 30), MOST_MS);
    expect(result.statusCode).toBe(200);
    expect(Object.keys(result.json().data)).toHaveLength(30);
    expect(longestMs).toBeLessThan(MOST_MS);
  });

  it('occupies the event loop for a moment as the address of a location', async () => {
    const { result, longestMs } = await longestPiece(() => location(text, 5), MOST_MS);
    expect(result.json().errors).not.toHaveLength(0);
    expect(longestMs).toBeLessThan(MOST_MS);
  });

  it('occupies the event loop for a moment by MCP', async () => {
    const client = await connect(service, service.key('full'));
    const query = `query ($text: String!) { ${GEOCODE} }`;
    const work = () => call(client, 'run_graphql', { query, variables: { text } });
    const { result, longestMs } = await longestPiece(work, MOST_MS);
    await client.close();
    expect(result.isError).toBeUndefined();
    expect(longestMs).toBeLessThan(MOST_MS);
  });
});

describe('the cost of an address', () => {
  const costOf = (fields: string) =>
    computeComplexity(schema, definitionsOf(parse(`query ($text: String!) { ${fields} }`)), { text: '' }).cost;

  it('is that of the comparison, in each alias', () => {
    for (const field of [
      GEOCODE,
      'location(address: $text) { districts { name } }',
      'location(address: "7 a st") { districts { name } }',
    ]) {
      expect(costOf(field), field).toBeGreaterThan(1_000);
      expect(costOf(aliases(30, field)), field).toBe(30 * costOf(field));
    }
    expect(costOf('location(latitude: 1, longitude: 2) { districts { name } }')).toBeLessThan(100);
  });
});

describe('the comparison with addresses', () => {
  it('ends with its request', async () => {
    const gone = new Error('the client went away');
    const controller = new AbortController();
    const comparing = geocode(
      { ...contextOf(database.db), abortSignal: controller.signal },
      TEXTS['single letters'] ?? '',
      5,
    );
    controller.abort(gone);
    await expect(comparing).rejects.toBe(gone);
  });

  it('stops within the portion that it is in, and gives other keys a turn after each', async () => {
    const turns: number[] = [];
    function* endless(keyId: number): Generator<void, never> {
      for (;;) {
        const end = performance.now() + 2;
        while (performance.now() < end);
        turns.push(keyId);
        yield;
      }
    }
    const controller = new AbortController();
    const run = (keyId: number) =>
      inPortions({ caller: { keyId }, abortSignal: controller.signal }, endless(keyId)).catch(() => undefined);
    const running = [run(1), run(1), run(1), run(2)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    controller.abort();
    await Promise.all(running);
    const done = turns.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(turns).toHaveLength(done);
    const ofOther = turns.filter((keyId) => keyId === 2).length;
    expect(ofOther).toBeGreaterThan(done / 3);
  });
});
