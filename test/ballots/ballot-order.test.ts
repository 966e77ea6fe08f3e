import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, connect } from '../mcp/client.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';
import { boundary, insert } from '../support/world.ts';

/** The offices of a point in the order of a ballot: name, level, branch, chamber; by the types of their districts. */
const OFFICES = {
  Country: [
    ['President', 'Federal', 'Executive'],
    ['Vice President', 'Federal', 'Executive'],
  ],
  State: [
    ['U.S. Senate Alpha', 'Federal', 'Legislative', 'Upper'],
    ['Governor of Alpha', 'State', 'Executive'],
    ['Lieutenant Governor of Alpha', 'State', 'Executive'],
    ["Alpha Governor's Council", 'State', 'Executive'],
    ['Alpha Keeper of the Bell', 'State', 'Executive'],
    ['Attorney General of Alpha', 'State', 'Executive'],
    ['A Floterial Senator', 'State', 'Legislative', 'Upper'],
    ['A Floterial Representative', 'State', 'Legislative', 'Lower'],
    ['Board of Governors', 'State', 'Legislative'],
    ['Alpha Supreme Court', 'State', 'Judicial'],
  ],
  County: [
    ['Judge of Probate', 'Local', 'Judicial'],
    ['Clerk', 'Local', 'Executive'],
    ['County Commissioner', 'Local', 'Legislative'],
    ['Sheriff', 'Local', 'Executive'],
  ],
  'City-town': [['Mayor', 'Local', 'Executive']],
  'School District': [['Board Member', 'Local', 'Legislative']],
  'Special District': [['Aqueduct Director', 'Local', 'Legislative']],
  Congress: [['U.S. House Alpha District 1', 'Federal', 'Legislative', 'Lower']],
} as const;
/** Across districts the House comes after the Senate. */
const NAMES = Object.entries(OFFICES).flatMap(([type, offices]) =>
  type === 'Congress' ? [] : offices.map(([name]) => name as string),
);
NAMES.splice(3, 0, OFFICES.Congress[0][0]);
const ofState = OFFICES.State.map(([name]) => name as string);
const POINT = { latitude: 45, longitude: -95 };
const DATE = '2026-11-03';

const database = useDatabase();
const planned = useApp(database);
const plain = useApp(database, { QUERY_PLANS: 'false', RESPONSE_CACHE_BYTES: '0' });

beforeAll(async () => {
  const { db } = database;
  const types = Object.keys(OFFICES) as (keyof typeof OFFICES)[];
  await insert(
    db,
    'districts',
    types.map((type, index) => ({ id: index + 1, type, name: type === 'State' ? 'Alpha' : type, state: 'AA' })),
  );
  for (const index of types.keys()) await boundary(db, index + 1, ['2000-01-01', null], [-100, 40, -90, 50]);
  const offices = types.flatMap((type, district) =>
    OFFICES[type].map(([name, level, branch, chamber]) => ({
      ...{ district_id: district + 1, name, level, branch, chamber: chamber ?? null },
    })),
  );
  // Neither the ids nor the names have the order of a ballot.
  const shuffled = offices
    .toSorted((a, b) => b.name.localeCompare(a.name))
    .map((each, id) => ({ id: id + 1, ...each }));
  await insert(db, 'offices', shuffled);
  await insert(db, 'persons', [{ id: 1, name: 'Ada Able' }]);
  await insert(db, 'elections', [
    { id: 1, date: DATE, type: 'General', district_id: 2, candidate_lists_complete: false },
  ]);
  await insert(
    db,
    'races',
    shuffled.map(({ id }) => ({
      ...{ id, election_id: 1, office_id: id, year: 2026, type: 'Regular', stage_type: 'General', number_of_seats: 1 },
    })),
  );
  await insert(
    db,
    'candidates',
    shuffled.map(({ id }) => ({ id, race_id: id, person_id: 1 })),
  );
});

interface Named {
  readonly name: string;
  readonly type: string;
  readonly offices: readonly { readonly name: string; readonly ballotRank: number }[];
  readonly races: readonly { readonly office: { readonly name: string } }[];
}
const QUERY = `{ location(latitude: 45, longitude: -95) {
  districts { type name offices { name ballotRank } }
  ballot(electionDate: "${DATE}") { districts { district { type name } races { office { name } } } }
} }`;

describe.each([
  ['planned', () => planned],
  ['resolved by graphql-js', () => plain],
])('the order of a ballot, %s', (_, service) => {
  const rest = async (path: string) => (await get(service(), path)).body.data;

  it('in GraphQL', async () => {
    const payload = { query: QUERY };
    const response = await service().app.inject({
      ...{ method: 'POST', url: '/graphql', headers: { 'x-api-key': service().key('full') }, payload },
    });
    const { districts, ballot } = response.json().data.location;
    const offices = districts.find(({ type }: Named) => type === 'STATE').offices;
    expect(offices.map(({ name }: Named) => name)).toEqual(ofState);
    const part = ballot.districts.find(({ district }: { district: Named }) => district.type === 'STATE');
    expect(part.races.map(({ office }: Named['races'][number]) => office.name)).toEqual(ofState);
    // By rank, and otherwise in the order of the districts.
    const all = districts.flatMap((district: Named) => district.offices);
    const sorted = all.toSorted(
      (a: Named['offices'][number], b: Named['offices'][number]) => a.ballotRank - b.ballotRank,
    );
    expect(sorted.map(({ name }: { name: string }) => name)).toEqual(NAMES);
  });

  it('in REST, with the districts in the order of the contract', async () => {
    const query = `lat=${POINT.latitude}&long=${POINT.longitude}`;
    const [{ elected_officials: officials }] = await rest(`/data/officeholders?${query}`);
    const types = ['Country', 'Congress', 'State', 'County', 'City-town', 'School District', 'Special District'];
    expect(officials.districts.map(({ type }: Named) => type)).toEqual(types);
    expect(officials.districts[2].offices.map(({ name }: Named) => name)).toEqual(ofState);
    const { elections } = await rest(`/data/elections_by_point?${query}&election_date=${DATE}`);
    expect(elections[0].districts.map(({ type }: Named) => type)).toEqual(types);
    const byState = await rest(`/data/elections_by_state?state=AA&election_date=${DATE}`);
    expect(byState.districts.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const { districts } of [elections[0], byState]) {
      const state = districts.find(({ type }: Named) => type === 'State');
      expect(state.races.map(({ office }: Named['races'][number]) => office.name)).toEqual(ofState);
    }
  });

  it('in MCP, across all districts', async () => {
    const client = await connect(service(), service().key('full'));
    const { structured } = await call(client, 'whats_on_my_ballot', { ...POINT, date: DATE });
    const contests = structured?.contests as { office: string }[];
    expect(contests.map(({ office }) => office)).toEqual(NAMES);
    await client.close();
  });
});

it.each([
  ['Federal', 'Executive', null, 'President and Vice President of the United States', 100],
  ['State', 'Executive', null, 'Governor and Lieutenant Governor', 210],
  ['State', 'Executive', null, 'Governor/Lieutenant Governor', 210],
  ['State', 'Executive', null, 'Lt. Governor', 211],
  ['State', 'Executive', null, 'Board of Governors', 212],
  ['Federal', 'Judicial', null, 'Judge', 130],
  ['Local', 'Legislative', null, 'Something that no list has', 310],
])('%s %s %s %s has the rank %i', async (level, branch, chamber, name, rank) => {
  const { rows } = await sql<{ rank: number }>`
    select office_ballot_rank(${level}::office_level, ${branch}::office_branch, ${chamber}::chamber, ${name}) as rank`.execute(
    database.db,
  );
  expect(rows).toEqual([{ rank }]);
});

it('is stable: offices of one rank by name, then by seat, then by id', async () => {
  const { data } = await request(
    database.db,
    `{ location(latitude: 45, longitude: -95) { districts(types: [COUNTY]) { offices { name } } } }`,
  );
  expect(data).toEqual({
    location: { districts: [{ offices: OFFICES.County.map(([name]) => ({ name })) }] },
  });
});
