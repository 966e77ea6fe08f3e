import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dictionary } from '../../base/dictionary.ts';
import { fileOf, type StaticPage } from '../http/static-page.ts';
import { WEB_FOLDER } from './web-folder.ts';

const FONT_FILE = 'atkinson-hyperlegible-next-latin-wght-normal.woff2';

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files of packages that the page loads: their names on the page, and where they are. */
const PACKAGE_FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = dictionary({
  // The package exports other modules to Node, and to tests, in folders below the one for browsers.
  'lit-html.js': {
    file: import.meta.resolve('lit-html').replace(/(node\/)?(development\/)?lit-html\.js$/, 'lit-html.js'),
    type: JAVASCRIPT,
  },
  'maplibre-gl.mjs': { file: import.meta.resolve('maplibre-gl'), type: JAVASCRIPT },
  'maplibre-gl-worker.mjs': {
    file: import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs'),
    type: JAVASCRIPT,
  },
  'maplibre-gl.css': { file: import.meta.resolve('maplibre-gl/dist/maplibre-gl.css'), type: 'text/css; charset=utf-8' },
  'font.woff2': {
    file: import.meta
      .resolve('@fontsource-variable/atkinson-hyperlegible-next/package.json')
      .replace('package.json', `files/${FONT_FILE}`),
    type: 'font/woff2',
  },
});

/** Returns the names of the browser modules. */
export const moduleNames = () => readdirSync(WEB_FOLDER).filter((name) => name.endsWith('.ts'));

/**
 * Returns the files that pages load from `/web`, by name; each is read when it is first requested. The modules of the
 * page are TypeScript: their types are removed as Node does for those of the server, so that no build is needed, and so are
 * their comments and superfluous blanks, a quarter of what visitors would load.
 */
export function webFiles(): ReadonlyMap<string, () => StaticPage> {
  const modules = moduleNames().map((name) => [name, () => moduleFile(join(WEB_FOLDER, name))] as const);
  const packages = Object.entries(PACKAGE_FILES).map(
    ([name, { file, type }]) => [name, () => fileOf(readFileSync(fileURLToPath(file)), type)] as const,
  );
  const others = [
    ['styles.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['generated/ballot-lookup.js', JAVASCRIPT],
  ].map(
    ([path = '', type = '']) => [basename(path), () => fileOf(readFileSync(join(WEB_FOLDER, path)), type)] as const,
  );
  return new Map([...modules, ...packages, ...others].map(([name, read]) => [name, once(read)]));
}

/** Comments that begin a line; no text in the modules has such a line. */
const COMMENTS = /^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/.*)[ \t]*\n/gm;

/** The blanks around the ends of lines, and those that types leave; no text in the modules has as many that count. */
const BLANKS = /[ \t]*(\n)\s*|( ) {2,}/g;

function moduleFile(file: string): StaticPage {
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    .replaceAll(COMMENTS, '')
    .replaceAll(BLANKS, '$1$2')
    .replace(`from 'maplibre-gl'`, `from './maplibre-gl.mjs'`)
    .replace(`from 'lit-html'`, `from './lit-html.js'`);
  return fileOf(Buffer.from(code), JAVASCRIPT);
}

function once<Value>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
