import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError, tooLong } from '../../base/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit for requests of this route in milliseconds, if it differs from the default. */
    deadlineMs?: number;
  }
}

/** Abort reason of a request whose deadline has passed. */
const DEADLINE_EXCEEDED = tooLong();

/** Abort reason of a request whose client has disconnected. It is never sent. */
const CLIENT_DISCONNECTED = new ServiceError('CLIENT_DISCONNECTED', 'the client went away');

/**
 * Sets the abort signal of a request, which is aborted when its deadline passes or its client disconnects. Handlers that
 * observe the signal send their own error; for all others a 504 is sent. Fastify's own `handlerTimeout` does the same, but
 * treats the end of a request body as the end of its connection.
 * @param limitMs of routes without a time limit of their own.
 */
export function setDeadline(request: FastifyRequest, reply: FastifyReply, limitMs: number): void {
  const controller = new AbortController();
  request.deadline = setTimeout(() => {
    controller.abort(DEADLINE_EXCEEDED);
    setImmediate(() => endResponse(reply));
  }, request.routeOptions.config.deadlineMs ?? limitMs);
  reply.raw.once('close', () => {
    clearTimeout(request.deadline);
    if (!reply.raw.writableFinished) controller.abort(CLIENT_DISCONNECTED);
  });
  request.abortSignal = controller.signal;
}

/**
 * Sends a 504 if no response has started; otherwise closes the connection of a response that the client has not read
 * completely.
 */
function endResponse(reply: FastifyReply): void {
  if (reply.raw.writableFinished || reply.raw.destroyed) return;
  if (reply.raw.headersSent) reply.raw.destroy();
  else if (!reply.sent) reply.send(DEADLINE_EXCEEDED);
}
