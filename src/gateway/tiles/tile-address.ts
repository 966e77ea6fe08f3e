import { type Day, isCalendarDate } from '../../base/dates.ts';
import { type InvalidParameter, ServiceError } from '../../base/errors.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import type { Rectangle } from './tiles.store.ts';

/** The most detailed tiles: a unit of their grid is 2.4 m wide at the equator. Maps enlarge them for higher zooms. */
export const MAX_ZOOM = 12;

/** Square of the web Mercator projection: at zoom `z`, the world has 2^z tiles in each direction from its north-west. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** A district type on a day. */
export interface TileSet {
  readonly type: DistrictType;
  readonly day: Day;
}

type Parameters = Readonly<Record<string, string>>;

const TYPES = new Map<string, DistrictType>(DISTRICT_TYPES.map(([name, value]) => [name, value]));

/**
 * Reads a district type and a day from a path.
 * @throws ServiceError INVALID_PARAMETER
 */
export function readTileSet({ type = '', date = '' }: Parameters): TileSet {
  const found = TYPES.get(type);
  const problems: InvalidParameter[] = [
    ...(found === undefined ? [{ name: 'type', reason: `must be one of ${[...TYPES.keys()].join(', ')}` }] : []),
    ...(isCalendarDate(date)
      ? []
      : [{ name: 'date', reason: 'must be an existing day as YYYY-MM-DD, for example 2024-11-05' }]),
  ];
  if (found === undefined || problems.length > 0) throw invalid(problems);
  return { type: found, day: date };
}

/**
 * Reads the numbers of a tile from a path.
 * @throws ServiceError INVALID_PARAMETER if one is no number, or the zoom too high; NOT_FOUND if the zoom has no such
 * tile.
 */
export function readTile({ z = '', x = '', y = '' }: Parameters): Tile {
  const problems = Object.entries({ z, x, y })
    .filter(([, text]) => !/^(0|[1-9]\d{0,3})$/.test(text))
    .map(([name]) => ({ name, reason: 'must be a whole number without leading zeros' }));
  if (problems.length === 0 && Number(z) > MAX_ZOOM) {
    problems.push({ name: 'z', reason: `must be at most ${MAX_ZOOM}: enlarge these tiles for higher zooms` });
  }
  if (problems.length > 0) throw invalid(problems);
  const tile = { z: Number(z), x: Number(x), y: Number(y) };
  const last = 2 ** tile.z - 1;
  if (tile.x > last || tile.y > last) {
    throw new ServiceError('NOT_FOUND', `At zoom ${tile.z}, x and y of a tile are from 0 to ${last}.`);
  }
  return tile;
}

/** Returns the area of a tile in degrees, with a margin on all sides in tile widths. */
export function areaOf({ z, x, y }: Tile, margin: number): Rectangle {
  const count = 2 ** z;
  return {
    west: Math.max(longitudeAt((x - margin) / count), -180),
    south: latitudeAt((y + 1 + margin) / count),
    east: Math.min(longitudeAt((x + 1 + margin) / count), 180),
    north: latitudeAt((y - margin) / count),
  };
}

/** Returns the longitude at a share of the width of the world. */
function longitudeAt(share: number): number {
  return share * 360 - 180;
}

/** Returns the latitude at a share of the height of the world, from the north. */
function latitudeAt(share: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;
}

function invalid(problems: readonly InvalidParameter[]): ServiceError {
  const text = problems.map(({ name, reason }) => `${name} ${reason}`).join('; ');
  return new ServiceError('INVALID_PARAMETER', `${text}.`, problems);
}
