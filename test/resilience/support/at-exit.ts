const tasks = new Set<() => void>();

process.once('exit', () => {
  for (const task of tasks) task();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // The processes of Vitest always end so, also without a task.
    if (tasks.size > 0) process.stderr.write(`ended by ${signal}\n`);
    process.exit(1);
  });
}

/**
 * Registers a clean-up task that runs when this process exits, for whatever reason. Returns a function that removes it.
 */
export function atExit(task: () => void): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}
