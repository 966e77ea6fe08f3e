import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { get } from '../support/rest.ts';

export const POINT = '/data/elections_by_point';
export const STATE = '/data/elections_by_state';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Tree = any;

/** The levels below the districts of a response. */
function levels(districts: Tree[]) {
  const races = districts.flatMap((district) => district.races ?? []);
  const candidates = races.flatMap((race) => race.candidates);
  const measures = districts.flatMap((district) => district.ballot_measures ?? []);
  return { districts, races, candidates, measures };
}

/** A service over the world of elections, and its ballots taken apart. */
export function useBallots() {
  const database = useDatabase();
  const service = useApp(database);
  beforeAll(async () => {
    await createElectionWorld(database.db);
    await sql`update parties set url = 'https://party.example' where id = 4`.execute(database.db);
    await sql`update races set stage_party = 'Green' where id = ${VOTE.primaryFirst}`.execute(database.db);
  });

  async function byPoint(query: string, key?: string) {
    const { body } = await get(service, `${POINT}?${query}`, key);
    expect(Object.keys(body.data).sort()).toEqual(['elections', 'latitude', 'longitude']);
    expect(body.data.elections).toHaveLength(1);
    const election = body.data.elections[0];
    return { election, ...levels(election.districts ?? []) };
  }

  async function byState(query: string, key?: string) {
    const { body } = await get(service, `${STATE}?${query}`, key);
    return { data: body.data, ...levels(body.data.districts ?? []) };
  }

  /** Everything that the world has on its ballots. */
  async function wholeWorld(key?: string) {
    const ballots = await Promise.all(
      [VOTE.date2022, VOTE.primary2024, VOTE.date2024].map((date) =>
        byPoint(`lat=42&long=-98&election_date=${date}`, key),
      ),
    );
    return {
      elections: ballots.map(({ election }) => election),
      ...levels(ballots.flatMap(({ districts }) => districts)),
    };
  }

  return { database, service, byPoint, byState, wholeWorld };
}

export const DISTRICT = {
  id: 'integer',
  name: 'string',
  type: 'string',
  ballot_measures: 'array | null',
  races: 'array | null',
} as const;

export const RACE = {
  id: 'integer',
  office: 'object',
  office_district: 'integer',
  url: 'string',
  number_of_seats: 'integer',
  year: 'integer',
  is_marquee: 'boolean',
  is_ranked_choice: 'boolean | null',
  results_certified: 'boolean | null',
  stage_type: 'string',
  stage_party: 'string | null',
  candidates: 'array',
} as const;

export const OFFICE = {
  id: 'integer',
  name: 'string',
  level: 'string',
  branch: 'string',
  chamber: 'string | null',
  is_partisan: 'string',
  type: 'string | null',
  url: 'string | null',
  office_district: 'integer',
} as const;

export const CANDIDATE = {
  id: 'integer',
  fec_id: 'string | null',
  race: 'integer',
  running_mate: 'string | null',
  stage_party: 'string | null',
  is_incumbent: 'boolean | null',
  is_write_in: 'boolean',
  withdrew_still_on_ballot: 'boolean',
  person: 'object',
} as const;

export const PERSON = {
  id: 'integer',
  name: 'string',
  first_name: 'string',
  last_name: 'string',
  url: 'string',
} as const;

export const MEASURE = {
  id: 'integer',
  name: 'string',
  url: 'string',
  type: 'string',
  district: 'integer',
  yes_vote: 'string',
  no_vote: 'string',
  official_title: 'string',
  election_date: 'date',
} as const;

/** Returns the objects without these members. */
export function without(objects: Tree[], ...names: string[]): Tree[] {
  return objects.map((object) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))));
}
