import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

/** What no answer may hold: SQL, codes of PostgreSQL, files, stacks, libraries, names of tables and roles. */
const LEAKS =
  /\bselect\b.+\bfrom\b|SQLSTATE|\bpg_\w+|kysely|fastify|node_modules|\.[jt]s:\d+|\bat \w+ \(|\/(work|srv|home|usr|tmp|etc)\/|boundary_pieces|api_keys|relation "|:5432\b/i;
/** Twenty times what a refusal takes here, so that only something that goes wrong is slower. */
const SLOWEST_MS = 2_000;

/** Holds an answer to what each must keep, whatever was asked: no fault, no leak, the shape of its surface, no dawdling. */
export function expectHarmless(answer: LightMyRequestResponse, { key, ms }: { key: string; ms: number }): void {
  expect(answer.statusCode, answer.body).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{8,36}$/);
  expect(answer.body).not.toMatch(LEAKS);
  if (key.length > 40) expect(answer.body).not.toContain(key.slice(12));
  expect(JSON.stringify(answer.headers)).not.toMatch(LEAKS);
  expect(ms).toBeLessThan(SLOWEST_MS);
  if (!String(answer.headers['content-type']).startsWith('application/json') || answer.body === '') return;
  const body = answer.json();
  if ('success' in body) {
    expect(body.success).toBe(answer.statusCode === 200);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['success', 'data', 'message']));
  } else {
    expect(Object.keys(body).filter((name) => !['data', 'errors'].includes(name))).toEqual([]);
    for (const error of body.errors ?? []) {
      expect(error.message).not.toBe('');
      expect(error.extensions.code).toMatch(/^[A-Z_]+$/);
      expect(error.extensions.code).not.toBe('INTERNAL');
    }
  }
}
