import type { FormatName } from './formats.ts';

/** A finished file. */
export interface StoredFile {
  /** Random, so that nobody can guess it. */
  readonly key: string;
  /** What a downloaded copy should be called: `upcoming-elections_2026-07-01.csv`. */
  readonly name: string;
  readonly format: FormatName;
}

/** Where finished files lie, and how they are handed out. */
export interface FileStore {
  /**
   * Writes a file. It can be seen when it is whole, and never when writing fails or is aborted.
   * @throws what the blocks throw.
   */
  write(file: StoredFile, blocks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** Whether a file is there (still). */
  has(file: StoredFile): Promise<boolean>;
  /**
   * Returns a new link to a file. It works for `seconds`, for everybody who has it; where the gateway serves the files,
   * only as long as the API key `keyId`, which asked for it, is active.
   */
  link(file: StoredFile, seconds: number, linkBase: string, keyId: number): Promise<string>;
  /** Removes files that were finished before a moment, and what interrupted writing has left. */
  clean(before: Date): Promise<void>;
}
