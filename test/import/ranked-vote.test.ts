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

test('leaves out a contest of a county that the state does not have', async () => {
  const of = { jurisdictionPath: 'us/va/arl', jurisdictionName: 'Arlingdon County', officeName: 'County Board' };
  const { races, reasons } = await importReport({ ...of, date: '2022-11-08', electionName: 'General Election' });
  expect(races).toEqual([]);
  expect(reasons).toContain('the office County Board of Arlingdon County is not known');
  expect(await database.db.selectFrom('districts').select('name').where('type', '=', 'County').execute()).toEqual([]);
});

test.each([
  ['us/ak', 'Alaska', 'U.S. Senator', 'U.S. Senate Alaska | State: Alaska'],
  ['us/ak', 'Alaska', 'Governor / Lieutenant Governor', 'Governor of Alaska | State: Alaska'],
  [
    'us/mn/mpls',
    'Minneapolis',
    'City Council Ward 2',
    'City Council | City-town subdivision: Minneapolis City Council Ward 2',
  ],
  [
    'us/mn/mpls',
    'Minneapolis',
    'Park Commissioner District 3',
    'Park Commissioner | City-town subdivision: Minneapolis Park Commissioner District 3',
  ],
  [
    'us/ca/oak',
    'Oakland',
    'School Director, District 4',
    'School Director | School district subdivision: Oakland School District, District 4',
  ],
  [
    'us/nm/saf',
    'Santa Fe',
    'District 1 Councilor',
    'City Councilor | City-town subdivision: Santa Fe City Council District 1',
  ],
  ['us/va/arl', 'Arlington County', 'County Board', 'County Board | County: Arlington County'],
  ['us/md/pg', 'Prince Georges County', 'County Council', "County Council | County: Prince George's County"],
])('%s: an office of %s is %s', async (jurisdictionPath, jurisdictionName, officeName, expected) => {
  const info = { jurisdictionPath, jurisdictionName, officeName, date: '2022-11-08', electionName: 'General Election' };
  const { races } = await importReport(info);
  expect(races.map(({ office, type, district }) => `${office} | ${type}: ${district}`)).toEqual([expected]);
});
