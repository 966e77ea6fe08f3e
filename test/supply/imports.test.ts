import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { beforeAll, describe, expect, it } from 'vitest';
import ownPackage from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
/** Folders whose files run in production: the gateway, its commands, the migrations that both load, and the format of cells. */
const RUN_IN_PRODUCTION = ['src', 'db/migrations', 'clients/typescript/src'];

interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** Returns the modules that a module loads at run time: type imports are omitted, as in Node. */
function importsOf(code: string, file: string): Import[] {
  const javaScript = file.endsWith('.ts') ? stripTypeScriptTypes(code) : code;
  const [imports] = parse(javaScript, file);
  const specifiers = imports.filter(({ d }) => d !== -2).map(({ n, ss, se }) => n ?? javaScript.slice(ss, se));
  const resolved = [...javaScript.matchAll(/\.resolve\('([^']+)'\)/g)].map(([, specifier]) => specifier ?? '');
  return [...specifiers, ...resolved].map((specifier) => ({ file: relative(ROOT, file), specifier }));
}

async function filesOf(folder: string): Promise<{ readonly file: string; readonly code: string }[]> {
  const names = (await readdir(join(ROOT, folder), { recursive: true })).filter((name) => /\.[jt]s$/.test(name));
  const files = names.map((name) => join(ROOT, folder, name));
  return Promise.all(files.map(async (file) => ({ file, code: await readFile(file, 'utf8') })));
}

async function productionImports(): Promise<Import[]> {
  const files = (await Promise.all(RUN_IN_PRODUCTION.map(filesOf))).flat();
  return files.flatMap(({ file, code }) => importsOf(code, file));
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const isOwnFile = ({ specifier }: Import) => /^\.{1,2}\//.test(specifier);
const isPackage = (each: Import) => !isOwnFile(each) && !isBuiltin(each.specifier);

describe('what runs in production', () => {
  let imports: Import[];
  beforeAll(async () => {
    await init;
    imports = await productionImports();
  });

  it('imports no package that is not a production dependency', () => {
    const undeclared = imports
      .filter(isPackage)
      .filter((each) => !(packageOf(each.specifier) in ownPackage.dependencies));
    expect(undeclared).toEqual([]);
  });

  it('imports no file outside the folders of production', () => {
    const outside = imports.filter(isOwnFile).filter(({ file, specifier }) => {
      const target = relative(ROOT, join(ROOT, dirname(file), specifier));
      return !RUN_IN_PRODUCTION.some((folder) => target.startsWith(`${folder}/`));
    });
    expect(outside).toEqual([]);
  });

  it('loads no file that a package does not export', async () => {
    for (const { file, specifier } of imports.filter(isPackage)) {
      expect(() => import.meta.resolve(specifier), `${file}: ${specifier}`).not.toThrow();
    }
    // A function made by `createRequire` loads a file by its path, whatever the package exports.
    const files = (await Promise.all(RUN_IN_PRODUCTION.map(filesOf))).flat();
    const loading = files.filter(({ code }) =>
      /createRequire\((?!.*\)\.resolve\()/.test(code.replace(/^import .*/gm, '')),
    );
    expect(loading.map(({ file }) => relative(ROOT, file))).toEqual([]);
  });

  it('uses every production dependency', () => {
    const imported = new Set(imports.map(({ specifier }) => packageOf(specifier)));
    expect(Object.keys(ownPackage.dependencies).filter((name) => !imported.has(name))).toEqual([]);
  });

  it('is read like Node: type imports are ignored, all others count', () => {
    const code = [
      "import type { A } from 'types';",
      "import { type B } from 'both';",
      "export { c } from '@scope/re-exported/deep';",
      "const d = await import('later');",
      "const e: string = import.meta.resolve('resolved');",
    ].join('\n');
    const specifiers = importsOf(code, join(ROOT, 'src/x.ts')).map(({ specifier }) => specifier);
    expect(specifiers).toEqual(['both', '@scope/re-exported/deep', 'later', 'resolved']);
  });
});
