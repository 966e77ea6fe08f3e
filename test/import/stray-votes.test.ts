import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles, importRows, type Row } from './result-rows.ts';

const database = useDatabase();
const ADAMS = { county: 'ADAMS', fips: '31001' };
const CLAY = { county: 'CLAY', fips: '31035' };
const DUNDY = { county: 'DUNDY', fips: '31057' };
const office = 'COUNTY TREASURER';
const racesOf = async (rows: readonly Row[]) => {
  const { races, reasons } = await importRows(database, rows);
  return { races: races.map(({ district, candidates, won }) => ({ district, candidates, won })), reasons };
};

describe('votes of a county', () => {
  test('for names that a few voters wrote in are no contest where another county has candidates', async () => {
    const { races, reasons } = await racesOf([
      { ...ADAMS, office, candidate: 'ANN ROE', votes: 4000 },
      { ...CLAY, office, candidate: 'MICKEY MOUSE', votes: 2, writeIn: true },
      { ...CLAY, office, candidate: 'BO DOE', votes: 1, writeIn: true },
      { ...DUNDY, office, candidate: 'ANN ROE', votes: 3, writeIn: true },
    ]);
    expect(races).toEqual([{ district: expect.anything(), candidates: { 'Ann Roe': 4003 }, won: ['Ann Roe'] }]);
    expect(reasons).toContain(
      'a few written-in votes in an area without a candidate are no contest: 2 names with 3 votes',
    );
  });

  test('are a contest of its own, however small, if it has candidates of its own', async () => {
    const { races } = await racesOf([
      { ...ADAMS, office, candidate: 'ANN ROE', votes: 90000 },
      { ...ADAMS, office, candidate: 'BO DOE', votes: 40000 },
      { ...ADAMS, office, candidate: 'CY POE', votes: 2, writeIn: true },
      { ...CLAY, office, candidate: 'CY POE', votes: 900 },
      { ...CLAY, office, candidate: 'ANN ROE', votes: 4, writeIn: true },
      { ...DUNDY, office, candidate: 'DI LOE', votes: 25, writeIn: true },
    ]);
    expect(races).toEqual([
      { district: 'Adams County', candidates: { 'Ann Roe': 90000, 'Bo Doe': 40000, 'Cy Poe': 2 }, won: ['Ann Roe'] },
      { district: 'Clay County', candidates: { 'Cy Poe': 900, 'Ann Roe': 4 }, won: ['Cy Poe'] },
      { district: 'Dundy County', candidates: { 'Di Loe': 25 }, won: ['Di Loe'] },
    ]);
  });

  test('without any vote are no contest', async () => {
    const { races } = await racesOf([
      { ...ADAMS, office, candidate: 'ANN ROE', votes: 500 },
      { ...CLAY, office, candidate: 'BO DOE', votes: 0, writeIn: true },
    ]);
    expect(races.map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 500 }]);
  });

  test('that are the only written-in ones of a district are a contest', async () => {
    const { races } = await racesOf([{ ...ADAMS, office, candidate: 'ANN ROE', votes: 7, writeIn: true }]);
    expect(races).toEqual([{ district: 'Adams County', candidates: { 'Ann Roe': 7 }, won: ['Ann Roe'] }]);
  });
});

test('votes for a candidate of another county who was written in are votes of the contest of their own county', async () => {
  const board = 'RIVER RESOURCES DISTRICT BOARD OF DIRECTORS';
  const precinct = (county: object, name: string, votes: Record<string, number>, writtenIn: readonly string[] = []) =>
    Object.entries(votes).map(([candidate, count]) => ({
      ...county,
      office: board,
      precinct: name,
      candidate,
      votes: count,
      writeIn: writtenIn.includes(candidate),
    }));
  const { races } = await racesOf([
    ...precinct(ADAMS, '1', { 'ANN ROE': 400, 'BO DOE': 300 }),
    ...precinct(ADAMS, '2', { 'ANN ROE': 200, 'BO DOE': 300 }),
    ...precinct(CLAY, '3', { 'CY POE': 500, 'DI LOE': 400, 'ANN ROE': 3 }, ['ANN ROE']),
  ]);
  expect(races.map(({ candidates }) => candidates)).toEqual(
    expect.arrayContaining([
      { 'Ann Roe': 600, 'Bo Doe': 600 },
      { 'Cy Poe': 500, 'Di Loe': 400, 'Ann Roe': 3 },
    ]),
  );
});

const openElections = (rows: readonly string[]) =>
  importFiles(database, 'openelections', {
    '20201103__ne__general__precinct.csv': `${['county,precinct,office,district,party,candidate,votes', 'Banner,1,Sheriff,,DEM,Jo Goe,5', ...rows].join('\n')}\n`,
  });

test('counties that have the label of a party in common, or officers of the same name, have contests of their own', async () => {
  const { races } = await racesOf([
    { ...ADAMS, office: 'REGISTER OF PERMITS', candidate: 'ANN ROE', votes: 500 },
    { ...ADAMS, office: 'REGISTER OF PERMITS', candidate: 'REPUBLICAN', votes: 200 },
    { ...CLAY, office: 'REGISTER OF PERMITS', candidate: 'BO DOE', votes: 400 },
    { ...CLAY, office: 'REGISTER OF PERMITS', candidate: 'REPUBLICAN', votes: 300 },
    { ...ADAMS, office, candidate: 'CY POE', votes: 300 },
    { ...CLAY, office, candidate: 'CY POE', votes: 400 },
    { ...ADAMS, office: 'COUNTY WEIGHMASTER', candidate: 'DI LOE', votes: 300 },
    { ...CLAY, office: 'COUNTY WEIGHMASTER', candidate: 'DI LOE', votes: 500 },
  ]);
  expect(races.map(({ district, candidates }) => ({ district, candidates }))).toEqual(
    expect.arrayContaining([
      { district: 'Adams County', candidates: { 'Ann Roe': 500 } },
      { district: 'Clay County', candidates: { 'Bo Doe': 400 } },
      { district: 'Adams County', candidates: { 'Cy Poe': 300 } },
      { district: 'Clay County', candidates: { 'Cy Poe': 400 } },
      { district: 'Adams County', candidates: { 'Di Loe': 300 } },
      { district: 'Clay County', candidates: { 'Di Loe': 500 } },
    ]),
  );
});

test('a candidate with votes everywhere, who leads in one precinct, is a candidate of the contest of the others', async () => {
  const office = 'COMMISSIONER OF PUBLIC LANDS';
  const votes = (county: object, precinct: string, ann: number, bo: number, cy: number) => [
    { ...county, office, precinct, candidate: 'ANN ROE', votes: ann, party: 'DEMOCRATIC' },
    { ...county, office, precinct, candidate: 'BO DOE', votes: bo, party: 'REPUBLICAN' },
    { ...county, office, precinct, candidate: 'CY POE', votes: cy, party: 'INDEPENDENT' },
  ];
  const { races } = await racesOf([
    ...votes(ADAMS, '1', 400, 300, 20),
    ...votes(ADAMS, '2', 2, 1, 9),
    ...votes(CLAY, '3', 500, 600, 30),
  ]);
  expect(races.map(({ candidates, won }) => ({ candidates, won }))).toEqual([
    { candidates: { 'Ann Roe': 902, 'Bo Doe': 901, 'Cy Poe': 59 }, won: ['Ann Roe'] },
  ]);
});

describe('an office that a file spells in two ways', () => {
  test('is one contest if each county spells it in one way', async () => {
    const { races } = await openElections([
      'Adams,1,U.S. House,1,DEM,Ann Roe,70',
      'Adams,1,U.S. House,1,REP,Bo Doe,50',
      'Clay,1,US House,01,DEM,Ann Roe,10',
      'Clay,1,US House,01,REP,Bo Doe,40',
    ]);
    expect(races.slice(1).map(({ candidates, won }) => ({ candidates, won }))).toEqual([
      { candidates: { 'Ann Roe': 80, 'Bo Doe': 90 }, won: ['Bo Doe'] },
    ]);
  });

  test('has the first of two contests for one seat that both have votes of a county', async () => {
    const { races, reasons } = await openElections([
      'Adams,2,U.S. House,2,DEM,Ann Roe,70',
      'Adams,2,U.S. House,2,REP,Bo Doe,50',
      'Adams,1,US House,2,DEM,Ann Roe,3',
      'Adams,1,US House,2,REP,Cy Poe,4',
    ]);
    expect(races.slice(1).map(({ candidates }) => candidates)).toEqual([{ 'Ann Roe': 70, 'Bo Doe': 50 }]);
    expect(reasons).toMatch(/another contest has the same office, district and day: 2 names with 7 votes/);
  });
});
