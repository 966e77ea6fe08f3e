import { ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import { crsName } from '../../load/stage/boundary-rows.ts';
import { geoJsonFeatures } from '../../read/geojson-file.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { type DistrictFeature, type DistrictFormat, type DistrictOptions, openDistricts } from './district-files.ts';

/** WGS 84, and NAD 83, which differs from it by about a metre. */
const COORDINATE_SYSTEMS = /(CRS84|EPSG:(:|[\d.]+:)?(4326|4269))$/i;

export const GEOJSON: DistrictFormat = {
  source: 'districts-geojson',
  extensions: ['.geojson', '.json', '.geojsonl', '.geojsons', '.geojsonseq', '.ndjson', '.jsonl'],
  read: (file, _, { onBytes }) => featuresOf(file, onBytes),
};

/** Opens GeoJSON files of districts: FeatureCollections, one Feature each, or one Feature a line. */
export function openDistrictsGeoJson(paths: readonly string[], options: DistrictOptions): Promise<OpenedSource> {
  return openDistricts(GEOJSON, paths, options);
}

async function* featuresOf(file: NamedFile, onBytes: (count: number) => void): AsyncIterable<DistrictFeature> {
  const features = geoJsonFeatures(file, onBytes);
  for (let next = await features.next(); ; next = await features.next()) {
    const crs = crsName(next.done ? next.value : next.value.feature.crs);
    if (crs !== undefined && !COORDINATE_SYSTEMS.test(crs)) {
      throw new ImportError(
        `is in the coordinate system ${crs}; WGS 84 or NAD 83 with longitude and latitude is needed`,
        file.name,
      );
    }
    if (next.done) return;
    const { number, feature } = next.value;
    yield { record: `${file.name}#${number}`, properties: feature.properties, geometry: feature.geometry };
  }
}
