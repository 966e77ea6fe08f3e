import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { harmIn } from './check.ts';

/** Holds an answer to what each must keep, whatever was asked; see `harmIn`. */
export function expectHarmless(answer: LightMyRequestResponse, asked: { key: string; ms: number }): void {
  expect(harmIn(answer, asked), answer.body.slice(0, 2_000)).toEqual([]);
}
