/**
 * In SQL, a subquery with the `id` of the boundary of a district that is in effect on a day, of two that share the day as
 * last and first day the newer; without a row when none is. The set-based twin of `inEffectOn` (specification,
 * Boundary-in-effect rules, 1).
 */
export function boundaryInEffect(districtId: string, day: string): string {
  return `(
    select b.id from boundaries b
    where b.district_id = ${districtId} and b.start_date <= ${day} and (b.end_date is null or ${day} <= b.end_date)
    order by b.start_date desc limit 1)`;
}

/**
 * The day that decides on the boundary of race `r` in election `e` (contract, Boundary of a race): the twin of
 * `referenceDay`.
 */
const referenceDay = `case when r.type = 'Special' then e.date
  else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31)) end`;

/** In SQL, the same of the boundary used for race `r` in election `e` for office `o`: `chooseBoundary`'s twin. */
export const boundaryOfRace = boundaryInEffect('o.district_id', `(${referenceDay})`);
