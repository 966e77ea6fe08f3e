import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');
/** Importers run alone in a process of their own. */
const FOLDER_WITHOUT_CHECK = 'importers/';

/** Why some files have what no other file may have: state of a module, maps by identity, changes of foreign objects. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'gateway/graphql/cache/response-template.ts: WeakMap': 'the parts of a cached template live as long as the template',
  'store/embedded/embedded-process.ts: module state': 'the main module of a process',
  'base/event-loop-turns.ts: module state': 'a process has one event loop, which all apps share',
  'base/event-loop-watch.ts: module state': 'a process has one event loop, whose turns are counted once',
  'graph/builder/node.ts: module state':
    'the types with global ids, filled like the builder while the schema is assembled',
  'gateway/graphql/planner/planner.ts: WeakMap':
    'what was compiled for the nodes of a document lives as long as the document',
  'gateway/http/representation.ts: WeakMap': 'compressed forms live as long as their body',
  'gateway/http/representation.ts: module state': 'compressed forms belong to bodies, which are the same in all apps',
  'gateway/http/representation.ts: Symbol': 'the tag of a cached body lives as long as the body',
};

const PATTERNS: readonly [string, RegExp][] = [
  ['WeakMap', /\bnew Weak(Map|Set)\b/],
  ['Proxy', /\bnew Proxy\b/],
  ['Symbol', /\bSymbol\(/],
  ['prototype', /\.prototype\b/],
];
/** A constant of a module, from the beginning of its line, that may hold a collection. */
const CONSTANT = /^(?:export )?const (\w+)\b[^\n]*?= (?:new \w+|\[|\{)/gm;

/** Returns the matches of these patterns in a file without its comments. */
function findingsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = PATTERNS.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  const isChanged = (name: string) =>
    new RegExp(
      `(?<![.\\w])${name}(\\.(set|add|delete|clear|push|pop|shift|unshift|splice)\\(|\\[[^\\]]+\\] [?|+-]*= )`,
    ).test(code);
  const constants = [...code.matchAll(CONSTANT)].map(([, name]) => name as string);
  const hasState = /^(export )?(let|var) /m.test(code) || constants.some(isChanged);
  return hasState ? [...found, 'module state'] : found;
}

it('finds module state, maps by identity and changes of foreign objects', () => {
  expect(findingsIn('let latest: string | undefined;')).toEqual(['module state']);
  expect(findingsIn('export const names = new Map<string, number>();\nnames.set("a", 1);')).toEqual(['module state']);
  expect(findingsIn('const names: string[] = [];\nnames.push("a");')).toEqual(['module state']);
  expect(findingsIn('const names: Record<string, string> = {};\nnames[key] ??= "a";')).toEqual(['module state']);
  expect(
    findingsIn('const names = new Set(["a"]);\nfunction f() {\n  const own = new Map();\n  own.set(1, 2);\n}'),
  ).toEqual([]);
  expect(findingsIn('  const cached = new WeakMap<Fetch<Key, Value>, string>();')).toEqual(['WeakMap']);
  expect(findingsIn('const TAG = Symbol("tag");\nclient.query = new Proxy(query, {});')).toEqual(['Proxy', 'Symbol']);
  expect(findingsIn('// let it be a WeakMap\n/* new Proxy */ pg.Client.prototype.query = query;')).toEqual([
    'prototype',
  ]);
});

it('is in no file without a reason', async () => {
  const found: string[] = [];
  for (const name of await readdir(SOURCE, { recursive: true })) {
    if (!name.endsWith('.ts') || name.startsWith(FOLDER_WITHOUT_CHECK)) continue;
    const findings = findingsIn(await readFile(join(SOURCE, name), 'utf8'));
    found.push(...findings.map((finding) => `${name}: ${finding}`));
  }
  expect(found.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
