import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { ImportError } from '../../src/importers/exchange/import-rows.ts';
import { CodedColumn } from '../../src/importers/results/coded-column.ts';
import { CsvRecords, textOfCell } from '../../src/importers/results/csv-records.ts';

/** Reads a CSV text in chunks of a length in bytes. */
function read(text: string, length: number) {
  const bytes = Buffer.from(text);
  const rows: string[][] = [];
  const records = new CsvRecords('a.csv', (of, starts) => {
    rows.push(Array.from(starts.subarray(1), (end, index) => textOfCell(of, starts[index] ?? 0, end - 1)));
  });
  let header: string[] | undefined;
  for (let at = 0; at < bytes.length; at += length) {
    const chunk = bytes.subarray(at, at + length);
    if (header) records.next(chunk);
    else {
      header = records.header(chunk);
      if (header) records.next(Buffer.alloc(0));
    }
  }
  records.end();
  return { header, rows, malformed: records.malformed, lines: rows.map((_, index) => records.lineOf(index + 1)) };
}

const TEXT = [
  'name,office,votes',
  '"Roe, Ann",MAYOR,3',
  '"Bo ""B"" Doe","SHERIFF\r\nOR CORONER",4\r',
  '',
  'Cy "C" Poe,CLERK,5',
  'Di,Loe,CLERK,6',
  'Ed é Moe,,',
  '"","",""',
].join('\n');

describe('the records of a CSV file', () => {
  test.each([1, 2, 3, 7, 50, 1000])('are the same when read in chunks of %i bytes', (length) => {
    expect(read(TEXT, length)).toEqual({
      header: ['name', 'office', 'votes'],
      rows: [
        ['Roe, Ann', 'MAYOR', '3'],
        ['Bo "B" Doe', 'SHERIFF\nOR CORONER', '4'],
        ['Cy "C" Poe', 'CLERK', '5'],
        ['Ed é Moe', '', ''],
        ['', '', ''],
      ],
      malformed: [{ line: 7, cells: ['Di', 'Loe', 'CLERK', '6'] }],
      lines: [2, 3, 6, 8, 9],
    });
  });

  test.each([11, 64, 5_000])('are those of csv-parse, in chunks of %i bytes', (length) => {
    const cells = ['', 'ROE', 'Roe, Ann', 'two\nlines', 'a "b" c', '"', 'É', '12', ' '];
    const rows = Array.from({ length: 400 }, (_, row) =>
      Array.from({ length: 5 }, (_, column) => cells[(row * (column + 3) + column * column) % cells.length] ?? ''),
    );
    const text = [['a', 'b', 'c', 'd', 'e'], ...rows]
      .map((row, index) =>
        row
          .map((cell) => (/[",\n]/.test(cell) || index % 3 === 0 ? `"${cell.replaceAll('"', '""')}"` : cell))
          .join(','),
      )
      .join('\r\n');
    const plain = parse(text) as string[][];
    expect(plain.slice(1)).toEqual(rows);
    expect(read(text, length).rows).toEqual(rows);
  });

  test('that end within a quoted cell or after too few cells are an error', () => {
    expect(() => read('a,b\n1,"2\n3', 100)).toThrow(ImportError);
    expect(() => read('a,b\n1,2\n3', 100)).toThrow(/a\.csv:3: is not CSV as in RFC 4180, or is cut off/);
  });
});

test('a column has one code for each text, however its cells are written', () => {
  const column = new CodedColumn();
  const codeOf = (cell: string) => column.codeOf(Buffer.from(`x${cell}y`), 1, 1 + Buffer.byteLength(cell));
  expect(['ROE', '"ROE"', ' ROE ', 'DOE', 'ROE', 'É', '"É"', '"R""E"', 'RO', ''].map(codeOf)).toEqual([
    ...[0, 0, 0, 1, 0],
    ...[2, 2, 3, 4, 5],
  ]);
  expect(column.texts).toEqual(['ROE', 'DOE', 'É', 'R"E', 'RO', '']);
  expect(column.codeOfText('DOE')).toBe(1);
});
