import { ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import { isObject } from '../../read/geometry.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { decodeText, parseJson } from '../../read/read-documents.ts';
import { readWhole } from '../../read/read-files.ts';
import { topoFeatures } from '../../read/topojson.ts';
import {
  type DistrictFeature,
  type DistrictFormat,
  type DistrictOptions,
  openDistricts,
  type ReadOptions,
} from './district-files.ts';

const TOPOJSON: DistrictFormat = {
  source: 'districts-topojson',
  extensions: ['.topojson', '.json'],
  read: featuresOf,
};

/** Opens TopoJSON files of districts, one layer of each. */
export function openDistrictsTopoJson(paths: readonly string[], options: DistrictOptions): Promise<OpenedSource> {
  return openDistricts(TOPOJSON, paths, options);
}

/**
 * Yields the features of a file. A feature that repeats the properties and shape of an earlier one is skipped: the
 * Census lists a district that runs two kinds of schools once for each.
 */
async function* featuresOf(
  file: NamedFile,
  _: readonly NamedFile[],
  { layer, onBytes }: ReadOptions,
): AsyncIterable<DistrictFeature> {
  const topology = parseJson(file.name, decodeText(file.name, await readWhole(file)));
  onBytes(file.bytes);
  const layers = isObject(topology) && isObject(topology.objects) ? Object.keys(topology.objects) : [];
  const [only, ...others] = layers;
  if (layer === undefined && others.length > 0)
    throw new ImportError(`has the layers ${layers.join(', ')}; choose one with --layer`, file.name);
  const seen = new Set<string>();
  for (const [index, { id, properties, geometry }] of topoFeatures(topology, layer ?? only ?? '').entries()) {
    const key = JSON.stringify([properties, geometry]);
    if (seen.has(key)) continue;
    seen.add(key);
    yield { record: `${file.name}#${id || index + 1}`, properties, geometry };
  }
}
