import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { environment } from '../src/config.ts';
import { SOURCES } from '../src/import/import.ts';
import { loadSample } from '../src/sample.ts';
import { useApp } from './support/app.ts';
import { useStore } from './support/store.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

/** The code blocks of one language, with the language of the block that follows each and its text. */
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text]) => ({
  language,
  text: text ?? '',
}));

interface Example {
  readonly command: string;
  /** What the README prints below the command; undefined where it prints nothing. */
  readonly answer: unknown;
}

const examples: Example[] = blocks.flatMap(({ language, text }, index) => {
  if (language !== 'sh' || !text.startsWith('curl ')) return [];
  const next = blocks[index + 1];
  const commands = text.split(/\n(?=curl )/);
  const answer = commands.length === 1 && next?.language === 'json' ? JSON.parse(next.text) : undefined;
  return commands.map((command) => ({ command, answer }));
});

/** A request from a `curl` command in the form that the README uses: quoted address, `-H`, `-d`. */
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
  const store = useStore();
  const service = useApp(store, { TODAY: '2026-11-21' });
  beforeAll(() => loadSample(store.db), 300_000);

  it.each(examples.map((example) => [example.command.split('\n')[0]?.slice(0, 100), example] as const))(
    '%s',
    async (_, { command, answer }) => {
      const response = await service.app.inject(requestOf(command));
      expect(response.statusCode, response.body).toBe(200);
      const body = response.json();
      if (answer !== undefined) expect(body).toEqual(answer);
      else expect(body.success ?? body.errors === undefined).toBe(true);
    },
  );

  it('are there for GraphQL and for each of the six lookups', () => {
    const paths = new Set(examples.map(({ command }) => String(requestOf(command).url).split('?')[0]));
    expect([...paths]).toEqual(
      expect.arrayContaining([
        '/graphql',
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
  expect(readme).toContain(['| source | what it brings |', '| --- | --- |', ...rows, ''].join('\n'));
});

describe('the table of the configuration', () => {
  /** The rows as the README has to have them: printed in the failure where they are not. */
  const rows = Object.entries(environment.shape).map(([name, schema]) => {
    const fallback: unknown = schema.safeParse(undefined).data;
    // A default that is a place in this copy of the program is told in the description.
    const isShown = fallback !== undefined && fallback !== '' && !isAbsolute(String(fallback));
    return `| \`${name}\` | ${isShown ? `\`${fallback}\`` : ''} | ${schema.description} |`;
  });

  it('has a row for each variable, with its default', () => {
    const printed = readme.split('\n').filter((line) => /^\| `[A-Z_0-9]+` \|/.test(line));
    expect(printed).toEqual(rows);
  });
});
