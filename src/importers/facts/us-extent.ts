/**
 * The extent of the United States and their territories: from Guam across the antimeridian to the Virgin Islands, from
 * American Samoa to the north of Alaska.
 */
export const EAST_OF = 144;
export const WEST_OF = -64;
export const NORTH_OF = -15;
export const SOUTH_OF = 72;

/** The distance in degrees from the outline of a state up to which its islands may lie that the outline leaves out. */
export const OFFSHORE = 0.5;

/**
 * Returns a description of the first position that cannot be in the United States: longitude and latitude swapped, or
 * another projection whose numbers happen to be in range; undefined if there is none. The geometry has been checked
 * before.
 */
export function findOutside(geometry: unknown): string | undefined {
  const { type, coordinates } = geometry as { type: string; coordinates: number[][][] | number[][][][] };
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
  for (const ring of polygons.flat()) {
    for (const [longitude = 0, latitude = 0] of ring) {
      if (isOutside(longitude, latitude))
        return `has the position [${longitude}, ${latitude}], which is not in the United States`;
    }
  }
  return undefined;
}

/** Returns whether a position in degrees cannot be in the United States or their territories. */
export function isOutside(longitude: number, latitude: number): boolean {
  return (longitude > WEST_OF && longitude < EAST_OF) || latitude < NORTH_OF || latitude > SOUTH_OF;
}
