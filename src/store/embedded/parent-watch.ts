import { workerData } from 'node:worker_threads';

/** Milliseconds that the main thread has to exit by itself after the parent exited. */
const GRACE_MS = 1_500;

/**
 * Ends the process after its parent has exited. It runs in a thread of its own, because a statement blocks the main
 * thread: otherwise a runaway statement would continue to write to the data folder after the process that sent it was
 * killed.
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
