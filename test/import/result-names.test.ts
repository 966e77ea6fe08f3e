import { describe, expect, test } from 'vitest';
import { isNamedParty, partyName, partyNames } from '../../src/importers/results/parties.ts';
import { useDatabase } from '../support/database.ts';
import { importRows, line, type Row } from './result-rows.ts';

const database = useDatabase();
const candidatesOf = async (rows: readonly (Row | string)[]) => {
  const { races, reasons } = await importRows(database, rows);
  return { candidates: races.map(({ candidates }) => candidates), races, reasons };
};
const office = 'SHERIFF';

describe('two spellings of a name in a contest', () => {
  test('are one candidate with the sum of the votes, where no precinct has both', async () => {
    const { candidates, reasons } = await candidatesOf([
      { office, candidate: 'RAUL R LABRADOR', votes: 8, party: 'REPUBLICAN' },
      { office, candidate: 'GREG DUERDEN', votes: 5, party: 'DEMOCRAT' },
      { office, candidate: 'RAUL LABRADOR', votes: 90, party: 'REPUBLICAN', precinct: '2' },
      { office, candidate: 'GREGORY C DUERDEN', votes: 70, precinct: '2' },
    ]);
    expect(candidates).toEqual([{ 'Raul Labrador': 98, 'Gregory C. Duerden': 75 }]);
    expect(reasons).toContain('RAUL R LABRADOR: is another spelling of Raul Labrador: its 8 votes are added');
  });

  test('are two candidates if a precinct has votes for both, or their parties or suffixes differ', async () => {
    const { candidates } = await candidatesOf([
      { office, candidate: 'ROBERT ROE', votes: 8 },
      { office, candidate: 'BOB ROE', votes: 9 },
      { office, candidate: 'ANN DOE', votes: 5, party: 'DEMOCRAT' },
      { office, candidate: 'ANN B DOE', votes: 7, party: 'REPUBLICAN', precinct: '2' },
      { office, candidate: 'CY POE JR', votes: 3, precinct: '3' },
      { office, candidate: 'CY POE SR', votes: 4, precinct: '4' },
    ]);
    expect(candidates).toEqual([
      { 'Robert Roe': 8, 'Bob Roe': 9, 'Ann Doe': 5, 'Ann B. Doe': 7, 'Cy Poe Jr.': 3, 'Cy Poe Sr.': 4 },
    ]);
  });

  test('are one candidate where voters wrote in a printed name, whose mark is not part of the name', async () => {
    const { candidates, reasons } = await candidatesOf([
      { office, candidate: 'WRITE-IN: ANN B ROE', votes: 2 },
      { office, candidate: 'ANN ROE', votes: 50 },
      { office, candidate: 'BO DOE (WRITE-IN)', votes: 4 },
      { office, candidate: 'NOT ASSIGNED', votes: 6 },
      { office, candidate: 'WRITE-IN: FICTITIOUS ENTRY', votes: 1 },
    ]);
    expect(candidates).toEqual([{ 'Ann Roe': 52, 'Bo Doe': 4 }]);
    expect(reasons).toContain('NOT ASSIGNED 6');
  });
});

test('where results list every name that a voter wrote, printed names and those with many votes are candidates', async () => {
  const { candidates, reasons } = await candidatesOf(
    [
      { candidate: 'ANN ROE', votes: 2700, party: 'DEMOCRAT' },
      { candidate: 'BO DOE JR', votes: 2500, party: 'DEMOCRAT' },
      { candidate: 'BO DOE JR.', votes: 1, party: 'DEMOCRAT', writeIn: true },
      // A few votes for a candidate of another district, with a party.
      { candidate: 'CY POE', votes: 3, party: 'REPUBLICAN' },
      { candidate: 'DI LOE', votes: 8, writeIn: true },
      { candidate: 'D LOE', votes: 9, writeIn: true },
    ].map((row) =>
      line({ ...row, office: 'AUDITOR OF ACCOUNTS', dataverse: 'STATE', magnitude: 2 }).replace('"NE"', '"VT"'),
    ),
  );
  expect(candidates).toEqual([{ 'Ann Roe': 2700, 'Bo Doe Jr.': 2501 }]);
  expect(reasons).toContain('3 written-in names with 20 votes are not candidates');
});

describe('the source', () => {
  test('may put the last name first without a comma', async () => {
    const names = [
      'YOUNG DON',
      'ROE ANN B',
      'VON IMHOF NANCY',
      'DOE JOHN JR',
      'POE MARY C',
      'LOE PETER D',
      'NOE PAUL E',
    ];
    const more = ['KOE SUSAN F', 'MOE LINDA', 'ZOE JAMES G', 'HOE DAVID H'];
    const { candidates } = await candidatesOf(
      [...names, ...more].map((candidate, index) => ({ office, candidate, votes: 50 - index })),
    );
    expect(candidates).toMatchObject([
      // In capitals, nothing shows that a last name has two words.
      { 'Don Young': 50, 'Ann B. Roe': 49, 'Imhof Nancy Von': 48, 'John Doe Jr.': 47 },
    ]);
  });

  test('may name a candidate of several parties in a row for each: the one with the most votes is first', async () => {
    const rows = [
      { office, candidate: 'ANN ROE', votes: 9, party: 'CONSERVATIVE' },
      { office, candidate: 'ANN ROE', votes: 90, party: 'REPUBLICAN' },
      { office, candidate: 'BO DOE', votes: 80, party: 'DEMOCRAT' },
    ];
    const { races } = await importRows(
      database,
      rows.map((row) => line({ ...row, county: 'ALBANY', fips: '36001' }).replace('"NE"', '"NY"')),
    );
    expect(races.map(({ candidates, parties }) => [candidates, parties])).toEqual([
      [
        { 'Ann Roe': 99, 'Bo Doe': 80 },
        { 'Ann Roe': ['Republican', 'Conservative'], 'Bo Doe': ['Democratic'] },
      ],
    ]);
  });

  test('may use a party code that has another meaning in another state', () => {
    const names = (code: string) =>
      ['NY', 'AK', 'CA', 'ME', 'UT', 'DE', undefined].map((state) => partyName(code, state));
    expect(names('CON')).toEqual(['Conservative', ...Array(4).fill('Constitution'), 'CON', 'CON']);
    expect(names('IND')).toEqual(['Independence', ...Array(5).fill('Independent'), 'IND']);
    expect(names('LIB')).toEqual(['LIB', ...Array(5).fill('Libertarian'), 'LIB']);
    expect(names('GRN')).toEqual(['Green', 'Green', 'Green', 'Green Independent', 'Green', 'Green', 'GRN']);
    expect(names('AIP')).toEqual(['AIP', 'Alaskan Independence', 'American Independent', 'AIP', 'AIP', 'AIP', 'AIP']);
    expect(names('PRO')).toEqual(Array(7).fill('PRO'));
    expect(names('Conservative Party')).toEqual(Array(7).fill('Conservative'));
    expect(isNamedParty('REP/CON', 'NY')).toBe(true);
    expect(isNamedParty('REP/CON', 'DE')).toBe(false);
    expect(partyNames('REP/WRI', 'ME')).toEqual(['Republican']);
  });

  test('may use a party code that is not known: the party is as written', async () => {
    const { races } = await importRows(database, [
      { office, candidate: 'ANN ROE', votes: 9, party: 'QX', stage: 'PRI' },
    ]);
    expect(races).toMatchObject([{ stageParty: 'QX', parties: { 'Ann Roe': ['QX'] } }]);
  });
});

test('names of nothing but initials are candidates', async () => {
  const { candidates, reasons } = await candidatesOf([
    { office, candidate: 'F R', votes: 8 },
    { office, candidate: 'ANN ROE', votes: 5 },
    { office: 'COUNTY TREASURER', candidate: 'F. R.', votes: 8 },
    { office: 'COUNTY TREASURER', candidate: 'A B', votes: 5 },
  ]);
  expect(candidates).toEqual([
    { 'A. B.': 5, 'F. R.': 8 },
    { 'Ann Roe': 5, 'F. R.': 8 },
  ]);
  expect(reasons).not.toContain('initial');
});
