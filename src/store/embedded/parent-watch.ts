import { workerData } from 'node:worker_threads';

/** How long the main thread has to end by itself once the parent is gone. */
const GRACE_MS = 1_500;

/**
 * Runs in a thread of its own, because a statement blocks the main thread: without it a runaway statement would go on
 * writing to the data folder after the process that asked for it was killed.
 */
const parent: unknown = workerData;
const timer = setInterval(() => {
  if (typeof parent === 'number' && process.ppid === parent && isThere(parent)) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS);
}, 300);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
