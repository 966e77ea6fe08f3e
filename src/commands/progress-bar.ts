import { SingleBar } from 'cli-progress';
import type { Progress } from '../import/load.ts';
import { say } from '../progress.ts';

const TITLES = { read: 'Reading', check: 'Checking', write: 'Writing' } as const;

type OnProgress = (progress: Progress) => void;

/** Does a load and shows how far it is: a bar on a terminal, elsewhere a line for each file that it comes to. */
export async function withProgress<T>(load: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const { show, end } = process.stderr.isTTY ? createBar() : createLines();
  try {
    return await load(show);
  } finally {
    end();
  }
}

interface Display {
  readonly show: OnProgress;
  readonly end: () => void;
}

function createBar(): Display {
  const bar = new SingleBar({
    format: '{title} {file} [{bar}] {percentage} % · {duration_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  let current: string | undefined;
  return {
    show({ phase, file, done, total }) {
      const payload = { title: TITLES[phase], file };
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

function createLines(): Display {
  let current: string | undefined;
  return {
    show({ phase, file }) {
      const line = `${TITLES[phase]} ${file}`;
      if (line !== current) say(line);
      current = line;
    },
    end: () => undefined,
  };
}
