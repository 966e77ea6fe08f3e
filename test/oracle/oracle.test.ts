import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { runOracle } from './run.ts';

const database = useDatabase();
const { kind } = inject('backend');
const RESPONSES = 250;

it.each([
  ['the same each time', 20_221_108],
  ['of this run', Math.floor(Math.random() * 2 ** 31)],
])(
  'the service returns what the specification requires for a random country, %s: seed %d',
  async (_, seed) => {
    const { responses, filled, differences } = await runOracle({
      database,
      kind,
      seed,
      responses: RESPONSES,
      responsesPerWorld: 160,
    });
    expect(differences.join('\n')).toBe('');
    expect(responses).toBeGreaterThanOrEqual(RESPONSES);
    expect(filled).toBeGreaterThan(responses / 3);
  },
  120_000,
);

it('a response that lacks a district is detected', async () => {
  // The service looks points up in the pieces of boundaries, which the oracle does not read.
  const onLoaded = async () => {
    const county = sql`select boundaries.id from boundaries join districts on districts.id = district_id where type = 'County'`;
    await sql`delete from boundary_pieces where boundary_id in (${county})`.execute(database.db);
  };
  const { differences } = await runOracle({ database, kind, seed: 1, responses: 100, onLoaded });
  expect(differences.join()).toMatch(/districts, production/);
  expect(differences.join()).toMatch(/districts, plain/);
});
