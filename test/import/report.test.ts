import { expect, test } from 'vitest';
import { reportCsv } from '../../src/importers/import.ts';

test('the report of an import is written as CSV', () => {
  expect(reportCsv([{ source: 's', record: 'a "b"', reason: 'c, d', kind: 'c, d' }])).toBe(
    'source,record,reason\ns,"a ""b""","c, d"\n',
  );
});
