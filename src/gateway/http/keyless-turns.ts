import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { FairQueue } from '../../base/fair-queue.ts';
import { clientNetwork } from './client-network.ts';

/** Waits until it is the turn of a request. */
export type TakeTurn = (request: FastifyRequest) => Promise<void>;

/**
 * Creates the turns of requests without a valid key: each turn of the event loop begins one of them, and addresses take
 * turns. However many connections send such requests, one of them at a time delays those of keys.
 */
export function createKeylessTurns(): TakeTurn {
  const queue = new FairQueue<string>({ size: 1, perKey: 1 });
  return (request) => queue.run(clientNetwork(request.ip), nextTurn, request.abortSignal);
}
