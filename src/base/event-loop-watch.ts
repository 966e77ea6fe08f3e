const TICK_MS = 20;
/** The share of a wait below which the event loop took too few turns to receive a response. */
const LEAST_SHARE = 0.2;

/** Milliseconds in which the event loop took turns; a longer pause between two turns counts as two ticks. */
let turningMs = 0;
let ticking: NodeJS.Timeout | undefined;

/** `performance.eventLoopUtilization` does not tell a blocked event loop from one that takes many short turns. */
function startTicking(): void {
  let last = performance.now();
  ticking = setInterval(() => {
    const now = performance.now();
    turningMs += Math.min(now - last, 2 * TICK_MS);
    last = now;
  }, TICK_MS).unref();
}

/**
 * Starts to watch the event loop of this process, to tell its own delay from that of a database that it waits for.
 * @returns a function that returns whether the event loop was blocked for so much of the time since that a response may be
 * unread: then a wait in vain says nothing about the database.
 */
export function watchEventLoop(): () => boolean {
  if (!ticking) startTicking();
  const [before, began] = [turningMs, performance.now()];
  return () => turningMs - before < LEAST_SHARE * (performance.now() - began);
}
