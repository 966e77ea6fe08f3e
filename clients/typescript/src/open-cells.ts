import { type Box, type Cell, halvesOf, readCell, searchCell, UNITS, WORLD } from './cell.ts';

/** A district, as the published files describe it. */
export interface CellDistrict {
  /** The global ID in GraphQL, as in `nodes(ids:)`. */
  readonly id: string;
  /** The number in REST, which is `databaseId` in GraphQL. */
  readonly databaseId: number;
  /** The type as GraphQL names it, for example `CONGRESS`. */
  readonly type: string;
  readonly name: string;
  /** Two letters; `US` for the country, null if it is of no single state. */
  readonly state: string | null;
}

export interface DistrictsOfPoint {
  /** The districts of the point, and those on both sides of an edge that is near, sorted by number. */
  readonly districts: readonly CellDistrict[];
  /** Whether an edge is within 16 cm, where the rounding of the published outlines may decide. */
  readonly isNear: boolean;
  /** Those of `districts` on either side of the edges that are near: it is not certain which of them have the point. */
  readonly sides: readonly CellDistrict[];
}

/** A line that separates districts. */
export interface CellLine {
  readonly districts: readonly CellDistrict[];
  readonly points: readonly (readonly [longitude: number, latitude: number])[];
}

export interface CellPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export interface OnDay {
  /** One of the published days; the first one by default. */
  readonly on?: string;
}

/** Published boundaries. Files that were loaded are kept as long as this object. */
export interface Cells {
  /** The days, the types of districts and the states (`US` for the country) that are published: nothing is known of others. */
  readonly days: readonly string[];
  readonly layers: readonly string[];
  readonly states: readonly string[];
  /**
   * Finds the districts of a point. Requests the file of its cell, the names of its districts and a part of the index, unless
   * they are known.
   * @throws RangeError for a point that does not exist, or a day that is not published; Error for a file that cannot be read.
   */
  districtsOf(point: CellPoint, options?: OnDay): Promise<DistrictsOfPoint>;
  /** Loads all cells of a state and the whole index, so that no look-up in the state requests anything. */
  prefetch(state: string): Promise<void>;
  /** Returns the lines in the cell of a point, or in all cells of a state, to draw them. */
  linesOf(where: CellPoint | string, options?: OnDay): Promise<CellLine[]>;
}

interface Index {
  readonly format: number;
  readonly days: readonly string[];
  readonly layers: readonly string[];
  /** The name of the file that lists the cells of a state, by state. */
  readonly states: Readonly<Record<string, string>>;
  readonly tree: string;
  /** The file that contains all others; their names are then their offset and length in it. */
  readonly pack?: string;
}

/** Nothing, the names of a cell and of its districts, the name of a part of the index, or two halves. */
type Node = null | string | { readonly axis: 'x' | 'y'; readonly halves: readonly [Node, Node] };

interface LoadedCell extends Cell {
  readonly box: Box;
  readonly districts: readonly (readonly [CellDistrict, days: readonly number[] | undefined])[];
}

const FORMAT = 1;
/** The length of the name of a file without its suffix. */
const NAME = 16;
/** How many files are loaded at a time. */
const AT_ONCE = 6;

/**
 * Opens the folder that `npm run publish` wrote. Points are looked up here: who serves the folder learns a cell, or only a
 * state after `prefetch`, never the point.
 * @param options `fetch` replaces the global one.
 */
export async function openCells(url: string, options: { readonly fetch?: typeof fetch } = {}): Promise<Cells> {
  const base = url.replace(/\/*$/, '/');
  const files = new Map<string, Promise<unknown>>();

  async function request(name: string, init: RequestInit = {}): Promise<Response> {
    // The address of the page may contain a point, and cookies would name the visitor.
    const privately: RequestInit = { ...init, referrerPolicy: 'no-referrer', credentials: 'omit' };
    const response = await (options.fetch ?? fetch)(base + name, privately).catch((cause) => {
      throw new Error(`${base}${name} cannot be loaded: ${(cause as Error).message}`, { cause });
    });
    if (response.ok) return response;
    throw new Error(`${base}${name} cannot be loaded: HTTP status ${response.status}`);
  }

  async function bytesOf(file: string): Promise<Uint8Array> {
    if (index.pack === undefined) return new Uint8Array(await (await request(file)).arrayBuffer());
    const [start, length] = [parseInt(file.slice(0, NAME / 2), 16), parseInt(file.slice(NAME / 2, NAME), 16)];
    const response = await request(index.pack, { headers: { range: `bytes=${start}-${start + length - 1}` } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return response.status === 206 ? bytes : bytes.subarray(start, start + length); // A server may ignore the range.
  }

  /** Loads a file and reads it, once. One that failed is loaded again when it is needed again. */
  function load<Value>(file: string, read: (bytes: Uint8Array) => Value): Promise<Value> {
    const loaded =
      (files.get(file) as Promise<Value>) ??
      bytesOf(file).then((bytes) => {
        try {
          return read(bytes);
        } catch (cause) {
          throw new Error(`${base}${file} cannot be read: ${(cause as Error).message}`, { cause });
        }
      });
    files.set(file, loaded);
    loaded.catch(() => files.delete(file));
    return loaded;
  }
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  async function loadCell(names: string, box: Box): Promise<LoadedCell> {
    const [cell, fields] = await Promise.all([
      load(`${names.slice(0, NAME)}.bin`, readCell),
      load(
        `${names.slice(NAME)}.json`,
        (bytes) => JSON.parse(textOf(bytes)) as [number, string, string, string, string | null, number[]?][],
      ),
    ]);
    if (cell.size !== fields.length) throw new Error(`${base} has a cell without its districts: ${names}`);
    return {
      ...cell,
      box,
      districts: fields.map(([databaseId, id, type, name, state, days]) => [
        { id, databaseId, type, name, state },
        days,
      ]),
    };
  }

  /** Returns the names of the cells of a point, or of all. */
  async function namesOf(
    point: readonly [x: number, y: number] | undefined,
    node = tree,
    box = WORLD,
  ): Promise<[string, Box][]> {
    if (node === null) return [];
    if (typeof node === 'string') {
      if (node.length > NAME) return [[node, box]];
      return namesOf(point, await load(`${node}.txt`, (bytes) => readTree(textOf(bytes))), box);
    }
    const [low, high] = halvesOf(box, node.axis);
    const isHigh = point && (point[0] > low[2] || point[1] > low[3]);
    const found = [
      isHigh ? [] : namesOf(point, node.halves[0], low),
      isHigh === false ? [] : namesOf(point, node.halves[1], high),
    ];
    return (await Promise.all(found)).flat();
  }

  /** Returns the cells of a point with it in units, twice on the 180th meridian, where both longitudes are the same place. */
  async function cellsOf({ latitude, longitude }: CellPoint) {
    const [x, y] = [unitsOf('longitude', longitude, 180), unitsOf('latitude', latitude, 90)];
    const found = (Math.abs(longitude) === 180 ? [x, -x] : [x]).map(async (px) => {
      const cells = await namesOf([px, y]);
      return Promise.all(cells.map(async ([names, box]) => ({ x: px, y, cell: await loadCell(names, box) })));
    });
    return (await Promise.all(found)).flat();
  }

  async function cellsOfState(state: string): Promise<LoadedCell[]> {
    const list = Object.hasOwn(index.states, state) ? index.states[state] : undefined;
    if (list === undefined) throw new RangeError(`${state} is not published: ${Object.keys(index.states).join(', ')}`);
    const wanted = new Set(await load(`${list}.json`, (bytes) => JSON.parse(textOf(bytes)) as string[]));
    const queue = (await namesOf(undefined)).filter(([names]) => wanted.has(names)).values();
    const cells: LoadedCell[] = [];
    const work = async () => {
      for (const [names, box] of queue) cells.push(await loadCell(names, box));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return cells;
  }

  /** Returns the function that finds the districts at positions of a cell on a day. */
  function onDay({ on = index.days[0] }: OnDay = {}) {
    const day = index.days.indexOf(on ?? '');
    if (day === -1) throw new RangeError(`${on} is not published: ${index.days.join(', ')}`);
    return ({ districts }: LoadedCell, positions: Iterable<number>) =>
      [...positions].flatMap((position) => {
        const [district, days] = districts[position] ?? [];
        return district && (days === undefined || days.includes(day)) ? district : [];
      });
  }

  const index = (await (await request('index.json', { cache: 'no-cache' })).json().catch(() => ({}))) as Index;
  if (index.format !== FORMAT) throw new Error(`${base}index.json is no index of cells of format ${FORMAT}`);
  const tree = readTree(index.tree);

  return {
    days: index.days,
    layers: index.layers,
    states: Object.keys(index.states),
    async districtsOf(point, day) {
      const at = onDay(day);
      const all = new Map<number, CellDistrict>();
      const nearby = new Set<number>();
      for (const { x, y, cell } of await cellsOf(point)) {
        const { inside, sides } = searchCell(cell, x - cell.box[0], y - cell.box[1]);
        for (const district of at(cell, [...inside, ...sides])) all.set(district.databaseId, district);
        for (const { databaseId } of at(cell, sides)) nearby.add(databaseId);
      }
      const districts = [...all.values()].sort((one, other) => one.databaseId - other.databaseId);
      return {
        districts,
        isNear: nearby.size > 0,
        sides: districts.filter(({ databaseId }) => nearby.has(databaseId)),
      };
    },
    async prefetch(state) {
      await cellsOfState(state);
    },
    async linesOf(where, day) {
      const at = onDay(day);
      const cells =
        typeof where === 'string' ? await cellsOfState(where) : (await cellsOf(where)).map(({ cell }) => cell);
      return cells.flatMap((cell) =>
        cell.groups.flatMap((group) => {
          const districts = at(cell, group.districts);
          return districts.length === 0
            ? []
            : group.lines.map((line) => ({ districts, points: pointsOf(line, cell.box) }));
        }),
      );
    },
  };
}

function pointsOf(line: readonly number[], [west, south]: Box) {
  return Array.from({ length: line.length / 2 }, (_, at) => {
    return [((line[2 * at] ?? 0) + west) / UNITS, ((line[2 * at + 1] ?? 0) + south) / UNITS] as const;
  });
}

/** Returns a coordinate in units; a whole number where only the multiplication made it another. */
function unitsOf(name: string, degrees: number, most: number): number {
  if (!(Math.abs(degrees) <= most)) throw new RangeError(`${name} must be a number from -${most} to ${most}`);
  const units = degrees * UNITS;
  return Math.abs(units - Math.round(units)) < 1e-5 ? Math.round(units) : units;
}

/** Reads an index: the halves of the world, the low one first, down to cells. */
function readTree(text: string): Node {
  let at = 0;
  const names = (length: number) => {
    const read = text.slice(at, at + length);
    at += length;
    if (!/^([\da-f]{16})+$/.test(read)) throw new RangeError('the index is cut off, or none');
    return read;
  };
  const node = (): Node => {
    const kind = text[at++];
    if (kind === '.') return null;
    if (kind === 'c') return names(2 * NAME);
    if (kind === 'i') return names(NAME);
    if (kind !== 'x' && kind !== 'y') throw new RangeError('the index is cut off, or none');
    return { axis: kind, halves: [node(), node()] };
  };
  return node();
}
