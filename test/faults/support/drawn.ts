import type { InjectOptions } from 'fastify';
import { draw } from '../../answers/requests.ts';
import type { Question } from './client.ts';

/** A question drawn at random, of every kind that is answered, and some that are refused. */
export function drawQuestion(random: () => number): Question {
  const { url, payload }: InjectOptions = draw(random);
  const path = String(url);
  return payload === undefined ? { path } : { path, body: JSON.stringify(payload) };
}
