/**
 * The counties and equivalents of the states that hold elections by county (Census Bureau): the eight counties of Connecticut
 * before 2022, and four of Hawaii, whose fifth has no elections of its own. Alaska has no results by county.
 */
const COUNTS = new Map(
  `AL67 AZ15 AR75 CA58 CO64 CT8 DE3 FL67 GA159 HI4 ID44 IL102 IN92 IA99 KS105 KY120 LA64 ME16 MD24 MA14 MI83 MN87 MS82 MO115
  MT56 NE93 NV17 NH10 NJ21 NM33 NY62 NC100 ND53 OH88 OK77 OR36 PA67 RI5 SC46 SD66 TN95 TX254 UT29 VT14 VA133 WA39 WV55 WI72
  WY23`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Returns the number of counties of a state (two letters); undefined if it has no results by county. */
export function countyCount(state: string): number | undefined {
  return COUNTS.get(state.toUpperCase());
}
