import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { insert, WORLD } from '../support/world.ts';

/**
 * Imitations of two kinds of existing clients, run over a socket. Neither looks at the status: both read the body of
 * every response, and stop on `success: false`.
 */

const database = useDatabase();
const service = useApp(database);
let address: string;

beforeAll(async () => {
  await createElectionWorld(database.db);
  const ids = Array.from({ length: 40 }, (_, index) => 3000 + index);
  await insert(
    database.db,
    'elections',
    ids.map((id) => ({
      id,
      description: `Election ${id}`,
      date: '2019-11-05',
      type: 'General',
      district_id: WORLD.beta,
      candidate_lists_complete: true,
    })),
  );
  await insert(
    database.db,
    'districts',
    ids.map((id) => ({ id, type: 'County' as const, name: `${id}`, state: 'BB' })),
  );
  await insert(
    database.db,
    'ballot_measures',
    ids.map((id) => ({ election_id: 3000, district_id: id, name: 'Levy' })),
  );
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
});

// biome-ignore lint/suspicious/noExplicitAny: a client without types
type Json = any;
const MOST_PAGES = 10;

/** A script that pages until the database of the service says that there is no more. */
class ScriptClient {
  readonly #headers: Record<string, string>;
  constructor(key: string) {
    this.#headers = { 'x-api-key': key, 'Content-Type': 'application/json' };
  }

  async call(path: string, parameters: Record<string, string | number>): Promise<Json> {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${address}/data/${path}?${query}`, { headers: this.#headers });
    const body = (await response.json()) as Json;
    if (!body.success) throw new Error(body.message);
    return body.data;
  }

  async allElectionDates(parameters: Record<string, string | number> = {}): Promise<Json[]> {
    const all: Json[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const data = await this.call('election_dates/list', { ...parameters, page });
      if (data.elections === null) return all;
      all.push(...data.elections);
    }
    throw new Error('The pages do not end');
  }

  async wholeState(state: string, date: string): Promise<Json[]> {
    const all: Json[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const data = await this.call('elections_by_state', { state, election_date: date, page });
      if (data === 'No results.') return all;
      all.push(...data.districts);
    }
    throw new Error('The pages do not end');
  }
}

/** A library that wraps each path in a method, sends a parameter more than it has to, and uses the other names. */
class LibraryClient {
  readonly #key: string;
  constructor(key: string) {
    this.#key = key;
  }

  async #get(path: string, parameters: Record<string, string>): Promise<Json> {
    const query = new URLSearchParams({ ...parameters, format: 'json', collections: parameters.collections ?? '' });
    const response = await fetch(`${address}${path}?${query}`, { headers: { 'X-API-KEY': this.#key, Accept: '*/*' } });
    return response.json();
  }

  districts = (lat: number, long: number) => this.#get('/data/districts/point', { lat: `${lat}`, long: `${long}` });
  ballot = (lat: number, long: number, date: string) =>
    this.#get('/data/elections/point', { lat: `${lat}`, long: `${long}`, election_date: date });
  statewide = (state: string, date: string, page: number) =>
    this.#get('/data/elections/statewide', { state, election_date: date, page: `${page}` });
  officeholders = (lat: number, long: number) =>
    this.#get('/data/officeholders', { lat: `${lat}`, long: `${long}`, collections: 'contact,social' });
}

describe('a script', () => {
  it('reads every election date and stops', async () => {
    const all = await new ScriptClient(service.key('full')).allElectionDates();
    expect(all).toHaveLength(46);
    expect(new Set(all.map(({ id }) => id)).size).toBe(46);
    expect(await new ScriptClient(service.key('full')).allElectionDates({ year: 1776 })).toEqual([]);
  });

  it('reads a whole state and stops', async () => {
    const client = new ScriptClient(service.key('full'));
    expect((await client.wholeState('BB', '2019-11-05')).map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, index) => 3000 + index),
    );
    expect(await client.wholeState('VT', '2019-11-06')).toEqual([]);
  });

  it('shows the message of every rejection', async () => {
    const messages = await Promise.all(
      [
        new ScriptClient('none').allElectionDates(),
        new ScriptClient(service.key('lookup')).allElectionDates(),
        new ScriptClient(service.key('full')).allElectionDates({ state: 'Vermont' }),
        new ScriptClient(service.key('full')).call('elections_by_state', {}),
        new ScriptClient(service.key('full')).call('nowhere', {}),
      ].map((call) => call.catch((error: Error) => error.message)),
    );
    expect(messages).toEqual([
      'An active API key must be sent in the x-api-key header: none was sent, or it is unknown, expired or revoked. The operator of this server creates keys with `npm run keys -- create`.',
      'The election_dates endpoint is not available in your package.',
      'state must be the two-letter abbreviation of a state, for example VT.',
      'State and election date must be supplied.',
      'There is nothing at this address.',
    ]);
  });
});

describe('a library', () => {
  it('reads districts, officeholders and ballots', async () => {
    const client = new LibraryClient(service.key('full'));
    const districts = await client.districts(42, -98);
    expect(districts.data.map(({ id }: Json) => id)).toEqual(['1', '20', '10', '30']);
    const officeholders = await client.officeholders(42, -98);
    expect(officeholders.data[0].elected_officials.districts[0].offices[0].officeholders[0].name).toBe('Ada Able');
    const ballot = await client.ballot(42, -98, VOTE.date2022);
    expect(ballot.data.elections[0].districts[0].races[0].type).toBe('Special');
  });

  it('pages through a state until it reads the text that ends it', async () => {
    const client = new LibraryClient(service.key('no-results'));
    const sizes = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { success, data } = await client.statewide('bb', '2019-11-05', page);
      expect(success).toBe(true);
      if (data === 'No results.') break;
      sizes.push(data.districts.length);
    }
    expect(sizes).toEqual([30, 10]);
  });

  it('gets the same body for every invalid key', async () => {
    const bodies = await Promise.all(
      ['', 'x', 'bg_unknown0_'.padEnd(55, 'x')].map((key) => new LibraryClient(key).districts(42, -98)),
    );
    for (const body of bodies) {
      expect(body).toMatchObject({ success: false, data: {}, status: 401, message: bodies[0].message });
    }
  });
});
