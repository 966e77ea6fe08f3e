import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The file that Node resolves: left to itself, Vite takes graphql's development build, and there are two copies.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Checks every response of every suite against the schema and the OpenAPI document.
    setupFiles: 'test/support/responses/setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // Some suites start real processes and kill them; a machine that is busy at that moment is no failure.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
