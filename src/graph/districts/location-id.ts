import { globalId } from '../builder/global-id.ts';
import { readPoint } from '../builder/scalars.ts';
import type { Point } from './districts.store.ts';

/** Returns the global id of a point. Its key is the point itself, so nothing has to be stored to find it again. */
export function locationId({ latitude, longitude }: Point): string {
  return globalId('Location', `${latitude + 0},${longitude + 0}`);
}

/** Returns the point with the key in its global id; null if the key is not one that `locationId` creates. */
export function pointOfKey(key: string): Point | null {
  const [latitude, longitude] = key.split(',').map(Number);
  const point = readPoint({ latitude, longitude });
  return point && locationId(point) === globalId('Location', key) ? point : null;
}
