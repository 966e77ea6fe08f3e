/** A finished file. */
export interface StoredFile {
  /** Random, so that it cannot be guessed. */
  readonly key: string;
  /** File name of a downloaded copy: `upcoming-elections_2026-07-01.csv`. */
  readonly name: string;
}

/** Storage for finished files and the links to them. */
export interface FileStore {
  /**
   * Writes a file. It becomes visible only when it is complete, and never if writing fails or is aborted.
   * @throws the errors thrown by the blocks.
   */
  write(file: StoredFile, blocks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
  /** Returns whether a file (still) exists. */
  has(file: StoredFile): Promise<boolean>;
  /**
   * Returns a new link to a file. It works for `seconds` for every client that has it; where the gateway serves the
   * files, only while the API key `keyId`, which requested it, is active.
   */
  link(file: StoredFile, seconds: number, linkBase: string, keyId: number): Promise<string>;
  /** Removes files that were finished before a point in time, and the remains of interrupted writes. */
  clean(before: Date): Promise<void>;
}
