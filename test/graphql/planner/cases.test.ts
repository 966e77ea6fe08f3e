import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'graphql';
import { format } from 'sql-formatter';
import { beforeAll, expect, it } from 'vitest';
import { createExecute } from '../../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../../src/gateway/graphql/planner/planner.ts';
import { schema } from '../../../src/graph/schema.ts';
import { useDatabase } from '../../support/database.ts';
import { createElectionWorld } from '../../support/election-world.ts';
import { contextOf, prepare } from '../../support/graph.ts';
import { recordStatements } from '../../support/statements.ts';

const database = useDatabase();
beforeAll(() => createElectionWorld(database.db));

const FOLDER = join(import.meta.dirname, 'cases');
const cases = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => file.slice(0, -'.graphql'.length));

const planned = createExecute(schema, createPlanner(schema));
const resolved = createExecute(schema);

/** Returns the statements as formatted SQL, sorted so that their order does not depend on timing. */
const formatted = (statements: readonly string[]) =>
  `${[...statements]
    .sort()
    .map((sql) => format(sql, { language: 'postgresql', keywordCase: 'lower', expressionWidth: 100 }))
    .join(';\n\n')};\n`;

/**
 * Each case is three files: `x.graphql`, the document; `x.sql`, every statement that the planner executes for it; and
 * `x.json`, the result, which is also that of the resolvers. `npm test -- test/graphql/planner/cases.test.ts -u` writes the last two.
 */
it.each(cases)('%s', async (name) => {
  const prepared = prepare(readFileSync(join(FOLDER, `${name}.graphql`), 'utf8'));
  expect(validate(schema, prepared.document)).toEqual([]);
  const recorded = recordStatements(database);
  const result = await planned({ prepared, contextValue: contextOf(recorded.db) });
  const statements = recorded.take();
  const json = `${JSON.stringify(result, null, 2)}\n`;
  const { data, errors } = await resolved({ prepared, contextValue: contextOf(database.db) });
  expect(json).toBe(`${JSON.stringify({ ...(errors && { errors }), data }, null, 2)}\n`);
  await expect(formatted(statements)).toMatchFileSnapshot(join(FOLDER, `${name}.sql`));
  await expect(json).toMatchFileSnapshot(join(FOLDER, `${name}.json`));
});
