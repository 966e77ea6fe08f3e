import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();
const votesOf = async (rows: readonly string[]) => {
  const text = ['county,precinct,office,district,party,candidate,votes', 'Clay,1,Sheriff,,,Jo Goe,5', ...rows].join(
    '\n',
  );
  const found = await importFiles(database, 'openelections', { '20201103__ne__general__precinct.csv': `${text}\n` });
  const race = found.races.find(({ office }) => office !== 'Sheriff');
  return { candidates: race?.candidates, reasons: found.reasons };
};
const PRECINCTS = [
  'Adams,1,Governor,,DEM,Ann Roe,40',
  'Adams,2,Governor,,DEM,Ann Roe,50',
  'Adams,1,Governor,,REP,Bo Doe,30',
];
const ADDED = 'has a stated total with the votes of precincts without a row for a name, which are added; 1 names';

test('votes of a precinct without a row are those that the stated total has in addition', async () => {
  const { candidates, reasons } = await votesOf([
    ...PRECINCTS,
    'Adams,2,,,REP,Bo Doe,25',
    'Adams,Total,Governor,,DEM,Ann Roe,90',
    'Adams,Total,Governor,,REP,Bo Doe,55',
  ]);
  expect(candidates).toEqual({ 'Ann Roe': 90, 'Bo Doe': 55 });
  expect(reasons).toContain(ADDED);
});

test.each([
  ['no other name adds up to it', ['Adams,Total,Governor,,DEM,Ann Roe,91', 'Adams,Total,Governor,,REP,Bo Doe,55']],
  ['another name adds up to more', ['Adams,Total,Governor,,DEM,Ann Roe,80', 'Adams,Total,Governor,,REP,Bo Doe,55']],
])('a stated total is not used where a row is missing if %s', async (_, totals) => {
  const { candidates, reasons } = await votesOf([...PRECINCTS, ...totals]);
  expect(candidates).toEqual({ 'Ann Roe': 90, 'Bo Doe': 30 });
  expect(reasons).not.toContain(ADDED);
});

test('a stated total is not used if every precinct has a row for the name', async () => {
  const { candidates } = await votesOf([
    ...PRECINCTS,
    'Adams,2,Governor,,REP,Bo Doe,20',
    'Adams,Total,Governor,,DEM,Ann Roe,90',
    'Adams,Total,Governor,,REP,Bo Doe,55',
  ]);
  expect(candidates).toEqual({ 'Ann Roe': 90, 'Bo Doe': 50 });
});

test('a stated total of the state is used where precincts of several counties repeat votes, and proves that none is missing', async () => {
  const senate = (county: string, precinct: string, roe: number, doe: number) => [
    `${county},${precinct},State Senate,22,DEM,Ann Roe,${roe}`,
    `${county},${precinct},State Senate,22,REP,Bo Doe,${doe}`,
  ];
  const rows = [
    ...senate('Adams', 'Lee', 40, 30),
    ...senate('Clay', 'Rye', 50, 20),
    ...senate('NEBRASKA', 'Total', 90, 50),
  ];
  const { candidates } = await votesOf([
    ...rows,
    ...senate('Adams', 'Lee City', 40, 30),
    ...senate('Adams', 'Lee Abs', 10, 5),
  ]);
  expect(candidates).toEqual({ 'Ann Roe': 90, 'Bo Doe': 50 });
  const contradicted = await votesOf([...rows.slice(0, 4), ...senate('NEBRASKA', 'Total', 91, 50)]);
  expect(contradicted.candidates).toEqual({ 'Ann Roe': 90, 'Bo Doe': 50 });
  expect(contradicted.reasons).toContain(
    'has a stated total that is not the sum of its parts: 91, and 90 in its parts',
  );
});

test('a town with the name of its county is not added to the county where the total of the state does not count it', async () => {
  const senate = (county: string, precinct: string, roe: number, doe: number) => [
    `${county},${precinct},U.S. Senate,,DEM,Ann Roe,${roe}`,
    `${county},${precinct},U.S. Senate,,REP,Bo Doe,${doe}`,
  ];
  const { candidates } = await votesOf([
    ...senate('Adams', 'Adams', 400, 300),
    ...senate('Clay', 'Clay', 500, 200),
    ...senate('TOTALS', 'TOTALS', 900, 500),
    // Only the town of this county that has its name is listed, and two other towns of the other county.
    ...senate('Adams', 'Adams', 40, 30),
    ...senate('Clay', 'Lee', 300, 120),
    ...senate('Clay', 'Rye', 200, 80),
    ...senate('Clay', 'Total', 500, 200),
  ]);
  expect(candidates).toEqual({ 'Ann Roe': 900, 'Bo Doe': 500 });
});
