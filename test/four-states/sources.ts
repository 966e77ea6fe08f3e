import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { DATA, hasData, TODAY } from './database.ts';

/** Reads and sums the source files without the code of the importers. */

/** A point with the districts that contain it, computed by another program from the same boundaries. */
export interface Point {
  readonly lat: number;
  readonly long: number;
  readonly state: string;
  readonly county: readonly string[];
  readonly cds2016: readonly string[];
  readonly cd118: readonly string[];
  readonly sldl?: readonly string[];
  readonly sldu?: readonly string[];
  /** Layers with an edge so near that the two programs may differ. */
  readonly near_edge: readonly string[];
}

export function oraclePoints(): Point[] {
  if (!hasData) return [];
  const lines = readFileSync(join(DATA, 'derived/points-oracle.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Point);
}

type Row = Readonly<Record<string, string>>;

/** The columns that are compared. The files have many more. */
const COLUMNS = ['office', 'district', 'special', 'candidate', 'votes'];

const cached = new Map<string, readonly Row[]>();

/** The rows of a precinct file: its year and state. */
export function precinctRows(year: string, state: string): readonly Row[] {
  const name = `${year}-${state.toLowerCase()}${year === '2018' ? '' : '-local'}-precinct-general.zip`;
  const path = join(DATA, 'results/medsl', year, name);
  const rows =
    cached.get(path) ??
    (parseCsv(execFileSync('unzip', ['-p', path], { maxBuffer: 2 ** 29 }), {
      columns: (header: string[]) => header.map((name) => COLUMNS.includes(name) && name),
      bom: true,
    }) as Row[]);
  cached.set(path, rows);
  return rows;
}

/** The votes of each name in a contest; NaN where some are hidden. */
export function votesByName(rows: readonly Row[], isOfContest: (row: Row) => boolean): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows.filter(isOfContest)) {
    const name = row.candidate ?? '';
    sums.set(name, (sums.get(name) ?? 0) + (row.votes === '*' ? Number.NaN : Number(row.votes)));
  }
  return sums;
}

/** A name as two spellings of it are compared: capital letters without accents and title; of a ticket the first. */
export function plainName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  return (letters.split(' AND ')[0] ?? '')
    .replace(/[^A-Z ]/g, '')
    .replace(/ +/g, ' ')
    .replace(/^(MS|MR|MRS|DR) /, '')
    .trim();
}

/** The votes that each name had in each round of a ranked-choice contest, by the report of it. */
export function standingsOf(contest: string): Map<string, number[]> {
  const path = join(DATA, 'results/ranked-vote', contest, 'report.json');
  const { candidates, rounds } = JSON.parse(readFileSync(path, 'utf8')) as {
    candidates: { name: string }[];
    rounds: { allocations: { allocatee: number | 'X'; votes: number }[] }[];
  };
  return new Map(
    candidates.map(({ name }, index) => [
      name,
      rounds.flatMap(({ allocations }) => allocations.find(({ allocatee }) => allocatee === index)?.votes ?? []),
    ]),
  );
}

export interface Member {
  readonly id: string;
  readonly state: string;
  readonly chamber: 'sldl' | 'sldu';
  /** As OCD ids write it. */
  readonly district: string;
}

/** Returns the members of a legislature according to the files of an edition. */
export function membersOf(edition: string): Member[] {
  return globSync(join(DATA, 'officeholders/openstates-people', edition, '*/legislature/*.yml')).flatMap((file) => {
    const { id, roles } = parseYaml(readFileSync(file, 'utf8'));
    return roles.flatMap(({ type, district, end_date }: Record<string, string>): Member[] => {
      if (end_date || (type !== 'upper' && type !== 'lower')) return [];
      const code = String(district)
        .toLowerCase()
        // The division ids of Vermont have a dash between the names of districts, and `_` within one of a county.
        .replace(/^chittenden (central|north|southeast)$/, 'chittenden-$1')
        .replaceAll(' ', '_');
      const chamber = type === 'upper' ? 'sldu' : 'sldl';
      return [{ id, state: file.split('/').at(-3) ?? '', chamber, district: code }];
    });
  });
}

export function ocdidOf({ state, chamber, district }: Member): string {
  return `ocd-division/country:us/state:${state}/${chamber}:${district}`;
}

/** The OCD ids of the legislative maps of a state. */
export function mappedDistricts(state: string): Set<string> {
  const files = globSync(join(DATA, 'boundaries/unitedstates-districts/states', state, '*/*.geojson'));
  return new Set(files.map((file) => JSON.parse(readFileSync(file, 'utf8')).properties.ocdid as string));
}

/** Who sits in the House for a district (`NM-1`, `AK-0`) by the snapshot of the year before `TODAY`. */
export function representatives(): Map<string, string> {
  const file = join(DATA, 'officeholders/congress-legislators/2021-02-10/legislators-current.yaml');
  const members = new Map<string, string>();
  for (const { id, terms } of parseYaml(readFileSync(file, 'utf8'))) {
    const { type, state, district, end } = terms.at(-1);
    if (type === 'rep' && end > TODAY) members.set(`${state}-${district}`, id.bioguide);
  }
  return members;
}

/** Returns the number of GeoJSON files in a folder of boundaries. */
export function countFiles(pattern: string): number {
  return globSync(join(DATA, 'boundaries', pattern)).filter((path) => basename(path).endsWith('.geojson')).length;
}
