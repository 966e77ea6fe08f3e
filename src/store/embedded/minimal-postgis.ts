import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { Extension } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { packTar, unpackTar } from 'modern-tar';

/** The library, its projections, and the files that `create extension postgis` reads. */
const NEEDED = [
  /^lib\/postgresql\/postgis-\d+\.so$/,
  /^share\/proj\/proj\.(db|ini)$/,
  /^share\/postgresql\/extension\/postgis(\.control|--[\d.]+\.sql)$/,
];
const NAME = /^postgis-\d+\.tar\.gz$/;

/**
 * Returns PostGIS for the embedded database without raster, topology and geocoder. PGlite unpacks, writes and compiles
 * all files of an extension each time it opens a database, which takes as long as all other steps together.
 * @param folder where the smaller archive is stored, about 9 MB; created if it is missing.
 */
export function minimalPostgis(folder: string): Extension {
  return {
    ...postgis,
    async setup(pg, options) {
      const { bundlePath, emscriptenOpts, ...whole } = await postgis.setup(pg, options);
      return {
        ...whole,
        bundlePath: bundlePath && (await minimalArchive(bundlePath, folder)),
        emscriptenOpts: { ...emscriptenOpts, instantiateWasm: withFastLookup(emscriptenOpts.instantiateWasm) },
      };
    },
  };
}

type Instantiate = (imports: WebAssembly.Imports, receive: unknown) => unknown;
type Lookup = (...args: number[]) => number;

/**
 * Makes the lookup of a function in a library fast. For its index, Emscripten's `_dlsym_js` calls `Object.keys` with all
 * exports of the library. PostGIS has 23,000, so that this took half of the time of `create extension postgis`, and
 * milliseconds for each function that a session uses for the first time. The keys of a loaded library do not change. The
 * lookup is synchronous, and `Object.keys` is the only part of it that can be reached from outside.
 */
function withFastLookup(instantiate: Instantiate): Instantiate {
  const known = new Map<object, string[]>();
  const { keys } = Object;
  const cachedKeys = (exports: object): string[] => {
    const names = known.get(exports) ?? keys(exports);
    known.set(exports, names);
    return names;
  };
  return (imports, receive) => {
    const env = imports.env as WebAssembly.ModuleImports;
    const lookup = env._dlsym_js as Lookup;
    env._dlsym_js = (...args: number[]) => {
      Object.keys = cachedKeys;
      try {
        return lookup(...args);
      } finally {
        Object.keys = keys;
      }
    };
    return instantiate(imports, receive);
  };
}

async function minimalArchive(archive: URL, folder: string): Promise<URL> {
  // The archive of another version has another size.
  const name = `postgis-${(await stat(archive)).size}.tar.gz`;
  const path = join(folder, name);
  if (!existsSync(path)) {
    await rm(`${path}.unfinished`, { force: true });
    await writeFile(`${path}.unfinished`, await withoutUnusedFiles(await readFile(archive)));
    await rename(`${path}.unfinished`, path);
    const outdated = (await readdir(folder)).filter((other) => NAME.test(other) && other !== name);
    for (const other of outdated) await rm(join(folder, other));
  }
  return pathToFileURL(path);
}

async function withoutUnusedFiles(archive: Buffer): Promise<Buffer> {
  const entries = await unpackTar(await promisify(gunzip)(archive), {
    filter: ({ name }) => NEEDED.some((pattern) => pattern.test(name.replace(/^\.\//, ''))),
  });
  const minimal = await packTar(entries.map(({ header, data }) => ({ header, body: data })));
  return promisify(gzip)(minimal, { level: constants.Z_BEST_SPEED });
}
