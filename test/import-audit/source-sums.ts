import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** The votes of result files, added up apart from the importers. */

/** A name's votes by county and town; undefined where the source hides a count or has no number. */
export interface NameSums {
  readonly name: string;
  readonly byCounty: Map<string, number>;
  readonly byTown: Map<string, number>;
  unknown: boolean;
}

/** A contest as the columns office, district, stage and special of a file name it. */
export interface SourceContest {
  readonly office: string;
  readonly district: string;
  readonly stage: string;
  readonly names: Map<string, NameSums>;
}

const isSubtotal = (precinct: string) => /(^|\W)(sub)?totals?\W*$|^(county|grand|state)? ?totals?\b/i.test(precinct);

/** Columns of a source: the ones of MEDSL, or those of OpenElections. */
const pick = (row: Readonly<Record<string, string>>, ...names: string[]) =>
  names
    .map((name) => row[name])
    .find((value) => value !== undefined)
    ?.trim() ?? '';

interface Cell {
  total: number;
  modes: number;
  hasModes: boolean;
  unknown: boolean;
}

/** Reads a file and adds its votes up: for each contest, name and precinct the modes of voting, else the total. */
export async function sourceContests(path: string): Promise<SourceContest[]> {
  const cells = new Map<string, Cell>();
  const rows = createReadStream(path).pipe(
    parse({ columns: true, bom: true, relax_quotes: true, relax_column_count: true }),
  );
  for await (const row of rows as AsyncIterable<Record<string, string>>) {
    const precinct = pick(row, 'precinct');
    const key = [
      pick(row, 'office'),
      pick(row, 'district'),
      pick(row, 'stage'),
      pick(row, 'special'),
      pick(row, 'candidate'),
      pick(row, 'county_name', 'county'),
      pick(row, 'jurisdiction_name', 'town'),
      precinct,
      path.includes('primary') ? pick(row, 'party') : '',
    ].join('\t');
    const text = pick(row, 'votes').replace(/(?<=\d),(?=\d{3})/g, '');
    const cell = cells.get(key) ?? { total: 0, modes: 0, hasModes: false, unknown: false };
    if (!/^\d+(\.0+)?$/.test(text)) cell.unknown = true;
    else if (pick(row, 'mode').toUpperCase() === 'TOTAL' || !('mode' in row)) cell.total += Number(text);
    else {
      cell.modes += Number(text);
      cell.hasModes = true;
    }
    cells.set(key, cell);
  }
  const contests = new Map<string, SourceContest>();
  for (const [key, { total, modes, hasModes, unknown }] of cells) {
    const [office = '', district = '', stage = '', special, name = '', county = '', town = '', precinct = '', party] =
      key.split('\t');
    if (isSubtotal(precinct)) continue;
    const id = [office, district, stage, special, party].join('\t');
    const contest = contests.get(id) ?? { office, district, stage, names: new Map() };
    contests.set(id, contest);
    const sums = contest.names.get(name) ?? { name, byCounty: new Map(), byTown: new Map(), unknown: false };
    contest.names.set(name, sums);
    const votes = hasModes && modes > 0 ? modes : total;
    sums.byCounty.set(county, (sums.byCounty.get(county) ?? 0) + votes);
    sums.byTown.set(`${county}|${town}`, (sums.byTown.get(`${county}|${town}`) ?? 0) + votes);
    sums.unknown ||= unknown;
  }
  return [...contests.values()];
}

/** A name as two spellings of it are compared: letters without accents, titles and the running mate. */
export function plainName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return (letters.split(/ AND | ?\/ ?| & /)[0] ?? '')
    .replace(/^(.+?),\s+(?!(?:JR|SR|II|III|IV)\b)(.+)$/, '$2 $1')
    .replace(/[^A-Z ]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^(MS|MR|MRS|DR) /, '')
    .trim();
}
