import { DISTRICT_TYPES } from '../../exchange/format.ts';
import {
  type ExternalId,
  type ImportContext,
  ImportError,
  type ImportRow,
  type OpenedSource,
} from '../../exchange/import-rows.ts';
import { isObject } from '../../read/geometry.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { provenanceOf } from '../../read/provenance.ts';
import { findFiles } from '../../read/read-files.ts';
import { DISTRICT_PRESETS, type Period } from './district-presets.ts';
import { describeDistrict, NotADistrict, type PropertyNames } from './district-shapes.ts';
import { MapCompleteness } from './map-completeness.ts';
import { endOlderMaps } from './older-maps.store.ts';
import { leaveOutBoundariesOutside } from './outside-boundaries.store.ts';

export interface DistrictOptions {
  /** The name of a known file format; the options below override it. */
  readonly preset?: string;
  /** One of the 16 district types; not needed if the file states it. */
  readonly type?: string;
  /** The first day on which the boundaries are in effect, `YYYY-MM-DD`. */
  readonly from?: string;
  /** The last day; without one the boundaries are in effect until the next map. */
  readonly to?: string;
  readonly precise?: boolean;
  /** Imports a map that misses districts of a state that it covers, instead of rejecting it. */
  readonly partial?: boolean;
  /** Ends the boundaries of older counties that the map does not have, because its areas replace them. */
  readonly replaces?: boolean;
  /** The properties with name, GEOID, OCD id, state and county code, for unknown file formats. */
  readonly properties?: PropertyNames;
  /** The state of all files, two letters, if no property states it. */
  readonly state?: string;
  /** The layer of a TopoJSON file that has more than one. */
  readonly layer?: string;
  /** The name recorded as provenance; defaults to that of the known format, otherwise to the name of the file. */
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
  readonly asOf?: string;
}

/** A district as a file describes it. */
export interface DistrictFeature {
  /** The position in the file, as a report names it. */
  readonly record: string;
  readonly properties: unknown;
  readonly geometry: unknown;
}

/** What distinguishes one boundary file format from another. */
export interface DistrictFormat {
  readonly source: string;
  /** Its file extensions. */
  readonly extensions: readonly string[];
  /** Extensions of companion files. */
  readonly sidecars?: readonly string[];
  /** Yields the features of one of the files. */
  read(file: NamedFile, all: readonly NamedFile[], options: ReadOptions): AsyncIterable<DistrictFeature>;
}

export interface ReadOptions {
  readonly layer?: string;
  onBytes(count: number): void;
}

/**
 * Opens files of districts: single files, folders or archives. Their rows have one period, unless a preset specifies
 * more.
 */
export async function openDistricts(
  format: DistrictFormat,
  paths: readonly string[],
  options: DistrictOptions,
): Promise<OpenedSource> {
  const { source } = format;
  const preset = options.preset === undefined ? undefined : DISTRICT_PRESETS[options.preset];
  if (options.preset !== undefined && !preset)
    throw new ImportError(
      `There is no preset ${options.preset}; the presets are ${Object.keys(DISTRICT_PRESETS).join(', ')}`,
    );
  const { from, to, type = preset?.type } = options;
  if (from === undefined && !preset)
    throw new ImportError(`${source} needs --from, the first day of the boundaries, YYYY-MM-DD`);
  if (type !== undefined && !(DISTRICT_TYPES as readonly string[]).includes(type))
    throw new ImportError(`--type must be one of: ${DISTRICT_TYPES.join(', ')}`);
  const files = await findFiles(paths, [...format.extensions, ...(format.sidecars ?? [])]);
  const main = files.filter(({ name }) =>
    format.extensions.some((extension) => name.toLowerCase().endsWith(extension)),
  );
  if (main.length === 0) throw new ImportError(`there is no ${format.extensions.join(' or ')} file`, paths.join(', '));
  const periodOf = (state: string): Period => {
    const known = preset?.period(state);
    return { from: from ?? known?.from ?? '', to: to ?? (from === undefined ? known?.to : undefined) };
  };
  const completeness = new MapCompleteness();
  return {
    // A part of a map does not show which districts there are no more.
    settle: async (db, report) => {
      await leaveOutBoundariesOutside(db, report);
      if (!options.partial) await endOlderMaps(db, completeness.maps, report, options.replaces ?? false);
    },
    verify: (db, report) => completeness.verify(db, report, source, options.partial ?? false),
    provenance: provenanceOf(paths, options, preset),
    rows: (context) =>
      rowsOf(
        {
          format,
          files,
          main,
          periodOf,
          precise: options.precise ?? preset?.precise ?? false,
          type,
          properties: options.properties ?? preset?.properties,
          layer: options.layer ?? preset?.layer,
          completeness,
          stateOf: (file) => options.state ?? preset?.state ?? (preset?.stateInName ? stateInName(file) : undefined),
        },
        context,
      ),
  };
}

function stateInName({ name }: NamedFile): string | undefined {
  return /(?:^|\/)([A-Z]{2})_[^/]*$/.exec(name)?.[1];
}

interface Reading {
  readonly format: DistrictFormat;
  readonly files: readonly NamedFile[];
  readonly main: readonly NamedFile[];
  readonly periodOf: (state: string) => Period;
  readonly precise: boolean;
  readonly type?: string;
  readonly properties?: PropertyNames;
  readonly layer?: string;
  readonly completeness: MapCompleteness;
  readonly stateOf: (file: NamedFile) => string | undefined;
}

/**
 * Yields the rows of the files, which are read twice: once for the districts, once for their boundaries, which
 * reference them. In return, no file is ever held in memory.
 */
async function* rowsOf(reading: Reading, context: ImportContext): AsyncIterable<ImportRow> {
  const { format, files, main, layer, type, properties: names, precise, completeness } = reading;
  const total = 2 * main.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    context.onRead(done, total, 'bytes');
  };
  for (const pass of ['districts', 'boundaries'] as const) {
    for (const file of main) {
      const state = reading.stateOf(file);
      for await (const feature of format.read(file, files, { layer, onBytes })) {
        const given = isObject(feature.properties) ? feature.properties : {};
        const properties = Object.keys(given).length > 0 ? given : propertiesOfPath(file);
        const district = describeDistrict(properties, feature.record, { type, properties: names, state });
        context.report.locate(feature.record, file.name);
        if (typeof district === 'string' || district instanceof NotADistrict) {
          if (pass === 'boundaries') continue;
          if (district instanceof NotADistrict) context.report.add(feature.record, 'left-out', district.reason);
          else {
            context.report.add(feature.record, 'left-out', district);
            completeness.addUnreadable(feature.record, district, type);
          }
        } else if (pass === 'districts') {
          context.report.locate(district.record, file.name);
          yield district;
        } else {
          const period = reading.periodOf(String(district.values.state));
          completeness.add(district, period.from);
          yield boundaryRow(district, feature, period, precise);
        }
      }
    }
  }
}

/** Returns the properties of a geometry without any, if a folder has the code of a Congress district: `NC-12/`. */
function propertiesOfPath({ name }: NamedFile): Record<string, unknown> {
  const code = /(?:^|\/)([A-Z]{2}-(?:AL|\d{1,2}))(?=[/.])/.exec(name)?.[1];
  return code === undefined ? {} : { Code: code };
}

function boundaryRow(
  { ids, record }: ImportRow,
  { geometry }: DistrictFeature,
  { from, to }: Period,
  precise: boolean,
): ImportRow {
  const district_id: ExternalId | null = ids?.[0] ?? null;
  return {
    table: 'boundaries',
    record,
    refs: { district_id },
    values: { start_date: from, end_date: to, precise },
    geometry,
  };
}
