import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import type { Context } from '../../../src/graph/builder/context.ts';
import { schema } from '../../../src/graph/schema.ts';
import { readDataVersion, watchDataVersion } from '../../../src/store/reading/data-version.ts';
import { useDatabase } from '../../support/database.ts';
import { ALL_GRANTS, prepare } from '../../support/graph.ts';
import { createWorld, POINTS, WORLD } from '../../support/world.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, election_offices cascade`.execute(database.db);
  await createWorld(database.db);
});

/** Names of two tables, which take two statements. */
const TWO_STATEMENTS = prepare(`query ($latitude: Latitude!, $longitude: Longitude!) {
  location(latitude: $latitude, longitude: $longitude) { districts(types: [STATE]) { name offices { name } } }
}`);
const ONE_STATEMENT = prepare(`query ($latitude: Latitude!, $longitude: Longitude!) {
  location(latitude: $latitude, longitude: $longitude) { districts(types: [STATE]) { name } }
}`);

const rename = (name: string) =>
  database.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('districts').set({ name }).where('id', '=', WORLD.alpha).execute();
    await transaction.updateTable('offices').set({ name }).where('id', '=', WORLD.governor).execute();
  });

/** Runs an operation and calls the given function after each of its statements. */
async function run(prepared: typeof ONE_STATEMENT, afterStatement: (count: number) => Promise<unknown>) {
  let statements = 0;
  const contextValue: Context & { reads: number } = {
    reads: 0,
    startExecution() {
      this.reads = 0;
      this.loaders = undefined;
    },
    db: database.db,
    caller: { packageName: 'test', grants: new Set(ALL_GRANTS), keyId: 1 },
    today: '2026-07-01',
    readShared: async ({ fetch }, keys) => {
      contextValue.reads++;
      const values = await fetch(database.db, keys);
      await afterStatement(++statements);
      return values;
    },
  };
  const readState = vi.fn(() => readDataVersion(database.db));
  const execute = createExecute(schema, undefined, { versions: watchDataVersion(readState) });
  const { data, errors } = await execute({ prepared, variableValues: POINTS.southWest, contextValue });
  expect(errors).toBeUndefined();
  const names = [...JSON.stringify(data).matchAll(/"name":"(.*?)"/g)].map(([, name]) => name);
  return { names, statements, states: readState.mock.calls.length };
}

describe('an operation of several statements', () => {
  it('is executed again if the data changes meanwhile, and returns one data version', async () => {
    const response = await run(TWO_STATEMENTS, async (count) => {
      if (count === 1) await rename('New');
    });
    expect(response).toEqual({ names: ['New', 'New'], statements: 4, states: 3 });
  });

  it('is executed until the data no longer changes', async () => {
    const response = await run(TWO_STATEMENTS, async (count) => {
      if (count <= 5) await rename(`Change ${count}`);
    });
    expect(response.names).toEqual(['Change 5', 'Change 5']);
    expect(response.statements).toBe(8);
  });

  it('is executed once if the data does not change', async () => {
    const response = await run(TWO_STATEMENTS, async () => undefined);
    expect(response).toEqual({ names: ['Alpha', 'Governor'], statements: 2, states: 2 });
  });
});

it('an operation of one statement always returns one data version', async () => {
  const response = await run(ONE_STATEMENT, () => rename('New'));
  expect(response).toEqual({ names: ['Alpha'], statements: 1, states: 1 });
});
