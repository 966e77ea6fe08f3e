import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { everywhere, importRows, type Row } from './result-rows.ts';

const database = useDatabase();

const twoOf = (office: string, district: string): Row[] => [
  { office, district, candidate: 'ADA ALDER', votes: 300, party: 'DEMOCRAT' },
  { office, district, candidate: 'BEN BIRCH', votes: 200, party: 'REPUBLICAN' },
];

test.each([
  ['US HOUSE DISTRICT 1', '002', 'different districts'],
  ['STATE SENATE DISTRICT 5', '007', 'different districts'],
  ['COUNTY COMMISSIONER DISTRICT 3', '5', 'different districts'],
  ['DISTRICT COURT JUDGE DISTRICT 2', 'DISTRICT 9', 'different districts'],
  ['STATE SENATE', 'HOUSE 12', 'different chambers'],
  ['MAYOR OF OMAHA', 'LINCOLN', 'different places'],
  ['GOVERNOR', '005', 'the whole state elects the office'],
  ['SECRETARY OF STATE', 'ADAMS', 'the whole state elects the office'],
  ['US SENATE', '2', 'the whole state elects the office'],
])('%s in the district %s contradicts itself: it is reported, and has no outcome', async (office, district, why) => {
  const { races, reasons } = await importRows(
    database,
    everywhere(twoOf(office, district)[0] as Row).concat(everywhere(twoOf(office, district)[1] as Row)),
  );
  expect(races.flatMap(({ won }) => won)).toEqual([]);
  expect(reasons).toContain(why);
});

test.each([
  ['US HOUSE DISTRICT 2', '002'],
  ['COUNTY COMMISSIONER DISTRICT 3', 'DISTRICT 3'],
  ['MAYOR OF OMAHA', 'CITY OF OMAHA'],
  ['COUNTY SHERIFF', 'ADAMS'],
])('%s in the district %s does not', async (office, district) => {
  const { races, reasons } = await importRows(
    database,
    twoOf(office, district).map((row) => ({ ...row, dataverse: office.startsWith('US ') ? 'HOUSE' : 'LOCAL' })),
  );
  expect([races.map(({ won }) => won), reasons]).toEqual([[['Ada Alder']], '']);
});
