import { sql } from 'kysely';
import { expect, inject, it } from 'vitest';
import { useStore } from '../support/store.ts';
import { runOracle } from './run.ts';

const store = useStore();
const { kind } = inject('home');
const ANSWERS = 250;

it.each([
  ['the same each time', 20_221_108],
  ['of this run', Math.floor(Math.random() * 2 ** 31)],
])(
  'the service answers what the specification says of a country drawn at random, %s: seed %d',
  async (_, seed) => {
    const { answers, filled, differences } = await runOracle({
      store,
      kind,
      seed,
      answers: ANSWERS,
      answersPerWorld: 160,
    });
    expect(differences.join('\n')).toBe('');
    expect(answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(filled).toBeGreaterThan(answers / 3);
  },
  120_000,
);

it('an answer that lacks a district is found', async () => {
  // The service looks points up in the pieces of boundaries, which the oracle does not read.
  const onLoaded = async () => {
    const county = sql`select boundaries.id from boundaries join districts on districts.id = district_id where type = 'County'`;
    await sql`delete from boundary_pieces where boundary_id in (${county})`.execute(store.db);
  };
  const { differences } = await runOracle({ store, kind, seed: 1, answers: 100, onLoaded });
  expect(differences.join()).toMatch(/districts, production/);
  expect(differences.join()).toMatch(/districts, plain/);
});
