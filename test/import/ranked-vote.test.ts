import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();

/** Imports a report of one round. */
const importReport = (info: Record<string, string>) =>
  importFiles(database, 'ranked-vote', {
    'report.json': JSON.stringify({
      info: { date: '2020-07-14', electionName: 'Primary Election', jurisdictionName: 'Maine', ...info },
      candidates: ['Ann Roe', 'Bo Roe'].map((name) => ({ name, candidate_type: 'Regular' })),
      rounds: [
        {
          allocations: [
            { allocatee: 0, votes: 60 },
            { allocatee: 1, votes: 40 },
          ],
        },
      ],
      winner: 0,
    }),
  });

test('the party of a primary may follow the district', async () => {
  const info = { jurisdictionPath: 'us/me', officeName: 'State Senate - District 11 - Democrat' };
  const { races } = await importReport(info);
  expect(races.map(({ office, stageParty, candidates }) => [office, stageParty, candidates])).toEqual([
    ['Maine State Senate District 11', 'Democratic', { 'Ann Roe': 60, 'Bo Roe': 40 }],
  ]);
});

test('a jurisdiction of another country is no state that has its letters', async () => {
  const { races, reasons } = await importReport({
    jurisdictionPath: 'au/wa',
    jurisdictionName: 'Western Australia',
    officeName: 'Governor',
  });
  expect(races).toEqual([]);
  expect(reasons).toContain('the office Governor of Western Australia is not known');
});
