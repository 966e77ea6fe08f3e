import { glob, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { isCalendarDate } from '../../calendar.ts';
import { crsName } from '../boundary-rows.ts';
import { DISTRICT_TYPES } from '../format.ts';
import { geoJsonFeatures } from '../geojson-file.ts';
import { isObject } from '../geometry.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import { describeDistrict, type PropertyNames } from './district-shapes.ts';

export interface DistrictsGeoJsonOptions {
  /** One of the 16 district types; not needed where the file tells it. */
  readonly type?: string;
  /** The first day on which the boundaries are in effect, `YYYY-MM-DD`. */
  readonly from?: string;
  /** The last day; without one they are in effect until the next map. */
  readonly to?: string;
  readonly precise?: boolean;
  /** The properties that hold name, GEOID, OCD id and state, for files of other shapes. */
  readonly properties?: PropertyNames;
  /** What to note as provenance; by default what is known of the shape, else the name of the file. */
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
  readonly asOf?: string;
}

/** WGS 84, and NAD 83, which differs from it by about a metre. */
const COORDINATE_SYSTEMS = /(CRS84|EPSG:(:|[\d.]+:)?(4326|4269))$/i;

/**
 * Opens GeoJSON files of districts, or folders with such files at any depth: FeatureCollections, or one Feature each.
 * The rows of all files are of one period.
 */
export async function openDistrictsGeoJson(
  paths: readonly string[],
  options: DistrictsGeoJsonOptions,
): Promise<OpenedSource> {
  const { type, from, to } = options;
  if (paths.length === 0) throw new ImportError('districts-geojson takes the paths of GeoJSON files or folders');
  if (from === undefined || !isCalendarDate(from))
    throw new ImportError('districts-geojson needs --from, the first day of the boundaries, YYYY-MM-DD');
  if (to !== undefined && (!isCalendarDate(to) || to < from))
    throw new ImportError('--to must be an existing day, YYYY-MM-DD, not before --from');
  if (type !== undefined && !(DISTRICT_TYPES as readonly string[]).includes(type))
    throw new ImportError(`--type must be one of: ${DISTRICT_TYPES.join(', ')}`);
  const files = await findFiles(paths);
  return {
    provenance: {
      name: options.name ?? nameOf(paths[0] ?? ''),
      source: options.source ?? null,
      license: options.license ?? null,
      asOf: options.asOf ?? null,
    },
    rows: (context) => rowsOf(files, { ...options, from }, context),
  };
}

/** The last two parts of a path: `cds/2016`. */
function nameOf(path: string): string {
  return resolve(path).split(sep).slice(-2).join('/');
}

interface SourceFile {
  readonly path: string;
  /** The path below the folder that was given, as a report names it. */
  readonly name: string;
  readonly bytes: number;
}

async function findFiles(paths: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new ImportError(`${path}: there is no such file or folder`);
    if (found.isFile()) files.push({ path, name: basename(path), bytes: found.size });
    else {
      const inside = await Array.fromAsync(glob('**/*.{geojson,json}', { cwd: path }));
      for (const name of inside.sort())
        files.push({ path: join(path, name), name, bytes: (await stat(join(path, name))).size });
    }
  }
  if (files.length === 0) throw new ImportError(`${paths.join(', ')}: there is no .geojson or .json file`);
  return files;
}

/**
 * The files are read twice: once for the districts, once for their boundaries, which refer to them. A small price for
 * never holding a file in memory.
 */
async function* rowsOf(
  files: readonly SourceFile[],
  options: DistrictsGeoJsonOptions & { readonly from: string },
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const total = 2 * files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    context.onRead(done, total);
  };
  const { from: start_date, to: end_date, precise = false } = options;
  for (const pass of ['districts', 'boundaries'] as const) {
    for (const file of files) {
      for await (const { number, feature } of featuresOf(file, onBytes)) {
        const properties = isObject(feature.properties) ? feature.properties : {};
        const record = `${file.name}#${number}`;
        const district = describeDistrict(properties, record, options);
        if (typeof district === 'string') {
          if (pass === 'districts') context.report.add(record, district);
        } else if (pass === 'districts') {
          yield district;
        } else {
          const refs = { district_id: district.ids?.[0] ?? null };
          yield {
            table: 'boundaries',
            record: district.record,
            refs,
            values: { start_date, end_date, precise },
            geometry: feature.geometry,
          };
        }
      }
    }
  }
}

async function* featuresOf(file: SourceFile, onBytes: (count: number) => void) {
  const features = geoJsonFeatures(file.path, onBytes);
  for (let next = await features.next(); ; next = await features.next()) {
    const crs = crsName(next.done ? next.value : next.value.feature.crs);
    if (crs !== undefined && !COORDINATE_SYSTEMS.test(crs)) {
      throw new ImportError(
        `${file.name}: is in the coordinate system ${crs}; WGS 84 or NAD 83 with longitude and latitude is needed`,
      );
    }
    if (next.done) return;
    yield next.value;
  }
}
