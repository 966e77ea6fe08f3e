import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { STATES, stateByPostal } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import type { FileSummary } from '../../exchange/load-summary.ts';
import { StateAreas } from '../../facts/state-areas.ts';
import { isOutside } from '../../facts/us-extent.ts';
import { isObject } from '../../read/geometry.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { provenanceOf } from '../../read/provenance.ts';
import { findFiles, watchFiles } from '../../read/read-files.ts';
import { checkedChunks, TextFileError } from '../../read/text-file.ts';
import { GEOJSON } from '../districts/districts-geojson.ts';
import { ADDRESS_FIELDS, ADDRESS_PRESETS, type AddressField, type AddressFields } from './address-presets.ts';
import { AddressPointWriter, type StagedAddressPoint } from './write-addresses.store.ts';

export interface AddressPointOptions {
  readonly preset?: string;
  readonly fields?: AddressFields;
  readonly state?: string;
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
  readonly asOf?: string;
}

const CSV = ['.csv', '.tsv'];

/** Opens files of address points: GeoJSON with Points, or CSV with columns of the coordinates. */
export async function openAddressPoints(paths: readonly string[], options: AddressPointOptions): Promise<OpenedSource> {
  const preset = options.preset === undefined ? undefined : ADDRESS_PRESETS[options.preset];
  if (options.preset !== undefined && !preset)
    throw new ImportError(
      `There is no preset ${options.preset} of address-points; the presets are ${Object.keys(ADDRESS_PRESETS).join(', ')}`,
    );
  const fields = { ...preset?.fields, ...options.fields };
  for (const needed of ['number', 'street'] as const) {
    if (fields[needed] === undefined)
      throw new ImportError(
        `address-points needs the field of the ${needed}: --preset (${Object.keys(ADDRESS_PRESETS).join(', ')}), or --fields number=…,street=…,town=…,zip=…`,
      );
  }
  const unknown = Object.keys(fields).find((field) => !(ADDRESS_FIELDS as readonly string[]).includes(field));
  if (unknown) throw new ImportError(`${unknown} is no part of an address; the parts are ${ADDRESS_FIELDS.join(', ')}`);
  const state = options.state ?? preset?.state;
  if (state !== undefined && !stateByPostal(state))
    throw new ImportError(`--state ${state}: must be the two letters of a state`);
  const files = await findFiles(paths, [...GEOJSON.extensions, ...CSV]);
  return {
    provenance: provenanceOf(paths, options, preset),
    async *rows() {},
    write: (context, sourceId) => writePoints(files, fields, state, context, sourceId),
  };
}

interface AddressRecord {
  readonly record: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The coordinates of a GeoJSON Point. */
  readonly coordinates?: unknown;
}

async function writePoints(
  files: readonly NamedFile[],
  fields: AddressFields,
  state: string | undefined,
  { db, report, onRead }: ImportContext,
  sourceId: number,
): Promise<FileSummary[]> {
  const writer = new AddressPointWriter(db, report, sourceId);
  const areas = await StateAreas.read();
  let count = 0;
  for (const file of watchFiles(files, onRead)) {
    const isCsv = CSV.some((extension) => file.name.toLowerCase().endsWith(extension));
    for await (const record of isCsv ? csvRecords(file, fields) : geoJsonRecords(file)) {
      const point = describe(record, fields, state);
      if (typeof point === 'string') report.add(report.locate(record.record, file.name), 'left-out', point);
      else if (!areas.isNear(point.state, point.longitude, point.latitude))
        report.add(report.locate(record.record, file.name), 'left-out', OUTSIDE);
      else {
        count++;
        await writer.add(point, file.name);
      }
    }
  }
  if (count === 0) throw new ImportError('the files have no address: check --fields and the coordinates');
  return [await writer.complete()];
}

async function* geoJsonRecords(file: NamedFile): AsyncIterable<AddressRecord> {
  for await (const { record, properties, geometry } of GEOJSON.read(file, [file], { onBytes: () => undefined })) {
    const isPoint = isObject(geometry) && geometry.type === 'Point';
    yield { record, values: isObject(properties) ? properties : {}, coordinates: isPoint ? geometry.coordinates : [] };
  }
}

async function* csvRecords(file: NamedFile, fields: AddressFields): AsyncIterable<AddressRecord> {
  const wanted = Object.values(fields).flatMap((name) => name.split('+'));
  const parser = parse({
    columns: (header: string[]) => {
      const missing = wanted.filter((name) => !header.includes(name));
      const needed = [fields.number, fields.street, fields.longitude, fields.latitude].flatMap(
        (name) => name?.split('+') ?? [],
      );
      const unknown = missing.find((name) => needed.includes(name));
      if (unknown !== undefined)
        throw new ImportError(`has no column ${unknown}; its columns are ${header.join(', ')}`, file.name);
      return header;
    },
    delimiter: file.name.toLowerCase().endsWith('.tsv') ? '\t' : ',',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  });
  const chunks = Readable.from(checkedChunks(file.read(), { quotes: true, lenient: true }));
  chunks.on('error', (error) => parser.destroy(error));
  chunks.pipe(parser);
  let row = 1;
  try {
    for await (const values of parser as AsyncIterable<Record<string, string>>) {
      row++;
      yield { record: `${file.name}#${row}`, values };
    }
  } catch (error) {
    if (error instanceof TextFileError) throw new ImportError(error.message, file.name, error.line);
    if (error instanceof ImportError || !(error instanceof Error) || !('code' in error)) throw error;
    throw new ImportError(`after row ${row}: is not CSV: ${error.message.slice(0, 200)}`, file.name);
  } finally {
    chunks.destroy();
  }
}

const OUTSIDE = 'has a point that is not in its state';

const NUMBER = /^(\d{1,7})\s*(.*)$/;
const LONGEST = { street: 100, town: 100, id: 200, numberSuffix: 10 };

/** Returns the address of a record, or why it has none. */
function describe(
  { record, values, coordinates }: AddressRecord,
  fields: AddressFields,
  fileState: string | undefined,
): StagedAddressPoint | string {
  const text = (field: AddressField) =>
    (fields[field]?.split('+') ?? [])
      .map((name) => (Object.hasOwn(values, name) ? String(values[name] ?? '').trim() : ''))
      .filter(Boolean)
      .join(' ')
      .replace(/\s+/g, ' ');
  const [, digits, after = ''] = NUMBER.exec(text('number')) ?? [];
  const number = Number(digits ?? 0);
  if (number === 0) return 'has no house number';
  const street = text('street');
  if (!/\p{L}|\p{N}/u.test(street)) return 'has no street';
  const state = stateOf(text('state')) ?? fileState?.toUpperCase();
  if (state === undefined) return 'has no state: give --state';
  const point = pointOf(
    coordinates ?? [text('longitude'), text('latitude')].map((each) => (each === '' ? Number.NaN : Number(each))),
  );
  if (!point) return 'has no point: longitude and latitude in degrees are needed';
  if (isOutside(...point))
    return isOutside(point[1], point[0])
      ? 'has a point that is not in the United States'
      : 'has a point that is not in the United States: its longitude and latitude are exchanged';
  const town = text('town');
  const numberSuffix = (after || text('number-suffix')).toUpperCase();
  if (street.length > LONGEST.street || town.length > LONGEST.town || numberSuffix.length > LONGEST.numberSuffix)
    return 'has a street, town or house number that is too long';
  // Spreadsheets drop the zero at the beginning of a ZIP code.
  const zip =
    /^(\d{5})(-?\d{4})?$/.exec(text('zip').replace(/^\d{3,4}$/, (digits) => digits.padStart(5, '0')))?.[1] ?? null;
  const id = text('id').slice(0, LONGEST.id);
  const [longitude, latitude] = point;
  return {
    record,
    key: id || [number, numberSuffix, street, town, state, zip, longitude, latitude].join('|'),
    street,
    state,
    zip,
    town,
    number,
    numberSuffix,
    priority: priorityOf(text('kind')),
    longitude,
    latitude,
  };
}

function stateOf(text: string): string | undefined {
  const known = stateByPostal(text) ?? STATES.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  return known?.postal;
}

function pointOf(coordinates: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return undefined;
  if (!(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) || (longitude === 0 && latitude === 0))
    return undefined;
  return [longitude + 0, latitude + 0];
}

const DWELLING = /dwelling|residen|\bhome\b|condominium|apartment|single.?family|multi.?family/i;
const NO_BUILDING = /accessory|barn|garage|utility|tower|pump|trail|solar|hookup|pole|access|tank|gated|communication/i;

/** Of several points of one address, a dwelling comes first, and sheds and masts last. */
function priorityOf(kind: string): number {
  if (NO_BUILDING.test(kind)) return 2;
  return DWELLING.test(kind) ? 0 : 1;
}
