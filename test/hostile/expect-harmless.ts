import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { harmIn } from './check.ts';

/** Expects that a response meets the requirements for any request; see `harmIn`. */
export function expectHarmless(response: LightMyRequestResponse, requested: { key: string; ms: number }): void {
  expect(harmIn(response, requested), response.body.slice(0, 2_000)).toEqual([]);
}
