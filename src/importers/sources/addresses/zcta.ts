import { createHash } from 'node:crypto';
import { stateByFips } from '../../../base/words/states.ts';
import { type ImportContext, ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import type { FileSummary } from '../../exchange/load-summary.ts';
import { checkGeometry, GeometryError, isObject } from '../../read/geometry.ts';
import { provenanceOf } from '../../read/provenance.ts';
import { findFeatureFiles, type ReadFeatures } from '../districts/feature-files.ts';
import { type StagedZipArea, ZipAreaWriter } from './write-zip-areas.store.ts';

export interface ZctaOptions {
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
  readonly asOf?: string;
}

/** The properties with the code: ZCTA5CE20, ZCTA5CE10, ZCTA5CE00, ZCTA5CE, GEOID20, or those of other publishers. */
const CODE = /^(ZCTA5(CE)?\d{0,2}|GEOID\d{0,2}|ZIP(_?CODE)?5?)$/i;
/** The properties with the state, in files that cut areas at the borders of states. */
const STATE = /^STATEFP\d{0,2}$/i;

/** Opens files of ZIP Code Tabulation Areas, whole or in parts by state. */
export async function openZcta(paths: readonly string[], options: ZctaOptions): Promise<OpenedSource> {
  const read = await findFeatureFiles(paths);
  return {
    provenance: provenanceOf(paths, options),
    async *rows() {},
    write: (context, sourceId) => writeAreas(read, context, sourceId),
  };
}

async function writeAreas(read: ReadFeatures, context: ImportContext, sourceId: number): Promise<FileSummary[]> {
  const { db, report, onRead } = context;
  const writer = new ZipAreaWriter(db, report, sourceId);
  await writer.create();
  const seen = new Map<string, Set<string>>();
  for await (const { record, file, properties, geometry } of read(onRead)) {
    report.locate(record, file.name);
    const area = describe(record, properties, geometry);
    if (typeof area === 'string') {
      report.add(record, 'left-out', area);
    } else {
      const key = `${area.code} ${area.part}`;
      const outlines = seen.get(key) ?? new Set<string>();
      seen.set(key, outlines);
      if (outlines.has(area.digest)) report.add(record, 'left-out', `the ZIP code ${area.code} is in the files twice`);
      // Several features of one code are parts of its area.
      else
        await writer.add({ ...area, part: [area.part, outlines.size > 0 ? outlines.size + 1 : ''].join(' ').trim() });
      outlines.add(area.digest);
    }
  }
  if (seen.size === 0)
    throw new ImportError('the files have no ZIP code area: a property such as ZCTA5CE20 with five digits is needed');
  return [await writer.complete()];
}

function describe(record: string, properties: unknown, geometry: unknown): StagedZipArea | string {
  const values = Object.entries(isObject(properties) ? properties : {});
  const texts = values.map(([name, value]) => [name, String(value ?? '').trim()] as const);
  const code = texts.find(([name, value]) => CODE.test(name) && /^\d{5}$/.test(value))?.[1];
  if (code === undefined) return 'has no property with a ZIP code of five digits';
  const fips = texts.find(([name]) => STATE.test(name))?.[1];
  try {
    const { ewkb, wraps, points } = checkGeometry(geometry);
    const digest = createHash('sha256').update(ewkb).digest('base64');
    return { record, code, part: (fips && stateByFips(fips)?.postal) ?? '', ewkb, wraps, points, digest };
  } catch (error) {
    if (error instanceof GeometryError) return `geometry: ${error.message}`;
    throw error;
  }
}
