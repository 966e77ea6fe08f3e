import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit of the requests of this route, where the common one is not right for it. Milliseconds. */
    deadlineMs?: number;
  }
}

/** The reason of a request's signal when its time is over. */
const TIME_IS_OVER = new ServiceError(
  'DEADLINE_EXCEEDED',
  'The request took longer than its time limit. Ask for less at once.',
);

/** The reason of a request's signal when nobody waits for the answer any more. It is never answered. */
export const CLIENT_IS_GONE = new Error('the client went away');

/**
 * The hook that gives a request its `ending`: a signal that is aborted when its time is over or its client went away.
 * Work that heeds the signal answers by itself; for all other a 504 goes out. Fastify's own `handlerTimeout` does the
 * same, but takes the end of a request's body for the end of its connection.
 */
export function createDeadlineHook(limitMs: number) {
  return function setDeadline(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const ending = new AbortController();
    const timer = setTimeout(() => {
      ending.abort(TIME_IS_OVER);
      setImmediate(() => endResponse(reply));
    }, request.routeOptions.config.deadlineMs ?? limitMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
      if (!reply.raw.writableFinished) ending.abort(CLIENT_IS_GONE);
    });
    request.ending = ending.signal;
    done();
  };
}

/** Sends a 504 where no response has begun, and cuts off one that its client has not read by now. */
function endResponse(reply: FastifyReply): void {
  if (reply.raw.writableFinished || reply.raw.destroyed) return;
  if (reply.raw.headersSent) reply.raw.destroy();
  else if (!reply.sent) reply.send(TIME_IS_OVER);
}
