/** Writes the figures of a run, and what they had to be, and sets the exit code. */
export function report(title: string, figures: Record<string, unknown>, held: Record<string, boolean>): void {
  const failed = Object.entries(held).filter(([, holds]) => !holds);
  process.stdout.write(`${JSON.stringify({ test: title, ...figures, notHeld: failed.map(([name]) => name) })}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** The argument `--name value` of the command line, as a number. */
export function argument(name: string, fallback: number): number {
  return Number(textArgument(name, String(fallback)));
}

/** The argument `--name value` of the command line. */
export function textArgument(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : (process.argv[at + 1] ?? fallback);
}

/** The value that so many percent of the values are not above. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/**
 * By how much values rise from the first to the last, as a part of their mean: the line of least squares through them,
 * at equal distances.
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

/** How often each text was counted. */
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
