import { describe, expect, it } from 'vitest';
import { startProcess } from './support/process.ts';

const PROGRAMS = ['src/main.ts', 'src/mcp-stdio.ts', 'codegen.ts', 'bench/run.ts'];
/** What fails at once if a program starts nevertheless. */
const UNUSABLE = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere', PORT: 'none' };

describe.each(PROGRAMS)('the command line of %s', (program) => {
  const run = (...args: string[]) => startProcess(program, args, UNUSABLE).ended;

  it('prints the help for --help, and does nothing else', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/npm (start|run \w+).*\[options\]/);
    expect(stdout).toMatch(/--help|--check/);
  });

  it('refuses what it does not know with an error without a stack', async () => {
    const { code, stdout, stderr } = await run('nope', '--nope');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*(nope|too many arguments)/);
    expect(stderr).toContain('--help');
    expect(stderr).not.toMatch(/^ +at |node:internal/m);
  });
});

it.each([
  ['nope', 'error: folder: nope cannot be used: it does not exist.\n'],
  ['.ci', 'error: folder: .ci has no .graphql files.\n'],
])('npm run generate -- %s: an error that says what is wrong', async (folder, message) => {
  const { code, stderr } = await startProcess('codegen.ts', [folder], {}).ended;
  expect(code).toBe(1);
  expect(stderr.startsWith(message), stderr).toBe(true);
  expect(stderr).not.toMatch(/^ +at /m);
});

it.each([
  [['import', 'openstates-people'], /^error: openstates-people needs paths: .*one per person/m],
  [['import', 'medsl', '/nowhere.csv'], /^error: .*nowhere/m],
  [['import', 'address-points', '.ci'], /^error: .*--preset/m],
  [['import', 'medsl', '.ci', '--from', '2020-01-01'], /^error: --from is an option of/m],
  [['load', '/nowhere'], /^error: .*nowhere.*there is no such folder/ms],
  [['audit', '--manifest', '/nowhere.yaml'], /^error: .*nowhere/m],
])('npm run %j: what is wrong with it is said before the database is opened', async (args, message) => {
  const { code, stderr } = await startProcess('cli', args, { DATABASE_URL: UNUSABLE.DATABASE_URL }).ended;
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
});
