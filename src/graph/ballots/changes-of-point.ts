import { addDays, type Day } from '../../base/dates.ts';
import type { DateRange } from '../elections/date-range.ts';
import type { CoveringRow } from './location-changes.store.ts';

/** A change of the boundaries of one layer that cover a point. */
export interface LocationChangeRow {
  readonly day: Day;
  readonly before: readonly CoveringRow[];
  readonly after: readonly CoveringRow[];
  /** Those of `before` whose districts are not in `after`, and the other way around. */
  readonly left: readonly CoveringRow[];
  readonly entered: readonly CoveringRow[];
}

/** The districts of one type and state at a point, and when they changed. */
export interface LocationLayerRow {
  readonly type: CoveringRow['type'];
  readonly state: string | null;
  /** The district whose boundary is out of date in the range, and since when: a newer map is not loaded. */
  readonly outdated: { readonly id: number; readonly since: Day } | null;
  /** Whether at least one of the boundaries, before it is out of date, covers the point on each day of the range. */
  readonly is_covered: boolean;
  readonly onFirstDay: readonly CoveringRow[];
  readonly onLastDay: readonly CoveringRow[];
  readonly changes: readonly LocationChangeRow[];
}

/** The last day on which a boundary applies to a point; null if no end is set and no newer map is known. */
function lastDayOf(row: CoveringRow, layer: readonly CoveringRow[]): Day | null {
  const end = endOf(row, layer);
  return isOutdated(row, end) ? addDays(row.newer_since, -1) : end;
}

/** Whether a newer map that is not loaded is in effect before the end of a boundary. */
function isOutdated<Row extends CoveringRow>(row: Row, end: Day | null): row is Row & { newer_since: Day } {
  return row.newer_since !== null && (end === null || end >= row.newer_since);
}

function endOf({ boundary_id, start_date, end_date, is_replaced }: CoveringRow, layer: readonly CoveringRow[]) {
  if (end_date === null || end_date <= start_date) return end_date;
  // The day on which one map ends and the next one begins belongs to the newer map.
  const isFollowed = layer.some((next) => next.start_date === end_date && next.boundary_id !== boundary_id);
  return is_replaced || isFollowed ? addDays(end_date, -1) : end_date;
}

/**
 * Returns what changed at a point in a range of days, layer by layer.
 * @param rows the boundaries of all periods that cover the point, those of a layer next to each other, by name.
 */
export function changesOfPoint(rows: readonly CoveringRow[], range: DateRange): LocationLayerRow[] {
  return [...Map.groupBy(rows, ({ type, state }) => `${type} ${state ?? ''}`).values()].map((layer) =>
    changesOfLayer(layer, range),
  );
}

/** The days that are before and after all maps. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'];

function changesOfLayer(layer: readonly CoveringRow[], { from, to }: DateRange): LocationLayerRow {
  const [{ type, state }] = layer as [CoveringRow];
  const periods = layer.map((row) => ({ row, first: row.start_date, last: lastDayOf(row, layer) }));
  const on = (day: Day) =>
    periods.filter(({ first, last }) => first <= day && (last === null || last >= day)).map(({ row }) => row);
  const ends = periods.flatMap(({ last }) => (last === null ? [] : [addDays(last, 1)]));
  const days = [...new Set([...layer.map(({ start_date }) => start_date), ...ends])]
    .filter((day) => (from == null || day > from) && (to == null || day <= to))
    .sort();
  const changes = days.flatMap((day): LocationChangeRow[] => {
    const [before, after] = [on(addDays(day, -1)), on(day)];
    const [left, entered] = [without('id', before, after), without('id', after, before)];
    const isSame = [without('boundary_id', before, after), without('boundary_id', after, before)].flat().length === 0;
    return isSame ? [] : [{ day, before, after, left, entered }];
  });
  const first = from ?? FIRST_DAY;
  const [outdated] = layer
    .filter((row) => isOutdated(row, endOf(row, layer)))
    .flatMap(({ id, newer_since: since }) => (since !== null && since <= (to ?? LAST_DAY) ? [{ id, since }] : []));
  return {
    type,
    state,
    outdated: outdated ?? null,
    is_covered: [first, ...days].every((day) => on(day).length > 0),
    onFirstDay: on(first),
    onLastDay: on(to ?? LAST_DAY),
    changes,
  };
}

/** Returns the rows of a list of which another one does not have the district or the boundary. */
export function without(
  column: 'id' | 'boundary_id',
  rows: readonly CoveringRow[],
  others: readonly CoveringRow[],
): CoveringRow[] {
  const ids = new Set(others.map((row) => row[column]));
  return rows.filter((row) => !ids.has(row[column]));
}
