import { GCProfiler } from 'node:v8';

// Loaded into a server with `--import`: a first SIGUSR2 starts recording its garbage collections, a second one prints
// the result.

let profiler: GCProfiler | undefined;

process.on('SIGUSR2', () => {
  if (profiler) process.send?.(profiler.stop());
  profiler = profiler ? undefined : new GCProfiler();
  profiler?.start();
});
