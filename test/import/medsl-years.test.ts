import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { importFiles } from './result-rows.ts';

const database = useDatabase();
const imported = (text: string) => importFiles(database, 'medsl', { 'a.csv': text });

const HEADER_OF_2016 =
  'year,stage,special,state,state_postal,state_fips,state_icpsr,county_name,county_fips,county_ansi,county_lat,county_long,jurisdiction,precinct,candidate,candidate_normalized,office,district,writein,party,mode,votes,candidate_opensecrets,candidate_wikidata,candidate_party,candidate_fec';

/** Returns a row as the files of 2016 have them: no day, texts in mixed case, `NA` for no value. */
const rowOf2016 = (office: string, district: string, candidate: string, party: string, votes: number, more = {}) => {
  const {
    county = 'Autauga',
    fips = '1001',
    stage = 'gen',
    writeIn = 'FALSE',
    mode = 'total',
  } = more as Record<string, string>;
  const last = candidate.toLowerCase().split(' ').at(-1);
  const place = `AL,1,41,${county} County,${fips},161526,32.5,-86.6,${county},10 Town Hall`;
  return `2016,${stage},FALSE,Alabama,${place},${candidate},${last},${office},${district},${writeIn},${party},${mode},${votes},NA,NA,NA,NA`;
};

describe('precinct results of 2016', () => {
  test('are of the general election day, and of the counties without the word county', async () => {
    const { races, reasons } = await imported(
      [
        HEADER_OF_2016,
        rowOf2016('US House', '2', 'Ann Roe', 'democratic', 7, { mode: 'absentee' }),
        rowOf2016('US House', '2', 'Ann Roe', 'democratic', 30, { mode: 'election day' }),
        rowOf2016('US House', '2', 'Bo Doe', 'NA', 20),
        rowOf2016('US House', '2', 'Bo Doe', 'NA', 2, { county: 'Baldwin', fips: '1003' }),
        rowOf2016('US House', '2', '[Write-in]', 'NA', 1, { writeIn: 'TRUE' }),
        rowOf2016('County Commission', '3', 'Cy Poe', 'republican', 9),
        rowOf2016('Sheriff', 'NA', 'Di Loe', 'republican', 5),
        rowOf2016('Sheriff', 'NA', 'Ed Moe', 'republican', 4, { county: 'Baldwin', fips: '1003' }),
      ].join('\n'),
    );
    expect(races.map(({ office, district, candidates, won }) => [office, district, candidates, won])).toEqual([
      ['County Commissioner', 'Autauga County Commissioner District 3', { 'Cy Poe': 9 }, ['Cy Poe']],
      ['Sheriff', 'Autauga County', { 'Di Loe': 5 }, ['Di Loe']],
      // The precincts of the county with ballots for Congress have 22 votes for the other.
      ['Sheriff', 'Baldwin County', { 'Ed Moe': 4 }, expect.any(Array)],
      // The file lacks counties.
      ['U.S. House Alabama District 2', expect.any(String), { 'Ann Roe': 37, 'Bo Doe': 22 }, []],
    ]);
    expect(races.map(({ date }) => date)).toEqual(Array(4).fill('2016-11-08'));
    expect(races.find(({ office }) => office.startsWith('U.S. House'))?.parties).toEqual({
      'Ann Roe': ['Democratic'],
      'Bo Doe': [],
    });
    expect(reasons).not.toContain('NA');
  });

  test('of a primary are left out, because the source has no day of it', async () => {
    const rows = [HEADER_OF_2016, rowOf2016('Sheriff', 'NA', 'Di Loe', 'republican', 5, { stage: 'pri' })];
    await expect(imported(rows.join('\n'))).rejects.toThrow(
      'nothing of the files can be stored: a.csv: "2016" is not the day of the election: --date states it',
    );
  });
});

const HEADER_OF_2020 =
  'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check';

test('precinct results of 2020 are of the day that they have', async () => {
  const row = (office: string, candidate: string, votes: number, district = '', magnitude = '1', dataverse = 'LOCAL') =>
    `"1","${office}","NONPARTISAN","NONPARTISAN","TOTAL",${votes},"ADAMS","31001","ADAMS","31001","${candidate}","${district}",${magnitude},"${dataverse}",2020,"GEN","NEBRASKA","FALSE","FALSE","NE","31","46","35","2020-11-03","FALSE"`;
  const { races } = await imported(
    [
      HEADER_OF_2020,
      row('STATE SENATE', 'ANN ROE', 30, '033', '1', 'STATE'),
      row('STATE SENATE', 'BO DOE', 20, '033', '1', 'STATE'),
      row('BALLOTS CAST', 'BALLOTS CAST', 60, '', '0'),
    ].join('\n'),
  );
  expect(races.map(({ office, date, seats, won }) => [office, date, seats, won.toSorted()])).toEqual([
    [expect.stringContaining('33'), '2020-11-03', 1, []],
  ]);
});
