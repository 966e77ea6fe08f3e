import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCopyFromClient,
  LARGEST_MESSAGE,
  MessageReader,
  message,
  simpleQuery,
  startupKind,
  startupMessage,
  withStatementPrefix,
} from '../../src/store/embedded/wire.ts';

function readAll(reader: MessageReader): Buffer[] {
  const read: Buffer[] = [];
  for (let next = reader.next(); next; next = reader.next()) read.push(next);
  return read;
}

describe('reading messages', () => {
  it('returns the sent messages for any chunking', () => {
    const sent = fc.array(fc.uint8Array({ maxLength: 50 }).map((body) => message('d', Buffer.from(body))));
    fc.assert(
      fc.property(sent, fc.infiniteStream(fc.integer({ min: 1, max: 20 })), (messages, lengths) => {
        const reader = new MessageReader();
        reader.markStarted();
        const bytes = Buffer.concat(messages);
        const read: Buffer[] = [];
        for (let start = 0; start < bytes.length; ) {
          const length = lengths.next().value ?? 1;
          reader.push(bytes.subarray(start, start + length));
          read.push(...readAll(reader));
          start += length;
        }
        expect(read).toEqual(messages);
      }),
    );
  });

  it('accepts a startup message first, which has no type', () => {
    const reader = new MessageReader();
    reader.push(Buffer.concat([startupMessage('user', 'database'), simpleQuery('select 1')]));
    const first = reader.next();
    expect(first && startupKind(first)).toBe('start');
    reader.markStarted();
    expect(readAll(reader)).toEqual([simpleQuery('select 1')]);
  });

  it.each([-1, 3, LARGEST_MESSAGE])('rejects a length of %d', (length) => {
    const reader = new MessageReader();
    reader.markStarted();
    const header = Buffer.from('Q\0\0\0\0', 'latin1');
    header.writeInt32BE(length, 1);
    reader.push(header);
    expect(() => reader.next()).toThrow(RangeError);
  });
});

describe('names of prepared statements', () => {
  it.each([
    ['P', 'byId\0select $1\0\0\0', 'c1_byId\0select $1\0\0\0'],
    ['B', 'portal\0byId\0rest', 'portal\0c1_byId\0rest'],
    ['D', 'SbyId\0', 'Sc1_byId\0'],
    ['C', 'SbyId\0', 'Sc1_byId\0'],
  ])('are prefixed in %s', (type, body, prefixed) => {
    expect(withStatementPrefix(message(type, body), 'c1_')).toEqual({
      message: message(type, prefixed),
      statement: 'c1_byId',
    });
  });

  it.each([
    ['P', '\0select 1\0\0\0'],
    ['B', '\0\0rest'],
    ['D', 'Pportal\0'],
    ['E', 'portal\0\0\0\0\0'],
    ['Q', 'select 1\0'],
  ])('are not added to unnamed statements: %s', (type, body) => {
    expect(withStatementPrefix(message(type, body), 'c1_')).toEqual({ message: message(type, body), statement: '' });
  });
});

it.each([
  ['copy people from stdin', true],
  ['-- load\n /* rows */ COPY "a b" (x, y)\nFROM STDIN with (format csv)', true],
  ['copy people to stdout', false],
  ["copy people from '/dev/blob'", false],
  ['select 1 from stdin', false],
  ['copy people to stdout; select 1 from stdin', false],
])('detects whether rows come from the client: %s', (sql, expected) => {
  expect(isCopyFromClient(simpleQuery(sql))).toBe(expected);
});
