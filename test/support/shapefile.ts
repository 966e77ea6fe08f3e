import { box } from '../import/folders.ts';

export const NAD_83 =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]]';

/** A district in a shapefile: the Census' properties, and a square one degree wide with the given western edge. */
export interface ShapeRecord {
  readonly GEOID: string;
  readonly NAMELSAD: string;
  readonly west: number;
}

/** Returns the main file of polygons. */
export function shpOf(records: readonly ShapeRecord[]): Buffer {
  const shapes = records.map(({ west }, index) => {
    const ring = box(west, 43, west + 1, 44).toReversed();
    const content = Buffer.alloc(48 + ring.length * 16);
    content.writeInt32LE(5, 0);
    [west, 43, west + 1, 44].forEach((value, at) => {
      content.writeDoubleLE(value, 4 + at * 8);
    });
    content.writeInt32LE(1, 36);
    content.writeInt32LE(ring.length, 40);
    ring.flat().forEach((value, at) => {
      content.writeDoubleLE(value, 48 + at * 8);
    });
    const header = Buffer.alloc(8);
    header.writeInt32BE(index + 1, 0);
    header.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([header, content]);
  });
  const body = Buffer.concat(shapes);
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + body.length) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(5, 32);
  return Buffer.concat([header, body]);
}

/** Returns the table of properties, in UTF-8. */
export function dbfOf(records: readonly ShapeRecord[]): Buffer {
  const fields = [
    ['GEOID', 8],
    ['NAMELSAD', 40],
  ] as const;
  const header = Buffer.alloc(32 + fields.length * 32 + 1);
  const size = 1 + fields.reduce((sum, [, length]) => sum + length, 0);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(records.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(size, 10);
  fields.forEach(([name, length], index) => {
    header.write(name, 32 + index * 32, 'latin1');
    header.write('C', 32 + index * 32 + 11, 'latin1');
    header.writeUInt8(length, 32 + index * 32 + 16);
  });
  header.writeUInt8(13, header.length - 1);
  const rows = records.map((record) => {
    const row = Buffer.alloc(size, ' ');
    let at = 1;
    for (const [name, length] of fields) {
      row.write(record[name], at, 'utf8');
      at += length;
    }
    return row;
  });
  return Buffer.concat([header, ...rows, Buffer.from([26])]);
}
