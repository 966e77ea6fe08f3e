import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { differencesOf, type ExpectedStatements } from '../../bench/expected-statements.ts';
import { readOptions } from '../../bench/options.ts';
import { readmeWith, resultsPage } from '../../bench/pages.ts';
import { addRun, type Measurement, type Run, readResults } from '../../bench/results.ts';
import { ratioOf, workloadTables } from '../../bench/tables.ts';
import { WORKLOADS } from '../../bench/workloads.ts';
import ownPackage from '../../package.json' with { type: 'json' };

function measurement(target: string, round: number, perSecond: number, more: Partial<Measurement> = {}): Measurement {
  const times = { p50: 1, p99: 2, most: 3, serverMs: 1 / perSecond, databaseMs: 1 / perSecond, memoryMb: 100 };
  const counts = { requests: perSecond, failures: {}, bytes: 1 };
  return { round, workload: 'districts', connections: 16, target, perSecond, ...times, ...counts, ...more };
}

function runOf(measured: readonly Measurement[], more: Partial<Run> = {}): Run {
  return {
    ...{
      date: '2026-11-22',
      commit: 'abc1234',
      version: '0.1.0',
      versions: {},
      database: { races: 1 },
      statements: {},
    },
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

/** Returns the released versions of a changelog, the newest first. */
const releasesIn = (changelog: string) =>
  [...changelog.matchAll(/^## \[(\d\S*)\]/gm)].map(([, version = '']) => version);
/** Returns whether figures of a version are at most one release old. */
const isRecent = (version: string, present: string, releases: readonly string[]) =>
  [present, releases.find((each) => each !== present)].includes(version);

describe('the figures in the README', async () => {
  const root = new URL('../../', import.meta.url);
  const read = (file: string) => readFile(new URL(file, root), 'utf8');
  const { runs } = await readResults(new URL('bench/results.json', root).pathname);
  const measured = runs.filter((run) => run.measured.length > 0);

  it('are of this version or the release before', async () => {
    const releases = releasesIn(await read('CHANGELOG.md'));
    expect(measured.length).toBeGreaterThan(0);
    for (const { version } of measured) expect(isRecent(version, ownPackage.version, releases), version).toBe(true);
  });

  it('would not be, if a release lay between', () => {
    const releases = releasesIn('## [Unreleased]\n\n## [0.3.0] - 2027-01-02\n\n## [0.2.0] - 2027-01-01\n');
    expect(isRecent('0.3.0', '0.3.0', releases)).toBe(true);
    expect(isRecent('0.2.0', '0.3.0', releases)).toBe(true);
    expect(isRecent('0.1.0', '0.3.0', releases)).toBe(false);
    expect(isRecent('0.1.0', '0.2.0', [])).toBe(false);
  });

  const git = (...args: string[]) => spawnSync('git', args, { cwd: root.pathname, encoding: 'utf8' });
  const hasHistory = git('rev-parse', '--is-shallow-repository').stdout.trim() === 'false';
  it.skipIf(!hasHistory)('name commits of the history (needs a clone with all of it)', async () => {
    const readme = await read('README.md');
    for (const { commit } of measured) {
      expect(readme).toContain(commit);
      expect(git('merge-base', '--is-ancestor', commit, 'HEAD').status, commit).toBe(0);
    }
  });
});

describe('the statements of a request', () => {
  const expected = { 'graphql cached': { districts: 0, ballot: 0 }, graphql: { districts: 1 } };

  it('differ if a response is not from the cache, a request takes more or fewer, or the list lacks it', () => {
    expect(differencesOf(expected, expected)).toEqual([]);
    expect(differencesOf({ 'graphql cached': { districts: 1 } }, expected)).toEqual([
      'districts of graphql cached: 1 statements a request, not 0: the response is not from the cache',
    ]);
    expect(differencesOf({ graphql: { districts: 2 } }, expected)).toHaveLength(1);
    expect(differencesOf({ rest: { districts: 1 } }, expected)).toHaveLength(1);
  });

  it('are stored for all workloads, and none for cached targets', async () => {
    const stored: ExpectedStatements = JSON.parse(
      await readFile(new URL('../../bench/statements.json', import.meta.url), 'utf8'),
    );
    expect(Object.keys(stored['graphql cached'] ?? {})).toEqual(WORKLOADS);
    for (const target of ['graphql cached', 'rest cached'])
      expect(Object.values(stored[target] ?? {}).every((count) => count === 0)).toBe(true);
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
