import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import relay from 'vite-plugin-relay';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { parseCLI } from 'vitest/node';
import { LEFT_OUT, PROJECTS } from './test/projects.ts';
import { SkippedTests } from './test/support/skipped-tests.ts';
import { SlowFirst } from './test/support/slow-first.ts';

// Workers, and the processes that tests start, reuse compiled modules and stripped types.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'ballotgraph-compile-cache');

const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)], { allowUnknownOptions: true });
/** Whether the command names files or projects; `npm test` alone runs the fast ones. */
const isNamed = filter.length > 0 || options.project !== undefined;
const names = Object.keys(PROJECTS).filter((name) => isNamed || name !== LEFT_OUT);
/**
 * Vitest applies neither the option to projects that are defined here, nor its defaults, which are the packages that tests
 * install, with tests of their own.
 */
const excluded = [...configDefaults.exclude, ...[options.exclude ?? []].flat()];

export default defineConfig({
  // Compiles the graphql tags of examples/relay.
  plugins: [relay],
  // The file that Node resolves: by default, Vite uses graphql's development build, and two copies are loaded.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    projects: Object.entries(PROJECTS)
      .filter(([name]) => names.includes(name))
      .map(
        ([name, { include, exclude }], groupOrder): TestProjectInlineConfiguration => ({
          test: { name, include, exclude: [...exclude, ...excluded], sequence: { groupOrder } },
        }),
      ),
    globalSetup: 'test/support/global-setup.ts',
    // Checks every response of every suite against the schema and the OpenAPI document.
    setupFiles: 'test/support/responses/setup.ts',
    reporters: [
      'default',
      new SkippedTests({ leftOut: isNamed ? undefined : LEFT_OUT }),
      ...(process.env.TEST_REPORT ? [['json', { outputFile: process.env.TEST_REPORT }] as ['json', object]] : []),
    ],
    // Later runs read the transformed modules of earlier ones.
    fsModuleCache: true,
    pool: 'forks',
    // Fewer collections of garbage, which take a seventh of a worker's time by default.
    execArgv: ['--max-semi-space-size=64'],
    maxWorkers: 2,
    // A worker runs many files in one process and loads modules once: files must not change what others import.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Some suites start and kill real processes; a busy machine at that moment is not a failure.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A page in a browser may take several seconds on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
});
