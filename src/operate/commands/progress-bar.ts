import { SingleBar } from 'cli-progress';
import { printable } from '../../base/progress.ts';
import type { Progress } from '../../importers/exchange/load-summary.ts';
import { describeProgress } from './progress-text.ts';

const TITLES = { read: 'Reading', check: 'Checking', write: 'Writing' } as const;
/** The interval of progress lines if the output is not a terminal. */
const LINE_EVERY_MS = 5_000;

type OnProgress = (progress: Progress) => void;

/** Runs a load and shows its progress: a bar on a terminal, otherwise a line for each file and every five seconds. */
export async function withProgress<T>(load: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const { show, end } = createDisplay(process.stderr);
  try {
    return await load(show);
  } finally {
    end();
  }
}

export interface Display {
  readonly show: OnProgress;
  readonly end: () => void;
}

/**
 * Creates the progress display.
 * @param now milliseconds of a monotonic clock.
 */
export function createDisplay(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  now: () => number = () => performance.now(),
): Display {
  return stream.isTTY ? createBar(stream, now) : createLines(stream, now);
}

/** Creates a stopwatch for the current phase of the current file, for which a rate is computed. */
function createStopwatch(now: () => number) {
  let current: string | undefined;
  let began = 0;
  return ({ phase, file }: Progress): { elapsedMs: number; isNew: boolean } => {
    const isNew = current !== `${phase} ${file}`;
    if (isNew) began = now();
    current = `${phase} ${file}`;
    return { elapsedMs: now() - began, isNew };
  };
}

function createBar(stream: NodeJS.WritableStream, now: () => number): Display {
  const bar = new SingleBar({
    format: '{title} {file} [{bar}] {percentage} %{details}',
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  const timeOf = createStopwatch(now);
  let current: string | undefined;
  return {
    show(progress) {
      const { phase, file, done, total } = progress;
      const { amount, rate, left } = describeProgress(progress, timeOf(progress).elapsedMs);
      const details = [amount, rate, left].filter(Boolean).map((text) => ` · ${text}`);
      const payload = { title: TITLES[phase], file: printable(file), details: details.join('') };
      if (current !== phase) {
        bar.stop();
        bar.start(total, done, payload);
      }
      current = phase;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    end: () => bar.stop(),
  };
}

function createLines(stream: NodeJS.WritableStream, now: () => number): Display {
  const timeOf = createStopwatch(now);
  let writtenAt = 0;
  return {
    show(progress) {
      const { elapsedMs, isNew } = timeOf(progress);
      if (!isNew && now() - writtenAt < LINE_EVERY_MS) return;
      writtenAt = now();
      const { amount, rate, left } = describeProgress(progress, elapsedMs);
      const details = isNew ? '' : `: ${[amount, rate, left].filter(Boolean).join(', ')}`;
      stream.write(`${TITLES[progress.phase]} ${printable(progress.file)}${details}\n`);
    },
    end: () => undefined,
  };
}
