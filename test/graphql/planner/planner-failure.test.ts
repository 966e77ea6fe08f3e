import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { freePort } from '../../support/free-port.ts';

const METRICS_PORT = await freePort();
const database = useDatabase();
const lines: Record<string, unknown>[] = [];
const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
const planned = useApp(
  database,
  { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'true', METRICS_PORT: String(METRICS_PORT) },
  'server',
  log,
);
const cached = useApp(database, { RESPONSE_CACHE_BYTES: '1000000', QUERY_PLANS: 'true' });
const plain = useApp(database, { RESPONSE_CACHE_BYTES: '0', QUERY_PLANS: 'false' });
beforeAll(() => createElectionWorld(database.db));

const post = async (service: typeof plain, query: string, variables = {}, name = 'full') => {
  const headers = { 'x-api-key': service.key(name) };
  const payload = { query, variables };
  const response = await service.app.inject({ method: 'POST', url: '/graphql', headers, payload });
  return response.body.replace(/"requestId":"[^"]*"/g, '"requestId":""');
};
const POINT = 'latitude: 42, longitude: -98';
const failures = async () => {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  return Number(/^ballotgraph_planner_failures_total (\d+)$/m.exec(text)?.[1]);
};

/** Runs `work` while a column is nullable and null in one row, and restores both. */
async function withNull(table: string, column: string, id: number, work: () => Promise<void>): Promise<void> {
  const [of, name] = [sql.table(table), sql.id(column)];
  const { rows } = await sql<{ value: unknown }>`select ${name} as value from ${of} where id = ${id}`.execute(
    database.db,
  );
  await sql`alter table ${of} alter ${name} drop not null`.execute(database.db);
  try {
    await sql`update ${of} set ${name} = null where id = ${id}`.execute(database.db);
    await work();
  } finally {
    await sql`update ${of} set ${name} = ${rows[0]?.value} where id = ${id}`.execute(database.db);
    await sql`alter table ${of} alter ${name} set not null`.execute(database.db);
  }
}

describe('a null in a non-null field', () => {
  const holders = 'districts { name offices { name officeholders { status person { name } } } }';
  const ballot =
    'ballot(electionDate: "2022-11-08") { districts { races { type office { name } candidates { id: databaseId person { name } } } } }';
  it.each([
    ['a text', 'offices', 'name', 101, `{ location(${POINT}) { ${holders} } }`],
    ['a text of a person', 'persons', 'name', 3, `{ location(${POINT}) { ${ballot} } }`],
    [
      'an enum',
      'offices',
      'level',
      101,
      `{ location(${POINT}) { districts { offices { level officeholders { id: databaseId } } } } }`,
    ],
    [
      'an enum at the top',
      'districts',
      'type',
      10,
      `{ locations(points: [{ ${POINT} }]) { districts { type offices { id: databaseId } } } }`,
    ],
    [
      'a number',
      'races',
      'year',
      601,
      `{ location(${POINT}) { ballot(electionDate: "2022-11-08") { districts { races { year candidates { id: databaseId } } } } } }`,
    ],
  ])('is an error of the field, not JSON without a value: %s', async (_, table, column, id, query) => {
    await withNull(table, column, id, async () => {
      const expected = JSON.parse(await post(plain, query));
      expect(expected.errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
      const before = await failures();
      for (const service of [planned, cached]) {
        const { data, errors } = JSON.parse(await post(service, query));
        expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
        // One statement computes the whole selection, so the error is that of its root field.
        const [path, whole] = [errors[0].path, expected.errors[0].path] as [unknown[], unknown[]];
        expect(whole.slice(0, path.length)).toEqual(path);
        expect(
          path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[String(key)], data),
        ).toBe(null);
      }
      expect(await failures(), 'no error of the planner').toBe(before);
    });
    const after = await post(plain, query);
    expect(after).not.toContain('"errors"');
    expect(await post(planned, query)).toBe(after);
    expect(await post(cached, query)).toBe(after);
  });

  it('is an error over REST, not a response without a value', async () => {
    const url = '/data/officeholders?lat=42&long=-98';
    await withNull('persons', 'name', 2, async () => {
      for (const service of [planned, plain]) {
        const response = await service.app.inject({ url, headers: { 'x-api-key': service.key('full') } });
        expect(response.statusCode).toBe(500);
        expect(response.json()).toMatchObject({ success: false });
      }
    });
  });
});

describe('a variable that is null although it has a default', () => {
  it.each([
    [
      'of a field that the package does not see',
      'lookup',
      'String = "AA"',
      'stateBallot(electionDate: "2024-03-05", state: $v) { totalCount }',
    ],
    [
      'in a subtree in SQL',
      'full',
      'Date = "2022-11-08"',
      `location(${POINT}) { ballot(electionDate: $v) { districts { races { id: databaseId } } } }`,
    ],
    [
      'in a subtree in SQL that the package does not see',
      'lookup',
      'Date = "2022-11-08"',
      `location(${POINT}) { latitude ballot(electionDate: $v) { districts { races { id: databaseId } } } }`,
    ],
    [
      'in a list',
      'full',
      'DistrictType = STATE',
      `location(${POINT}) { districts(types: [$v]) { offices { id: databaseId } } }`,
    ],
    ['of a point', 'full', 'Latitude = 42', 'location(latitude: $v, longitude: -98) { districts { id: databaseId } }'],
    [
      'of a point in a list',
      'full',
      'Latitude = 42',
      'locations(points: [{ latitude: $v, longitude: -98 }]) { districts { id: databaseId } }',
    ],
    [
      'of a condition',
      'full',
      'Boolean = false',
      `location(${POINT}) { districts { id: databaseId name @skip(if: $v) } }`,
    ],
    [
      'of a list without objects',
      'full',
      'Boolean = false',
      'location(latitude: 0, longitude: 0) { districts { id: databaseId @skip(if: $v) } }',
    ],
  ])('is the error of the executor: %s', async (_, name, type, fields) => {
    const before = await failures();
    for (const service of [planned, cached]) {
      for (const variables of [{ v: null }, {}]) {
        const query = `query ($v: ${type}) { ${fields} }`;
        expect(await post(service, query, variables, name)).toBe(await post(plain, query, variables, name));
      }
    }
    expect(await failures()).toBe(before);
  });
});

describe('an error of the planner', () => {
  it('is an error of the field, logged by the hash of the operation and counted once', async () => {
    const query = `{ location(${POINT}) { districts { faulty: name offices { name officeholders { id: databaseId } } } } }`;
    const before = await failures();
    lines.length = 0;
    await sql`alter function missing(text) rename to missing_for_a_moment`.execute(database.db);
    try {
      expect(JSON.parse(await post(planned, query))).toMatchObject({
        data: { location: { districts: null } },
        errors: [{ path: ['location', 'districts'], extensions: { code: 'INTERNAL' } }],
      });
    } finally {
      await sql`alter function missing_for_a_moment(text) rename to missing`.execute(database.db);
    }
    expect(await failures()).toBe(before + 1);
    const failed = lines.filter(({ msg }) => msg === 'a selection that the query planner compiled failed');
    expect(failed).toMatchObject([
      { operation: expect.stringMatching(/^[0-9a-f]{12}$/), errorType: 'error', errorCode: '42883' },
    ]);
    expect(JSON.stringify(failed)).not.toMatch(/ -98|faulty|select [a-z*]/);
  });
});
