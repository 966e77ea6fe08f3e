import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute } from '../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../src/graph/schema.ts';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { contextOf, type ExecuteOptions, prepare, request } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { createVotingWorld, VOTING } from '../support/voting-world.ts';
import { insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createVotingWorld(database.db));

const EAST = { latitude: 42, longitude: -96 };

interface Voting {
  readonly date: string;
  readonly precinct: { readonly id: number } | null;
  readonly state: string;
  readonly notKnown: string | null;
  readonly places: readonly { readonly place: { readonly id: number }; readonly distance: number | null }[];
  readonly office: { readonly website: string } | null;
  readonly deadlines: readonly Record<string, unknown>[];
}

async function votingAt(
  point: { latitude: number; longitude: number },
  args: string,
  options: ExecuteOptions = {},
): Promise<Voting | null> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!) {
    location(latitude: $latitude, longitude: $longitude) { voting${args} {
      date precinct { id: databaseId } state notKnown places { place { id: databaseId } distance } office { website }
      deadlines(language: "es") { kind label { text language } phrase { text language } day basis isOlderThanElection time }
    } }
  }`;
  const { data, errors } = await request(database.db, query, { ...options, variables: point });
  expect(errors).toBeUndefined();
  return (data as { location: { voting: Voting | null } }).location.voting;
}

const placesIn = (voting: Voting | null) => voting?.places.map(({ place: { id } }) => id);

describe('voting at a point', () => {
  it.each([
    ['in the west', POINTS.southWest, VOTING.westPrecinct, [VOTING.library, VOTING.westHall]],
    ['in the east', EAST, VOTING.eastPrecinct, [VOTING.library, VOTING.eastSchool]],
  ])('has the places of its own precinct %s, never those of a neighbour', async (_, point, precinct, places) => {
    const voting = await votingAt(point, `(on: "${VOTE.date2024}")`);
    expect(voting).toMatchObject({ date: VOTE.date2024, precinct: { id: precinct }, state: 'KNOWN', notKnown: null });
    expect(placesIn(voting)).toEqual(places);
  });

  it('has the places of another election in that election only', async () => {
    const voting = await votingAt(POINTS.southWest, `(on: "${VOTE.date2022}")`);
    expect(placesIn(voting)).toEqual([VOTING.oldHall]);
    // It is closed: where its voters go instead is not known.
    expect(voting?.state).toBe('NOT_IN_DATA');
  });

  it.each([
    ['where the source names no place', POINTS.northWest, VOTE.date2024],
    ['in an election without places', POINTS.southWest, VOTE.date2026],
  ])('says %s that places are not in the data, and whom to ask', async (_, point, on) => {
    expect(await votingAt(point, `(on: "${on}")`)).toMatchObject({
      state: 'NOT_IN_DATA',
      places: [],
      notKnown: 'The places to vote of this election are not in the data. Ask Elections of AA: https://aa.example/',
      office: { website: 'https://aa.example/' },
    });
  });

  it('is that of the next election by default, and null without one', async () => {
    expect(await votingAt(POINTS.southWest, '', { today: '2026-07-01' })).toMatchObject({ date: VOTE.date2026 });
    expect(await votingAt(POINTS.southWest, '', { today: '2027-07-01' })).toBeNull();
    expect(await votingAt(POINTS.sea, `(on: "${VOTE.date2024}")`)).toBeNull();
  });

  it('measures the distance of places with a point', async () => {
    const voting = await votingAt(POINTS.southWest, `(on: "${VOTE.date2024}")`);
    expect(voting?.places.find(({ place }) => place.id === VOTING.westHall)?.distance).toBeCloseTo(41_400, -3);
    const east = await votingAt(EAST, `(on: "${VOTE.date2024}")`);
    expect(east?.places.find(({ place }) => place.id === VOTING.eastSchool)?.distance).toBeNull();
  });

  it.each([
    ['By mail only', 'BY_MAIL_ONLY'],
    ['Places not published', 'NOT_YET_PUBLISHED'],
  ])('says that a source states: %s', async (text, state) => {
    await insert(database.db, 'elections', [
      {
        id: 590,
        date: '2028-11-07',
        type: 'General',
        district_id: WORLD.alpha,
        candidate_lists_complete: false,
        voting: text as 'By mail only',
      },
    ]);
    expect(await votingAt(POINTS.southWest, '(on: "2028-11-07")')).toMatchObject({ state, places: [] });
    await database.db.deleteFrom('elections').where('id', '=', 590).execute();
  });

  it('does not say of all elections of a day what a source says of one', async () => {
    const of = { date: '2028-11-07', district_id: WORLD.alpha, candidate_lists_complete: false };
    await insert(database.db, 'elections', [
      { ...of, id: 591, type: 'General', voting: 'By mail only' },
      { ...of, id: 592, type: 'Special' },
    ]);
    expect(await votingAt(POINTS.southWest, '(on: "2028-11-07")')).toMatchObject({ state: 'NOT_IN_DATA' });
    expect(await votingAt(POINTS.southWest, '', { today: '2028-11-01' })).toMatchObject({ state: 'NOT_IN_DATA' });
    await database.db.deleteFrom('elections').where('id', 'in', [591, 592]).execute();
  });

  it('has no place of another election of the day, and no rule of a county among those of the state', async () => {
    const [election, place, rule] = [593, 990, 991];
    const of = { date: VOTE.date2024, type: 'Special', candidate_lists_complete: false };
    await insert(database.db, 'elections', [{ ...of, id: election, district_id: WORLD.beta }]);
    const center = { kind: 'Vote center', name: 'Center', district_ids: [VOTING.westPrecinct] };
    await insert(database.db, 'voting_places', [{ ...center, id: place, election_id: election }]);
    const countys = { kind: 'Request ballot', phrase: 'The day before', days_before: 1, district_id: WORLD.county };
    await insert(database.db, 'deadlines', [{ ...countys, id: rule }]);
    // An election of another state does not apply here, though a place of it names the precinct.
    expect(placesIn(await votingAt(POINTS.southWest, `(on: "${VOTE.date2024}")`))).not.toContain(place);
    const { data } = await request(
      database.db,
      `{ election(databaseId: ${VOTE.alpha2024}) { id deadlines { kind } } }`,
    );
    const { id, deadlines } = (data as { election: { id: string; deadlines: { kind: string }[] } }).election;
    expect(placesIn(await votingAt(POINTS.southWest, `(electionId: "${id}")`))).toEqual([
      VOTING.library,
      VOTING.westHall,
    ]);
    expect(deadlines.map(({ kind }) => kind)).not.toContain('REQUEST_BALLOT');
    const ofPoint = await votingAt(POINTS.southWest, `(electionId: "${id}")`);
    expect(ofPoint?.deadlines.map(({ kind }) => kind)).toContain('REQUEST_BALLOT');
    await database.db.deleteFrom('deadlines').where('id', '=', rule).execute();
    await database.db.deleteFrom('voting_places').where('id', '=', place).execute();
    await database.db.deleteFrom('elections').where('id', '=', election).execute();
  });

  it('takes an election or a day, not both', async () => {
    const { errors } = await request(
      database.db,
      `{ location(latitude: 42, longitude: -98) { voting(electionId: "x", on: "2024-11-05") { date } } }`,
    );
    expect(errors?.[0]?.message).toBe('voting takes electionId or on, and not both.');
  });
});

describe('deadlines', () => {
  it('are computed from rules, and keep the text of those that are not understood', async () => {
    const voting = await votingAt(POINTS.southWest, `(on: "${VOTE.date2024}")`);
    expect(voting?.deadlines).toEqual([
      {
        kind: 'REGISTER_ONLINE',
        label: { text: 'En línea', language: 'es' },
        phrase: { text: '15 días antes', language: 'es' },
        day: '2024-10-21',
        basis: 'RULE',
        isOlderThanElection: true,
        time: null,
      },
      {
        kind: 'REGISTER_IN_PERSON',
        label: { text: 'Register in person', language: 'en' },
        phrase: { text: 'The Friday before', language: 'en' },
        day: '2024-11-01',
        basis: 'RULE',
        isOlderThanElection: true,
        time: null,
      },
      // Columbus Day is among the twenty business days.
      {
        kind: 'EARLY_VOTING_TO',
        label: { text: 'Early voting to', language: 'en' },
        phrase: { text: 'During early voting', language: 'en' },
        day: null,
        basis: 'RULE',
        isOlderThanElection: true,
        time: null,
      },
      {
        kind: 'REGISTER_BY_MAIL_RECEIVED',
        label: { text: 'Register by mail, received', language: 'en' },
        phrase: { text: '20 business days before', language: 'en' },
        day: null,
        basis: 'RULE',
        isOlderThanElection: true,
        time: null,
      },
    ]);
  });

  it('are the stated ones where there are any, and the rule of the kind is left out', async () => {
    const voting = await votingAt(POINTS.southWest, `(on: "${VOTE.date2022}")`);
    expect(voting?.deadlines.filter(({ kind }) => kind === 'REGISTER_ONLINE')).toEqual([
      {
        kind: 'REGISTER_ONLINE',
        label: { text: 'Register online', language: 'en' },
        phrase: null,
        day: '2022-10-20',
        basis: 'STATED',
        isOlderThanElection: null,
        time: '17:00',
      },
    ]);
  });

  it('of an election that a county holds are not those that the state has for its own', async () => {
    const { data } = await request(
      database.db,
      `{ elections(filter: { date: "${VOTE.date2022}" }) { nodes { type deadlines { kind } } } }`,
    );
    const { nodes } = (data as { elections: { nodes: { type: string; deadlines: unknown[] }[] } }).elections;
    expect(nodes.map(({ type, deadlines }) => [type, deadlines.length])).toEqual([
      ['General', 4],
      ['Special', 0],
    ]);
  });
});

describe('the places of an election', () => {
  const ids = async (args: string) => {
    const { data, errors } = await request(
      database.db,
      `{ elections(filter: { date: "${VOTE.date2024}", state: "AA" }) { nodes { votingPlaces${args} {
        totalCount edges { distance node { databaseId } } } } } }`,
    );
    expect(errors).toBeUndefined();
    type Page = { edges: { distance: number | null; node: { databaseId: number } }[] };
    const [election] = (data as { elections: { nodes: { votingPlaces: Page }[] } }).elections.nodes;
    return election?.votingPlaces.edges.map(({ node }) => node.databaseId);
  };

  it.each([
    ['by name', '', [VOTING.unjoined, VOTING.eastSchool, VOTING.library, VOTING.westHall]],
    [
      'nearest first, those without a point last',
      '(near: { latitude: 41, longitude: -97 })',
      [VOTING.library, VOTING.westHall, VOTING.unjoined, VOTING.eastSchool],
    ],
    ['within a distance', '(near: { latitude: 41, longitude: -97 }, within: 1000)', [VOTING.library]],
    ['of some kinds', '(kinds: [EARLY_VOTING, DROP_BOX])', [VOTING.unjoined, VOTING.library]],
  ])('are found %s', async (_, args, expected) => {
    expect(await ids(args)).toEqual(expected);
  });

  it('have their hours, and what a source says of a closed or moved one', async () => {
    const { data } = await request(
      database.db,
      `{ hall: votingPlace(databaseId: ${VOTING.westHall}) {
          name kind hours openIntervals { opens closes } timeZone districts { name } election { date } }
        box: votingPlace(databaseId: ${VOTING.unjoined}) { status movedTo districts { name } openIntervals { opens } }
        old: votingPlace(databaseId: ${VOTING.oldHall}) { status } }`,
    );
    expect(data).toEqual({
      hall: {
        name: 'West Hall',
        kind: 'ELECTION_DAY',
        hours: '7 to 7',
        openIntervals: [{ opens: '2024-11-05T07:00', closes: '2024-11-05T19:00' }],
        timeZone: 'America/Chicago',
        districts: [{ name: '01-01' }],
        election: { date: VOTE.date2024 },
      },
      box: { status: 'MOVED', movedTo: 'The bakery', districts: [], openIntervals: [] },
      old: { status: 'CLOSED' },
    });
  });
});

describe('the statements', () => {
  const point = ({ latitude, longitude }: { latitude: number; longitude: number }, index = 0) =>
    `{ latitude: ${latitude - index / 100}, longitude: ${longitude} }`;
  const document = (
    points: readonly string[],
    args: string,
  ) => `{ locations(points: [${points.join(', ')}]) { voting${args} {
    date state notKnown precinct { name } office { name }
    election { name deadlines { day } votingPlaces(first: 2) { nodes { name } } }
    places { distance place { id name kind status hours openIntervals { opens } districts { name } election { id } sources { name } updatedAt } }
    deadlines(language: "es") { kind day label { text } phrase { text language } basis district { name } sources { name } }
  } } }`;

  it.each([`(on: "${VOTE.date2024}")`, `(on: "${VOTE.date2022}")`, ''])(
    'give what the resolvers give: %s',
    async (args) => {
      const prepared = prepare(
        document(
          [POINTS.southWest, EAST, POINTS.northWest, POINTS.sea].map((each) => point(each)),
          args,
        ),
      );
      const contextValue = () => contextOf(database.db, { today: '2024-06-01' });
      const [planned, resolved] = await Promise.all([
        createExecute(schema, createPlanner(schema))({ prepared, contextValue: contextValue() }),
        createExecute(schema)({ prepared, contextValue: contextValue() }),
      ]);
      expect(resolved.errors).toBeUndefined();
      expect(planned).toEqual(resolved);
    },
  );

  it('are as many for 25 points as for one', async () => {
    const numberFor = async (count: number) => {
      const points = Array.from({ length: count }, (_, index) => point(POINTS.southWest, index));
      const recorded = recordStatements(database);
      const prepared = prepare(document(points, `(on: "${VOTE.date2024}")`));
      const { errors } = await createExecute(
        schema,
        createPlanner(schema),
      )({
        prepared,
        contextValue: contextOf(recorded.db),
      });
      expect(errors).toBeUndefined();
      return recorded.take().length;
    };
    expect(await numberFor(25)).toBe(await numberFor(1));
  });
});
