import type { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ImportError } from '../exchange/import-rows.ts';
import type { NamedFile } from './named-file.ts';

/** Limits of an archive, against zip bombs: a small file that unpacks without end. */
const MOST_ENTRIES = 10_000;
export const MOST_BYTES = 4 * 1024 ** 3;
export const MOST_RATIO = 100;

/**
 * Returns the files in a zip archive. Their names only distinguish them and are never used as paths: nothing is
 * unpacked to disk. Sizes are those stated in the archive, which reading enforces.
 * @throws ImportError if it is not a zip archive, exceeds the limits, or contains a name outside of it.
 */
export async function filesOfZip(path: string, archive: string): Promise<NamedFile[]> {
  const entries = await withArchive(path, archive, listEntries);
  const compressed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0);
  const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (total > MOST_BYTES) throw new ImportError(`unpacks to more than ${MOST_BYTES / 1024 ** 3} GiB`, archive);
  if (total > MOST_RATIO * compressed) throw tooDense(archive);
  return entries.map((entry) => {
    const name = `${archive}/${entry.fileName}`;
    if (entry.isEncrypted()) throw new ImportError('is encrypted', name);
    if (entry.uncompressedSize > MOST_RATIO * entry.compressedSize) throw tooDense(name);
    return { name, bytes: entry.uncompressedSize, read: () => readEntry(path, archive, entry) };
  });
}

async function listEntries(zip: ZipFile, archive: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entries.length === MOST_ENTRIES) throw new ImportError(`contains more than ${MOST_ENTRIES} files`, archive);
    if (!entry.fileName.endsWith('/') && !isOfFinder(entry.fileName)) entries.push(entry);
  }
  return entries;
}

/** Returns whether an entry is one of those that the Finder of macOS adds to archives: they describe its files. */
function isOfFinder(name: string): boolean {
  return /^__MACOSX\/|(^|\/)(\._[^/]*|\.DS_Store)$/.test(name);
}

/** The size of the chunks of an unpacked file: yauzl's own are of 16 KiB, and each takes a turn of the event loop. */
const CHUNK = 256 * 1024;
const [STORED, DEFLATED] = [0, 8];

async function* readEntry(path: string, archive: string, entry: Entry): AsyncGenerator<Buffer> {
  const zip = await openArchive(path, archive);
  let checksum = 0;
  let bytes = 0;
  let packed: Readable | undefined;
  try {
    packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    for await (const chunk of unpack(packed, entry)) {
      bytes += chunk.length;
      if (bytes > entry.uncompressedSize) throw new Error('it has more bytes than the archive states');
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (bytes < entry.uncompressedSize) throw new Error('it has fewer bytes than the archive states');
  } catch (error) {
    throw damaged(`${archive}/${entry.fileName}`, error);
  } finally {
    packed?.destroy();
    zip.close();
  }
  if (checksum !== entry.crc32)
    throw new ImportError('is damaged (its checksum differs)', `${archive}/${entry.fileName}`);
}

function unpack(packed: Readable, { compressionMethod }: Entry): AsyncIterable<Buffer> {
  if (compressionMethod === STORED) return packed;
  if (compressionMethod !== DEFLATED) throw new Error(`unsupported compression method: ${compressionMethod}`);
  const unpacked = createInflateRaw({ chunkSize: CHUNK });
  // Not `pipeline`: a reader that stops early is not an error.
  packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  return unpacked;
}

async function withArchive<T>(path: string, archive: string, work: (zip: ZipFile, archive: string) => Promise<T>) {
  const zip = await openArchive(path, archive);
  try {
    return await work(zip, archive);
  } catch (error) {
    throw damaged(archive, error);
  } finally {
    zip.close();
  }
}

async function openArchive(path: string, archive: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { autoClose: false, strictFileNames: true });
  } catch (error) {
    throw damaged(archive, error);
  }
}

function damaged(name: string, error: unknown): Error {
  if (error instanceof ImportError || !(error instanceof Error)) return error as Error;
  return new ImportError(`cannot be unpacked: ${error.message}`, name);
}

function tooDense(name: string): ImportError {
  return new ImportError(`unpacks to more than ${MOST_RATIO} times its size`, name);
}
