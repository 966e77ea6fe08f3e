import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { ImportError } from '../exchange/import-rows.ts';
import { inFile, textIn } from './text-file.ts';

const LARGEST_FILE = 256 * 1024 * 1024;

/**
 * Returns the text of a file that has to be read as a whole.
 * @throws ImportError if it does not exist, is not a regular file, is over 256 MiB, or is not UTF-8.
 */
export async function readText(path: string): Promise<string> {
  const name = basename(path);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ImportError('there is no such file', path);
  if (!found.isFile()) throw new ImportError('is not a regular file', path);
  if (found.size > LARGEST_FILE) throw new ImportError(`is longer than ${LARGEST_FILE / 1024 / 1024} MiB`, name);
  return decodeText(name, await readFile(path));
}

/** Returns the document of a JSON file. Throws like `readText`, and if it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(basename(path), await readText(path));
}

/**
 * Decodes the bytes of a file as text without its byte order mark.
 * @throws ImportError with the line if they are not UTF-8.
 */
export function decodeText(name: string, bytes: Buffer): string {
  try {
    return textIn(bytes);
  } catch (error) {
    throw inFile(error, name);
  }
}

/**
 * Parses JSON text, or a part of a file from a given line.
 * @throws ImportError with file and line if it is not JSON.
 */
export function parseJson(name: string, text: string, firstLine = 1): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImportError('is not JSON, or is cut off', name, firstLine - 1 + lineOfError(text));
  }
}

/**
 * Parses YAML text without aliases, since a few aliases can expand to a document of any size.
 * @throws ImportError with file and line if it is not YAML.
 */
export function parseYaml(name: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new ImportError('is not YAML, or is cut off', name, line ?? 1);
  }
}

/** Returns the first line up to which the text is not a prefix of valid JSON; the last line if it is truncated. */
function lineOfError(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginningOfJson(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return text.slice(0, good).trimEnd().split('\n').length;
}

/**
 * Returns whether text is a prefix of valid JSON. V8 reports the position of some errors, and for those at the end that
 * the text is incomplete.
 */
function isBeginningOfJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const [, place] = / at position (\d+)/.exec(message) ?? [];
    return place === undefined ? /Unexpected end|Unterminated/.test(message) : Number(place) >= text.length;
  }
}
