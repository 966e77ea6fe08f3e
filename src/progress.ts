/** Writes text for the operator to standard error: standard output is for the log, or for results. */
export function writeLine(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** How often a step that runs is reported. */
export const PROGRESS_MS = 5_000;

/** Reports a step when it starts, every five seconds while it runs, and when it is done, with the elapsed time. */
export async function withProgressLines<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  writeLine(`${title} …`);
  const ticking = setInterval(() => writeLine(`${title} … ${Math.round(seconds())} s`), PROGRESS_MS);
  try {
    const result = await work();
    writeLine(`${title}: done in ${seconds().toFixed(1)} s`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}
