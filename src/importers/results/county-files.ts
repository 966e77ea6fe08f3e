import { stateByPostal } from '../../base/words/states.ts';
import { withoutSpelling } from './contest-spellings.ts';
import { countyCount } from './county-counts.ts';
import { joinCountyNames } from './county-spellings.ts';
import { isArea } from './divide-contest.ts';
import type { ElectionResults, ResultSums } from './result-sums.ts';
import type { ContestRow, SumRow } from './sum-rows.ts';

/** A file of results with its sums. */
export interface SummedFile {
  readonly file: string;
  readonly sums: ResultSums;
}

/** The results of the files of the counties of a state. */
export interface CountyResults extends ElectionResults {
  /** The contests of files that another file of the same county has too, which are left out. */
  readonly repeated: readonly RepeatedContest[];
}

interface RepeatedContest {
  readonly file: string;
  readonly office: string;
  /** The file whose contest is used. */
  readonly other: string;
}

/** Parts of the names of files that are no county: `20181106__me__general__town.csv`, `…__special__general__state_house__22.csv` */
const NO_COUNTY =
  /^(special|general|primary|runoff|democrat(ic)?|republican|libertarian|precincts?|count(y|ies)|parish|towns?|city|ward|municipality|state|statewide|federal|president|governor|(us_?|state_?)?(house|senate|representatives?|legislat\w*|assembly)(_.*)?|\d+)$/;
/** More than the records of a file. */
const RECORDS = 2 ** 32;

/** Returns whether a file has the results of one county, of which files of other counties may have other parts. */
export function isCountyFile({ file, sums: { contests, areas } }: SummedFile): boolean {
  if (contests.some(({ dataverse, state_po }) => dataverse !== '' || stateByPostal(state_po)?.kind !== 'state'))
    return false;
  const parts = file
    .replace(/\.[a-z]+$/i, '')
    .split('__')
    .slice(2);
  const isOfContest = parts.length > 0 && parts.every((part) => NO_COUNTY.test(part.toLowerCase()));
  return !isOfContest && new Set(areas.map(({ county_name }) => county_name)).size === 1;
}

/**
 * Joins the files of the counties of a state in one election, as if one file had all of them: contests of the same office
 * and district are one, with the names that differ only in their spelling.
 */
export function joinCountyFiles(files: readonly SummedFile[]): CountyResults[] {
  const elections = Map.groupBy(files, ({ sums: { contests } }) => {
    const [first] = contests;
    return [first?.state_po, first?.date, first?.stage, first?.special].join('|');
  });
  // The file of a county has the votes of its towns too.
  const isOfTown = ({ sums }: SummedFile) => townOf(sums) !== undefined;
  return [...elections.values()].map((all) =>
    joinElection([...all.filter((file) => !isOfTown(file)), ...all.filter(isOfTown)]),
  );
}

function joinElection(files: readonly SummedFile[]): CountyResults {
  const contests = new Contests();
  const parts = files.map(({ file, sums }, index) => {
    const numbers = contests.add(
      file,
      countyOf(sums),
      townOf(sums) ?? '',
      sums.contests.map((row) => ({ ...row, record: row.record + index * RECORDS })),
    );
    const renumber = <T extends { readonly contest: number }>(rows: readonly T[]): T[] =>
      rows.flatMap((row) => {
        const contest = numbers.get(row.contest);
        return contest === undefined ? [] : [{ ...row, contest }];
      });
    return {
      sums: renumber(sums.sums).map((row) => ({
        ...row,
        record: row.record + index * RECORDS,
        bad_record: row.bad_record === null ? null : row.bad_record + index * RECORDS,
        part: row.part === 0 ? 0 : row.part + index * RECORDS,
      })),
      areas: renumber(sums.areas),
      parties: renumber(sums.parties),
      exceeding: new Map(
        [...sums.exceeding].flatMap(([contest, why]): [number, string][] => {
          const number = numbers.get(contest);
          return number === undefined ? [] : [[number, why]];
        }),
      ),
    };
  });
  const all = countyCount(contests.rows[0]?.state_po ?? '') ?? Number.POSITIVE_INFINITY;
  const isOfTowns = files.some(({ sums }) => townOf(sums) !== undefined);
  const isPartial = isOfTowns || new Set(files.map(({ sums }) => countyOf(sums))).size < all;
  const rows = parts.flatMap(({ sums }) => sums);
  const { rename, joined } = joinCountyNames(contests.rows, rows);
  return {
    name: shownNames(files.map(({ file }) => file)),
    sums: {
      csv: {
        malformed: files.flatMap(({ sums }) => sums.csv.malformed),
        repaired: [],
        byValues: [],
        lineOf: (record) => files[Math.floor(record / RECORDS)]?.sums.csv.lineOf(record % RECORDS) ?? 0,
      },
      contests: contests.rows,
      sums: rows.map(rename),
      areas: parts.flatMap(({ areas }) => areas),
      ballots: files.flatMap(({ sums }) => sums.ballots),
      parties: parts.flatMap(({ parties }) => parties).map(rename),
      exceeding: new Map(parts.flatMap(({ exceeding }) => [...exceeding])),
      otherParties: [],
      outliers: [],
      identical: [],
      contradictions: [],
      subtotals: [],
      complete: new Set(),
      joined,
      counties: all,
      isPartial,
      isOfTowns,
    },
    fileOf: (of) => shownNames(of.map((row) => contests.fileOf(row))),
    repeated: contests.repeated,
  };
}

function countyOf({ areas }: ResultSums): string {
  return (areas[0]?.county_name ?? '').toUpperCase();
}

/** Returns the only town of a file, which has a part of the votes of the county; undefined if the file does not name one. */
function townOf(sums: ResultSums): string | undefined {
  const [town = '', ...others] = new Set(sums.areas.map(({ jurisdiction_name }) => jurisdiction_name.toUpperCase()));
  return others.length === 0 && isArea(town) && town !== countyOf(sums) ? town : undefined;
}

function shownNames(files: readonly string[]): string {
  const [first = '', ...others] = new Set(files);
  return others.length > 0 ? `${first} and ${others.length} other${others.length > 1 ? 's' : ''}` : first;
}

/** The contests of several files, with one number for the contests of the same office and district. */
class Contests {
  readonly #contests = new Map<string, ContestRow>();
  /** The files by contest, county and town; those of a county have no town. */
  readonly #files = new Map<string, string>();
  readonly #repeated: RepeatedContest[] = [];

  /**
   * Adds the contests of a file and returns their numbers, without those that another file of the county has too. Offices
   * and districts may differ in letter case, dots and leading zeros; two such contests of one file stay apart.
   */
  add(file: string, county: string, town: string, contests: readonly ContestRow[]): ReadonlyMap<number, number> {
    const own = new Set<string>();
    const numbers = new Map<number, number>();
    for (const row of contests) {
      const plain = JSON.stringify([row.office, row.district, row.party].map((text) => withoutSpelling(text).trim()));
      const key = own.has(plain) ? JSON.stringify([plain, row.office, row.district]) : plain;
      own.add(plain);
      const contest = this.#contests.get(key) ?? { ...row, contest: this.#contests.size };
      const place = `${contest.contest}|${county}|${town}`;
      const other = this.#files.get(`${contest.contest}|${county}|`) ?? this.#files.get(place);
      if (other !== undefined && other !== file) {
        this.#repeated.push({ file, office: row.office, other });
        continue;
      }
      this.#contests.set(key, contest);
      this.#files.set(place, file);
      numbers.set(row.contest, contest.contest);
    }
    return numbers;
  }

  get rows(): readonly ContestRow[] {
    return [...this.#contests.values()];
  }

  get repeated(): readonly RepeatedContest[] {
    return this.#repeated;
  }

  fileOf({ contest, county_name, jurisdiction_name }: SumRow): string {
    const county = `${contest}|${county_name.toUpperCase()}|`;
    return this.#files.get(county) ?? this.#files.get(`${county}${jurisdiction_name.toUpperCase()}`) ?? '';
  }
}
