import { crc32, inflateRawSync } from 'node:zlib';

/**
 * The text of the only file in a zip archive. The archives of the results have one file each, deflated, which is all
 * that this reads; anything else, or a checksum that does not fit, throws.
 */
export function unzipOnlyFile(archive: Buffer): string {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || archive.readUInt16LE(end + 10) !== 1) throw new Error('not a zip archive of one file');
  const entry = archive.readUInt32LE(end + 16);
  if (archive.readUInt16LE(entry + 10) !== 8) throw new Error('the file in the zip archive is not deflated');
  const local = archive.readUInt32LE(entry + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(entry + 20)));
  if (crc32(content) !== archive.readUInt32LE(entry + 16)) throw new Error('the zip archive is damaged');
  return content.toString('utf8');
}
