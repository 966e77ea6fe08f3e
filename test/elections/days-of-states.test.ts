import { beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { LAST_TIME_ZONES, STATES } from '../../src/base/words/states.ts';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { buildDatabaseApp } from '../support/build-app.ts';
import { useDatabase } from '../support/database.ts';
import { boundary, insert } from '../support/world.ts';

const database = useDatabase();
const ELECTION = '2026-11-03';
/** Places with an election on that day, and their longitude. The last one is in no state. */
const PLACES = { ME: 5, HI: 25, GU: 45, AZ: 65, none: 85 };
let ask: (at: string, zone: keyof typeof ZONES) => Promise<string[]>;
const ZONES = { 'Pacific/Pago_Pago': 0, 'America/New_York': 0, 'Pacific/Kiritimati': 0 };

beforeAll(async () => {
  const places = Object.entries(PLACES);
  for (const [index, [state, longitude]] of places.entries()) {
    const of = state === 'none' ? { type: 'Country' as const, state: null } : { type: 'State' as const, state };
    await insert(database.db, 'districts', [{ id: index + 1, name: state, ...of }]);
    await boundary(database.db, index + 1, ['2000-01-01', null], [longitude - 5, 1, longitude + 5, 10]);
    const election = { type: 'General', district_id: index + 1, candidate_lists_complete: false };
    await insert(database.db, 'elections', [
      { ...election, date: ELECTION },
      { ...election, date: '2028-11-07' },
    ]);
  }
  const key = await createApiKey(database.db, 'full');
  let now = 0;
  const apps = new Map(
    await Promise.all(
      Object.keys(ZONES).map(async (timeZone) => {
        const clock = createClock({ timeZone, today: undefined }, () => now);
        const environment = { RESPONSE_CACHE_BYTES: '1000000', QUERY_PLANS: 'true' };
        return [timeZone, await buildDatabaseApp(database, environment, { clock })] as const;
      }),
    ),
  );
  ask = async (at, zone) => {
    now = Date.parse(at);
    const post = async (url: string, payload: object) => {
      const headers = { 'x-api-key': key, accept: 'application/json, text/event-stream' };
      const response = await apps.get(zone)?.inject({ method: 'POST', url, headers, payload });
      return response?.json();
    };
    const listed: string[] = [];
    for (const [place, longitude] of places) {
      const query = `{ location(latitude: 5, longitude: ${longitude}) {
        elections(first: 1) { date } nextElections(first: 1) { today elections { date } } } }`;
      const { elections, nextElections } = (await post('/graphql', { query })).data.location;
      const found = async (given: object) => {
        const params = { name: 'find_elections', arguments: given };
        const { result } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
        return result.structuredContent;
      };
      const ofPoint = await found({ latitude: 5, longitude });
      const ofState = place === 'none' ? ofPoint : await found({ state: place });
      const dates = [elections, nextElections.elections, ofPoint.elections, ofState.elections].map(
        (each) => each[0].date,
      );
      expect(new Set(dates).size, `${at} ${place}: ${dates}`).toBe(1);
      expect([ofPoint.from, ofState.from]).toEqual([nextElections.today, nextElections.today]);
      expect(nextElections.today <= ELECTION, `${at} ${place}`).toBe(dates[0] === ELECTION);
      if (dates[0] === ELECTION) listed.push(place);
    }
    return listed;
  };
}, 120_000);

it.each([
  ['2026-11-03T13:59:00Z', 'Pacific/Pago_Pago', ['ME', 'HI', 'GU', 'AZ', 'none']],
  ['2026-11-03T14:00:00Z', 'Pacific/Pago_Pago', ['ME', 'HI', 'AZ', 'none']],
  ['2026-11-04T04:59:00Z', 'Pacific/Pago_Pago', ['ME', 'HI', 'AZ', 'none']],
  ['2026-11-04T05:00:00Z', 'Pacific/Pago_Pago', ['HI', 'AZ', 'none']],
  ['2026-11-04T07:00:00Z', 'Pacific/Pago_Pago', ['HI', 'none']],
  ['2026-11-04T10:00:00Z', 'Pacific/Pago_Pago', ['none']],
  ['2026-11-04T10:59:00Z', 'Pacific/Pago_Pago', ['none']],
  ['2026-11-04T11:00:00Z', 'Pacific/Pago_Pago', []],
  // Back again: what was cached for a later day is no answer for an earlier one.
  ['2026-11-04T04:59:00Z', 'Pacific/Pago_Pago', ['ME', 'HI', 'AZ', 'none']],
  ['2026-11-04T04:59:00Z', 'America/New_York', ['ME', 'HI', 'AZ', 'none']],
  ['2026-11-04T05:00:00Z', 'America/New_York', ['HI', 'AZ']],
  ['2026-11-04T09:59:00Z', 'Pacific/Kiritimati', ['HI']],
  ['2026-11-03T09:59:00Z', 'Pacific/Kiritimati', ['ME', 'HI', 'GU', 'AZ', 'none']],
  ['2026-11-03T10:00:00Z', 'Pacific/Kiritimati', ['ME', 'HI', 'GU', 'AZ']],
] as const)('at %s, with the gateway in %s, the election is coming in %j', async (at, zone, listed) => {
  expect(await ask(at, zone)).toEqual(listed);
  // Now from the cache.
  expect(await ask(at, zone)).toEqual(listed);
});

it('has a time zone for each state', () => {
  expect([...LAST_TIME_ZONES.keys()].sort()).toEqual(STATES.map(({ postal }) => postal).sort());
});

it.each([
  ['2026-07-21T06:59:00Z', ['AZ', 'CA', 'HI', 'ID'], ['CO', 'ME', 'PR', 'TX']],
  ['2026-07-21T07:00:00Z', ['HI'], ['AZ', 'CA', 'ID']],
  ['2026-12-01T06:59:00Z', ['AZ', 'CO', 'KS', 'ND', 'TX'], ['FL', 'IN', 'KY', 'MI', 'TN']],
] as const)('at %s, the day before is not over in %j, and is in %j', (at, behind, ahead) => {
  const { today, elsewhere = '{}' } = createClock({ timeZone: 'Pacific/Pago_Pago', today: undefined }, () =>
    Date.parse(at),
  )();
  const days = JSON.parse(elsewhere) as Record<string, string>;
  expect(behind.map((state) => days[state] ?? today)).toEqual(behind.map(() => today));
  expect(ahead.map((state) => days[state])).toEqual(ahead.map(() => at.slice(0, 10)));
});
