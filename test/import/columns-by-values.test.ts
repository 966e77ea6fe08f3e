import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();

/** The cells of a small file of New Mexico: two counties with two precincts each, two contests, three candidates. */
const ROWS = ['Taos', 'Mora'].flatMap((county, at) =>
  ['Precinct 1', 'Precinct 2'].flatMap((precinct, number) => [
    { county, precinct, office: 'Sheriff', party: 'DEM', name: `Ada ${county}drake`, votes: 95 + 7 * number + 31 * at },
    { county, precinct, office: 'Sheriff', party: 'REP', name: `Cara ${county}oak`, votes: 78 + 11 * number + 3 * at },
    { county, precinct, office: 'County Clerk', party: 'DEM', name: `Dan ${county}elm`, votes: 120 + 5 * number + at },
  ]),
);

type Cell = keyof (typeof ROWS)[number] | ((row: (typeof ROWS)[number], index: number) => string | number);

/** Returns a CSV file with the cells under the given headers. */
function csvOf(columns: Readonly<Record<string, Cell>>, rows = ROWS): string {
  const cellsOf = (row: (typeof ROWS)[number], index: number) =>
    Object.values(columns).map((cell) => (typeof cell === 'function' ? cell(row, index) : row[cell]));
  return [Object.keys(columns), ...rows.map(cellsOf)].map((cells) => `${cells.join(',')}\n`).join('');
}

const RIGHT = [
  ['County Clerk', 'Mora County', ['Dan Moraelm 247']],
  ['County Clerk', 'Taos County', ['Dan Taoselm 245']],
  ['Sheriff', 'Mora County', ['Ada Moradrake 259', 'Cara Moraoak 173']],
  ['Sheriff', 'Taos County', ['Ada Taosdrake 197', 'Cara Taosoak 167']],
];

async function importCsv(
  text: string,
  name = '20221108__nm__general__precinct.csv',
  options = {},
  source = 'openelections',
) {
  const { races, reasons } = await importFiles(database, source as 'medsl', { [name]: text }, options);
  const found = races.map(({ office, district, candidates }) => [
    office,
    district.replace(/^.*: /, ''),
    Object.entries(candidates)
      .map(([person, votes]) => `${person} ${votes}`)
      .sort(),
  ]);
  return { races: found.sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1)), reasons };
}

describe('a file of results', () => {
  test.each<[string, Readonly<Record<string, Cell>>]>([
    [
      'unknown names',
      { Where: 'county', Prec: 'precinct', Contest: 'office', Affil: 'party', Choice: 'name', Tally: 'votes' },
    ],
    ['no names', { c1: 'name', c2: 'votes', c3: 'office', c4: 'county', precinct: 'precinct', c6: 'party' }],
    [
      'numbers that are no votes beside the votes',
      {
        county: 'county',
        code: (_, index) => `0${index % 4}`,
        fips: ({ county }) => (county === 'Taos' ? 35055 : 35033),
        precinct: 'precinct',
        office: 'office',
        party: 'party',
        choice: 'name',
        voters: ({ precinct }) => precinct.length * 100,
        n: 'votes',
      },
    ],
    [
      'the names of two columns exchanged',
      { county: 'county', precinct: 'precinct', office: 'office', candidate: 'party', party: 'name', votes: 'votes' },
    ],
    [
      'parts and their sum',
      {
        county: 'county',
        precinct: 'precinct',
        office: 'office',
        party: 'party',
        candidate: 'name',
        early: (_, index) => 3 + (index % 5),
        poll: ({ votes }, index) => votes - 3 - (index % 5),
        sum: 'votes',
      },
    ],
  ])('with %s is read by what its columns hold', async (_, columns) => {
    const { races } = await importCsv(csvOf(columns));
    expect(races).toEqual(RIGHT);
  });

  test('says in the report which columns are known by their values', async () => {
    const { reasons } = await importCsv(
      csvOf({ county: 'county', precinct: 'precinct', office: 'office', party: 'party', who: 'name', n: 'votes' }),
    );
    expect(reasons).toContain('| who: is read as candidate');
    expect(reasons).toContain('| n: is read as votes');
  });

  test('whose columns of numbers could all be the votes is refused, with what would be right', async () => {
    const text = csvOf({
      county: 'county',
      precinct: 'precinct',
      office: 'office',
      party: 'party',
      candidate: 'name',
      n: 'votes',
      m: ({ votes }, index) => votes + 1 + (index % 3),
    });
    await expect(importCsv(text)).rejects.toThrow(
      /the column votes is missing.*whole numbers of votes for each candidate.*Columns of no known meaning: n, m/,
    );
  });

  test('without codes, modes and days is read from the name of the file or the options', async () => {
    const columns = {
      county: 'county',
      precinct: 'precinct',
      office: 'office',
      party: 'party',
      candidate: 'name',
      votes: 'votes',
    } as const;
    for (const [name, options] of [
      ['2022-nm-precinct-general.csv', {}],
      ['20221108-nm-general.csv', {}],
      ['general.csv', { date: '2022-11-08', state: 'NM' }],
    ] as const) {
      const { races } = await importCsv(csvOf(columns), name, options, 'medsl');
      expect(races).toEqual(RIGHT);
    }
    await expect(importCsv(csvOf(columns), 'general.csv', {}, 'medsl')).rejects.toThrow(
      /--state.*--date|--date.*--state/,
    );
  });

  test('of OpenElections with another name needs the day and the state', async () => {
    const columns = {
      county: 'county',
      precinct: 'precinct',
      office: 'office',
      party: 'party',
      candidate: 'name',
      votes: 'votes',
    } as const;
    await expect(importCsv(csvOf(columns), 'taos.csv')).rejects.toThrow('or set --date and --state');
    const { races } = await importCsv(csvOf(columns), 'statewide.csv', { date: '2022-11-08', state: 'NM' });
    expect(races).toEqual(RIGHT);
  });
});
