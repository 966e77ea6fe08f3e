import { dictionary } from './dictionary.ts';

const REASONS: Readonly<Record<string, string>> = dictionary({
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not read and write it',
  EEXIST: 'it is not a folder',
  ENOTDIR: 'it, or a part of its path, is not a folder',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk that it is on is full',
  EDQUOT: 'the disk quota of this user is used up',
  EROFS: 'it is on a disk that may only be read',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
});

/**
 * Returns the error to show for a folder that a variable names. It contains the variable, the cause, and the code of
 * the original error. Errors that are not from the file system are returned unchanged.
 */
export function folderError(variable: string, folder: string, thrown: unknown): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const reason = REASONS[code];
  if (reason === undefined) return thrown;
  return Object.assign(new Error(`${variable}: ${folder} cannot be used: ${reason}.`, { cause: thrown }), { code });
}
