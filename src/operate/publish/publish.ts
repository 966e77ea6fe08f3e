import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Day } from '../../base/dates.ts';
import { folderError } from '../../base/folder-error.ts';
import { globalId } from '../../graph/builder/global-id.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import type { Database } from '../../store/sql/database.ts';
import { type CellFile, divide, type Tree } from './cells.ts';
import { EdgeCollector } from './edges.ts';
import { boundariesOn, type Extent, outlinesOf, sourcesOfBoundaries } from './outlines.store.ts';

export interface PublishOptions extends Extent {
  /** The days on which the published boundaries are in effect. */
  readonly days: readonly Day[];
  /** Whether one file contains all cells, of which clients request parts. */
  readonly pack?: boolean | undefined;
  /** The size of the file of a cell at most: larger ones tell less about who requests them, and take longer. */
  readonly mostBytes?: number;
}

/** The size of an index above which parts of it are files, and that of such a part at most, in bytes. */
const MOST_INDEX_BYTES = 40_000;
const MOST_PART_BYTES = 8_000;
/** How many vertices one statement reads, unless a boundary has more. */
const VERTICES_AT_ONCE = 200_000;
/** The digits of the name of a file, the hash of its content, without the suffix. */
const NAME_LENGTH = 16;
const OWN_NAME = /^[\da-f]{16}\.(bin|json|txt)$/;

const NAMES_OF_TYPES = new Map<string, string>(DISTRICT_TYPES.map(([name, type]) => [type, name]));

/** Reads the boundaries of all days, each once with the places of its days, their edges, and their sources. */
async function readBoundaries(db: Database, { days, ...extent }: PublishOptions) {
  const found: Awaited<ReturnType<typeof boundariesOn>>[] = [];
  for (const day of days) found.push(await boundariesOn(db, day, extent));
  const daysOf = new Map<number, number[]>();
  for (const [day, rows] of found.entries())
    for (const { id } of rows) daysOf.set(id, [...(daysOf.get(id) ?? []), day]);
  const unique = new Map(found.flat().map((row) => [row.id, row]));
  const rows = [...unique.values()].sort((one, other) => one.district_id - other.district_id || one.id - other.id);
  const collector = new EdgeCollector(rows.reduce((sum, { vertices }) => sum + vertices, 0));
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  let batch: number[] = [];
  let vertices = 0;
  for (const [place, row] of rows.entries()) {
    batch.push(row.id);
    vertices += row.vertices;
    if (vertices < VERTICES_AT_ONCE && place < rows.length - 1) continue;
    for (const { id, outline } of await outlinesOf(db, batch)) collector.add(outline, places.get(id) ?? 0);
    [batch, vertices] = [[], 0];
  }
  const sources = await sourcesOfBoundaries(db, [...unique.keys()]);
  return { rows: rows.map((row) => ({ ...row, days: daysOf.get(row.id) ?? [] })), collector, sources };
}

/**
 * Writes the boundaries in effect on some days to a folder, as cells that `openCells` of the client reads (docs/private.md).
 * What is there already stays. The index is written last, so that it never names a file that is missing.
 * @returns the names of the files that were written, and of those that the index no longer names.
 */
export async function publish(db: Database, folder: string, options: PublishOptions) {
  const { rows, collector, sources } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => readBoundaries(transaction, options));
  for (const state of options.states ?? [undefined]) {
    if (rows.some((row) => state === undefined || row.state === state)) continue;
    const types = options.types?.map((type) => NAMES_OF_TYPES.get(type)).join(', ') ?? 'any type';
    throw new Error(`No boundary of ${types} in ${state ?? 'any state'} is in effect on ${options.days.join(' or ')}.`);
  }

  const files = new Map<string, Uint8Array>();
  const packed: Uint8Array[] = [];
  let packedBytes = 0;
  /** Adds a file and returns its name in the index: the hash of its content, or its place in the packed file. */
  const add = (content: Uint8Array | string, suffix: string, isPacked = options.pack): string => {
    const bytes = Buffer.from(content as string);
    if (isPacked) {
      const place = [packedBytes, bytes.length].map((value) => value.toString(16).padStart(NAME_LENGTH / 2, '0'));
      packed.push(bytes);
      packedBytes += bytes.length;
      return place.join('');
    }
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, NAME_LENGTH);
    files.set(`${name}.${suffix}`, bytes);
    return name;
  };

  const cellsOfStates = new Map<string, Set<string>>();
  const addCell = ({ bytes, boundaries }: CellFile): string => {
    const own = boundaries.flatMap((place) => rows[place] ?? []);
    const districts = own.map(({ district_id, type, name, state, days }) => {
      const district = [district_id, globalId('District', district_id), NAMES_OF_TYPES.get(type), name, state];
      return days.length === options.days.length ? district : [...district, days];
    });
    const names = add(bytes, 'bin') + add(JSON.stringify(districts), 'json');
    for (const { state } of own)
      if (state !== null) cellsOfStates.set(state, (cellsOfStates.get(state) ?? new Set()).add(names));
    return names;
  };
  type Named = string | { readonly axis: string; readonly halves: readonly Named[] };
  const named = (tree: Tree): Named => {
    if (tree === null) return '.';
    return 'bytes' in tree ? `c${addCell(tree)}` : { axis: tree.axis, halves: tree.halves.map(named) };
  };
  const textOf = (tree: Named): string =>
    typeof tree === 'string' ? tree : tree.axis + tree.halves.map(textOf).join('');
  const shortened = (tree: Named): string => {
    const text = textOf(tree);
    if (typeof tree === 'string') return text;
    return text.length > MOST_PART_BYTES ? tree.axis + tree.halves.map(shortened).join('') : `i${add(text, 'txt')}`;
  };
  const tree = named(divide(collector.join(), options.mostBytes));
  const isOfType = (type: string) => (row: { readonly type: string }) => row.type === type;
  const layers = DISTRICT_TYPES.filter(([, type]) => rows.some(isOfType(type)));
  const index = {
    format: 1,
    days: options.days,
    layers: layers.map(([name]) => name),
    tree: textOf(tree).length > MOST_INDEX_BYTES ? shortened(tree) : textOf(tree),
    states: Object.fromEntries(
      [...cellsOfStates].sort().map(([state, cells]) => [state, add(JSON.stringify([...cells].sort()), 'json')]),
    ),
    ...(options.pack && { pack: `${add(Buffer.concat(packed), 'bin', false)}.bin` }),
  };
  const manifest = {
    days: options.days,
    boundaries: Object.fromEntries(layers.map(([name, type]) => [name, rows.filter(isOfType(type)).length])),
    states: Object.keys(index.states),
    sources: sources.map(({ name, source, license, as_of }) => ({ name, source, license, asOf: as_of })),
  };
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  files.set('index.json', Buffer.from(JSON.stringify(index)));
  const written = await write(folder, files).catch((error) => {
    throw folderError('FOLDER', folder, error);
  });
  const obsolete = (await readdir(folder)).filter((name) => OWN_NAME.test(name) && !files.has(name)).sort();
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  return { boundaries: rows.length, files: files.size, bytes, written, obsolete };
}

/** Writes the files whose content differs, and returns their names. No reader sees a part of a file. */
async function write(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    if ((await readFile(path).catch(() => undefined))?.equals(bytes)) continue;
    const unfinished = `${path}.${process.pid}.unfinished`;
    await writeFile(unfinished, bytes, { flush: true });
    await rename(unfinished, path);
    written.push(name);
  }
  return written;
}
