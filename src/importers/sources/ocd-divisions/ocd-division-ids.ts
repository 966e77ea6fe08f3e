import { parse } from 'csv-parse/sync';
import { normalName } from '../../../base/words/normal-name.ts';
import { stateByPostal, stateOfOcdid } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { decodeText } from '../../read/read-documents.ts';
import { findFiles, readWhole } from '../../read/read-files.ts';
import { type Division, divisionRow } from './ocd-divisions.ts';

export interface OcdDivisionIdsOptions {
  /** Limits the import to the divisions of these states: two letters each, separated by commas. */
  readonly state?: string;
  readonly asOf?: string;
}

/**
 * Opens files of the project opencivicdata/ocd-division-ids (`identifiers/country-us`, CSV): OCD ids, GEOIDs and NCES
 * ids of districts, which need no boundary. The data of several files about one division are merged.
 */
export async function openOcdDivisionIds(
  paths: readonly string[],
  options: OcdDivisionIdsOptions,
): Promise<OpenedSource> {
  const states = options.state?.split(',').map((postal) => {
    const state = stateByPostal(postal.trim());
    if (!state) throw new ImportError(`--state: ${postal} is not a state of two letters`);
    return state;
  });
  const files = await findFiles(paths, ['.csv']);
  return {
    provenance: {
      name: 'ocd-division-ids',
      source: 'https://github.com/opencivicdata/ocd-division-ids',
      license: 'CC0-1.0',
      asOf: options.asOf ?? null,
    },
    async *rows(context) {
      const divisions = await readDivisions(files, context);
      const wanted = [...divisions.values()].filter(({ ocdid }) => {
        const state = stateOfOcdid(ocdid);
        return states === undefined || state === undefined || states.includes(state);
      });
      yield* rowsOf(wanted, context);
    },
  };
}

async function readDivisions(files: readonly NamedFile[], context: ImportContext): Promise<Map<string, Division>> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const divisions = new Map<string, Division>();
  for (const file of files) {
    for (const { record, info } of readCsv(file.name, decodeText(file.name, await readWhole(file)))) {
      const ocdid = record.id ?? '';
      const place = context.report.locate(`${file.name}:${info.lines}`, file.name, info.lines);
      if (!ocdid.startsWith('ocd-division/country:us')) {
        context.report.add(
          place,
          'left-out',
          `${ocdid.slice(0, 80) || 'an empty id'} is not a division of the United States`,
        );
        continue;
      }
      const known = divisions.get(ocdid);
      divisions.set(ocdid, {
        ocdid,
        place: known?.place ?? place,
        name: known?.name || record.name || '',
        geoid: known?.geoid || (record.census_geoid ?? '').replace(/^[a-z]+-/, ''),
        isNces: known?.isNces || 'sch_dist_stateid' in record,
        validThrough: known?.validThrough || record.validThrough || '',
      });
    }
    done += file.bytes;
    context.onRead(done, total, 'bytes');
  }
  return divisions;
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

/**
 * Returns the records of a file. Some files have a header; others begin with the first division, and their columns are
 * id and name.
 */
function readCsv(name: string, text: string): CsvRecord[] {
  const hasHeader = text.startsWith('id,');
  try {
    return parse(text, {
      columns: hasHeader ? true : ['id', 'name'],
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : null;
    throw new ImportError('is not CSV with the columns id and name, or is cut off', name, line);
  }
}

async function* rowsOf(divisions: readonly Division[], { report }: ImportContext): AsyncIterable<ImportRow> {
  const nameOf = ({ ocdid, name }: Division) => `${stateOfOcdid(ocdid)?.postal} ${normalName(name)}`;
  const bearers = Map.groupBy(divisions, nameOf);
  // Sorted by id, so that states precede the divisions within them.
  for (const division of divisions.toSorted((a, b) => (a.ocdid < b.ocdid ? -1 : 1))) {
    const { file, line } = report.placeOf(division.place);
    const record = report.locate(`${division.place} (${division.ocdid})`, file, line);
    const row = divisionRow(division, bearers.get(nameOf(division))?.length === 1);
    if (typeof row === 'string') report.add(record, 'left-out', row);
    else yield row;
  }
}
