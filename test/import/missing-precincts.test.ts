import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importRows, type Row } from './result-rows.ts';

const database = useDatabase();

/** Rows of a contest in precincts of counties, with the votes of each candidate in every precinct. */
function contest(
  of: Pick<Row, 'office'> & Partial<Row>,
  precincts: Record<string, readonly string[]>,
  votes: Record<string, number>,
): Row[] {
  return Object.entries(precincts).flatMap(([county, names]) =>
    names.flatMap((precinct) =>
      Object.entries(votes).map(([candidate, count], index) => ({
        ...of,
        county,
        precinct,
        candidate,
        votes: count,
        party: index === 0 ? 'DEMOCRAT' : 'REPUBLICAN',
      })),
    ),
  );
}

const GOVERNOR = { office: 'GOVERNOR', dataverse: 'STATE', district: 'STATEWIDE' };
const ALL = { ADAMS: ['1', '2', '3'] };
const TOP = contest(GOVERNOR, ALL, { 'ANN ROE': 60, 'BOB POE': 40 });
const SHERIFF = { office: 'SHERIFF', dataverse: 'LOCAL' };

async function sheriffOf(precincts: Record<string, readonly string[]>, votes: Record<string, number>) {
  const { races, reasons } = await importRows(database, [...TOP, ...contest(SHERIFF, precincts, votes)]);
  return { race: races.find(({ office }) => office === 'Sheriff'), reasons };
}

describe('precincts with other contests and without a count of one', () => {
  test('take an outcome that they could turn, and the report says so', async () => {
    const { race, reasons } = await sheriffOf({ ADAMS: ['1', '2'] }, { 'CY FIR': 55, 'DOT ELM': 35 });
    expect(race).toMatchObject({ candidates: { 'Cy Fir': 110, 'Dot Elm': 70 }, won: [] });
    expect(reasons).toContain(
      'SHERIFF | ADAMS: 100 ballots may be in precincts with a count of other contests and none of this one',
    );
  });

  test('leave an outcome that they cannot turn', async () => {
    const { race } = await sheriffOf({ ADAMS: ['1', '2'] }, { 'CY FIR': 80, 'DOT ELM': 10 });
    expect(race).toMatchObject({ candidates: { 'Cy Fir': 160, 'Dot Elm': 20 }, won: ['Cy Fir'] });
  });

  test('are none, if the contest is counted for the whole county', async () => {
    const { race } = await sheriffOf({ ADAMS: ['ALL'] }, { 'CY FIR': 150, 'DOT ELM': 148 });
    expect(race).toMatchObject({ won: ['Cy Fir'] });
  });

  test('take the outcome of a question', async () => {
    const question = { office: 'BALLOT MEASURE 1', dataverse: 'STATE', district: 'STATEWIDE' };
    const of = (precincts: readonly string[]) =>
      contest(question, { ADAMS: precincts }, { YES: 60, NO: 30 }).map((row) => ({ ...row, party: '' }));
    const { measures, reasons } = await importRows(database, [...TOP, ...of(['1', '2', '3'])]);
    const part = await importRows(database, [...TOP, ...of(['1'])]);
    expect([measures, part.measures].map(([measure]) => measure?.status ?? null)).toEqual([
      reasons.includes('counties are missing') ? null : 'Approved',
      null,
    ]);
  });

  test('may be in any district of Congress if their county has none, in a file with all districts', async () => {
    const counties = { ADAMS: ['1', '2'], BANNER: ['1', '2'], CLAY: ['1', '2'] };
    const rows = (last: Record<string, readonly string[]>, lead: number) => [
      ...contest(GOVERNOR, counties, { 'ANN ROE': 60, 'BOB POE': 40 }),
      ...['1', '2'].flatMap((district) =>
        contest(
          { office: 'US HOUSE', dataverse: 'HOUSE', district },
          { ADAMS: ['1', '2'] },
          {
            [`CY FIR${district}`]: 50,
            [`DOT ELM${district}`]: 50 - lead,
          },
        ),
      ),
      ...contest({ office: 'US HOUSE', dataverse: 'HOUSE', district: '3' }, last, {
        'EVA OAK': 50,
        'FAY ASH': 50 - lead,
      }),
    ];
    const wonOf = async (given: Row[]) => {
      const { races } = await importRows(database, given);
      return races.filter(({ type }) => type === 'Congress').map(({ won }) => won.length);
    };
    expect(await wonOf(rows({ BANNER: ['1', '2'], CLAY: ['1', '2'] }, 20))).toEqual([1, 1, 1]);
    expect(await wonOf(rows({ BANNER: ['1', '2'] }, 20))).toEqual([0, 0, 0]);
  });
});
