import type { Camera, Point } from './place-address.ts';

/** The width of the world in units of the SVG maps, as the server draws the states. */
export const WORLD = 36_000;

export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A rectangle in map units. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Shape {
  readonly type: string;
  readonly coordinates: readonly (readonly (readonly Position[])[])[] | readonly (readonly Position[])[];
}
type Position = readonly [longitude: number, latitude: number];

export const LOWER_48: BoundingBox = { west: -125, south: 24.3, east: -66.7, north: 49.6 };
const ALASKA: BoundingBox = { west: -180, south: 51, east: -129.5, north: 71.5 };

/** Converts degrees to map units (web Mercator). */
export function project([longitude, latitude]: Position): [x: number, y: number] {
  const y = Math.asinh(Math.tan((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180));
  return [((longitude + 180) / 360) * WORLD, ((1 - y / Math.PI) / 2) * WORLD];
}

/** Converts map units to degrees. */
export function unproject(x: number, y: number): Point {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD))) * 180) / Math.PI;
  return { longitude: (x / WORLD) * 360 - 180, latitude };
}

/** Returns a bounding box in map units, with a share of its size around it. */
export function frameOf(box: BoundingBox, margin = 0): Frame {
  const [x, y] = project([box.west, box.north]);
  const [right, bottom] = project([box.east, box.south]);
  const [width, height] = [right - x, bottom - y];
  return {
    x: x - width * margin,
    y: y - height * margin,
    width: width * (1 + 2 * margin),
    height: height * (1 + 2 * margin),
  };
}

/** The side of the world at zoom 0, in pixels. */
const WORLD_PIXELS = 512;

/** Returns what a camera shows on a map with a size in pixels. */
export function frameAt({ longitude, latitude, zoom }: Camera, width: number, height: number): Frame {
  const unit = WORLD / (WORLD_PIXELS * 2 ** zoom);
  const [x, y] = project([longitude, latitude]);
  return { x: x - (width * unit) / 2, y: y - (height * unit) / 2, width: width * unit, height: height * unit };
}

/** Returns the camera for the part of the world that a map shows, with its width in pixels. */
export function cameraOf({ x, y, width, height }: Frame, pixels: number): Camera {
  return { ...unproject(x + width / 2, y + height / 2), zoom: Math.log2((WORLD * pixels) / (width * WORLD_PIXELS)) };
}

/** Returns the part of a bounding box to show: a box around the world belongs to the country, or to Alaska. */
export function visibleBox(type: string, box: BoundingBox): BoundingBox {
  if (type === 'COUNTRY') return LOWER_48;
  return box.east - box.west > 180 ? ALASKA : box;
}

/** Returns the width of a bounding box in metres. */
export function widthOf({ west, south, east, north }: BoundingBox): number {
  const across = (east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180);
  return Math.max(across, north - south) * 111_320;
}

/** Returns the path of a GeoJSON polygon in map units, with a number of decimals. */
export function pathOf(shape: unknown, decimals: number): string {
  const { type, coordinates } = shape as Shape;
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as readonly (readonly (readonly Position[])[])[];
  return polygons
    .flat()
    .map((ring) => `M${ring.map((position) => project(position).map((unit) => unit.toFixed(decimals))).join('L')}Z`)
    .join('');
}
