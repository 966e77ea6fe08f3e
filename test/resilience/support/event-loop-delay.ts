import { monitorEventLoopDelay } from 'node:perf_hooks';

// Preloaded into a gateway (`--import`). On SIGUSR2 writes as one line, in milliseconds and MiB, and begins to measure again:
// the longest delay of its event loop since the last SIGUSR2, by the clock and by the processor time of its thread, which other
// programs of the machine do not change; its resident memory, and the most that it was.

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const thread = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const memory = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
let [last, worked, peak, ticks] = [thread(), 0, 0, 0];
setInterval(() => {
  const now = thread();
  worked = Math.max(worked, now - last);
  last = now;
  if (ticks++ % 16 === 0) peak = Math.max(peak, memory());
}, 1).unref();
process.on('SIGUSR2', () => {
  const figures = { blockedMs: Math.round(delay.max / 1e6), workedMs: Math.round(worked), rss: memory() };
  process.stdout.write(`${JSON.stringify({ ...figures, peak: Math.max(peak, figures.rss) })}\n`);
  delay.reset();
  [worked, peak] = [0, 0];
});
