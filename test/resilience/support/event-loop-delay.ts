import { monitorEventLoopDelay } from 'node:perf_hooks';

// Preloaded into a gateway (`--import`). On SIGUSR2 writes the longest delay of its event loop since the last SIGUSR2,
// in milliseconds, and its resident memory in MiB as one line, and resets the measurement.

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
  process.stdout.write(`${JSON.stringify({ blockedMs: Math.round(delay.max / 1e6), rss })}\n`);
  delay.reset();
});
