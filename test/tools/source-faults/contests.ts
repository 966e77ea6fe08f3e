import { type Draw, oneOf, type PlantedFault } from './fault.ts';
import type { ResultTable, Row } from './result-table.ts';

/** Plants a fault in a table; `used` has the contests with one. */
export type Plant = (table: ResultTable, draw: Draw, used: Set<string>) => PlantedFault | undefined;

export const TOP = /^(US |U\.?S\.? )?(HOUSE|SENATE)$|^US (HOUSE|SENATE)$|^U\.S\. (House|Senate)$|^GOVERNOR$/i;
export const votes = (table: ResultTable, row: Row) =>
  /^\d+$/.test(table.get(row, 'votes')) ? Number(table.get(row, 'votes')) : 0;
export const contestOf = (table: ResultTable, row: Row) => `${table.get(row, 'office')}|${table.get(row, 'district')}`;
export const isPerson = (name: string) =>
  /^[\p{L}.'" -]+ [\p{L}.' -]+$/u.test(name) &&
  !/write|over|under|blank|total|none|vote|scatter|other|yes|no|for|against|cast|ballot|count/i.test(name);

export interface Contest {
  readonly key: string;
  readonly office: string;
  readonly rows: Row[];
  readonly names: string[];
}

/** Returns the contests of persons that no fault was planted in yet. */
export function contests(
  table: ResultTable,
  used: ReadonlySet<string>,
  wanted: (contest: Contest) => boolean,
): Contest[] {
  return [...Map.groupBy(table.rows, (row) => contestOf(table, row))]
    .map(([key, rows]) => {
      const names = [...new Set(rows.map((row) => table.get(row, 'candidate')))].filter(
        (name) =>
          isPerson(name) &&
          rows.some((row) => table.get(row, 'candidate') === name && table.get(row, 'party_detailed') !== ''),
      );
      return { key, office: table.get(rows[0] ?? {}, 'office'), rows, names };
    })
    .filter((contest) => !used.has(contest.key) && wanted(contest));
}

export function draw1(
  table: ResultTable,
  draw: Draw,
  used: Set<string>,
  wanted: (contest: Contest) => boolean,
): Contest | undefined {
  const found = oneOf(draw, contests(table, used, wanted));
  if (found) used.add(found.key);
  return found;
}

export const LEGISLATURE = /^STATE (HOUSE|SENATE)|^(STATE )?(REPRESENTATIVE|SENATOR)|^HOUSE DISTRICT|^SENATE DISTRICT/i;
export const isOfState = ({ office }: Contest) => TOP.test(office) || LEGISLATURE.test(office);
export const withTwo = (contest: Contest) => contest.names.length >= 2 && isOfState(contest);

export const rowsOf = (table: ResultTable, { rows }: Contest, name: string) =>
  rows.filter((row) => table.get(row, 'candidate') === name);
