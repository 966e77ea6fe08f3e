import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/options.ts';
import { readmeWith, resultsPage } from '../../bench/pages.ts';
import { addRun, type Measurement, type Run, readResults } from '../../bench/results.ts';
import { ratioOf, workloadTables } from '../../bench/tables.ts';
import { WORKLOADS } from '../../bench/workloads.ts';

function measurement(target: string, round: number, perSecond: number, more: Partial<Measurement> = {}): Measurement {
  const times = { p50: 1, p99: 2, most: 3, serverMs: 1 / perSecond, databaseMs: 1 / perSecond, memoryMb: 100 };
  const counts = { requests: perSecond, failures: {}, bytes: 1 };
  return { round, workload: 'districts', connections: 16, target, perSecond, ...times, ...counts, ...more };
}

function runOf(measured: readonly Measurement[], more: Partial<Run> = {}): Run {
  return {
    ...{ date: '2026-11-22', commit: 'abc1234', versions: {}, database: { races: 1 }, statements: {} },
    machine: { cpu: 'a processor', cores: 2, memoryGb: 4, node: 'v24.0.0', database: 'PostgreSQL 15' },
    options: { size: 'national', rounds: 3, seconds: 1.5, pool: 4, processes: 1 },
    ...{ comparedWith: {}, differences: [], measured, imports: [] },
    ...more,
  };
}

describe('results of the benchmark', () => {
  it('contain the median of the ratios within each round, not the ratio of medians', () => {
    const rounds = [
      [100, 50],
      [10, 20],
      [10, 10],
    ];
    const measured = rounds.flatMap(([baseline = 0, rest = 0], round) => [
      measurement('baseline', round, baseline),
      measurement('rest', round, rest),
    ]);
    const ratio = ratioOf({ runs: [runOf(measured)] }, 'districts', 16, 'rest');
    expect(ratio?.byRate).toBe(1);
    expect(ratio?.byProcessorTime).toBeCloseTo(1);
  });

  it('compare a target with the baseline of the same run', () => {
    const first = runOf([measurement('baseline', 0, 100), measurement('rest', 0, 100)]);
    const second = runOf([measurement('baseline', 0, 10), measurement('graphql', 0, 5)]);
    const results = addRun({ runs: [first] }, second);
    expect(ratioOf(results, 'districts', 16, 'rest')?.byRate).toBe(1);
    expect(ratioOf(results, 'districts', 16, 'graphql')?.byRate).toBe(0.5);
  });

  it('replace what a later part measured again, and only that', () => {
    const first = runOf([
      measurement('baseline', 0, 100),
      measurement('rest', 0, 100),
      measurement('rest', 0, 70, { connections: 1 }),
      measurement('graphql', 0, 90),
    ]);
    const second = runOf([measurement('baseline', 0, 10), measurement('rest', 0, 5)]);
    const results = addRun({ runs: [first] }, second);
    const of = (target: string) =>
      results.runs.flatMap((run) => run.measured.filter((each) => each.target === target)).map((e) => e.perSecond);
    expect(of('rest')).toEqual([70, 5]);
    expect(of('graphql')).toEqual([90]);
    expect(addRun({ runs: [second] }, second).runs).toEqual([second]);
  });

  it('list failed requests by status', () => {
    const failures: Record<string, number>[] = [{ 503: 2, timeout: 1 }, { 503: 3 }];
    const measured = failures.map((each, round) => measurement('rest', round, 10, { failures: each }));
    expect(workloadTables({ runs: [runOf(measured)] })).toContain('| rest (failed: 5 × 503, 1 × timeout) |');
  });

  it('show the ratio to another commit', () => {
    const measured = [measurement('baseline', 0, 100), measurement('rest', 0, 60), measurement('rest @abc', 0, 80)];
    const table = workloadTables({ runs: [runOf(measured, { comparedWith: { rest: 'rest @abc' } })] });
    expect(table).toMatch(/\| rest \|.*\| 0\.60 \| 0\.60 \| 0\.75 \| 0\.75 \|/);
  });

  it('are published as bench/publish.ts writes them', async () => {
    const root = new URL('../../', import.meta.url);
    const results = await readResults(new URL('bench/results.json', root).pathname);
    expect(await readFile(new URL('bench/results.md', root), 'utf8')).toBe(resultsPage(results));
    const readme = await readFile(new URL('README.md', root), 'utf8');
    expect(readmeWith(readme, results)).toBe(readme);
  });
});

describe('options of the benchmark', () => {
  it('choose all workloads but the import by default', () => {
    expect(readOptions([])).toMatchObject({ workloads: WORKLOADS, imports: false, connections: [1, 16, 64] });
    expect(readOptions(['--workloads', 'import,ballot'])).toMatchObject({ workloads: ['ballot'], imports: true });
  });

  it.each([
    [['--workloads', 'ballots'], /ballots is none of: districts/],
    [['--size', 'huge'], /--size must be one of: small/],
    [['--rounds', 'many'], /--rounds must be a positive number/],
    [['--connections', '1,0'], /--connections must be a positive number/],
    [['--works', 'ballot'], /--works/],
  ])('are rejected if wrong: %s', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
