import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { environment } from '../src/base/config/environment.ts';
import { DEMO_KEY } from '../src/gateway/access/demo-key.ts';
import { SOURCES } from '../src/importers/import.ts';
import { loadFolder } from '../src/importers/load/load.ts';
import { inspections } from '../src/operate/commands/accepted-faults.ts';
import { useApp } from './support/app.ts';
import { useDatabase } from './support/database.ts';
import { loadTestSample } from './support/sample.ts';

/** The documents for users, by their path in the repository. */
const documents = new Map<string, string>();
for (const name of [
  'README',
  'docs/changes',
  'docs/configuration',
  'docs/graphql',
  'docs/recipes',
  'docs/rest',
  'docs/sources',
]) {
  documents.set(`${name}.md`, await readFile(new URL(`../${name}.md`, import.meta.url), 'utf8'));
}
const textOf = (file: string) => documents.get(file) ?? '';

/** The code blocks of a document, in order. */
function blocksOf(markdown: string) {
  return [...markdown.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text]) => ({ language, text: text ?? '' }));
}

interface Example {
  readonly file: string;
  /** A command, or a GraphQL document as it is pasted into GraphiQL. */
  readonly text: string;
  /** The request of the example; undefined if it writes a folder and loads it. */
  readonly request: InjectOptions | undefined;
  /** The response that the document prints below the example; undefined if it prints none. */
  readonly result: unknown;
}

const LOADED = /^npm run load -- (\S+)$/m;

function examplesIn([file, markdown]: readonly [string, string]): Example[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, index): Example[] => {
    const next = blocks[index + 1];
    const result = next?.language === 'json' ? JSON.parse(next.text) : undefined;
    // A document with variables says nothing of their values.
    if (language === 'graphql' && !text.includes('$'))
      return [{ file, text, request: requestOfDocument(text), result }];
    if (language === 'sh' && LOADED.test(text) && text.includes('<<'))
      return [{ file, text, request: undefined, result }];
    if (language !== 'sh' || !text.startsWith('curl ')) return [];
    const commands = text.split(/\n(?=curl )/);
    return commands.map((command) => ({
      file,
      text: command,
      request: requestOf(command),
      result: commands.length === 1 ? result : undefined,
    }));
  });
}

/** A request as GraphiQL sends it. */
function requestOfDocument(query: string): InjectOptions {
  return { method: 'POST', url: '/graphql', headers: { 'x-api-key': DEMO_KEY }, payload: { query } };
}

/** A response with the lists cut that end in `…` as printed, if it has more elements than they. */
function shortened(value: unknown, printed: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(printed)) {
    const isCut = printed.at(-1) === '…' && value.length >= printed.length;
    const shown = isCut ? value.slice(0, printed.length - 1) : value;
    return [...shown.map((element, index) => shortened(element, printed[index])), ...(isCut ? ['…'] : [])];
  }
  if (typeof value !== 'object' || value === null || typeof printed !== 'object') return value;
  const members = new Map(Object.entries(printed ?? {}));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortened(member, members.get(name))]),
  );
}

/** A request from a `curl` command in the form that the documents use: quoted address, `-H`, `-d`. */
function requestOf(command: string): InjectOptions {
  const url = /'http:\/\/localhost:4000(\/[^']*)'|http:\/\/localhost:4000(\/\S*)/.exec(command);
  const headers = [...command.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value]);
  const payload = /-d '([^']*)'/.exec(command)?.[1];
  return {
    url: url?.[1] ?? url?.[2] ?? '',
    method: payload === undefined ? 'GET' : 'POST',
    headers: Object.fromEntries(headers),
    ...(payload !== undefined && { payload }),
  };
}

const examples = [...documents].flatMap(examplesIn);

describe('the examples', () => {
  const database = useDatabase();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    await loadTestSample(database.db);
    return () => rm(folder, { recursive: true });
  }, 300_000);
  const service = useApp(database, { TODAY: '2026-11-21' });

  /** Runs the commands of an example in a shell, except npm, and loads the folder that they have written. */
  async function loadAsPrinted(commands: string): Promise<void> {
    await promisify(execFile)('sh', ['-ec', `npm() { :; }\n${commands}`], { cwd: folder });
    const [, written = ''] = LOADED.exec(commands) ?? [];
    await loadFolder(database.db, join(folder, written), { inspect: (await inspections())([], false) });
  }

  it.each(
    examples.map((example) => [example.file, example.text.replaceAll(/\s+/g, ' ').slice(0, 100), example] as const),
  )('%s: %s', async (_file, _text, { text, request, result }) => {
    if (request === undefined) return loadAsPrinted(text);
    const response = await service.app.inject(request);
    expect(response.statusCode, response.body).toBe(200);
    const body = response.json();
    if (result !== undefined) expect(shortened(body, result)).toEqual(result);
    else expect(body.success ?? body.errors === undefined).toBe(true);
  });

  it('with printed responses are in the README, for GraphQL and for REST', () => {
    const printed = examples.filter(({ file, result }) => file === 'README.md' && result !== undefined);
    expect(printed.map(({ request }) => String(request?.url).split('?')[0])).toEqual([
      '/graphql',
      '/data/election_dates/list',
    ]);
  });

  it('are on the page of recipes for each task, and what it embeds is served to a page on localhost', async () => {
    const recipes = textOf('docs/recipes.md').split('\n## ').slice(1);
    expect(recipes.map((recipe) => recipe.split('\n')[0])).toEqual([
      'My districts',
      'Who represents me',
      'The next election',
      'My ballot',
      'Where do I vote',
      'Until when, in Spanish',
      'Results of a race',
      'Page through a state',
      'Follow a change',
      'Keep a copy',
      'Embed it',
    ]);
    for (const recipe of recipes.slice(0, -1)) expect(examplesIn(['', recipe]).some(({ result }) => result)).toBe(true);
    const [, script, endpoint, key] =
      /<script src="([^"]+)".*endpoint="([^"]+)".*key="([^"]+)"/s.exec(recipes.at(-1) ?? '') ?? [];
    expect((await service.app.inject(script?.replace(endpoint ?? '', '') ?? '')).statusCode).toBe(200);
    const headers = { 'x-api-key': key, origin: 'http://localhost:8000' };
    const answer = await service.app.inject({ ...requestOfDocument('{ sources { name } }'), headers });
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:8000');
    expect(answer.json().errors).toBeUndefined();
  });

  it('of the first data set load three lines, and three more', () => {
    const loaded = examples.filter(({ request }) => request === undefined);
    expect(loaded.map(({ text }) => [...text.matchAll(/^\d.*/gm)].length)).toEqual([3, 3]);
  });

  it('include GraphQL, each of the six lookups and the bulk download', () => {
    const paths = new Set(examples.map(({ request }) => String(request?.url).split('?')[0]));
    expect([...paths]).toEqual(
      expect.arrayContaining([
        '/graphql',
        '/getQueryResults',
        '/data/districts/point',
        '/data/officeholders',
        '/data/election_dates/point',
        '/data/election_dates/list',
        '/data/elections_by_point',
        '/data/elections_by_state',
      ]),
    );
  });
});

test('the table of the sources has a row for each', () => {
  const rows = Object.entries(SOURCES).map(([name, { title }]) => `| \`${name}\` | ${title} |`);
  expect(textOf('docs/sources.md')).toContain(['| source | contents |', '| --- | --- |', ...rows, ''].join('\n'));
});

describe('the table of the configuration', () => {
  /** The rows that docs/configuration.md must have: printed in the failure if it does not. */
  const rows = Object.entries(environment.shape).map(([name, schema]) => {
    const fallback: unknown = schema.safeParse(undefined).data;
    // A default that is a path in this checkout is explained in the description.
    const isShown = fallback !== undefined && fallback !== '' && !isAbsolute(String(fallback));
    return `| \`${name}\` | ${isShown ? `\`${fallback}\`` : ''} | ${schema.description} |`;
  });

  it('has a row for each variable, with its default', () => {
    const printed = textOf('docs/configuration.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z_0-9]+` \|/.test(line));
    expect(printed).toEqual(rows);
  });
});
