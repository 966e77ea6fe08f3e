import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** The votes of result files, added up without the code of the importers. */

/** The votes for a name by county and town. */
export interface NameSums {
  readonly name: string;
  /** True if all rows of the name are of votes that were written in. */
  isWrittenIn: boolean;
  /** By `county|town`. */
  readonly byArea: Map<string, number>;
  /** The areas in which the source hides a count, or has no number. */
  readonly hiddenIn: Set<string>;
  /** The number of precincts with a row for the name, by county. */
  readonly rowsIn: Map<string, number>;
}

/** A contest as the columns office, district, stage and special of a file identify it. */
export interface SourceContest {
  readonly office: string;
  readonly district: string;
  readonly stage: string;
  readonly names: Map<string, NameSums>;
}

const isSubtotal = (precinct: string) => /(^|\W)(sub)?totals?\W*$|^(county|grand|state)? ?totals?\b/i.test(precinct);

/** Returns the first of the columns that the file has: those of MEDSL, or those of OpenElections. */
const pick = (row: Readonly<Record<string, string>>, ...names: string[]) =>
  names
    .map((name) => row[name])
    .find((value) => value !== undefined)
    ?.trim() ?? '';

interface Cell {
  total: number;
  modes: number;
  hasModes: boolean;
  hidden: boolean;
  isPrinted: boolean;
}

/** Reads a file and adds its votes: for each contest, name and precinct the modes of voting, else the total. */
export async function sourceContests(path: string): Promise<SourceContest[]> {
  const cells = new Map<string, Cell>();
  const rows = createReadStream(path).pipe(
    parse({ columns: true, bom: true, relax_quotes: true, relax_column_count: true }),
  );
  for await (const row of rows as AsyncIterable<Record<string, string>>) {
    const key = [
      pick(row, 'office'),
      pick(row, 'district'),
      pick(row, 'stage'),
      pick(row, 'special'),
      // A name with a comma that is not in quotes has its second half in the column of the party.
      row[''] ? `${pick(row, 'candidate')} ${pick(row, 'party')}` : pick(row, 'candidate'),
      pick(row, 'county_name', 'county', 'parish').toUpperCase(),
      pick(row, 'jurisdiction_name', 'town'),
      pick(row, 'precinct'),
      path.includes('primary') ? row['']?.trim() || pick(row, 'party') : '',
    ].join('\t');
    const text = pick(row, 'votes').replace(/(?<=\d),(?=\d{3})/g, '');
    const cell = cells.get(key) ?? { total: 0, modes: 0, hasModes: false, hidden: false, isPrinted: false };
    if (pick(row, 'writein').toUpperCase() !== 'TRUE') cell.isPrinted = true;
    if (!/^\d+(\.0+)?$/.test(text)) cell.hidden = true;
    else if (pick(row, 'mode').toUpperCase() === 'TOTAL' || !('mode' in row)) cell.total += Number(text);
    else {
      cell.modes += Number(text);
      cell.hasModes = true;
    }
    cells.set(key, cell);
  }
  dropReplacedCounts(cells);
  dropSums(cells);
  const contests = new Map<string, SourceContest>();
  const totals = new Map<string, Map<string, number>>();
  for (const [key, { total, modes, hasModes, hidden, isPrinted }] of cells) {
    const [office = '', district = '', stage = '', special, name = '', county = '', town = '', precinct = '', party] =
      key.split('\t');
    const id = [office, district, stage, special, party].join('\t');
    const votes = hasModes && modes > 0 ? modes : total;
    if (isSubtotal(precinct)) {
      const stated = totals.get(`${id}\n${county}`) ?? new Map<string, number>();
      totals.set(`${id}\n${county}`, stated.set(name, Math.max(votes, stated.get(name) ?? 0)));
      continue;
    }
    const contest = contests.get(id) ?? { office, district, stage, names: new Map() };
    contests.set(id, contest);
    const sums = contest.names.get(name) ?? {
      name,
      isWrittenIn: true,
      byArea: new Map(),
      hiddenIn: new Set(),
      rowsIn: new Map(),
    };
    contest.names.set(name, sums);
    if (isPrinted) sums.isWrittenIn = false;
    const area = `${county}|${town}`;
    sums.byArea.set(area, (sums.byArea.get(area) ?? 0) + votes);
    sums.rowsIn.set(county, (sums.rowsIn.get(county) ?? 0) + 1);
    if (hidden) sums.hiddenIn.add(area);
  }
  for (const [key, stated] of totals) {
    const [id = '', county = ''] = key.split('\n');
    const contest = contests.get(id);
    if (contest && county !== '') useTotals(contest, county, stated);
  }
  return [...contests.values()];
}

/**
 * Replaces the votes of a county whose precincts add up to more than its stated total, because some are listed twice, or to
 * less, for a name that lacks a row in some of them while the others have the total.
 */
function useTotals({ names }: SourceContest, county: string, stated: ReadonlyMap<string, number>): void {
  const areasOf = ({ byArea }: NameSums) => [...byArea].filter(([area]) => area.startsWith(`${county}|`));
  const sumOf = (name: string) => {
    const sums = names.get(name);
    return sums ? areasOf(sums).reduce((sum, [, votes]) => sum + votes, 0) : 0;
  };
  const some = [...stated].filter(([, votes]) => votes > 0);
  // A name that only the total has is a candidate too, unless the precincts have as many votes for another spelling.
  for (const [name, votes] of some) {
    const isSpelledOtherwise = [...names.keys()].some((each) => !stated.has(each) && sumOf(each) === votes);
    if (!names.has(name) && !isSpelledOtherwise)
      names.set(name, {
        name,
        isWrittenIn: false,
        byArea: new Map([[`${county}|`, votes]]),
        hiddenIn: new Set(),
        rowsIn: new Map(),
      });
  }
  const most = Math.max(...[...names.values()].map(({ rowsIn }) => rowsIn.get(county) ?? 0));
  if (some.every(([name, votes]) => sumOf(name) <= votes) && some.some(([name, votes]) => sumOf(name) === votes))
    for (const [name, votes] of some) {
      const sums = names.get(name);
      if (sums && (sums.rowsIn.get(county) ?? 0) < most)
        sums.byArea.set(`${county}|`, (sums.byArea.get(`${county}|`) ?? 0) + votes - sumOf(name));
    }
  if (some.some(([name, votes]) => sumOf(name) < votes) || some.every(([name, votes]) => sumOf(name) === votes)) return;
  for (const sums of names.values()) {
    for (const [area] of areasOf(sums)) sums.byArea.delete(area);
    sums.byArea.set(`${county}|`, stated.get(sums.name) ?? 0);
  }
}

/** Removes the counts of a contest in a county that a recount of at least nine tenths of the votes replaces. */
function dropReplacedCounts(cells: Map<string, Cell>): void {
  const votes = new Map<string, number>();
  const keyOf = (key: string, stage: string) => {
    const [office, district, , special, , county] = key.split('\t');
    return [office, district, stage, special, county].join('\t');
  };
  const stageOf = (key: string) => key.split('\t')[2] ?? '';
  for (const [key, { total, modes }] of cells) {
    const of = keyOf(key, stageOf(key));
    votes.set(of, (votes.get(of) ?? 0) + Math.max(total, modes));
  }
  const stages = [...new Set([...cells.keys()].map(stageOf))].sort();
  for (const [key] of cells) {
    const stage = stageOf(key);
    const own = votes.get(keyOf(key, stage)) ?? 0;
    const later = stages.filter(
      (each) => each > stage && each.startsWith(`${stage.replace(/ RECOUNT.*/, '')} RECOUNT`),
    );
    const isReplaced = later.some((each) => (votes.get(keyOf(key, each)) ?? 0) >= own * 0.9);
    const isPart =
      stage.includes('RECOUNT') && own < (votes.get(keyOf(key, stage.replace(/ RECOUNT.*/, ''))) ?? 0) * 0.9;
    if (isReplaced || isPart) cells.delete(key);
  }
}

/** Removes precincts whose votes are those of all others of the county and contest together, for every name. */
function dropSums(cells: Map<string, Cell>): void {
  const groups = Map.groupBy(cells, ([key]) => {
    const [office, district, stage, special, , county, , , party] = key.split('\t');
    return [office, district, stage, special, county, party].join('\t');
  });
  for (const group of groups.values()) {
    const named = group.filter(([key]) => !isSubtotal(key.split('\t')[7] ?? ''));
    const units = Map.groupBy(named, ([key]) => key.split('\t').slice(6, 8).join('\t'));
    if (units.size < 4) continue;
    const votesOf = ({ total, modes, hasModes }: Cell) => (hasModes && modes > 0 ? modes : total);
    const names = new Map<string, number>();
    for (const [key, cell] of named) {
      const name = key.split('\t')[4] ?? '';
      names.set(name, (names.get(name) ?? 0) + votesOf(cell));
    }
    if ([...names.values()].filter((votes) => votes > 0).length < 2) continue;
    for (const unit of units.values()) {
      const own = new Map(unit.map(([key, cell]) => [key.split('\t')[4], votesOf(cell)]));
      if (![...names].every(([name, votes]) => (own.get(name) ?? 0) * 2 === votes)) continue;
      for (const [key] of unit) cells.delete(key);
    }
  }
}
