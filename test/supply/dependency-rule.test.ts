import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { beforeAll, describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
/** The wings of `src`, the lowest first; those of one line do not import each other. A file of `src` itself is a program. */
const WINGS = [['base'], ['store'], ['graph', 'importers'], ['gateway'], ['operate'], ['programs']];
/**
 * The rooms of the wings that have some, the lowest first: a file may import, types included, only from its own room, from
 * lower rooms of its wing, and from lower wings. A wing's name stands for the files that lie in none of its rooms. The
 * schema and its domains do not depend on HTTP, so that `http` can name the context of resolvers.
 */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  store: [['sql', 'embedded'], ['store'], ['reading']],
  graph: [
    ['builder'],
    ['districts'],
    ['officials', 'elections'],
    ['ballots'],
    ['voting'],
    ['provenance'],
    ['places'],
    ['graph'],
  ],
  importers: [['exchange'], ['read'], ['facts'], ['results', 'load'], ['sources'], ['importers']],
  gateway: [
    ['access', 'redis', 'names'],
    ['cache', 'http'],
    ['graphql'],
    ['exports', 'mcp', 'tiles'],
    ['rest'],
    ['pages'],
    ['gateway'],
  ],
  operate: [['integrity', 'publish', 'start'], ['commands']],
};

/** The imported files of each file of `src`. */
const imports = new Map<string, string[]>();

const wingOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'programs');
const levelIn = (levels: readonly (readonly string[])[], name: string) =>
  levels.findIndex((names) => names.includes(name));
/** The room of a file; its wing if it lies in none. */
function roomOf(file: string): string {
  const [wing = '', room = '', ...rest] = file.split('/');
  return rest.length > 0 && ROOMS[wing] && levelIn(ROOMS[wing], room) >= 0 ? room : wingOf(file);
}
/** Whether a file may import another one. */
function isDownwards(from: string, to: string): boolean {
  const [wing, target] = [wingOf(from), wingOf(to)];
  if (wing !== target) return levelIn(WINGS, target) < levelIn(WINGS, wing);
  const rooms = ROOMS[wing] ?? [];
  return roomOf(from) === roomOf(to) || levelIn(rooms, roomOf(to)) < levelIn(rooms, roomOf(from));
}
const edges = () => [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));

/** Returns the first cycle of imports that can be reached from a file, as a path; undefined if there is none. */
function cycleFrom(file: string, path: readonly string[], done: Set<string>): string | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' → ');
  if (done.has(file)) return undefined;
  for (const target of imports.get(file) ?? []) {
    const cycle = cycleFrom(target, [...path, file], done);
    if (cycle) return cycle;
  }
  done.add(file);
  return undefined;
}

describe('the files of src', () => {
  beforeAll(async () => {
    for (const file of (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
      const code = await readFile(join(SRC, file), 'utf8');
      const specifiers = [...code.matchAll(/\b(?:from|import)\s*\(?'(\.[^']*)'/g)].map(
        ([, specifier = '']) => specifier,
      );
      const targets = specifiers.map((specifier) => join(dirname(file), specifier));
      imports.set(
        file,
        targets.filter((target) => !target.startsWith('../')),
      );
    }
  });

  it('import only from lower wings, and from lower rooms of their own', () => {
    const upwards = edges().filter(({ from, to }) => !isDownwards(from, to));
    expect(upwards.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('are all in a wing, and in a room if it has rooms', () => {
    const missing = [...imports.keys()].filter((file) => {
      const rooms = ROOMS[wingOf(file)];
      return levelIn(WINGS, wingOf(file)) === -1 || (rooms && levelIn(rooms, roomOf(file)) === -1);
    });
    expect(missing).toEqual([]);
    const names = Object.entries(ROOMS).flatMap(([wing, rooms]) => rooms.flat().map((room) => `${wing}/${room}`));
    expect(
      names.filter((name) => ![...imports.keys()].some((file) => `${wingOf(file)}/${roomOf(file)}` === name)),
    ).toEqual([]);
  });

  it('have few arrows between wings', () => {
    const arrows = edges().flatMap(({ from, to }) =>
      wingOf(from) === wingOf(to) ? [] : `${wingOf(from)} → ${wingOf(to)}`,
    );
    // One that is new here is a decision: importers write the store, the gateway reads it, the graph says what it means.
    expect([...new Set(arrows)].sort()).toEqual([
      'gateway → base',
      'gateway → graph',
      'gateway → store',
      'graph → base',
      'graph → store',
      'importers → base',
      'importers → store',
      'operate → base',
      'operate → gateway',
      'operate → graph',
      'operate → importers',
      'operate → store',
      'programs → base',
      'programs → gateway',
      'programs → operate',
      'programs → store',
      'store → base',
    ]);
  });

  it('have no circular imports, including imports of types', () => {
    const done = new Set<string>();
    expect([...imports.keys()].flatMap((file) => cycleFrom(file, [], done) ?? [])).toEqual([]);
  });

  it('import the query planner in one place', () => {
    const named = edges().filter(
      ({ from, to }) => to.startsWith('gateway/graphql/planner/') && !from.startsWith('gateway/graphql/planner/'),
    );
    expect(named.map(({ from }) => from)).toEqual(['gateway/app.ts']);
  });
});
