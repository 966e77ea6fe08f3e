import { join } from 'node:path';
import { stateByFips } from '../../base/words/states.ts';
import { readJson } from '../read/read-documents.ts';
import { topoFeatures } from '../read/topojson.ts';
import { usAtlasFolder } from '../read/us-atlas-files.ts';

/** Positions in degrees, which begin and end with the same one. */
type Ring = readonly (readonly number[])[];

/** A point this near to a state may be in it: outlines of states are coarse, and lack small islands. */
const NEAR_DEGREES = 0.25;
/** The size of the cells of a grid that are all near to a state, or all far. */
const CELL_DEGREES = 0.05;

/** The areas of the states, as far as they tell the points of one state from those of others. */
export class StateAreas {
  readonly #rings: ReadonlyMap<string, readonly Ring[]>;
  readonly #cells = new Map<string, boolean>();

  private constructor(rings: ReadonlyMap<string, readonly Ring[]>) {
    this.#rings = rings;
  }

  /** Reads the states of the npm package us-atlas. */
  static async read(): Promise<StateAreas> {
    const features = topoFeatures(await readJson(join(usAtlasFolder(), 'states-10m.json')), 'states');
    return new StateAreas(
      new Map(
        features.flatMap(({ id, geometry }): [string, Ring[]][] => {
          const state = stateByFips(id);
          return state ? [[state.postal, (geometry as { coordinates: Ring[][] }).coordinates.flat()]] : [];
        }),
      ),
    );
  }

  /** Returns whether a point is in a state (two letters) or near to it; true for a state without an area. */
  isNear(state: string, longitude: number, latitude: number): boolean {
    const rings = this.#rings.get(state);
    if (!rings) return true;
    const [x, y] = [Math.floor(longitude / CELL_DEGREES), Math.floor(latitude / CELL_DEGREES)];
    const key = `${state} ${x} ${y}`;
    const known = this.#cells.get(key);
    if (known !== undefined) return known;
    const [middleX, middleY] = [(x + 0.5) * CELL_DEGREES, (y + 0.5) * CELL_DEGREES];
    const found = isInside(rings, middleX, middleY) || isWithin(rings, middleX, middleY, NEAR_DEGREES + CELL_DEGREES);
    this.#cells.set(key, found);
    return found;
  }
}

/** Returns whether a point is inside an odd number of rings. */
function isInside(rings: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings)
    for (let at = 1; at < ring.length; at++) {
      const [ax = 0, ay = 0] = ring[at - 1] ?? [];
      const [bx = 0, by = 0] = ring[at] ?? [];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
  return inside;
}

/** Returns whether an edge is nearer than a number of degrees of latitude. */
function isWithin(rings: readonly Ring[], x: number, y: number, degrees: number): boolean {
  const narrow = Math.cos((y * Math.PI) / 180);
  return rings.some((ring) =>
    ring.some((position, at) => {
      const [ax = 0, ay = 0] = ring[at - 1] ?? position;
      const [bx = 0, by = 0] = position;
      const [dx, dy] = [(bx - ax) * narrow, by - ay];
      const [px, py] = [(x - ax) * narrow, y - ay];
      const along = dx === 0 && dy === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
      return Math.hypot(px - along * dx, py - along * dy) <= degrees;
    }),
  );
}
