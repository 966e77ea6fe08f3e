import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withRowEnds } from '../../src/gateway/exports/copied-rows.ts';
import { csvRow } from '../../src/gateway/exports/csv.ts';

const cell = fc.option(fc.string({ unit: fc.constantFrom('a', 'é', '𝄞', '"', '\n', '\r', ',') }));
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 5 });

async function* cut(bytes: Buffer, lengths: Iterator<number>): AsyncGenerator<Buffer> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = start + (lengths.next().value ?? 1);
    yield bytes.subarray(start, end);
  }
}

it('rows of CSV end with CRLF and values are unchanged, wherever the blocks end', async () => {
  const lengths = fc.infiniteStream(fc.integer({ min: 1, max: 7 }));
  await fc.assert(
    fc.asyncProperty(rows, lengths, async (cells, ends) => {
      const file = cells.map(csvRow).join('');
      const copied = cells.map((row) => csvRow(row).replace(/\r\n$/, '\n')).join('');
      expect((await buffer(withRowEnds(cut(Buffer.from(copied), ends)))).toString()).toBe(file);
    }),
  );
});
