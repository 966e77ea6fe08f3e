import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageLimits } from '../config/limits.ts';
import { ServiceError } from '../errors.ts';
import { clientNetwork } from './client-network.ts';

export type AdmitPage = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Creates the hook that counts a request from now until its response is sent or its connection is closed. The hook
 * throws ServiceError OVERLOADED when there are too many requests, in total or from the same address.
 */
export function createPageAdmission(limits: PageLimits): AdmitPage {
  let total = 0;
  const countOf = new Map<string, number>();

  return async function admitPage(request, reply) {
    request.abortSignal.throwIfAborted();
    const address = clientNetwork(request.ip);
    const count = countOf.get(address) ?? 0;
    if (count >= limits.inFlightPerAddress) {
      throw new ServiceError(
        'OVERLOADED',
        `Limit Exceeded: this address has ${count} requests for pages in flight; at most ${limits.inFlightPerAddress} are allowed. Try again in a second.`,
      );
    }
    if (total >= limits.inFlight) {
      throw new ServiceError('OVERLOADED', 'There are too many requests for pages at once. Try again in a second.');
    }
    total++;
    countOf.set(address, count + 1);
    reply.raw.once('close', () => {
      total--;
      const left = (countOf.get(address) ?? 1) - 1;
      if (left > 0) countOf.set(address, left);
      else countOf.delete(address);
    });
  };
}
