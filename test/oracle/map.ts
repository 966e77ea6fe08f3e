import type { Draw } from '../drawn/random.ts';
import { addDays } from './days.ts';
import { block, cell, type Frame, type Grid, islandIn, type MultiPolygon, makeGrid, wholeGrid } from './shapes.ts';

export interface Period {
  readonly start: string;
  readonly end: string | null;
}

export interface DrawnDistrict {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly state: string | null;
  readonly maps: readonly { readonly period: Period; readonly shape: MultiPolygon }[];
}

/** Where countries lie: inland, on both sides of ±180, around a pole, and at the origin. */
const PLACES: Readonly<Record<string, readonly Frame[]>> = {
  inland: [[-104, 36, -80, 48]],
  dateline: [
    [172, 48, 180, 60],
    [-180, 48, -168, 60],
  ],
  'north pole': [[-180, 78, 180, 90]],
  'south pole': [[-180, -90, 180, -84]],
  origin: [[-6, -6, 6, 6]],
};

/** The last and the first days of maps: of a year, of a congress, around leap days, and any. */
const TURNS = ['2019-12-31', '2023-01-03', '2020-02-29', '2021-02-28', '2024-02-29', '2022-11-08', '2018-01-01'];

/** The periods of the maps of a district: up to three, that share a day, adjoin or have a gap; the last may have ended. */
function drawPeriods(draw: Draw, maps: number): Period[] {
  const turns = draw
    .some(TURNS, 0.6)
    .concat('2025-01-20')
    .toSorted()
    .slice(0, maps - 1);
  const starts = ['2011-01-01', ...turns.map((turn) => addDays(turn, draw.pick([0, 0, 1, 20])))];
  return starts.map((start, index) => {
    const end = turns[index] ?? (draw.chance(0.2) ? draw.pick(['2025-06-30', '2026-02-28']) : null);
    return { start, end };
  });
}

/** Draws the districts of a country: of several types and maps, which share edges, corners and holes. */
export function drawDistricts(draw: Draw): DrawnDistrict[] {
  const frames = draw
    .some(Object.keys(PLACES), 0.6)
    .concat('inland')
    .flatMap((place) => PLACES[place] ?? []);
  const districts: DrawnDistrict[] = [];
  const add = (type: string, state: string | null, shapes: readonly MultiPolygon[]) => {
    const id = districts.length + 1;
    // A district without any shape is known by its name only.
    const periods = drawPeriods(draw, shapes.length);
    const maps = periods.flatMap((period, index) => (shapes[index] ? [{ period, shape: shapes[index] }] : []));
    // Some have the same name, so that the id decides their order.
    districts.push({ id, type, name: `${type} ${draw.integer(1, 12)}`, state, maps });
  };
  const grids = [...new Set(frames)].map((frame) => drawGrids(draw, frame));
  add('Country', 'US', [grids.map(([grid]) => wholeGrid(grid))]);
  // A state on both sides of ±180, or of two parts that touch nowhere.
  if (grids.length > 1) add('State', 'AK', [grids.slice(0, 2).map(([grid]) => wholeGrid(grid))]);
  for (const [index, versions] of grids.entries())
    addParts(draw, add, versions, ['VT', 'ME', 'NM', 'HI'][index % 4] ?? 'VT');
  add('Special District', null, []);
  return districts;
}

type Versions = readonly [Grid, Grid, Grid];

/** Three grids of a frame that differ inside only: a map and its successors. */
function drawGrids(draw: Draw, frame: Frame): Versions {
  // The importer takes an edge of more than 180 degrees for one across the 180th meridian.
  const isWide = frame[2] - frame[0] > 180;
  const [columns, rows] = [isWide ? 4 : draw.integer(2, 4), draw.integer(2, 3)];
  return [
    makeGrid(draw, frame, columns, rows),
    makeGrid(draw, frame, columns, rows),
    makeGrid(draw, frame, columns, rows),
  ];
}

type Add = (type: string, state: string | null, shapes: readonly MultiPolygon[]) => void;

function addParts(draw: Draw, add: Add, versions: Versions, state: string): void {
  const [first, second, third] = versions;
  const { columns, rows } = first;
  const every = (make: (grid: Grid) => MultiPolygon) => versions.slice(0, draw.integer(1, 3)).map(make);
  for (let row = 0; row < rows; row++)
    add(
      'State',
      state,
      every((grid) => [block(grid, [0, columns], [row, row + 1])]),
    );
  for (let column = 0; column < columns; column++) {
    // Redrawn from columns to rows.
    const row = column % rows;
    const shapes: MultiPolygon[] = [
      [block(first, [column, column + 1], [0, rows])],
      [block(second, [0, columns], [row, row + 1])],
      [cell(third, column, row)],
    ];
    add('Congress', state, shapes.slice(0, draw.integer(1, 3)));
    for (let row = 0; row < rows; row++) add('County', draw.pick([state, null]), [[cell(first, column, row)]]);
  }
  const [column, row] = [draw.integer(0, columns - 1), draw.integer(0, rows - 1)];
  const { island, rest } = islandIn(first, column, row, draw.pick([8, 64, 700]));
  add('City-town', state, [[island]]);
  add('School District', state, [[rest], [island]].slice(0, draw.integer(1, 2)));
  // Precincts: cells of one map or of two, some of which have lost their neighbour.
  for (let index = 0; index < columns * rows; index++)
    if (draw.chance(0.8)) {
      const [across, up] = [index % columns, Math.floor(index / columns)];
      add('Precinct', state, [[cell(first, across, up)], [cell(second, across, up)]].slice(0, draw.integer(1, 2)));
    }
  // Cells that touch in a corner only.
  add('Judicial District', null, [[cell(first, 0, 0), cell(first, 1, 1)]]);
}
