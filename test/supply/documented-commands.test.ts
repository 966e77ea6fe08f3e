import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ownPackage from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = '{*,{bench,db,deploy,docs,src,test}/**/*}.{md,ts,yaml,service}';

interface Command {
  readonly file: string;
  readonly text: string;
}

/**
 * Commands as documents and comments print them: in a line of a code block, or between backticks. What runs in a
 * container has the Node of the image.
 */
const COMMAND =
  /(?<!(?:docker|podman) .*)(?:^|[`('\s])((?:npm (?:run|start|test|ci|install|exec)|npx|node) [^`\n|']*)/g;

function commandsIn(file: string, text: string): Command[] {
  return [...text.matchAll(COMMAND)].map(([, command = '']) => ({ file, text: command.trim() }));
}

async function documentedCommands(): Promise<Command[]> {
  const commands: Command[] = [];
  for await (const file of glob(DOCUMENTS, { cwd: ROOT, exclude: (name) => name.includes('node_modules') })) {
    if (file === 'test/supply/documented-commands.test.ts') continue;
    commands.push(...commandsIn(file, await readFile(join(ROOT, file), 'utf8')));
  }
  return commands;
}

/** Returns the problem of a command on a machine with Node 20, or undefined. */
function problemOf({ text }: Command): string | undefined {
  if (/^(node|npx) .*\.ts\b/.test(text)) return 'runs TypeScript on the Node of the machine: npm run node -- FILE';
  const [, script, rest = ''] = /^npm run (?:--silent )?([a-z:]+)(.*)/.exec(text) ?? [];
  if (script === undefined) return undefined;
  if (!(script in ownPackage.scripts)) return `there is no npm script ${script}`;
  if (/^ (?!-- )-/.test(rest) || / --?[a-z]/.test(rest.split(' -- ')[0] ?? ''))
    return 'npm reads the options: -- is missing';
  const file = script === 'node' ? /^ -- (\S+\.ts)/.exec(rest)?.[1] : undefined;
  if (file !== undefined && !existsSync(join(ROOT, file))) return `there is no file ${file}`;
  return undefined;
}

describe('the commands in documents and comments', async () => {
  const commands = await documentedCommands();

  it('run on a machine with Node 20 as they are printed', () => {
    const invalid = commands
      .map((command) => ({ ...command, problem: problemOf(command) }))
      .filter(({ problem }) => problem);
    expect(invalid).toEqual([]);
  });

  it('are found in every document that contains some', () => {
    const files = new Set(commands.map(({ file }) => file));
    expect([...files]).toEqual(
      expect.arrayContaining([
        ...[
          'README.md',
          'CONTRIBUTING.md',
          'docs/clients.md',
          'docs/graphql.md',
          'docs/operations.md',
          'docs/sources.md',
        ],
        ...['bench/README.md', 'db/sample/README.md', 'test/resilience/README.md'],
      ]),
    );
    expect(commands.length).toBeGreaterThan(40);
  });

  it.each([
    ['`node test/resilience/fuzz.ts --seed 1`', /TypeScript/],
    ['    DATABASE_URL=… node bench/growth.ts', /TypeScript/],
    ['`npm run nothing`', /no npm script nothing/],
    ['`npm run test:nothing`', /no npm script test:nothing/],
    ['`npm run load FOLDER --dry-run`', /-- is missing/],
    ['`npm run bench --quick`', /-- is missing/],
    ['`npm run node -- test/resilience/nothing.ts`', /no file/],
  ])('%s would be found', (text, problem) => {
    expect(commandsIn('x.md', text).map(problemOf)).toEqual([expect.stringMatching(problem)]);
  });
});
