import { createReadStream, type Stats } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { type ImportContext, ImportError } from '../exchange/import-rows.ts';
import type { NamedFile } from './named-file.ts';
import { filesOfZip, MOST_BYTES, MOST_RATIO } from './zip-archive.ts';

const LARGEST_TEXT = 256 * 1024 * 1024;
const CHUNK = 256 * 1024;
/** The ratio is checked only after this number of bytes: the first bytes of a gzip file may be highly compressible. */
const RATIO_FROM = 1024 * 1024;

/**
 * Returns the files at the paths with one of the extensions (`.csv`), sorted by name: single files, files in folders at
 * any depth, files in zip archives, and gzip files under their name without `.gz`. Archives are streamed and never
 * unpacked to disk.
 * @throws ImportError if there is none, one is not a regular file, or an archive exceeds its limits (ratio 100, 4 GiB,
 * 10,000 files).
 */
export async function findFiles(paths: readonly string[], extensions: readonly string[]): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new ImportError('there is no such file or folder', path);
    if (!found.isDirectory()) {
      files.push(...(await filesAt(path, basename(path), found)));
      continue;
    }
    const inside = await Array.fromAsync(glob('**/*', { cwd: path }));
    for (const name of inside.filter(isWanted).sort()) {
      const each = await stat(join(path, name)).catch(() => undefined);
      if (!each) throw new ImportError('is a link to a file that does not exist', join(path, name));
      if (!each.isDirectory()) files.push(...(await filesAt(join(path, name), name, each)));
    }
  }
  const wanted = files.filter(({ name }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));
  if (wanted.length === 0) throw new ImportError(`there is no ${extensions.join(' or ')} file`, paths.join(', '));
  return wanted;

  function isWanted(name: string): boolean {
    return ['.zip', '.gz', ...extensions].some((extension) => name.toLowerCase().endsWith(extension));
  }
}

/**
 * Returns the files at a path. Only regular files are opened: opening a named pipe waits for a writer, and a device may
 * never end.
 */
async function filesAt(path: string, name: string, found: Stats): Promise<NamedFile[]> {
  if (!found.isFile()) throw new ImportError('is neither a regular file nor a folder', path);
  const bytes = found.size;
  switch (extname(path).toLowerCase()) {
    case '.zip':
      return filesOfZip(path, name);
    case '.gz':
      return [{ name: name.slice(0, -'.gz'.length), bytes, read: () => gunzip(path, name, bytes) }];
    default:
      return [{ name, bytes, read: () => createReadStream(path, { highWaterMark: CHUNK }) }];
  }
}

async function* gunzip(path: string, name: string, packed: number): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const unpacked = createGunzip({ chunkSize: CHUNK });
  // Not `pipeline`: a reader that stops early is not an error.
  file.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  let bytes = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new ImportError(`unpacks to more than ${MOST_BYTES / 1024 ** 3} GiB`, name);
      if (bytes > RATIO_FROM && bytes > MOST_RATIO * packed)
        throw new ImportError(`unpacks to more than ${MOST_RATIO} times its size`, name);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ImportError || !(error instanceof Error)) throw error;
    throw new ImportError(`cannot be unpacked: ${error.message}`, name);
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

/**
 * Returns the same files, which report how much of all of them has been read; compressed files count by their size on
 * disk.
 */
export function watchFiles(files: readonly NamedFile[], onRead: ImportContext['onRead']): NamedFile[] {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  return files.map((file) => ({
    ...file,
    async *read() {
      let own = 0;
      for await (const chunk of file.read()) {
        own = Math.min(own + chunk.length, file.bytes);
        onRead(before + own, total, 'bytes');
        yield chunk;
      }
      before += file.bytes;
      onRead(before, total, 'bytes');
    },
  }));
}

/**
 * Reads a file as a whole.
 * @throws ImportError if it is over 256 MiB.
 */
export async function readWhole(file: NamedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.read()) {
    bytes += chunk.length;
    if (bytes > LARGEST_TEXT) throw new ImportError(`is longer than ${LARGEST_TEXT / 1024 ** 2} MiB`, file.name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
