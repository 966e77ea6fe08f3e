/** A file of a source: standalone, in a folder, or in an archive. */
export interface NamedFile {
  /** The name in reports: the path relative to the given one. */
  readonly name: string;
  /** The size as far as it is known before reading: for a gzip file, the compressed size. */
  readonly bytes: number;
  /** Reads the uncompressed bytes; each call starts at the beginning. */
  read(): AsyncIterable<Buffer>;
}
