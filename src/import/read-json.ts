import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportError } from './import-rows.ts';

const LARGEST_FILE = 256 * 1024 * 1024;

/**
 * The text of a file that has to be read as a whole.
 * @throws ImportError when it is not there, over 256 MiB, or not UTF-8.
 */
export async function readText(path: string): Promise<string> {
  const name = basename(path);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new ImportError(`${path}: there is no such file`);
  if (found.size > LARGEST_FILE) throw new ImportError(`${name}: is longer than ${LARGEST_FILE / 1024 / 1024} MiB`);
  const bytes = await readFile(path);
  if (!isUtf8(bytes)) throw new ImportError(`${name}: is not UTF-8`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The document of a JSON file. Throws as `readText` does, and when it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(basename(path), Buffer.from(await readText(path)));
}

/**
 * The document that the bytes of a JSON file are.
 * @throws ImportError naming the file when it is not JSON in UTF-8.
 */
export function parseJson(name: string, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ImportError(`${name}: is not UTF-8`);
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new ImportError(`${name}: is not JSON, or is cut off`);
  }
}
