import { describe, expect, test } from 'vitest';
import { CodedColumn } from '../../src/importers/results/coded-column.ts';
import { PairNumbers } from '../../src/importers/results/pair-numbers.ts';
import { RESULT_COLUMNS } from '../../src/importers/results/result-reader.ts';
import { sumResults } from '../../src/importers/results/result-sums.ts';
import { HEADER, line, type Row } from './result-rows.ts';

const COLUMNS = RESULT_COLUMNS.map((name) => ({ name, optional: true }));

/** Returns pseudo-random numbers from 0 to below a limit, the same ones in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CANDIDATES = ['ANN ROE', 'BO DOE', 'CY "C" POE', 'DÍ, LOE', 'WRITEIN'];

/** Returns rows of several offices in precincts of several counties, by mode of voting, in no order. */
function rowsOf(seed: number): Row[] {
  const next = random(seed);
  return Array.from({ length: 4_000 }, () => ({
    office: `COUNTY OFFICE ${next(8)}`,
    district: next(2) === 0 ? '' : '001',
    county: `COUNTY ${next(5)}`,
    fips: `3100${next(5)}`,
    precinct: `PRECINCT ${next(40)}`,
    mode: ['EARLY', 'ELECTION DAY', 'TOTAL'][next(3)] ?? '',
    candidate: CANDIDATES[next(CANDIDATES.length)] ?? '',
    party: ['', 'DEMOCRAT', 'REPUBLICAN'][next(3)] ?? '',
    votes: next(50) === 0 ? '*' : next(400),
    magnitude: 1 + next(2),
  }));
}

/** Sums rows with objects and texts as keys: the plain form of what `sumResults` computes with typed arrays. */
function plainSums(rows: readonly Row[]) {
  const cells = Map.groupBy(rows, ({ office, district, candidate, county, fips, precinct }) =>
    JSON.stringify([office, district, candidate, county, precinct, fips]).replace(/,"3100\d"\]$/, ']'),
  );
  const sums = new Map<string, { votes: number; hidden: number; precincts: number }>();
  for (const [key, some] of cells) {
    const shown = some.filter(({ votes }) => votes !== '*');
    const add = (of: readonly Row[]) => of.reduce((sum, { votes }) => sum + Number(votes), 0);
    const byMode = add(shown.filter(({ mode }) => mode !== 'TOTAL'));
    const total = add(shown.filter(({ mode }) => mode === 'TOTAL'));
    const isContradictory = byMode > 0 && total > 0 && total !== byMode;
    const [office, district, candidate, county] = JSON.parse(key) as string[];
    const of = JSON.stringify([office, district, candidate, county]);
    const known = sums.get(of) ?? { votes: 0, hidden: 0, precincts: 0 };
    sums.set(of, {
      votes: known.votes + (isContradictory ? Math.min(byMode, total) : byMode > 0 ? byMode : add(shown)),
      hidden: known.hidden + some.length - shown.length + (isContradictory ? 1 : 0),
      precincts: known.precincts + 1,
    });
  }
  return sums;
}

function fileOf(rows: readonly Row[], chunk: number) {
  const bytes = Buffer.from([HEADER, ...rows.map(line)].join('\n'));
  return {
    name: 'results.csv',
    bytes: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    },
  };
}

describe('the sums of a file of results', () => {
  test.each([1, 2, 3])('are those of plain objects, whatever the chunks (%i)', async (seed) => {
    const rows = rowsOf(seed);
    const { contests, sums } = await sumResults(fileOf(rows, 1_000 * seed + 1), COLUMNS);
    const stated = new Map(contests.map((row) => [row.contest, row]));
    const found = new Map<string, { votes: number; hidden: number; precincts: number }>();
    for (const { contest, county_name, candidate, votes, hidden, precincts } of sums) {
      const { office, district } = stated.get(contest) ?? {};
      const key = JSON.stringify([office, district, candidate, county_name]);
      const known = found.get(key) ?? { votes: 0, hidden: 0, precincts: 0 };
      found.set(key, {
        votes: known.votes + votes,
        hidden: known.hidden + hidden,
        precincts: known.precincts + precincts,
      });
    }
    expect(contests).toHaveLength(16);
    expect(found.size).toBeGreaterThan(300);
    expect(found).toEqual(plainSums(rows));
    expect(new Set(sums.map(({ magnitude }) => magnitude))).toEqual(new Set([1, 2]));
  });
});

test('pairs and cells have the numbers that a Map of texts gives them', () => {
  const next = random(7);
  const [pairs, column] = [new PairNumbers(), new CodedColumn()];
  const numbers = new Map<string, number>();
  for (let count = 0; count < 20_000; count++) {
    const [first, second] = [next(300) * 1_000_003, next(60)];
    const key = `${first} ${second}`;
    const expected = numbers.get(key) ?? numbers.size;
    numbers.set(key, expected);
    const bytes = Buffer.from(`,${key},`);
    expect([pairs.of(first, second), column.codeOf(bytes, 1, bytes.length - 1)]).toEqual([expected, expected]);
    expect([pairs.firstOf(expected), pairs.secondOf(expected)]).toEqual([first, second]);
  }
  expect([pairs.size, column.texts]).toEqual([numbers.size, [...numbers.keys()]]);
});
