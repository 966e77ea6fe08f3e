import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { environment } from '../src/base/config/environment.ts';
import { SOURCES } from '../src/importers/import.ts';
import { useApp } from './support/app.ts';
import { useDatabase } from './support/database.ts';
import { loadTestSample } from './support/sample.ts';

/** The documents for users, by their path in the repository. */
const documents = new Map<string, string>();
for (const file of ['README.md', 'docs/configuration.md', 'docs/graphql.md', 'docs/rest.md', 'docs/sources.md']) {
  documents.set(file, await readFile(new URL(`../${file}`, import.meta.url), 'utf8'));
}
const textOf = (file: string) => documents.get(file) ?? '';

/** The code blocks of a document, in order. */
function blocksOf(markdown: string) {
  return [...markdown.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text]) => ({ language, text: text ?? '' }));
}

interface Example {
  readonly file: string;
  readonly command: string;
  /** The response that the document prints below the command; undefined if it prints none. */
  readonly result: unknown;
}

function examplesIn([file, markdown]: readonly [string, string]): Example[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh' || !text.startsWith('curl ')) return [];
    const next = blocks[index + 1];
    const commands = text.split(/\n(?=curl )/);
    const result = commands.length === 1 && next?.language === 'json' ? JSON.parse(next.text) : undefined;
    return commands.map((command) => ({ file, command, result }));
  });
}

const examples = [...documents].flatMap(examplesIn);

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

describe('the examples', () => {
  const database = useDatabase();
  beforeAll(() => loadTestSample(database.db), 300_000);
  const service = useApp(database, { TODAY: '2026-11-21' });

  it.each(examples.map((example) => [example.file, example.command.split('\n')[0]?.slice(0, 100), example] as const))(
    '%s: %s',
    async (_file, _command, { command, result }) => {
      const response = await service.app.inject(requestOf(command));
      expect(response.statusCode, response.body).toBe(200);
      const body = response.json();
      if (result !== undefined) expect(body).toEqual(result);
      else expect(body.success ?? body.errors === undefined).toBe(true);
    },
  );

  it('with printed responses are in the README, for GraphQL and for REST', () => {
    const printed = examples.filter(({ file, result }) => file === 'README.md' && result !== undefined);
    expect(printed.map(({ command }) => String(requestOf(command).url).split('?')[0])).toEqual([
      '/graphql',
      '/data/election_dates/list',
    ]);
  });

  it('include GraphQL, each of the six lookups and the bulk download', () => {
    const paths = new Set(examples.map(({ command }) => String(requestOf(command).url).split('?')[0]));
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
