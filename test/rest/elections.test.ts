import { describe, expect, it } from 'vitest';
import { VOTE } from '../support/election-world.ts';
import { expectFields, get } from '../support/rest.ts';
import { insert, WORLD } from '../support/world.ts';
import {
  CANDIDATE,
  DISTRICT,
  MEASURE,
  OFFICE,
  PERSON,
  POINT,
  RACE,
  STATE,
  type Tree,
  useBallots,
  without,
} from './ballots.ts';

const { database, service, byPoint, byState, wholeWorld } = useBallots();

describe('the fields of the tables of the specification', () => {
  it('by point', async () => {
    const { elections, districts, races, candidates, measures } = await wholeWorld();
    expectFields(elections, { date: 'date', candidate_lists_complete: 'boolean', districts: 'array' });
    expectFields(districts, { ...DISTRICT, precise_boundary: 'boolean' });
    const { data } = await byState(`state=BB&election_date=${VOTE.date2024}`);
    const betaRace = { ...data.districts[0].races[0], type: 'Regular' };
    delete betaRace.race_type;
    expectFields([...races, betaRace], { ...RACE, type: 'string', office_position: 'string | null' });
    // The second seat is not at this point; it is the one with a seat.
    const others = await byPoint(`lat=42&long=-92&election_date=${VOTE.date2022}`);
    expectFields(
      [...races, ...others.races].map((race) => race.office),
      { ...OFFICE, seat: 'string | null' },
    );
    expectFields(without(candidates, 'party_affiliation', 'ranked_choice_voting_rounds'), {
      ...CANDIDATE,
      cand_status: 'string',
      votes_for_cand: 'integer | null',
    });
    for (const { party_affiliation, ranked_choice_voting_rounds } of candidates) {
      expect([Array.isArray(party_affiliation), Array.isArray(ranked_choice_voting_rounds)]).toEqual([true, true]);
    }
    expectFields(
      candidates.flatMap((candidate) => candidate.party_affiliation),
      { id: 'integer', name: 'string', url: 'string | null' },
    );
    expectFields(
      candidates.flatMap((candidate) => candidate.ranked_choice_voting_rounds),
      { rcv_round: 'integer', votes_for: 'integer', status: 'string' },
    );
    expectFields(
      candidates.map((candidate) => candidate.person),
      PERSON,
    );
    expectFields(measures, {
      ...MEASURE,
      status: 'string',
      yes_votes_total: 'integer | null',
      no_votes_total: 'integer | null',
    });
  });

  it('by state, where the type of a race has another name', async () => {
    const ballots = await Promise.all(
      [VOTE.date2022, VOTE.primary2024, VOTE.date2024].map((date) => byState(`state=AA&election_date=${date}`)),
    );
    for (const { data } of ballots) expect(Object.keys(data).sort()).toEqual(['districts', 'election_date']);
    expectFields(
      ballots.flatMap(({ districts }) => districts),
      DISTRICT,
    );
    expectFields(
      without(
        ballots.flatMap(({ races }) => races),
        'office_position',
      ),
      { ...RACE, race_type: 'string' },
    );
    expectFields(
      ballots.flatMap(({ measures }) => measures),
      { ...MEASURE, status: 'string', yes_votes_total: 'integer | null', no_votes_total: 'integer | null' },
    );
  });

  it('only rounds and parties are empty lists', async () => {
    const { body } = await get(service, `${POINT}?lat=42&long=-98&election_date=${VOTE.date2022}`);
    const lists = JSON.stringify(body).matchAll(/"(\w+)":\[\]/g);
    expect(new Set([...lists].map(([, name]) => name))).toEqual(
      new Set(['party_affiliation', 'ranked_choice_voting_rounds']),
    );
  });
});

describe('GET /data/elections_by_point', () => {
  it('returns the ballot of the day, with old and new maps', async () => {
    const { body } = await get(service, `${POINT}?lat=42&long=-98.50&election_date=${VOTE.date2022}`);
    expect(body.data).toMatchObject({ latitude: 42, longitude: -98.5 });
    const [election] = body.data.elections;
    expect(election).toMatchObject({ date: VOTE.date2022, candidate_lists_complete: false });
    expect(election.districts.map(({ id }: Tree) => id)).toEqual([WORLD.alphaFirst, WORLD.alpha, WORLD.county]);
    expect(election.districts[0].races.map(({ id, type }: Tree) => [id, type])).toEqual([
      [VOTE.specialFirst, 'Special'],
      [VOTE.regularFirst, 'Regular'],
    ]);
    expect(election.districts[2]).toMatchObject({ races: null, ballot_measures: [{ id: VOTE.roads, type: '' }] });
  });

  it('returns a point on the old map of one district and the new map of another', async () => {
    const southEast = await byPoint(`lat=42&long=-92&election_date=${VOTE.date2022}`);
    expect(southEast.races.map(({ id }) => id)).toEqual([VOTE.specialFirst, VOTE.regularSecond, VOTE.governor2022]);
  });

  it('returns a candidate with all fields', async () => {
    const { candidates } = await byPoint(`lat=42&long=-98&election_date=${VOTE.date2022}`);
    expect(candidates.find(({ id }) => id === 803)).toEqual({
      id: 803,
      fec_id: 'H0AA01001',
      race: VOTE.regularFirst,
      running_mate: null,
      stage_party: null,
      party_affiliation: [
        { id: 5, name: 'Independent', url: null },
        { id: 2, name: 'Democratic Party', url: null },
      ],
      is_incumbent: null,
      is_write_in: false,
      withdrew_still_on_ballot: false,
      cand_status: 'Won',
      votes_for_cand: 600,
      ranked_choice_voting_rounds: [],
      person: { id: 4, name: 'Dan Dog', first_name: '', last_name: '', url: '' },
    });
  });

  it('returns the rounds of a ranked-choice race, which add up', async () => {
    const { races } = await byPoint(`lat=42&long=-98&election_date=${VOTE.date2024}`);
    const { candidates } = races.find(({ id }) => id === VOTE.governor2024);
    expect(candidates[0].ranked_choice_voting_rounds).toEqual([
      { rcv_round: 1, votes_for: 400, status: 'Advanced' },
      { rcv_round: 2, votes_for: 120, status: 'Won' },
    ]);
    for (const { ranked_choice_voting_rounds: rounds, votes_for_cand } of candidates) {
      expect(rounds.reduce((sum: number, { votes_for }: Tree) => sum + votes_for, 0)).toBe(votes_for_cand);
    }
  });

  it('passes HTML through', async () => {
    const { measures } = await byPoint(`lat=42&long=-98&election_date=${VOTE.date2022}`);
    expect(measures[0]).toMatchObject({ yes_vote: '<p>Borrows.</p>', district: WORLD.alpha, status: 'Approved' });
  });

  it.each([
    ['a date whose ballot is not yet known', '42&long=-98', VOTE.date2026],
    ['a date without elections', '42&long=-98', '2023-05-05'],
    ['the sea', '0&long=0', VOTE.date2022],
  ])('returns null for the districts: %s', async (_, lat, date) => {
    const { election } = await byPoint(`lat=${lat}&election_date=${date}`);
    expect(election).toEqual({ date, candidate_lists_complete: false, districts: null });
  });

  it('has another name', async () => {
    const query = `lat=42&long=-98&election_date=${VOTE.date2022}`;
    expect((await get(service, `/data/elections/point?${query}`)).body).toEqual(
      (await get(service, `${POINT}?${query}`)).body,
    );
  });
});

describe('GET /data/elections_by_state', () => {
  it('returns districts by id', async () => {
    const { data } = await byState(`state=aa&election_date=${VOTE.date2022}`);
    expect(data.election_date).toBe(VOTE.date2022);
    expect(data.districts.map(({ id }: Tree) => id)).toEqual([WORLD.alpha, WORLD.alphaFirst, WORLD.alphaSecond]);
    expect(data.districts[1].races[0]).toMatchObject({ id: VOTE.specialFirst, race_type: 'Special' });
    expect(data.districts[1].races[0]).not.toHaveProperty('type');
  });

  it('returns a text if there is nothing', async () => {
    for (const query of [
      `state=DE&election_date=${VOTE.date2022}`,
      `state=vt&election_date=${VOTE.date2026}`,
      `state=us&election_date=${VOTE.date2026}`,
    ]) {
      expect((await get(service, `${STATE}?${query}`)).body).toEqual({
        success: true,
        data: 'No results.',
        message: null,
      });
    }
  });

  it.each([
    ['office_level=Federal', [VOTE.specialFirst, VOTE.regularFirst, VOTE.regularSecond], 1],
    ['office_level=federal,State', [VOTE.governor2022, VOTE.specialFirst, VOTE.regularFirst, VOTE.regularSecond], 1],
    ['office_branch=Executive', [VOTE.governor2022], 1],
    ['office_level=Federal&office_branch=Executive', [], 1],
    ['district_type=State', [VOTE.governor2022], 1],
    ['district_type=State,State+Legislative+(Upper)', [VOTE.governor2022], 1],
    [
      'district_type=Congress%2CSTATE',
      [VOTE.governor2022, VOTE.specialFirst, VOTE.regularFirst, VOTE.regularSecond],
      1,
    ],
  ])('filters by %s', async (query, races, measures) => {
    const found = await byState(`state=AA&election_date=${VOTE.date2022}&${query}`);
    expect(found.races.map(({ id }) => id)).toEqual(races);
    expect(found.measures).toHaveLength(measures);
  });

  it('rejects a code that is no state', async () => {
    const codes = ['ZZ', 'AE', 'ap'];
    const paths = codes.flatMap((code) => [
      `${STATE}?state=${code}&election_date=${VOTE.date2022}`,
      `${STATE}?state=${code}&election_date=${VOTE.date2022}&page=2`,
      `/data/election_dates/list?state=${code}`,
      `/data/election_dates/list?state=${code}&page=2`,
    ]);
    for (const path of paths) {
      const { status, body } = await get(service, path);
      expect([status, body.success, body.message]).toEqual([
        400,
        false,
        'state must be one of the 50 states, DC, a territory, or US, for example VT.',
      ]);
    }
    for (const code of ['DC', 'pr', 'GU', 'VI', 'AS', 'MP', 'us']) {
      expect((await get(service, `${STATE}?state=${code}&election_date=${VOTE.date2022}`)).status).toBe(200);
    }
  });

  it('has 30 districts a page', async () => {
    const ids = Array.from({ length: 61 }, (_, index) => 2000 + index);
    await insert(database.db, 'elections', [
      { id: 950, date: '2025-05-06', type: 'Special', district_id: WORLD.beta, candidate_lists_complete: true },
    ]);
    await insert(
      database.db,
      'districts',
      ids.map((id) => ({ id, type: 'School District' as const, name: `${id}`, state: 'BB' })),
    );
    await insert(
      database.db,
      'ballot_measures',
      ids.map((id) => ({ election_id: 950, district_id: id, name: 'Levy' })),
    );
    const pages = [];
    for (const page of [1, 2, 3]) {
      pages.push(
        (await byState(`state=BB&election_date=2025-05-06&page=${page}`)).data.districts.map(({ id }: Tree) => id),
      );
    }
    expect(pages).toEqual([ids.slice(0, 30), ids.slice(30, 60), ids.slice(60)]);
    for (const page of [4, 1_000_000]) {
      const { body } = await get(service, `${STATE}?state=BB&election_date=2025-05-06&page=${page}`);
      expect(body).toEqual({ success: true, data: 'No results.', message: null });
    }
  });

  it('has another name', async () => {
    const query = `state=AA&election_date=${VOTE.date2022}`;
    expect((await get(service, `/data/elections/statewide?${query}`)).body).toEqual(
      (await get(service, `${STATE}?${query}`)).body,
    );
  });

  it('reports missing parameters', async () => {
    const { status, body } = await get(service, STATE);
    expect([status, body.message]).toEqual([400, 'State and election date must be supplied.']);
    expect(body.errors.map(({ name }: Tree) => name)).toEqual(['state', 'election_date']);
  });
});
