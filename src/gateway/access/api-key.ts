import { hash, randomBytes } from 'node:crypto';

/** `bg_`, eight public characters that identify the key in lists, and 256 random bits. */
const FORMAT = /^bg_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;
const LENGTH = 55;

const LETTERS = 'abcdefghijkmnpqrstuvwxyz';
const LETTERS_AND_DIGITS = `${LETTERS}23456789`;

/** Returns a new random key. Its prefix starts with a letter, so it cannot be mistaken for an id. */
export function generateApiKey(): string {
  const [first = 0, ...rest] = randomBytes(8);
  const prefix = `${pick(LETTERS, first)}${rest.map((byte) => pick(LETTERS_AND_DIGITS, byte)).join('')}`;
  return `bg_${prefix}_${randomBytes(32).toString('base64url')}`;
}

export function isApiKey(text: string): boolean {
  return text.length === LENGTH && FORMAT.test(text);
}

/** Returns the public prefix of a key, of `bg_` and a prefix, or of a prefix alone. */
export function prefixOf(text: string): string {
  return FORMAT.exec(text)?.[1] ?? text.replace(/^bg_/, '');
}

/**
 * Returns the SHA-256 digest of a key, which is all that the database stores. A slow hash would only protect keys that
 * people choose; these are 256 random bits.
 */
export function digestOf(key: string): Buffer;
export function digestOf(key: string, encoding: 'base64'): string;
export function digestOf(key: string, encoding: 'base64' | 'buffer' = 'buffer'): Buffer | string {
  return hash('sha256', key, encoding);
}

function pick(from: string, byte: number): string {
  return from.charAt(byte % from.length);
}
