import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPEN_CANDIDATE_STATUSES, OPEN_MEASURE_STATUSES } from '../../src/graph/ballots/results.ts';
import { globalId } from '../../src/graph/builder/global-id.ts';
import { loadFolder } from '../../src/importers/load/load.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { FIXTURE } from '../import/folders.ts';
import { useDatabase } from '../support/database.ts';
import { VOTE } from '../support/election-world.ts';
import { ALL_GRANTS, request } from '../support/graph.ts';
import { createRichWorld } from '../support/rich-world.ts';
import { recordStatements } from '../support/statements.ts';
import { setUpdateTimes } from '../support/update-times.ts';
import { WORLD } from '../support/world.ts';

const TYPES = {
  BallotMeasure: 'ballot_measures',
  Boundary: 'boundaries',
  Candidate: 'candidates',
  District: 'districts',
  Election: 'elections',
  Office: 'offices',
  Officeholder: 'officeholders',
  Party: 'parties',
  Person: 'persons',
  Race: 'races',
} as const;
type Type = keyof typeof TYPES;

const PLAIN = ALL_GRANTS.filter((grant) => !['results', 'contact', 'social', 'boundaries'].includes(grant));
/** A time before every change that a test makes. */
const EARLIER = '2020-01-01T00:00:00.000Z';

const database = useDatabase();

async function updatedAtOf(type: Type, id: number, grants: readonly AccessGrant[]): Promise<string> {
  const field = `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const { data, errors } = await request(database.db, `{ ${field}(databaseId: ${id}) { updatedAt } }`, { grants });
  expect(errors).toBeUndefined();
  return (data as Record<string, { updatedAt: string }>)[field]?.updatedAt as string;
}

describe('updatedAt', () => {
  beforeAll(() => createRichWorld(database.db));
  beforeEach(() => setUpdateTimes(database.db, EARLIER));

  /** Changes, with the grant without which a package must not be told of them: 'all' if every package is, 'none' if none. */
  const won = (id: number) => sql`update candidates set cand_status = 'Won' where id = ${id}`;
  const changes: [string, Type, number, AccessGrant | 'all' | 'none', ReturnType<typeof sql>][] = [
    ['the name of a district', 'District', WORLD.alpha, 'all', sql`update districts set name = 'A' where id = 10`],
    [
      'the last day of a boundary',
      'Boundary',
      1,
      'all',
      sql`update boundaries set end_date = '2099-01-01' where id = 1`,
    ],
    ['a geometry', 'Boundary', 1, 'boundaries', sql`update boundaries set digest = 'other' where id = 1`],
    ['the address of a party', 'Party', 3, 'all', sql`update parties set url = 'https://p.example' where id = 3`],
    ['the name of an office', 'Office', WORLD.governor, 'all', sql`update offices set name = 'G' where id = 101`],
    ['a vacancy', 'Office', WORLD.vacant, 'none', sql`update offices set vacant_since = '2024-01-01' where id = 104`],
    ['a picture', 'Person', 1, 'all', sql`update persons set image_url = 'https://p.example/1' where id = 1`],
    ['the name of a person', 'Person', 1, 'all', sql`update persons set name = 'Ada B. Able' where id = 1`],
    [
      ...(['a telephone number', 'Person', 1, 'contact'] as const),
      sql`insert into contacts (person_id, collection, contact_type, contact) values (1, 'contact', 'Phone', '1')`,
    ],
    [
      ...(['an account', 'Person', 90, 'social'] as const),
      sql`insert into contacts (person_id, collection, contact_type, contact) values (90, 'social', 'X', 'zoe')`,
    ],
    [
      'a removed number',
      'Person',
      1,
      'contact',
      sql`delete from contacts where person_id = 1 and collection = 'contact'`,
    ],
    [
      ...(['an account of an officeholder', 'Officeholder', 90, 'social'] as const),
      sql`update contacts set contact = 'other' where officeholder_id = 90 and collection = 'social'`,
    ],
    ['the end of a term', 'Officeholder', 2, 'all', sql`update officeholders set end_date = '2030-01-01' where id = 2`],
    [
      'another edition',
      'Officeholder',
      2,
      'none',
      sql`update officeholders set last_shown = '2024-01-01' where id = 2`,
    ],
    [
      ...(['the description of an election', 'Election', VOTE.alpha2022, 'all'] as const),
      sql`update elections set description = 'Other' where id = ${VOTE.alpha2022}`,
    ],
    [
      ...(['the district of an election', 'Election', VOTE.alpha2022, 'none'] as const),
      sql`update elections set district_id = ${WORLD.alphaFirst} where id = ${VOTE.alpha2022}`,
    ],
    ['a race', 'Race', 640, 'all', sql`update races set results_certified = true where id = 640`],
    ['votes', 'Candidate', 840, 'results', sql`update candidates set votes_for_cand = 78 where id = 840`],
    ['the outcome', 'Candidate', 841, 'results', sql`update candidates set cand_status = 'Lost' where id = 841`],
    ['an outcome after an open status', 'Candidate', 890, 'all', won(890)],
    ['incumbency', 'Candidate', 842, 'all', sql`update candidates set holds_office = true where id = 842`],
    ['a party of a candidate', 'Candidate', 842, 'all', sql`insert into candidate_parties values (842, 1, 2)`],
    [
      ...(['votes of a round', 'Candidate', 890, 'results'] as const),
      sql`update ranked_choice_rounds set votes_for = 8 where candidate_id = 890 and round = 1`,
    ],
    ['the name of a measure', 'BallotMeasure', 740, 'all', sql`update ballot_measures set name = 'B' where id = 740`],
    ['yes votes', 'BallotMeasure', 741, 'results', sql`update ballot_measures set yes_votes_total = 4 where id = 741`],
    [
      ...(['nothing', 'Person', 2, 'none'] as const),
      sql`update persons set name = name, url = url, updated_at = updated_at where id = 2`,
    ],
  ];

  it.each(changes)('tells %s of %s %i to packages with the grant: %s', async (_, type, id, grant, change) => {
    const before = Date.now();
    await change.execute(database.db);
    const full = await updatedAtOf(type, id, ALL_GRANTS);
    if (grant === 'none') expect(full).toBe(EARLIER);
    else expect(Date.parse(full)).toBeGreaterThanOrEqual(before - 1_000);
    expect(await updatedAtOf(type, id, PLAIN)).toBe(grant === 'all' ? full : EARLIER);
    if (grant === 'none' || grant === 'all') return;
    expect(await updatedAtOf(type, id, [...PLAIN, grant])).toBe(full);
    expect(
      await updatedAtOf(
        type,
        id,
        ALL_GRANTS.filter((each) => each !== grant),
      ),
    ).toBe(EARLIER);
  });

  it('is read in one statement for all records of a type', async () => {
    const people = [1, 2, 3, 4].map((id) => globalId('Person', id));
    const fragments = Object.keys(TYPES).map((type) => `... on ${type} { updatedAt }`);
    const count = async (some: readonly string[]) => {
      const recorded = recordStatements(database);
      const { errors } = await request(
        recorded.db,
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ${fragments.join(' ')} } }`,
        {
          variables: { ids: some },
        },
      );
      expect(errors).toBeUndefined();
      return recorded.take().filter((statement) => statement.includes('updatedAt')).length;
    };
    expect(await count(people.slice(0, 1))).toBe(1);
    expect(await count(people)).toBe(1);
    expect(await count([...people, globalId('District', WORLD.alpha), globalId('Race', 640)])).toBe(3);
  });

  it('counts the statuses as open that packages without results include', async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgname = 'set_updated_at' and tgrelid in ('candidates'::regclass, 'ballot_measures'::regclass)
      order by tgrelid::regclass::text desc`.execute(database.db);
    const open = rows.map(({ definition }) => [...definition.matchAll(/'([^']+)'::text/g)].map(([, status]) => status));
    const twice = (statuses: readonly string[]) => [...statuses, ...statuses];
    expect(open).toEqual([twice(OPEN_CANDIDATE_STATUSES), twice(OPEN_MEASURE_STATUSES)]);
  });

  it('takes every column into account that a record has, but for those named here', async () => {
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as "column" from information_schema.columns
      where table_schema = 'public' and table_name in (${sql.join(Object.values(TYPES))})
        and column_name <> 'id' and column_name not like '%updated\\_at'
        and not exists (
          select from pg_trigger where tgrelid = table_name::regclass and tgname like 'set\\_%'
            and strpos(pg_get_triggerdef(oid), 'old.' || column_name || ' ') + strpos(pg_get_triggerdef(oid), 'old.' || column_name || ',')
              + strpos(pg_get_triggerdef(oid), 'old.' || column_name || ')') > 0)
      order by 1`.execute(database.db);
    expect(rows.map(({ column }) => column)).toEqual([
      'boundaries.geometry', // changes with its digest
      'elections.district_id', // needs another grant
      'officeholders.first_shown', // bounds the period, which follows from it and from other terms
      'officeholders.last_shown',
      'offices.ballot_rank', // follows from the other columns
      'offices.one_holder', // concern the officeholders
      'offices.vacant_since',
    ]);
  });
});

const CONNECTIONS = [
  ['districts', 'districts', '', sql`update districts set name = 'Alpha 2' where id = 10`],
  ['people', 'persons', '', sql`update persons set name = 'Ada Abel' where id = 1`],
  ['elections', 'elections', '', sql`update elections set description = 'New' where id = ${VOTE.alpha2022}`],
  ['offices', 'offices', '', sql`update offices set url = 'https://o.example' where id = 101`],
  ['officeholders', 'officeholders', '', sql`update officeholders set partisan_affiliation = 3 where id = 2`],
  ['parties', 'parties', '', sql`update parties set name = 'Liberty' where id = 3`],
  ['races', 'races', '', sql`update races set year = year + 1 where id = 640`],
  ['candidates', 'candidates', '', sql`update candidates set votes_for_cand = 79 where id = 840`],
  ['ballotMeasures', 'ballot_measures', '', sql`update ballot_measures set no_votes_total = 9 where id = 741`],
] as const;

interface Changed {
  readonly totalCount: number;
  readonly updatedAt: string | null;
  readonly edges: { node: { updatedAt: string } }[];
}

async function changed(field: string, args: string, grants = ALL_GRANTS): Promise<Changed> {
  const source = `{ ${field}(${args}) { totalCount updatedAt edges { node { updatedAt } } } }`;
  const { data, errors } = await request(database.db, source, { grants });
  expect(errors).toBeUndefined();
  return (data as Record<string, Changed>)[field] as Changed;
}

describe('updatedSince', () => {
  beforeEach(() => setUpdateTimes(database.db, EARLIER));

  it.each(CONNECTIONS)('of %s returns the record that changed, and no other one', async (field, _, args, change) => {
    const first = await changed(field, `${args} first: 1`);
    expect(first).toMatchObject({ updatedAt: EARLIER, edges: [{ node: { updatedAt: EARLIER } }] });
    const since = `${args} updatedSince: "${first.updatedAt}"`;
    expect(await changed(field, since)).toEqual({ totalCount: 0, updatedAt: null, edges: [] });
    await change.execute(database.db);
    const next = await changed(field, since);
    expect(next.totalCount).toBe(1);
    expect(next.edges.map(({ node }) => node.updatedAt)).toEqual([next.updatedAt]);
    expect((await changed(field, `${args} first: 1`)).updatedAt).toBe(next.updatedAt);
    expect(await changed(field, `${args} updatedSince: "${next.updatedAt}"`)).toMatchObject({ totalCount: 0 });
  });

  it.each(['candidates', 'ballotMeasures'])('of %s does not tell results to packages without them', async (field) => {
    for (const [, , , change] of CONNECTIONS) await change.execute(database.db);
    await sql`update candidates set votes_for_cand = votes_for_cand + 1`.execute(database.db);
    await sql`update ballot_measures set yes_votes_total = yes_votes_total + 1`.execute(database.db);
    const since = `updatedSince: "${EARLIER}"`;
    expect((await changed(field, since)).totalCount).toBeGreaterThan(0);
    expect(await changed(field, since, PLAIN)).toEqual({ totalCount: 0, updatedAt: null, edges: [] });
    expect(await changed(field, 'first: 1', PLAIN)).toMatchObject({ updatedAt: EARLIER });
  });

  it.each([
    ['2020-01-01T00:00:00Z', 0],
    ['2019-12-31T18:59:59.999-05:00', 1],
    ['2020-01-01T01:00:00+01:00', 0],
    ['0001-01-01T00:00:00Z', 1],
    ['9999-12-31T23:59:59.999Z', 0],
  ])('accepts the time %s', async (time, count) => {
    const { totalCount } = await changed('parties', `updatedSince: "${time}"`);
    expect(Math.min(totalCount, 1)).toBe(count);
  });

  it.each([
    ...['2020-01-01', '2020-01-01T00:00:00', '2020-02-30T00:00:00Z', '0000-01-01T00:00:00Z', 'now', '', '1577836800'],
    ...['+012020-01-01T00:00:00Z', '2020-01-01T25:00:00Z', '0001-01-01T00:00:00+14:00'],
  ])('rejects the time %j', async (time) => {
    const message = 'A DateTime must be an existing time with an offset from UTC as a string, YYYY-MM-DDThh:mm:ssZ.';
    const literal = request(database.db, `{ parties(updatedSince: "${time}") { totalCount } }`);
    await expect(literal).rejects.toThrow(message);
    const { errors } = await request(
      database.db,
      'query ($since: DateTime) { parties(updatedSince: $since) { totalCount } }',
      { variables: { since: time } },
    );
    expect(errors?.[0]?.message).toContain(message);
  });
});

describe('the times of an import', () => {
  const loaded = useDatabase();
  const times = async () => {
    const found: Record<string, unknown> = {};
    for (const table of Object.values(TYPES)) {
      const { rows } = await sql`select id, to_jsonb(t) as times from ${sql.table(table)} t order by id`.execute(
        loaded.db,
      );
      found[table] = rows;
    }
    return found;
  };

  it('are one time, and another import of the same files changes none', async () => {
    await loadFolder(loaded.db, FIXTURE);
    const before = await times();
    const { rows } = await sql<{ updated_at: Date }>`
      select distinct updated_at from candidates union select distinct updated_at from districts`.execute(loaded.db);
    expect(rows).toHaveLength(1);
    await loadFolder(loaded.db, FIXTURE);
    expect(await times()).toEqual(before);
  });
});
