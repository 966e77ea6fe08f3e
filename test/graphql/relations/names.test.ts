import { beforeAll, describe, expect, it } from 'vitest';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../../src/graph/schema.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld, VOTE } from '../../support/election-world.ts';
import { ALL_GRANTS, contextOf, prepare } from '../../support/graph.ts';
import { recordStatements } from '../../support/statements.ts';
import { insert, WORLD } from '../../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createElectionWorld(database.db);
  await insert(database.db, 'districts', [{ id: 12, type: 'State', name: 'Maine', state: 'ME' }]);
  const election = { date: '2024-06-11', district_id: 12, candidate_lists_complete: true };
  await insert(database.db, 'elections', [
    { ...election, id: 510, type: 'Primary' },
    { ...election, id: 511, type: 'Special election' },
    { ...election, id: 512, type: 'General Runoff', district_id: WORLD.country },
    { ...election, id: 513, type: 'Recall', district_id: WORLD.county },
  ]);
  const race = { election_id: VOTE.alpha2024, office_id: WORLD.secondSeat, year: 2024 };
  await insert(database.db, 'races', [
    { ...race, id: 650, type: 'Recall', stage_type: 'Recall', office_position: 'Seat 2' },
    { ...race, id: 651, type: 'Special', stage_type: 'Primary Runoff', stage_party: 'Green' },
  ]);
});

const executions = {
  planned: createExecute(schema, createPlanner(schema)),
  resolved: createExecute(schema),
};

async function read(document: string, grants = ALL_GRANTS, db = database.db, execute = executions.planned) {
  const contextValue = contextOf(db, { grants });
  return JSON.parse(JSON.stringify(await execute({ prepared: prepare(document), contextValue })));
}

const CASES: readonly (readonly [field: string, selection: string, databaseId: number, expected: string])[] = [
  ['election', 'name', 510, 'Primary election in Maine'],
  ['election', 'name', 511, 'Special election in Maine'],
  ['election', 'name', 512, 'General Runoff election in the United States'],
  ['election', 'name', 513, 'Recall election'],
  ['election', 'name', VOTE.alpha2024, 'General election in AA'],
  ['race', 'name', VOTE.regularFirst, 'U.S. Representative'],
  ['race', 'name', VOTE.specialFirst, 'U.S. Representative (Special)'],
  ['race', 'name', VOTE.primaryFirst, 'U.S. Representative (Primary, Green)'],
  ['race', 'name', VOTE.betaGovernor, 'Governor, Seat 1'],
  ['race', 'name', VOTE.regularSecond, 'U.S. Representative, A'],
  ['race', 'name', 650, 'U.S. Representative, A, Seat 2 (Recall)'],
  ['race', 'name', 651, 'U.S. Representative, A (Special, Primary Runoff, Green)'],
  ['office', 'fullName', WORLD.governor, 'Governor'],
  ['office', 'fullName', WORLD.secondSeat, 'U.S. Representative, A'],
  ['officeholder', 'name', 4, 'Dan Dog'],
  ['candidate', 'name', 801, 'Dan Dog'],
];

describe.each(['planned', 'resolved'] as const)('the name, %s', (how) => {
  it.each(CASES)('of the %s (%s of %i) is "%s"', async (field, selection, databaseId, expected) => {
    const document = `{ ${field}(databaseId: ${databaseId}) { ${selection} } }`;
    expect(await read(document, ALL_GRANTS, database.db, executions[how])).toEqual({
      data: { [field]: { [selection]: expected } },
    });
  });

  // Apart: persons of both are one statement or two, as they happen to be asked for at the same time.
  it.each([
    'name election { name } office { fullName officeholders { name } }',
    'name election { name } office { fullName } candidates { name }',
  ])('takes as many statements for a list as for one record: %s', async (selection) => {
    const document = (first: number) => `{ races(first: ${first}) { nodes { ${selection} } } }`;
    const statements = async (first: number) => {
      const recorded = recordStatements(database);
      const { data, errors } = await read(document(first), ALL_GRANTS, recorded.db, executions[how]);
      expect(errors).toBeUndefined();
      return { count: recorded.take().length, nodes: data.races.nodes.length };
    };
    const [one, all] = [await statements(1), await statements(25)];
    expect(all.nodes).toBeGreaterThan(10);
    expect(all.count).toBe(one.count);
  });
});

it('of an election says no more than its package includes: not which district holds it', async () => {
  const document = `{ election(databaseId: 513) { name state district { name } } }`;
  expect(await read(document, ['election_dates'])).toEqual({
    data: { election: { name: 'Recall election', state: null, district: null } },
  });
});
