import { randomBytes, randomInt } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSigningKeys, type SigningKeys } from '../../base/config/signing-keys.ts';

const KEY_FILE = '.signing-key';

/**
 * Returns a function that reads the signing key stored in a folder, so that links remain valid after a restart. The key
 * is read or created on first use: a gateway without bulk download writes nothing.
 */
export function signingKeysOf(folder: string): () => Promise<SigningKeys> {
  let stored: Promise<SigningKeys> | undefined;
  return () => {
    stored ??= readOrMake(folder).catch((error) => {
      stored = undefined;
      throw error;
    });
    return stored;
  };
}

async function readOrMake(folder: string): Promise<SigningKeys> {
  const path = join(folder, KEY_FILE);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${randomInt(2 ** 47)}`;
  const made = `${randomId()}:${randomBytes(32).toString('base64url')}`;
  await writeFile(temporary, made, { mode: 0o600 });
  try {
    // Atomic, and fails if another process was faster: both then read the same key.
    await link(temporary, path).catch(() => undefined);
  } finally {
    await rm(temporary, { force: true });
  }
  const keys = parseSigningKeys(await readFile(path, 'utf8'));
  if (!keys) throw new Error(`${path} is not a signing key. Remove it, and a new one is made.`);
  return keys;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function randomId(): string {
  return Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}
