import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Progress } from '../../src/importers/exchange/load-summary.ts';
import { findFiles, readWhole, watchFiles } from '../../src/importers/read/read-files.ts';
import { createDisplay } from '../../src/operate/commands/progress-bar.ts';
import { describeProgress } from '../../src/operate/commands/progress-text.ts';
import { folderOf } from '../import/folders.ts';

it.each<[done: number, total: number, unit: Progress['unit'], seconds: number, reported: string]>([
  [12e6, 48e6, 'bytes', 2, '12.0 of 48.0 MB, 6.0 MB/s, 6 s left'],
  [500, 900, 'bytes', 10, '500 of 900 B, 50 B/s, 8 s left'],
  [4e3, 5e9, 'bytes', 10, '0.0 of 5.0 GB, 400 B/s, 3472 h 13 min left'],
  [999_999, 1e6, 'bytes', 3, '1.0 of 1.0 MB, 333.3 kB/s, 1 s left'],
  [1_200, 3_288, 'rows', 4, '1,200 of 3,288 rows, 300 rows/s, 7 s left'],
  [3, 200, 'rows', 6, '3 of 200 rows, 0.5 rows/s, 7 min left'],
  [60, 120, 'rows', 59, '60 of 120 rows, 1.0 rows/s, 59 s left'],
  [60, 120, 'rows', 60, '60 of 120 rows, 1.0 rows/s, 1 min left'],
  [3_288, 3_288, 'rows', 8, '3,288 of 3,288 rows, 411 rows/s, 0 s left'],
  // More than announced, as for a compressed file.
  [30, 20, 'rows', 2, '30 of 20 rows, 15 rows/s, 0 s left'],
  [0, 48e6, 'bytes', 60, '0.0 of 48.0 MB'],
  [12e6, 48e6, 'bytes', 0.999, '12.0 of 48.0 MB'],
])('%d of %d %s after %d s is reported as %s', (done, total, unit, seconds, reported) => {
  const { amount, rate, left } = describeProgress({ done, total, unit }, seconds * 1_000);
  expect([amount, rate, left].filter(Boolean).join(', ')).toBe(reported);
});

function display(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let now = 1_000;
  const { show, end } = createDisplay(stream, () => now);
  return {
    show,
    end,
    wait: (seconds: number) => {
      now += seconds * 1_000;
    },
    written: () => stream.read()?.toString() ?? '',
  };
}

const reading = (done: number): Progress => ({ phase: 'read', file: 'medsl', done, total: 48e6, unit: 'bytes' });

it('without a terminal it writes a line for each file, and one every five seconds', () => {
  const { show, wait, written } = display(false);
  show(reading(0));
  for (let second = 1; second <= 12; second++) {
    wait(1);
    show(reading(second * 2e6));
  }
  show({ phase: 'write', file: 'races.csv', done: 0, total: 10, unit: 'rows' });
  wait(1);
  show({ phase: 'write', file: 'races.csv', done: 10, total: 10, unit: 'rows' });
  expect(written().split('\n')).toEqual([
    'Reading medsl',
    'Reading medsl: 10.0 of 48.0 MB, 2.0 MB/s, 19 s left',
    'Reading medsl: 20.0 of 48.0 MB, 2.0 MB/s, 14 s left',
    'Writing races.csv',
    '',
  ]);
});

it('on a terminal a bar shows percentage, amount, rate and time left, and disappears at the end', () => {
  const { show, end, wait, written } = display(true);
  show(reading(0));
  expect(written()).toMatch(/Reading medsl \[.*\] 0 % · 0\.0 of 48\.0 MB/);
  wait(4);
  show(reading(12e6));
  end();
  expect(written()).toMatch(/Reading medsl \[.*\] 25 % · 12\.0 of 48\.0 MB · 3\.0 MB\/s · 12 s left/);
});

it('files are reported by their bytes on disk, to the end', async () => {
  const packed = gzipSync(Buffer.alloc(50_000, 'b'));
  const folder = folderOf({ 'a.csv': 'a'.repeat(1_000), 'b.csv.gz': packed });
  const reported: number[][] = [];
  const files = watchFiles(await findFiles([folder], ['.csv']), (...each) =>
    reported.push(each.slice(0, 2) as number[]),
  );
  const lengths = [];
  for (const file of files) lengths.push((await readWhole(file)).length);
  expect(lengths).toEqual([1_000, 50_000]);
  const total = 1_000 + packed.length;
  expect(new Set(reported.map(([, of]) => of))).toEqual(new Set([total]));
  expect(reported.map(([done]) => done)).toEqual([1_000, 1_000, total, total]);
});
