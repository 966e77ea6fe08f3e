import { expect, it } from 'vitest';
import { openingProblem } from '../../src/store/embedded/opening-problem.ts';

class ErrnoError {
  readonly name = 'ErrnoError';
  readonly errno: number;
  constructor(errno: number) {
    this.errno = errno;
  }
}

it.each([
  ['of the file system of PGlite', new ErrnoError(51)],
  ['the same, out of quota', new ErrnoError(19)],
  ['of Node', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })],
  [
    'of PostgreSQL',
    Object.assign(new Error('could not extend file "base/5/1259": No space left on device'), { code: '53100' }),
  ],
  ['as the cause of another one', new Error('cannot write', { cause: new ErrnoError(51) })],
])('a full disk is explained, from an error %s', (_, error) => {
  expect(openingProblem(error)).toContain('the disk under DATA_DIR is full');
});

it.each([new ErrnoError(2), Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })])(
  'an inaccessible folder is reported with its variable: %s',
  (error) => {
    expect(openingProblem(error)).toMatch(/may not .*DATA_DIR/);
  },
);

it.each([
  new ErrnoError(999),
  {},
  [],
  null,
  undefined,
  'a text',
  new Error(''),
  { message: { a: 1 } },
  Object.create(null),
])('is never [object Object] or empty: %j', (thrown) => {
  expect(openingProblem(thrown)).not.toMatch(/^$|\[object/);
});
