import { afterAll, afterEach } from 'vitest';
import { watchResponses } from './watch.ts';

/** Collects the violations of all responses in a test file; a test that provokes violations takes them itself. */
export const watch = watchResponses();

async function failOnViolations(): Promise<void> {
  const violations = await watch.take();
  if (violations.length === 0) return;
  const shown = [...new Set(violations)].slice(0, 10).join('\n');
  throw new Error(`${violations.length} violations of the schema or the OpenAPI document:\n${shown}`);
}

afterEach(failOnViolations);
afterAll(failOnViolations);
