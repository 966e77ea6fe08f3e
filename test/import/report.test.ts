import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REPORT_KINDS } from '../../src/importers/exchange/report-kinds.ts';
import { reportCsv } from '../../src/importers/import.ts';
import { CHECKS } from '../../src/operate/integrity/checks.ts';

test('the report of an import is written as CSV', () => {
  expect(reportCsv([{ source: 's', record: 'a "b"', reason: 'c, d', sentence: 'c, d' }])).toBe(
    'source,record,reason\ns,"a ""b""","c, d"\n',
  );
});

const AUDIT = readFileSync('docs/audit.md', 'utf8');
const IMPORTERS = globSync('src/importers/**/*.ts')
  .filter((file) => !file.endsWith('report-kinds.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('');

test.each(Object.keys(REPORT_KINDS))(
  'importers report %s, which is a check of its own, and the page about audits names it',
  (kind) => {
    expect(IMPORTERS).toContain(`'${kind}'`);
    expect(AUDIT).toContain(`\`${kind}\``);
    expect(CHECKS.map(({ name }) => name)).not.toContain(kind);
  },
);
