import { type Edge, UNITS } from '../../../clients/typescript/src/cell.ts';

/** The edges of outlines, each once with the boundaries that it separates, which are named by their places in a list. */
export interface Edges {
  /** Where edges that separate something are, sorted by their ends. */
  readonly places: Uint32Array;
  at(place: number): Edge;
  /** The sorted boundaries that an edge separates: the same array for the same ones. */
  separates(place: number): readonly number[];
}

/** Collects the edges of outlines in well-known binary. */
export class EdgeCollector {
  readonly #ends: Int32Array;
  readonly #boundary: Uint32Array;
  #count = 0;

  /** @param vertices the number of vertices of all outlines. */
  constructor(vertices: number) {
    this.#ends = new Int32Array(vertices * 4);
    this.#boundary = new Uint32Array(vertices);
  }

  /** Adds the edges of a multipolygon. Vertices are moved to whole units. */
  add(outline: Buffer, boundary: number): void {
    let at = 5;
    const count = () => {
      at += 4;
      return outline.readUInt32LE(at - 4);
    };
    const units = () => {
      at += 8;
      return Math.round(outline.readDoubleLE(at - 8) * UNITS);
    };
    for (let polygons = count(); polygons > 0; polygons--) {
      at += 5;
      for (let rings = count(); rings > 0; rings--) {
        let vertices = count() - 1;
        for (let [x, y] = [units(), units()]; vertices > 0; vertices--) {
          const [nextX, nextY] = [units(), units()];
          if (x !== nextX || y !== nextY) {
            const isEastwards = x < nextX || (x === nextX && y < nextY);
            this.#ends.set(isEastwards ? [x, y, nextX, nextY] : [nextX, nextY, x, y], this.#count * 4);
            this.#boundary[this.#count++] = boundary;
          }
          [x, y] = [nextX, nextY];
        }
      }
    }
  }

  /** Joins equal edges. One that is twice in the same boundary separates nothing there. */
  join(): Edges {
    const [ends, boundary] = [this.#ends, this.#boundary];
    const compare = (one: number, other: number) => {
      for (let each = 0; each < 4; each++) {
        const difference = (ends[one * 4 + each] ?? 0) - (ends[other * 4 + each] ?? 0);
        if (difference !== 0) return difference;
      }
      return 0;
    };
    const sorted = Uint32Array.from({ length: this.#count }, (_, place) => place).sort(compare);
    const lists: (readonly number[])[] = [];
    const numbers = new Map<string, number>();
    const numberOf = new Uint32Array(this.#count);
    let joined = 0;
    for (let from = 0; from < sorted.length; ) {
      const first = sorted[from] as number;
      const list = new Set<number>();
      for (; from < sorted.length && compare(first, sorted[from] as number) === 0; from++) {
        const each = boundary[sorted[from] as number] as number;
        if (!list.delete(each)) list.add(each);
      }
      if (list.size === 0) continue;
      const separated = [...list].sort((one, other) => one - other);
      const text = separated.join();
      const number = numbers.get(text) ?? lists.push(separated) - 1;
      numbers.set(text, number);
      numberOf[first] = number;
      sorted[joined++] = first;
    }
    return {
      places: sorted.slice(0, joined),
      at: (place) => {
        const at = place * 4;
        return [ends[at] ?? 0, ends[at + 1] ?? 0, ends[at + 2] ?? 0, ends[at + 3] ?? 0];
      },
      separates: (place) => lists[numberOf[place] ?? 0] ?? [],
    };
  }
}
