import type { Day } from '../../base/dates.ts';
import type { State } from '../../base/words/states.ts';

interface Apportionment {
  /** The first day of the first Congress that was elected under it. */
  readonly from: Day;
  /** The first day on which the next one applies. */
  readonly to: Day;
  readonly seats: ReadonlyMap<string, number>;
}

/**
 * The seats of the states in the House of Representatives after the censuses of 2010 and 2020 (2 U.S.C. 2a; tables of
 * the Census Bureau).
 */
export const APPORTIONMENTS: readonly Apportionment[] = [
  {
    from: '2013-01-03',
    to: '2023-01-03',
    seats: seatsOf(`
      AL7 AK1 AZ9 AR4 CA53 CO7 CT5 DE1 FL27 GA14 HI2 ID2 IL18 IN9 IA4 KS4 KY6 LA6 ME2 MD8 MA9 MI14 MN8 MS4 MO8 MT1 NE3
      NV4 NH2 NJ12 NM3 NY27 NC13 ND1 OH16 OK5 OR5 PA18 RI2 SC7 SD1 TN9 TX36 UT4 VT1 VA11 WA10 WV3 WI8 WY1`),
  },
  {
    from: '2023-01-03',
    to: '2033-01-03',
    seats: seatsOf(`
      AL7 AK1 AZ9 AR4 CA52 CO8 CT5 DE1 FL28 GA14 HI2 ID2 IL17 IN9 IA4 KS4 KY6 LA6 ME2 MD8 MA9 MI13 MN8 MS4 MO8 MT2 NE3
      NV4 NH2 NJ12 NM3 NY26 NC14 ND1 OH15 OK5 OR6 PA17 RI2 SC7 SD1 TN9 TX38 UT4 VT1 VA11 WA10 WV2 WI8 WY1`),
  },
];

function seatsOf(table: string): ReadonlyMap<string, number> {
  return new Map(
    table
      .trim()
      .split(/\s+/)
      .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
  );
}

/**
 * Returns the number of Congress districts of a state (two letters) on a day; undefined for DC and the territories, and
 * for days before 2013-01-03 or from 2033-01-03 on.
 */
export function houseSeats(state: string, day: Day): number | undefined {
  return APPORTIONMENTS.find(({ from, to }) => from <= day && day < to)?.seats.get(state);
}

/** No state had more districts since there are districts in all states. */
const MOST_DISTRICTS = 53;

/**
 * Returns the number of a district of Congress as districts have it, 0 for one at large; the reason if the state has no such
 * district in an election.
 * @param isSpecial true if who is elected sits in the Congress of that day.
 */
export function houseDistrict(
  { kind, postal }: State,
  { date, isSpecial }: { readonly date: Day; readonly isSpecial: boolean },
  number: number,
): number | string {
  const seats = kind === 'state' ? houseSeats(postal, isSpecial ? date : `${Number(date.slice(0, 4)) + 1}-01-03`) : 1;
  if (seats === 1 && number <= 1) return 0;
  if (seats !== undefined && number === 0) return 'the source does not name the district';
  if (number > (seats ?? MOST_DISTRICTS))
    return `the state has ${seats ?? `at most ${MOST_DISTRICTS}`} districts of Congress, but no district ${number}`;
  return number;
}
