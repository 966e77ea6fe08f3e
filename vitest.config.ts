import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import relay from 'vite-plugin-relay';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

// Workers, and the processes that tests start, reuse compiled modules and stripped types.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'ballotgraph-compile-cache');

export default defineConfig({
  // Compiles the graphql tags of examples/relay.
  plugins: [relay],
  // The file that Node resolves: by default, Vite uses graphql's development build, and two copies are loaded.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Checks every response of every suite against the schema and the OpenAPI document.
    setupFiles: 'test/support/responses/setup.ts',
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
