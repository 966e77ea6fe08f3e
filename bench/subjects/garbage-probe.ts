import { GCProfiler } from 'node:v8';

// Loaded into a server with `--import`: a first SIGUSR2 begins to watch its collector, a second one tells what was seen.

let profiler: GCProfiler | undefined;

process.on('SIGUSR2', () => {
  if (profiler) process.send?.(profiler.stop());
  profiler = profiler ? undefined : new GCProfiler();
  profiler?.start();
});
