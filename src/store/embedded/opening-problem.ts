import { statfs } from 'node:fs/promises';

const MEBIBYTE = 1024 * 1024;
/** The size of a new database with PostGIS and the sample, and of a segment of its write-ahead log. */
const NEEDED_MB = 128;

/**
 * Checks that there is enough disk space for a new database: without space for its log PostgreSQL neither continues nor
 * exits.
 * @throws Error with the available and the required space.
 */
export async function checkRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  if (free < NEEDED_MB) throw new Error(full(`${free} MiB are free, ${NEEDED_MB} MiB are needed`));
}

function full(detail: string): string {
  return `the disk under DATA_DIR is full (${detail}). Make room, or set DATA_DIR to a folder on another disk.`;
}

/** Error numbers of Emscripten, whose file system throws them without a message. */
const ERRNO: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  33: 'EMFILE',
  44: 'ENOENT',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};
const FULL = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i;
const DENIED = /\b(EACCES|EPERM|EROFS)\b/;

/**
 * Returns the reason why PGlite could not be opened, for the operator. PGlite throws errors, or objects of its file
 * system that have a number and no message.
 */
export function openingProblem(thrown: unknown): string {
  const text = textOf(thrown);
  if (FULL.test(text)) return full(text);
  if (DENIED.test(text)) return `this user may not read and write all of DATA_DIR (${text}).`;
  return text;
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, errno, code, cause } = thrown as {
    message?: unknown;
    errno?: unknown;
    code?: unknown;
    cause?: unknown;
  };
  const number = typeof errno === 'number' ? (ERRNO[Math.abs(errno)] ?? `error ${errno}`) : undefined;
  const parts = [message, typeof code === 'string' ? code : number].filter((part) => typeof part === 'string' && part);
  const ownMessage = parts.length > 0 ? parts.join(', ') : 'an error without a text';
  return cause === undefined || cause === null ? ownMessage : `${ownMessage} (${textOf(cause)})`;
}
