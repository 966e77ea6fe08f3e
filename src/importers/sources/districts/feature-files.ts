import type { ImportContext } from '../../exchange/import-rows.ts';
import { ImportError } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { findFiles } from '../../read/read-files.ts';
import type { DistrictFeature } from './district-files.ts';
import { GEOJSON } from './districts-geojson.ts';
import { SHAPEFILE } from './districts-shapefile.ts';

const FORMATS = [GEOJSON, SHAPEFILE];

/** A feature with the file that contains it. */
export interface FileFeature extends DistrictFeature {
  readonly file: NamedFile;
}

/** Reads the features of the files, and reports how much of all of them has been read. */
export type ReadFeatures = (onRead: ImportContext['onRead']) => AsyncIterable<FileFeature>;

/**
 * Finds GeoJSON files and shapefiles at the paths: files, folders or zips.
 * @throws ImportError if there is none.
 */
export async function findFeatureFiles(paths: readonly string[]): Promise<ReadFeatures> {
  const extensions = FORMATS.flatMap((format) => format.extensions);
  const files = await findFiles(paths, [...extensions, ...(SHAPEFILE.sidecars ?? [])]);
  const main = files.filter(({ name }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));
  if (main.length === 0) throw new ImportError(`there is no ${extensions.join(' or ')} file`, paths.join(', '));
  return (onRead) => featuresOf(main, files, onRead);
}

async function* featuresOf(
  main: readonly NamedFile[],
  files: readonly NamedFile[],
  onRead: ImportContext['onRead'],
): AsyncIterable<FileFeature> {
  const total = main.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    onRead(Math.min(done, total), total, 'bytes');
  };
  for (const file of main) {
    const format = FORMATS.find(({ extensions }) => extensions.some((each) => file.name.toLowerCase().endsWith(each)));
    if (!format) continue;
    for await (const feature of format.read(file, files, { onBytes })) yield { ...feature, file };
  }
}
