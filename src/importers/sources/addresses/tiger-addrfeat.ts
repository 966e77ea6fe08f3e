import { stateByFips, stateByPostal } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import type { FileSummary } from '../../exchange/load-summary.ts';
import { isObject } from '../../read/geometry.ts';
import { type FileFeature, findFeatureFiles, type ReadFeatures } from '../districts/feature-files.ts';
import { AddressRangeWriter, type StagedAddressRange } from './write-addresses.store.ts';

export interface AddressRangeOptions {
  readonly state?: string;
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
  readonly asOf?: string;
}

/**
 * Opens the address ranges of the Census: the TIGER/Line files ADDRFEAT of a county, or GeoJSON with the same properties.
 * The state is that of the county in the name of the file (`tl_2023_50023_addrfeat.zip`), or that of the options.
 */
export async function openTigerAddrfeat(paths: readonly string[], options: AddressRangeOptions): Promise<OpenedSource> {
  const read = await findFeatureFiles(paths);
  const { state } = options;
  if (state !== undefined && !stateByPostal(state))
    throw new ImportError(`--state ${state}: must be the two letters of a state`);
  return {
    provenance: {
      name: options.name ?? 'Census TIGER/Line address ranges',
      source: options.source ?? 'https://www2.census.gov/geo/tiger/',
      license: options.license ?? 'public domain',
      asOf: options.asOf ?? null,
    },
    async *rows() {},
    write: (context, sourceId) => writeRanges(read, state?.toUpperCase(), context, sourceId),
  };
}

async function writeRanges(
  read: ReadFeatures,
  state: string | undefined,
  { db, report, onRead }: ImportContext,
  sourceId: number,
): Promise<FileSummary[]> {
  const writer = new AddressRangeWriter(db, report, sourceId);
  let count = 0;
  for await (const feature of read(onRead)) {
    const ranges = describe(feature, state);
    if (typeof ranges === 'string') {
      report.add(report.locate(feature.record, feature.file.name), 'left-out', ranges);
      continue;
    }
    for (const range of ranges) {
      count++;
      await writer.add(range, feature.file.name);
    }
  }
  if (count === 0)
    throw new ImportError('the files have no address range: the properties FULLNAME, LFROMHN, LTOHN, … are needed');
  return [await writer.complete()];
}

/** A house number without letters; those with letters or hyphens have no order to interpolate in. */
const NUMBER = /^\d{1,7}$/;
const COUNTY_IN_NAME = /(?:^|[_/])(\d{2})\d{3}_addrfeat/i;
const LONGEST_NAME = 100;

/** Returns the ranges on the two sides of a line, or why it has none. */
function describe({ record, file, properties, geometry }: FileFeature, given: string | undefined) {
  const values = isObject(properties) ? properties : {};
  const text = (name: string) => String(values[name] ?? '').trim();
  const street = text('FULLNAME').replace(/\s+/g, ' ');
  if (street === '') return 'has no name';
  if (street.length > LONGEST_NAME) return 'has a name that is too long';
  const state =
    stateByFips(text('STATEFP'))?.postal ?? given ?? stateByFips(COUNTY_IN_NAME.exec(file.name)?.[1] ?? '')?.postal;
  if (state === undefined) return 'has no state: give --state';
  const line = lineOf(geometry);
  if (!line) return 'has no line with longitudes and latitudes';
  const id = text('LINEARID') === '' && text('TLID') === '' ? record : `${text('TLID')} ${text('LINEARID')}`;
  const ranges: StagedAddressRange[] = [];
  for (const side of ['L', 'R'] as const) {
    const [from, to] = [text(`${side}FROMHN`), text(`${side}TOHN`)];
    if (!NUMBER.test(from) || !NUMBER.test(to)) continue;
    const zip = /^\d{5}$/.exec(text(`ZIP${side}`))?.[0] ?? null;
    const key = `${id} ${side} ${street} ${from}-${to}`;
    const isMixed = text(`PARITY${side}`) === 'B' || (Number(from) - Number(to)) % 2 !== 0;
    ranges.push({ record, key, street, state, zip, from: Number(from), to: Number(to), side, isMixed, line });
  }
  return ranges.length > 0 ? ranges : 'has no house numbers that can be interpolated';
}

function lineOf(geometry: unknown): StagedAddressRange['line'] | undefined {
  if (!isObject(geometry)) return undefined;
  const { type, coordinates } = geometry;
  const positions =
    type === 'MultiLineString' && Array.isArray(coordinates) && coordinates.length === 1 ? coordinates[0] : coordinates;
  if ((type !== 'LineString' && type !== 'MultiLineString') || !Array.isArray(positions) || positions.length < 2)
    return undefined;
  const line = positions.map((position) =>
    Array.isArray(position) ? ([Number(position[0]), Number(position[1])] as const) : undefined,
  );
  const isUsable = line.every((each) => each && Math.abs(each[0]) <= 180 && Math.abs(each[1]) <= 90);
  const usable = line.filter((each) => each !== undefined);
  const isLong = usable.some(([x, y]) => x !== usable[0]?.[0] || y !== usable[0]?.[1]);
  return isUsable && isLong ? usable : undefined;
}
