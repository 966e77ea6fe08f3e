import type { Progress } from '../../importers/exchange/load-summary.ts';

type Amount = Pick<Progress, 'done' | 'total' | 'unit'>;

const KILO = 1_000;
const BYTES = ['B', 'kB', 'MB', 'GB', 'TB'];
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** A rate over less time than this is not meaningful. */
const RATE_FROM_MS = 1_000;

/**
 * Returns the progress of a piece of work, its average rate, and the remaining time at that rate: `12.0 of 48.0 MB`,
 * `6.0 MB/s`, `6 s left`. The last two are empty while they cannot be estimated.
 *
 * cli-progress, which draws the bar, has no units, shows its estimate from the first moment on, and does not format the
 * lines that are written without a terminal.
 */
export function describeProgress(
  { done, total, unit }: Amount,
  elapsedMs: number,
): { amount: string; rate: string; left: string } {
  const amount = unit === 'bytes' ? bytes(done, total) : `${count(done)} of ${count(total)} ${unit}`;
  if (elapsedMs < RATE_FROM_MS || done === 0) return { amount, rate: '', left: '' };
  const perSecond = (done / elapsedMs) * KILO;
  const rate = unit === 'bytes' ? `${bytes(perSecond)}/s` : `${rounded(perSecond)} ${unit}/s`;
  return { amount, rate, left: `${duration(Math.max(0, total - done) / perSecond)} left` };
}

/** Formats numbers of bytes in the unit that suits the largest one: `12.0 of 48.0 MB`. */
function bytes(...values: readonly number[]): string {
  const scale = scaleOf(Math.max(...values));
  return `${values.map((value) => scaled(value, scale)).join(' of ')} ${BYTES[scale]}`;
}

function scaleOf(value: number): number {
  const scale = BYTES.findIndex((_, index) => value < KILO ** (index + 1));
  return scale === -1 ? BYTES.length - 1 : scale;
}

function scaled(value: number, scale: number): string {
  return (value / KILO ** scale).toFixed(scale === 0 ? 0 : 1);
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1) : count(value);
}

/** Formats a duration: seconds below a minute, then minutes, then hours and minutes. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.ceil(whole / MINUTE)} min`;
  return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
}
