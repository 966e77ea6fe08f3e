/** Text for the person in front of the screen, on standard error: standard output is for the log, or for results. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

const EVERY_MS = 5_000;

/** Says what is being done, every five seconds for how long, and at the end in how many seconds. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  say(`${title} …`);
  const ticking = setInterval(() => say(`${title} … ${Math.round(seconds())} s`), EVERY_MS);
  try {
    const result = await work();
    say(`${title}: done in ${seconds().toFixed(1)} s`);
    return result;
  } finally {
    clearInterval(ticking);
  }
}
