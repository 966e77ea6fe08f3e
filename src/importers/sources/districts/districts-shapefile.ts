import { Readable } from 'node:stream';
import { open } from 'shapefile';
import { ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { readWhole } from '../../read/read-files.ts';
import {
  type DistrictFeature,
  type DistrictFormat,
  type DistrictOptions,
  openDistricts,
  type ReadOptions,
} from './district-files.ts';

export const SHAPEFILE: DistrictFormat = {
  source: 'districts-shapefile',
  extensions: ['.shp'],
  sidecars: ['.dbf', '.prj', '.cpg'],
  read: featuresOf,
};

/** Geographic coordinates in degrees on the datum WGS 84 or NAD 83: `GEOGCS["GCS_North_American_1983",DATUM[…`. */
const PROJECTION =
  /^\s*(GEOGCS|GEOGCRS|GEODCRS)\["([^"]*)"\s*,\s*DATUM\["(D_|)(WGS_?1984|North_American_1983|North_American_Datum_1983)/i;
const LARGEST_PART = 64 * 1024;

/** Opens shapefiles of districts, as the Census publishes them in zip archives. */
export function openDistrictsShapefile(paths: readonly string[], options: DistrictOptions): Promise<OpenedSource> {
  return openDistricts(SHAPEFILE, paths, options);
}

async function* featuresOf(
  file: NamedFile,
  all: readonly NamedFile[],
  { onBytes }: ReadOptions,
): AsyncIterable<DistrictFeature> {
  const stem = file.name.slice(0, -'.shp'.length);
  const sidecars = (extension: string) =>
    all.find(({ name }) => name.toLowerCase() === `${stem}${extension}`.toLowerCase());
  const [dbf, prj, cpg] = [sidecars('.dbf'), sidecars('.prj'), sidecars('.cpg')];
  if (!dbf || !prj) throw new ImportError(`the ${dbf ? '.prj' : '.dbf'} file is missing in the same folder`, file.name);
  checkProjection(prj.name, await textOf(prj));
  const encoding = cpg ? (await textOf(cpg)).trim() : 'UTF-8';
  if (!isEncoding(encoding)) throw new ImportError(`${encoding.slice(0, 40)} is not a character encoding`, cpg?.name);
  const [shapes, records] = [new Bytes(file, onBytes, checkLength), new Bytes(dbf)];
  try {
    const source = await open(shapes.stream, records.stream, { encoding });
    let number = 0;
    for (let next = await source.read(); !next.done; next = await source.read()) {
      number++;
      const { properties, geometry } = next.value;
      yield { record: `${file.name}#${number}`, properties, geometry };
    }
  } catch (error) {
    const failure = shapes.failure ?? records.failure ?? error;
    if (failure instanceof ImportError) throw failure;
    throw new ImportError('is not a shapefile, or is cut off', file.name);
  } finally {
    shapes.stream.destroy();
    records.stream.destroy();
  }
  const failure = shapes.failure ?? records.failure;
  if (failure) throw failure;
}

function checkProjection(name: string, text: string): void {
  if (PROJECTION.test(text)) return;
  const given = /^\s*\w+\["([^"]{1,80})"/.exec(text)?.[1] ?? 'a coordinate system without a name';
  throw new ImportError(
    `is in the coordinate system ${given}; WGS 84 or NAD 83 with longitude and latitude is needed`,
    name,
  );
}

async function textOf(file: NamedFile): Promise<string> {
  if (file.bytes > LARGEST_PART) throw new ImportError(`is longer than ${LARGEST_PART / 1024} KiB`, file.name);
  return (await readWhole(file)).toString('latin1');
}

function isEncoding(name: string): boolean {
  try {
    return Boolean(new TextDecoder(name));
  } catch {
    return false;
  }
}

/** The header offset of the file length, which is stated in two-byte words. */
const LENGTH_AT = 24;

/** Checks that a file is complete: the shapefile reader treats a truncated file as a short one. */
function checkLength(file: NamedFile, start: Buffer): void {
  if (start.length < LENGTH_AT + 4 || start.readInt32BE(LENGTH_AT) * 2 !== file.bytes)
    throw new ImportError('is not a shapefile, or is cut off', file.name);
}

/**
 * The bytes of a file as a stream that never fails: the shapefile reader leaves rejected promises unhandled, which
 * would end the process. The stream ends instead, and `failure` has the reason.
 */
class Bytes {
  readonly stream: Readable;
  failure: unknown;

  constructor(
    file: NamedFile,
    onBytes: (count: number) => void = () => undefined,
    check: (file: NamedFile, start: Buffer) => void = () => undefined,
  ) {
    const read = async function* (this: Bytes) {
      let started = false;
      try {
        for await (const chunk of file.read()) {
          if (!started) check(file, chunk);
          started = true;
          onBytes(chunk.length);
          yield chunk;
        }
      } catch (error) {
        this.failure = error;
      }
    };
    this.stream = Readable.from(read.call(this), { objectMode: false });
  }
}
