/** Control characters but line breaks, and the invisible ones that change the direction of a text or have no width. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/**
 * Returns a text as it is written for the operator: what could command the terminal, or show a text otherwise than it
 * is, is visible as `\\u202e`. Commands print texts of sources and of the database.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes text for the operator to standard error: standard output is for the log, or for results. */
export function writeLine(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
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
