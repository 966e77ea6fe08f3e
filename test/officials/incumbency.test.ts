import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadFolder } from '../../src/importers/load/load.ts';
import { mergeTwoPersons, splitTwoPersons } from '../../src/importers/load/persons/decide-persons.ts';
import { recordIncumbency } from '../../src/importers/load/persons/incumbency.store.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { get } from '../support/rest.ts';

const database = useDatabase();
const service = useApp(database, { RESPONSE_CACHE_BYTES: '0' });

/** Candidates of 2022-11-08 by office: whether the source says that they are incumbents, and what the service says. */
const OFFICES: readonly {
  seats: number;
  candidates: readonly (readonly [string, boolean | null, boolean | null])[];
}[] = [
  // Ann Able holds the office. Lou Able has another id. The source is right about Cy Case.
  {
    seats: 1,
    candidates: [
      ['Ann Able', null, true],
      ['Bob Baker', null, false],
      ['Lou Able, Jr.', null, false],
      ['Cy Case', true, true],
    ],
  },
  // Eve Elm's last day is the day before the election, Flo Fox's first day is election day.
  {
    seats: 1,
    candidates: [
      ['Eve Elm', null, true],
      ['Flo Fox', null, false],
    ],
  },
  // Only one of two holders is known.
  {
    seats: 2,
    candidates: [
      ['Gus Gray', null, true],
      ['Hal Hart', null, null],
    ],
  },
  {
    seats: 2,
    candidates: [
      ['Ida Ives', null, true],
      ['Joe Jay', false, false],
      ['Kay King', null, false],
    ],
  },
  // No holder is known, or not since when, or no holder since 2020.
  { seats: 1, candidates: [['Lee Lane', null, null]] },
  {
    seats: 1,
    candidates: [
      ['Max May', null, null],
      ['Ned Nye', null, null],
    ],
  },
  {
    seats: 1,
    candidates: [
      ['Oz Orr', null, null],
      ['Pat Poe', null, null],
    ],
  },
  // The holder is Sam Sún.
  {
    seats: 1,
    candidates: [
      ['Samuel Sun', null, false],
      ['Tom Tate', null, false],
    ],
  },
  {
    seats: 1,
    candidates: [
      ['Person 1', null, true],
      ['Person 2', null, false],
    ],
  },
];
const TERMS = [
  ['Ann Able', 1, '2019-01-10', ''],
  ['Eve Elm', 2, '2019-01-10', '2022-11-07'],
  ['Flo Fox', 2, '2022-11-08', ''],
  ['Gus Gray', 3, '2019-01-10', ''],
  ['Ida Ives', 4, '2019-01-10', '2023-01-03'],
  ['Joe Jay', 4, '2019-01-10', '2023-01-03'],
  ['Kay King', 4, '2023-01-03', ''],
  ['Max May', 6, '', ''],
  ['Oz Orr', 7, '2015-01-03', '2020-01-03'],
  ['Pat Poe', 7, '2023-01-03', ''],
  ['Sam Sún', 8, '2019-01-10', ''],
  ['Person 1', 9, '2019-01-10', ''],
] as const;

const candidates = OFFICES.flatMap((office, index) => office.candidates.map((each) => [index + 1, ...each] as const));
const names = [...new Set([...candidates.map(([, name]) => name), ...TERMS.map(([name]) => name)])];
const idOf = (name: string) => names.indexOf(name) + 1;
const EXPECTED = candidates.map(([, name, , expected]) => [name, expected]);

const csv = (header: string, rows: readonly (readonly unknown[])[]) =>
  `${[header, ...rows.map((row) => row.map((value) => `"${value ?? ''}"`).join(','))].join('\n')}\n`;

const FILES = {
  'districts.csv': csv('id,type,name,state', [[1, 'State', 'Alpha', 'AK']]),
  'offices.csv': csv(
    'id,district_id,name,level,branch',
    OFFICES.map((_, index) => [index + 1, 1, `Office ${index + 1}`, 'State', 'Executive']),
  ),
  'persons.csv': csv(
    'id,name',
    names.map((name) => [idOf(name), name]),
  ),
  'officeholders.csv': csv(
    'id,office_id,person_id,status,start_date,end_date',
    TERMS.map(([name, office, start, end], index) => [index + 1, office, idOf(name), 'Current', start, end]),
  ),
  'elections.csv': csv('id,date,type,district_id,candidate_lists_complete', [[1, '2022-11-08', 'General', 1, true]]),
  'races.csv': csv(
    'id,election_id,office_id,year,type,stage_type,number_of_seats',
    OFFICES.map(({ seats }, index) => [index + 1, 1, index + 1, 2022, 'Regular', 'General', seats]),
  ),
  'candidates.csv': csv(
    'id,race_id,person_id,is_incumbent',
    candidates.map(([race, name, said], index) => [index + 1, race, idOf(name), said]),
  ),
};

beforeAll(async () => {
  await load(FILES);
});

async function load(files: Readonly<Record<string, string>>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dataset-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  await loadFolder(database.db, folder, { replace: true });
  rmSync(folder, { recursive: true });
}

interface Found {
  readonly name: string;
  readonly is: boolean | null;
}

const inOrder = (found: readonly Found[]) =>
  candidates.map(([, name]) => [name, found.find((each) => each.name === name)?.is]);

const QUERY = `{ stateBallot(state: "AK", electionDate: "2022-11-08") { edges { node { races {
  candidates { isIncumbent person { name } } } } } } }`;

interface Ballot {
  readonly stateBallot: {
    readonly edges: readonly {
      readonly node: {
        readonly races: readonly {
          readonly candidates: readonly { readonly isIncumbent: boolean | null; readonly person: { name: string } }[];
        }[];
      };
    }[];
  };
}

const candidatesOf = ({ stateBallot }: Ballot): Found[] =>
  stateBallot.edges.flatMap(({ node }) =>
    node.races.flatMap((race) => race.candidates.map(({ isIncumbent: is, person: { name } }) => ({ name, is }))),
  );

async function byResolvers(): Promise<unknown> {
  const { data } = await request(database.db, QUERY);
  return inOrder(candidatesOf(data as unknown as Ballot));
}

async function byPlanner(): Promise<unknown> {
  const headers = { 'x-api-key': service.key('full') };
  const response = await service.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query: QUERY } });
  return inOrder(candidatesOf(response.json().data));
}

async function byRest(): Promise<unknown> {
  const { body } = await get(service, '/data/elections_by_state?state=AK&election_date=2022-11-08');
  const races: { candidates: { is_incumbent: boolean | null; person: { name: string } }[] }[] =
    body.data.districts[0].races;
  return inOrder(
    races.flatMap((race) => race.candidates.map(({ is_incumbent: is, person: { name } }) => ({ name, is }))),
  );
}

async function incumbency(name: string): Promise<boolean | null | undefined> {
  const { rows } = await sql<{ holds_office: boolean | null }>`
    select holds_office from candidates as c join persons as p on p.id = c.person_id where p.name = ${name}`.execute(
    database.db,
  );
  return rows[0]?.holds_office;
}

describe('incumbents are those who hold the office on the day before the election', () => {
  test.each([
    ['GraphQL without query planner', byResolvers],
    ['GraphQL with query planner', byPlanner],
    ['REST', byRest],
  ])('%s', async (_, find) => {
    expect(await find()).toEqual(EXPECTED);
  });

  test('an office that is vacant by then has no incumbent', async () => {
    await sql`update offices set vacant_since = '2022-10-01' where id = 7`.execute(database.db);
    await recordIncumbency(database.db);
    expect([await incumbency('Oz Orr'), await incumbency('Pat Poe')]).toEqual([false, false]);
    await sql`update offices set vacant_since = '2022-11-08' where id = 7`.execute(database.db);
    await recordIncumbency(database.db);
    expect([await incumbency('Oz Orr'), await incumbency('Pat Poe')]).toEqual([null, null]);
  });

  test('every load of terms determines the incumbents again', async () => {
    const terms = FILES['officeholders.csv'].replace('2022-11-07', '2022-11-06').replace('2022-11-08', '2022-11-07');
    await load({ ...FILES, 'officeholders.csv': terms });
    expect([await incumbency('Eve Elm'), await incumbency('Flo Fox')]).toEqual([false, true]);
    await load(FILES);
    expect(await byResolvers()).toEqual(EXPECTED);
  });

  test('an imported candidate with the last name of the holder may be the holder', async () => {
    const imported = ['Lou Able, Jr.', 'Sam Sún', 'Person 1'].map(idOf);
    await sql`insert into external_identifiers (kind, scheme, value, record_id)
      select 'person', 'name', id::text, id from unnest(${imported}::int[]) as id`.execute(database.db);
    await recordIncumbency(database.db);
    const found = await Promise.all(['Lou Able, Jr.', 'Samuel Sun', 'Tom Tate', 'Person 2'].map(incumbency));
    expect(found).toEqual([null, null, false, false]);
  });

  test('merged and split persons change who is an incumbent', async () => {
    await mergeTwoPersons(database.db, idOf('Sam Sún'), idOf('Samuel Sun'));
    expect(await incumbency('Sam Sún')).toBe(true);
    await splitTwoPersons(database.db, idOf('Sam Sún'), idOf('Samuel Sun'));
    expect(await incumbency('Samuel Sun')).toBe(null);
  });
});
