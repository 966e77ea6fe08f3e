import type { InjectOptions } from 'fastify';
import { draw } from '../../cache/requests.ts';
import type { TestRequest } from './client.ts';

/** Returns a random request, of any kind that succeeds, and of some that are rejected. */
export function drawRequest(random: () => number): TestRequest {
  const { url, payload }: InjectOptions = draw(random);
  const path = String(url);
  return payload === undefined ? { path } : { path, body: JSON.stringify(payload) };
}
