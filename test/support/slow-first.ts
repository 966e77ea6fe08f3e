import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in seconds on two idle cores. Vitest knows the durations only from an earlier run; in
 * the first one it starts large files first, and would start the longest of these at the end, alone.
 */
export const SLOW: Readonly<Record<string, number>> = {
  'test/four-states/four-states.test.ts': 60,
  'test/non-interference/packages.test.ts': 54,
  'test/embedded/embedded-database.test.ts': 50,
  'test/service/gateway.test.ts': 47,
  'test/browser/graphiql.test.ts': 46,
  'test/service/first-start.test.ts': 40,
  'test/embedded/long-running.test.ts': 24,
  'test/differential/differential.test.ts': 23,
  'test/sample.test.ts': 23,
  'test/cache/redis-cache.test.ts': 20,
  'test/service/import-while-running.test.ts': 18,
  'test/http/late-response.test.ts': 16,
};

/** Starts the slow test files first, so that both workers end at about the same time. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }: TestSpecification) => SLOW[relative(root, moduleId).replaceAll('\\', '/')] ?? 0;
    return (await super.sort(files)).toSorted((a, b) => seconds(b) - seconds(a));
  }
}
