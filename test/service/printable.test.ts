import { afterEach, expect, it, vi } from 'vitest';
import { printable, writeLine } from '../../src/base/progress.ts';
import { printAudit } from '../../src/operate/commands/audit-output.ts';
import { print, printTable } from '../../src/operate/commands/command.ts';
import { createDisplay } from '../../src/operate/commands/progress-bar.ts';

const HOSTILE = 'a\u001b]0;title\u0007b\u001b[2Jc\rd\u009be\u007ff\u202eg\u2066h\u200bi\u200fj\u061ck\ufeff';
const SHOWN =
  'a\\u001b]0;title\\u0007b\\u001b[2Jc\\u000dd\\u009be\\u007ff\\u202eg\\u2066h\\u200bi\\u200fj\\u061ck\\ufeff';

afterEach(() => void vi.restoreAllMocks());

/** Returns what is written to both outputs. */
function written(work: () => void): string {
  const texts: string[] = [];
  const keep = (text: unknown) => texts.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(keep));
  work();
  for (const spy of spies) spy.mockRestore();
  return texts.join('');
}

it('shows characters that could command a terminal or turn a text round, and leaves all others', () => {
  expect(printable(HOSTILE)).toBe(SHOWN);
  const plain = 'José Ñandú, “Ōkami”, 東京, עברית\nsecond line 🗳';
  expect(printable(plain)).toBe(plain);
});

const audit = {
  faults: 1,
  warnings: 0,
  findings: [
    {
      check: 'names',
      severity: 'fault',
      count: 1,
      finds: HOSTILE,
      rows: [{ table: HOSTILE, id: 1, problem: HOSTILE }],
    },
  ],
} as unknown as Parameters<typeof printAudit>[0];

it.each<[string, () => void]>([
  ['a line of a command', () => writeLine(HOSTILE)],
  ['a result', () => print(HOSTILE)],
  ['a table', () => printTable([HOSTILE], [[HOSTILE]])],
  ['an audit', () => printAudit(audit, 5)],
])('%s has no such character', (_name, work) => {
  const text = written(work);
  expect(text).toContain(SHOWN);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2066\u200b\u200f\u061c\ufeff]/u);
});

it('a line of progress has no such character', () => {
  const texts: string[] = [];
  const stream = { isTTY: false, write: (text: string) => texts.push(text) } as unknown as NodeJS.WriteStream;
  const progress = { phase: 'read', file: HOSTILE, done: 0, total: 1, unit: 'bytes' };
  createDisplay(stream).show(progress as never);
  expect(texts.join('')).toContain(SHOWN);
});
