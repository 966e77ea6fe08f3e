/** Writes the figures of a run and the conditions that did not hold, and sets the exit code. */
export function report(title: string, figures: Record<string, unknown>, held: Record<string, boolean>): void {
  const failed = Object.entries(held).filter(([, holds]) => !holds);
  process.stdout.write(`${JSON.stringify({ test: title, ...figures, notHeld: failed.map(([name]) => name) })}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Returns the command-line argument `--name value` as a number. */
export function argument(name: string, fallback: number): number {
  return Number(textArgument(name, String(fallback)));
}

/** Returns the command-line argument `--name value`. */
export function textArgument(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : (process.argv[at + 1] ?? fallback);
}

/** Returns a percentile of the values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/**
 * Returns the rise of values from the first to the last, relative to their mean: that of the least-squares line through
 * them, at equal distances.
 */
export function riseOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const middle = (values.length - 1) / 2;
  let [above, below] = [0, 0];
  for (const [at, value] of values.entries()) {
    above += (at - middle) * (value - mean);
    below += (at - middle) ** 2;
  }
  return ((above / below) * (values.length - 1)) / mean;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Counts how often each text was added. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  of(text: string): number {
    return this.#counts.get(text) ?? 0;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
