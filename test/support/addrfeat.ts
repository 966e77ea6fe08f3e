/** A record of a shapefile ADDRFEAT of the Census: the fields that are not given are blank. */
export interface AddrfeatRecord {
  readonly values: Readonly<Record<string, string | number>>;
  readonly line: readonly (readonly [longitude: number, latitude: number])[];
}

/**
 * The fields of ADDRFEAT in their order, with type and length: the record layout "Address Range-Feature County-based
 * Shapefile" of the TIGER/Line technical documentation.
 */
export const ADDRFEAT_FIELDS = [
  ['TLID', 'N', 10],
  ['TFIDL', 'N', 10],
  ['TFIDR', 'N', 10],
  ['ARIDL', 'C', 22],
  ['ARIDR', 'C', 22],
  ['LINEARID', 'C', 22],
  ['FULLNAME', 'C', 100],
  ['LFROMHN', 'C', 12],
  ['LTOHN', 'C', 12],
  ['RFROMHN', 'C', 12],
  ['RTOHN', 'C', 12],
  ['ZIPL', 'C', 5],
  ['ZIPR', 'C', 5],
  ['EDGE_MTFCC', 'C', 5],
  ['PARITYL', 'C', 1],
  ['PARITYR', 'C', 1],
  ['PLUS4L', 'C', 4],
  ['PLUS4R', 'C', 4],
  ['LFROMTYP', 'C', 1],
  ['LTOTYP', 'C', 1],
  ['RFROMTYP', 'C', 1],
  ['RTOTYP', 'C', 1],
  ['OFFSETL', 'C', 1],
  ['OFFSETR', 'C', 1],
] as const;

const POLYLINE = 3;

/** Returns the main file (`.shp`) and its index (`.shx`). */
export function polylinesOf(records: readonly AddrfeatRecord[]): { readonly shp: Buffer; readonly shx: Buffer } {
  const box = boxOf(records.flatMap(({ line }) => line));
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []];
  let at = 100;
  for (const [index, { line }] of records.entries()) {
    const content = Buffer.alloc(48 + line.length * 16);
    content.writeInt32LE(POLYLINE, 0);
    for (const [each, value] of boxOf(line).entries()) content.writeDoubleLE(value, 4 + each * 8);
    content.writeInt32LE(1, 36);
    content.writeInt32LE(line.length, 40);
    for (const [each, value] of line.flat().entries()) content.writeDoubleLE(value, 48 + each * 8);
    const header = Buffer.alloc(8);
    header.writeInt32BE(index + 1, 0);
    header.writeInt32BE(content.length / 2, 4);
    const entry = Buffer.alloc(8);
    entry.writeInt32BE(at / 2, 0);
    entry.writeInt32BE(content.length / 2, 4);
    bodies.push(header, content);
    entries.push(entry);
    at += 8 + content.length;
  }
  return { shp: withHeader(Buffer.concat(bodies), box), shx: withHeader(Buffer.concat(entries), box) };
}

function boxOf(line: AddrfeatRecord['line']): number[] {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function withHeader(body: Buffer, box: readonly number[]): Buffer {
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + body.length) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(POLYLINE, 32);
  for (const [index, value] of box.entries()) header.writeDoubleLE(value, 36 + index * 8);
  return Buffer.concat([header, body]);
}

/** Returns the table (`.dbf`): texts left-aligned, numbers right-aligned, and blanks where a record has no value. */
export function addrfeatTable(records: readonly AddrfeatRecord[], encoding: 'latin1' | 'utf8'): Buffer {
  const size = 1 + ADDRFEAT_FIELDS.reduce((sum, [, , length]) => sum + length, 0);
  const header = Buffer.alloc(32 + ADDRFEAT_FIELDS.length * 32 + 1);
  header.set([3, 123, 9, 1]);
  header.writeUInt32LE(records.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(size, 10);
  for (const [index, [name, type, length]] of ADDRFEAT_FIELDS.entries()) {
    header.write(name, 32 + index * 32, 'latin1');
    header.write(type, 32 + index * 32 + 11, 'latin1');
    header.writeUInt8(length, 32 + index * 32 + 16);
  }
  header.writeUInt8(13, header.length - 1);
  const rows = records.map(({ values }) => {
    const row = Buffer.alloc(size, ' ');
    let at = 1;
    for (const [name, type, length] of ADDRFEAT_FIELDS) {
      const value = Buffer.from(String(values[name] ?? ''), encoding);
      if (value.length > length) throw new Error(`${name} is longer than ${length}`);
      value.copy(row, type === 'N' ? at + length - value.length : at);
      at += length;
    }
    return row;
  });
  return Buffer.concat([header, ...rows, Buffer.from([26])]);
}
