import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importRows } from './result-rows.ts';

const database = useDatabase();
const GOVERNOR = { office: 'GOVERNOR', dataverse: 'STATE', district: 'STATEWIDE', county: 'ADAMS' };

/** Imports a candidate with the party and the votes of each precinct, and one other; returns the parties of the candidate. */
async function partiesOf(precincts: readonly (readonly [precinct: string, party: string, votes: number])[]) {
  const { races } = await importRows(
    database,
    precincts.flatMap(([precinct, party, votes]) => [
      { ...GOVERNOR, precinct, party, votes, candidate: 'ANN ROE' },
      { ...GOVERNOR, precinct, party: 'LIBERTARIAN', votes: 5, candidate: 'BOB POE' },
    ]),
  );
  return races[0]?.parties['Ann Roe'];
}

test.each([
  [
    'a party that one precinct contradicts',
    [
      ['1', 'DEMOCRAT', 4],
      ['2', 'REPUBLICAN', 300],
    ],
    ['Republican'],
  ],
  [
    'parties that contradict each other',
    [
      ['1', 'DEMOCRAT', 200],
      ['2', 'REPUBLICAN', 300],
    ],
    [],
  ],
  [
    'spellings of one party',
    [
      ['1', 'DEM', 200],
      ['2', 'DEMOCRAT', 300],
    ],
    ['Democratic'],
  ],
  [
    'nominations of two parties in one precinct',
    [
      ['1', 'REPUBLICAN', 300],
      ['1', 'CONSERVATIVE', 40],
      ['2', 'REPUBLICAN', 200],
    ],
    ['Republican', 'Conservative'],
  ],
] as const)('%s', async (_, precincts, expected) => {
  expect(await partiesOf(precincts)).toEqual(expected);
});
