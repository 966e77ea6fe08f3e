/**
 * Returns an SQL subquery with the `id` of the boundary of a district in effect on a day; without a row when there is
 * none. If one boundary ends on the day on which the next one begins, the newer is in effect. SQL equivalent of
 * `inEffectOn` (specification, Boundary-in-effect rules, 1).
 */
export function boundaryInEffect(districtId: string, day: string): string {
  return `(
    select b.id from boundaries b
    where b.district_id = ${districtId} and b.start_date <= ${day} and (b.end_date is null or ${day} <= b.end_date)
    order by b.start_date desc limit 1)`;
}

/**
 * SQL equivalent of `referenceDay`: the day that determines the boundary of race `r` in election `e` (contract,
 * Boundary of a race).
 */
const referenceDay = `case when r.type = 'Special' then e.date
  else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31)) end`;

/**
 * SQL equivalent of `chooseBoundary`: a subquery with the boundary used for race `r` in election `e` for office `o`.
 */
export const boundaryOfRace = boundaryInEffect('o.district_id', `(${referenceDay})`);
