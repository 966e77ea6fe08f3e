import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { beforeAll, describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');
/**
 * The files and folders of `src`, the lowest layer first. A file may import, types included, only from its own folder and
 * from lower layers. The schema and the domains do not depend on HTTP: `http` comes after them, so that its types can
 * name the context and the cache, and before the APIs that use its plugins.
 */
const LAYERS = [
  ['dictionary'],
  ['errors', 'dates', 'progress', 'release', 'folder-error', 'until-aborted', 'event-loop-watch'],
  ['config'],
  ['logger', 'clock', 'lru-caches', 'fair-queue'],
  ['event-loop-turns'],
  ['database'],
  ['access', 'redis', 'words'],
  ['import'],
  ['graphql', 'integrity'],
  ['districts'],
  ['officials'],
  ['elections'],
  ['ballots'],
  ['provenance'],
  ['places'],
  ['schema'],
  ['schema-text'],
  ['typed-document'],
  ['cache'],
  ['http'],
  ['rest', 'exports', 'mcp', 'tiles', 'pages', 'graphql server'],
  ['openapi'],
  ['docs'],
  ['app', 'start', 'commands'],
  ['main', 'cli', 'mcp-stdio'],
];
/** The files of `src` that serve the assembled schema over HTTP; the domains use the others. */
const GRAPHQL_SERVER = /^graphql\/http\b/;
/** The importers do not depend on the gateway, and can be moved to a package of their own. */
const IMPORTERS_MAY_USE = ['dictionary', 'errors', 'dates', 'config', 'clock', 'database', 'words', 'import'];

/** The imported files of each file of `src`. */
const imports = new Map<string, string[]>();

const partOf = (file: string) =>
  GRAPHQL_SERVER.test(file) ? 'graphql server' : (/^[^/]+(?=\/)/.exec(file)?.[0] ?? file.replace(/\.ts$/, ''));
const levelOf = (part: string) => LAYERS.findIndex((parts) => parts.includes(part));
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

  it('import only from lower layers', () => {
    const wrong = edges().filter(({ from, to }) => {
      const [part, target] = [partOf(from), partOf(to)];
      return part !== target && levelOf(target) >= levelOf(part);
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('are all in the list of layers', () => {
    expect([...imports.keys()].filter((file) => levelOf(partOf(file)) === -1)).toEqual([]);
    expect(LAYERS.flat().filter((part) => ![...imports.keys()].some((file) => partOf(file) === part))).toEqual([]);
  });

  it('have no circular imports, including imports of types', () => {
    const done = new Set<string>();
    expect([...imports.keys()].flatMap((file) => cycleFrom(file, [], done) ?? [])).toEqual([]);
  });

  it('of the importers depend on the database, not on the gateway', () => {
    const used = edges().filter(({ from }) => partOf(from) === 'import');
    expect(used.filter(({ to }) => !IMPORTERS_MAY_USE.includes(partOf(to)))).toEqual([]);
  });

  it('of the gateway do not depend on the importers', () => {
    const mayUse = ['import', 'integrity', 'commands', 'start'];
    const used = edges().filter(({ from, to }) => partOf(to) === 'import' && !mayUse.includes(partOf(from)));
    expect(used).toEqual([]);
  });

  it('import the query planner in one place', () => {
    const named = edges().filter(
      ({ from, to }) => to.startsWith('graphql/planner/') && !from.startsWith('graphql/planner/'),
    );
    expect(named.map(({ from }) => from)).toEqual(['app.ts']);
  });
});
