import type pg from 'pg';
import { to } from 'pg-copy-streams';

/**
 * Yields the output of a `copy … to stdout` in blocks of bytes, reading only as fast as they are consumed. The statement
 * is sent when the first block is requested: before that, nothing would handle its errors.
 */
export async function* copiedRows(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  const rows = client.query(to(statement));
  // The iterator reports errors as long as it is read; a connection that breaks after that is closed anyway.
  rows.on('error', () => undefined);
  yield* rows;
}

/**
 * Ends the rows of a CSV file with CRLF (RFC 4180), where COPY writes a line feed. Line feeds within quotes belong to
 * the value.
 */
export async function* withRowEnds(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isQuoted = false;
  for await (const block of blocks) {
    // Latin-1 maps each byte to a character and back.
    const parts = block.toString('latin1').split('"');
    const ended = parts.map((part, index) => (isQuoted === (index % 2 === 0) ? part : part.replaceAll('\n', '\r\n')));
    if (parts.length % 2 === 0) isQuoted = !isQuoted;
    yield Buffer.from(ended.join('"'), 'latin1');
  }
}
