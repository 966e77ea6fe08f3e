import { houseSeats } from '../facts/house-seats.ts';
import { officeKey } from './contest-spellings.ts';
import { countyCount } from './county-counts.ts';
import { isArea } from './divide-contest.ts';
import type { PrecinctBallots } from './precinct-ballots.ts';
import type { ResultCells } from './result-cells.ts';
import type { AreaBallots, AreaRow, ContestRow } from './sum-rows.ts';

/** The ballots of the precincts of an area, and of those of them that have a count of a contest. */
export interface CountedBallots {
  readonly all: number;
  readonly counted: number;
  /** The votes of the office with the most: precincts may have other names in each contest. */
  readonly most: number;
}

/** The ballots of the areas that may be the district of a contest. */
export interface ScopeBallots {
  readonly state: CountedBallots;
  readonly counties: CountedBallots;
  readonly towns: CountedBallots;
  /** Those of the precincts that may be in a numbered district of Congress or of a legislature; undefined for other offices. */
  readonly chamber: CountedBallots | undefined;
}

/** Returns the ballots of the areas of a file, and of their precincts with a contest of each chamber. */
export function ballotsOfAreas(
  cells: ResultCells,
  { ofUnit: ballotsOf, ofOffices }: Pick<PrecinctBallots, 'ofUnit' | 'ofOffices'>,
): AreaBallots[] {
  const chambers = [...new Set(cells.contests.flatMap((row) => chamberKey(row) ?? []))].slice(0, MOST_CHAMBERS);
  const bitOf: number[] = [];
  for (const row of cells.contests) {
    const chamber = chambers.indexOf(chamberKey(row) ?? '');
    bitOf[row.contest] = (chamber < 0 ? 0 : 1 << chamber) | (isFederal(row) ? 0 : 1 << MOST_CHAMBERS);
  }
  const bitsOf = new Int32Array(cells.units.length);
  cells.forEach((cell) => {
    const unit = cells.unitOf(cell);
    bitsOf[unit] = (bitsOf[unit] ?? 0) | (bitOf[cells.contestOf(cell)] ?? 0);
  });
  const areas = new Map<string, Mutable<AreaBallots>>();
  const areaOf = new Map<number, Mutable<AreaBallots>>();
  for (const [unit, ballots] of ballotsOf) {
    const { county_name = '', jurisdiction_name = '' } = cells.units[unit] ?? {};
    const key = `${county_name}\n${jurisdiction_name}`;
    const byChamber = new Map<string, number>();
    const area = areas.get(key) ?? {
      county_name,
      jurisdiction_name,
      ballots: 0,
      withState: 0,
      byChamber,
      byOffice: new Map<string, number>(),
    };
    areas.set(key, area);
    areaOf.set(unit, area);
    area.ballots += ballots;
    if (((bitsOf[unit] ?? 0) & (1 << MOST_CHAMBERS)) !== 0) area.withState += ballots;
    for (const [index, chamber] of chambers.entries())
      if (((bitsOf[unit] ?? 0) & (1 << index)) !== 0)
        area.byChamber.set(chamber, (area.byChamber.get(chamber) ?? 0) + ballots);
  }
  ofOffices.forEach((office, unit, votes) => {
    const byOffice = areaOf.get(unit)?.byOffice;
    byOffice?.set(String(office), (byOffice.get(String(office)) ?? 0) + votes);
  });
  return [...areas.values()];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends ReadonlyMap<infer K, infer V> ? Map<K, V> : T[Key] };

/** The chambers are bits of an integer: those of one election are at most three, by party in a primary. */
const MOST_CHAMBERS = 30;

/** Returns what the contests of a chamber have in common; undefined for another office, and for a special election. */
function chamberKey({ office, district, stage, special, party }: ContestRow): string | undefined {
  if (special || !/^0*\d+[A-Z]?$/i.test(district.trim())) return undefined;
  const key = officeKey(office);
  return /^(US|STATE) HOUSE$|^STATE SENATE$/.test(key) ? `${key} ${stage} ${party}`.toUpperCase() : undefined;
}

/** Returns whether a contest is one for Congress or the president, the only ones of some voters abroad. */
function isFederal({ office }: ContestRow): boolean {
  return /^(US |PRESIDENT)/.test(officeKey(office));
}

/** The fewest districts of a legislature whose numbers show that a file has all of them. */
const FEWEST_DISTRICTS = 10;

/** Returns the chambers of which a file has all districts: every precinct is in one of them. */
export function wholeChambers(contests: readonly ContestRow[]): ReadonlySet<string> {
  const known = Map.groupBy(contests, (row) => chamberKey(row) ?? '');
  known.delete('');
  const isWhole = (rows: readonly ContestRow[], key: string) => {
    const numbers = new Set(rows.map(({ district }) => Number.parseInt(district, 10)));
    const [row] = rows;
    if (key.startsWith('US ') && row)
      return numbers.size === houseSeats(row.state_po.toUpperCase(), `${Number(row.date.slice(0, 4)) + 1}-01-03`);
    return numbers.size >= FEWEST_DISTRICTS && Math.max(...numbers) === numbers.size && !numbers.has(0);
  };
  return new Set([...known].filter(([key, rows]) => isWhole(rows, key)).map(([key]) => key));
}

/** Names in the column of the county of ballots from abroad, which may be only for Congress. */
const NO_COUNTY = /\b(UOCAVA|OVERSEAS|MILITARY|FEDERAL)\b/i;

/** Returns the ballots of the areas that may be the district of a contest; `own` are the areas with a count of it. */
export function scopeBallots(
  row: ContestRow,
  own: readonly AreaRow[],
  all: readonly AreaBallots[],
  chambers: ReadonlySet<string>,
): ScopeBallots {
  const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, each) => total + of(each), 0);
  const counted = sum(own, ({ ballots }) => ballots ?? 0);
  const counties = new Set(own.map(({ county_name }) => county_name));
  const towns = new Set(own.map(({ county_name, jurisdiction_name }) => `${county_name}\n${jurisdiction_name}`));
  const ballotsOf = isFederal(row) ? ({ ballots }: AreaBallots) => ballots : ({ withState }: AreaBallots) => withState;
  const ofAreas = (isIn: (area: AreaBallots) => boolean) => {
    const own = all.filter(isIn);
    const most = sum(own, ({ byOffice }) => Math.max(0, ...byOffice.values()));
    return { all: sum(own, ballotsOf), counted, most };
  };
  const key = chamberKey(row);
  const chamber = (() => {
    if (key === undefined || !chambers.has(key)) return undefined;
    // A county without any contest of the chamber may be in each of its districts. Its precincts may have other names in each contest.
    const byCounty = Map.groupBy(
      all.filter(({ county_name }) => isArea(county_name) && !NO_COUNTY.test(county_name)),
      ({ county_name }) => county_name.toUpperCase(),
    );
    const isMisspelt = byCounty.size > (countyCount(row.state_po) ?? 0);
    const missing = sum(isMisspelt ? [] : [...byCounty.values()], (areas) =>
      sum(areas, ({ byChamber }) => byChamber.get(key) ?? 0) === 0 ? sum(areas, ballotsOf) : 0,
    );
    return { all: counted + missing, counted, most: Number.POSITIVE_INFINITY };
  })();
  return {
    state: ofAreas(() => true),
    counties: ofAreas(({ county_name }) => counties.has(county_name)),
    towns: ofAreas(({ county_name, jurisdiction_name }) => towns.has(`${county_name}\n${jurisdiction_name}`)),
    chamber,
  };
}
