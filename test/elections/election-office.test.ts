import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATES } from '../../src/base/words/states.ts';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { insert } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database, { TODAY: '2026-07-01' });
let client: Client;
beforeAll(async () => {
  const states = STATES.map(({ postal, name }, index) => ({
    id: index + 1,
    type: 'State' as const,
    name,
    state: postal,
  }));
  const others = [
    { id: 900, type: 'Country' as const, name: 'United States', state: 'US' },
    { id: 901, type: 'County' as const, name: 'Kennebec County', state: 'ME' },
    { id: 902, type: 'Special District' as const, name: 'Two States', state: null },
  ];
  await insert(database.db, 'districts', [...states, ...others]);
  client = await connect(service, service.key('full'));
});
afterAll(() => client.close());

const OFFICE = 'electionOffice { state name website source asOf }';

async function read(document: string) {
  const { data } = await request(database.db, document);
  // biome-ignore lint/suspicious/noExplicitAny: the data of two documents
  return data as any;
}

describe('the election office', () => {
  it('is known for every state, the District of Columbia and every territory', async () => {
    const data = await read(`{ districts(types: [STATE], first: 100) { nodes { state ${OFFICE} } } }`);
    expect(data.districts.nodes).toHaveLength(56);
    for (const { state, electionOffice } of data.districts.nodes) {
      expect(electionOffice, state).toEqual({
        state,
        name: expect.stringMatching(/\w{4}/),
        website: expect.stringMatching(/^https:\/\/[\w.-]+\.\w+\//),
        source: expect.stringContaining('docs/sources.md'),
        asOf: '2026-11-25',
      });
    }
    const names = data.districts.nodes.map((node: { electionOffice: { name: string } }) => node.electionOffice.name);
    expect(new Set(names).size).toBe(56);
  });

  it('of a district is that of its state, and null where it has none', async () => {
    const data = await read(
      `{ county: district(databaseId: 901) { ${OFFICE} } country: district(databaseId: 900) { ${OFFICE} } both: district(databaseId: 902) { ${OFFICE} } }`,
    );
    expect(data.county.electionOffice).toMatchObject({ state: 'ME', name: 'Maine Secretary of State' });
    expect([data.country.electionOffice, data.both.electionOffice]).toEqual([null, null]);
  });

  it('is named by find_elections', async () => {
    const { structured } = await call(client, 'find_elections', { state: 'vt' });
    expect(structured?.electionOffice).toEqual({
      name: 'Vermont Secretary of State',
      website: 'https://sos.vermont.gov/elections/',
      asOf: '2026-11-25',
    });
    expect((await call(client, 'find_elections', { state: 'US' })).structured).not.toHaveProperty('electionOffice');
  });
});
