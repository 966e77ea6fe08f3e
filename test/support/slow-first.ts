import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, in seconds on two idle cores. Vitest knows the durations only from an earlier run; in
 * the first one it starts large files first, and would start the longest of these at the end, alone.
 */
export const SLOW: Readonly<Record<string, number>> = {
  'test/browser/map.test.ts': 79,
  'test/non-interference/packages.test.ts': 62,
  'test/four-states/four-states.test.ts': 60,
  'test/browser/graphiql.test.ts': 49,
  'test/browser/states.test.ts': 49,
  'test/service/gateway.test.ts': 48,
  'test/service/first-start.test.ts': 39,
  'test/embedded/embedded-database.test.ts': 36,
  'test/sample.test.ts': 23,
  'test/browser/pages.test.ts': 22,
  'test/service/import-while-running.test.ts': 19,
  'test/browser/docs.test.ts': 17,
  'test/cache/redis-cache.test.ts': 17,
  'test/http/late-response.test.ts': 17,
  'test/browser/find.test.ts': 17,
  'test/differential/differential.test.ts': 16,
  'test/cache/equality.test.ts': 14,
  'test/service/commands.test.ts': 13,
  'test/service/data-commands.test.ts': 13,
  'test/exports/sandbox-transaction.test.ts': 13,
  'test/graphql/planner/planner.test.ts': 12,
  'test/embedded/long-running.test.ts': 9,
  'test/import/kill.test.ts': 8,
};

/** Starts the slow test files first, so that both workers end at about the same time. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const seconds = ({ moduleId }: TestSpecification) => SLOW[relative(root, moduleId).replaceAll('\\', '/')] ?? 0;
    return (await super.sort(files)).toSorted((a, b) => seconds(b) - seconds(a));
  }
}
