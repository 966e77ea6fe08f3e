import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { errorsOfRow, quote, readCell, type Value } from '../../exchange/cells.ts';
import { tableOf } from '../../exchange/format.ts';
import type { ValidationErrors } from '../../exchange/validation-errors.ts';
import { type CheckedGeometry, checkGeometry, GeometryError, isObject } from '../../read/geometry.ts';
import { readLines, TextFileError } from '../../read/text-file.ts';
import type { Staging } from './staging.ts';

const table = tableOf('boundaries');
const COLUMNS = table.columns.map((column) => column.name);
/** The members of a Feature. Only `crs` is checked; the others are ignored. */
const FEATURE_MEMBERS = ['type', 'id', 'bbox', 'properties', 'geometry', 'crs'];
const WGS_84 = new Set([
  'urn:ogc:def:crs:OGC:1.3:CRS84',
  'urn:ogc:def:crs:OGC::CRS84',
  'urn:ogc:def:crs:EPSG::4326',
  'EPSG:4326',
]);

/**
 * The approximate number of points in the boundaries that one statement processes: the embedded database of a gateway
 * cancels statements that take longer than a few seconds.
 */
const POINTS_OF_A_BATCH = 30_000;
const WAITING_POINTS = 300_000;
const WAITING_ROWS = 500;

interface Waiting {
  readonly line: number;
  readonly origin: string | null;
  readonly values: readonly Value[];
  readonly geometry: CheckedGeometry;
  readonly digest: string;
}

/**
 * Stages boundaries with their checked geometry. If the database already has the same geometry (by digest), only the
 * digest is sent.
 */
export class BoundaryStager {
  readonly #db: Database;
  readonly #staging: Staging;
  #waiting: Waiting[] = [];
  #points = 0;
  #batch = 0;
  #batchPoints = 0;

  constructor(db: Database, staging: Staging) {
    this.#db = db;
    this.#staging = staging;
  }

  async add(
    values: readonly Value[],
    geometry: CheckedGeometry,
    place: { line: number; origin: string | null },
  ): Promise<void> {
    const digest = createHash('sha256').update(geometry.ewkb).digest('base64');
    this.#waiting.push({ ...place, values, geometry, digest });
    this.#points += geometry.points;
    if (this.#points >= WAITING_POINTS || this.#waiting.length >= WAITING_ROWS) await this.flush();
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#points = 0;
    if (waiting.length === 0) return;
    const known = await this.#digests(waiting);
    for (const { line, origin, values, geometry, digest } of waiting) {
      const [district, start] = values;
      const isSame = known.get(`${district} ${start}`) === digest;
      if (!isSame) this.#batchPoints += geometry.points;
      const extras = [digest, geometry.wraps, this.#batch, isSame ? null : geometry.ewkb.toString('hex')];
      await this.#staging.add(table, { line, origin, values: [...values, ...extras] });
      if (this.#batchPoints >= POINTS_OF_A_BATCH) {
        this.#batch++;
        this.#batchPoints = 0;
      }
    }
  }

  async #digests(waiting: readonly Waiting[]): Promise<Map<string, string>> {
    const districts = [...new Set(waiting.map(({ values }) => values[0]))];
    const found = await sql<{ key: string; digest: string }>`/* import.digests */
      select district_id || ' ' || start_date as key, digest from boundaries
      where district_id = any(${districts}::int[])`.execute(this.#db);
    return new Map(found.rows.map(({ key, digest }) => [key, digest]));
  }
}

/** Reads a boundaries file, one GeoJSON Feature per line, into its staging table. Validation errors go to `errors`. */
export async function readBoundaries(
  path: string,
  db: Database,
  staging: Staging,
  errors: ValidationErrors,
  onBytes?: (count: number) => void,
): Promise<void> {
  const file = basename(path);
  const stager = new BoundaryStager(db, staging);
  try {
    for await (const { line, text } of readLines(path, onBytes)) {
      const report = (column: string | null, reason: string) => errors.add({ file, line, column, reason });
      const feature = readFeature(text, report);
      if (feature) await stager.add(feature.values, feature.geometry, { line, origin: null });
    }
  } catch (error) {
    if (!(error instanceof TextFileError)) throw error;
    errors.add({ file, line: error.line, column: null, reason: error.message });
  }
  await stager.flush();
}

type Report = (column: string | null, reason: string) => void;

function readFeature(text: string, report: Report): { values: Value[]; geometry: CheckedGeometry } | undefined {
  const feature = parseFeature(text, report);
  if (!feature) return undefined;
  const values = readProperties(feature.properties, report);
  const geometry = readGeometry(feature, report);
  return values && geometry && { values, geometry };
}

function parseFeature(text: string, report: Report): Record<string, unknown> | undefined {
  let feature: unknown;
  try {
    feature = JSON.parse(text);
  } catch {
    report(null, `is not JSON (each line must contain one whole Feature): ${quote(text.trim())}`);
    return undefined;
  }
  if (!isObject(feature) || feature.type !== 'Feature') {
    report(null, 'is not a GeoJSON Feature');
    return undefined;
  }
  const unknown = Object.keys(feature).find((name) => !FEATURE_MEMBERS.includes(name));
  if (unknown !== undefined) {
    report(null, `unknown member ${quote(unknown)} of the Feature`);
    return undefined;
  }
  return feature;
}

function readProperties(properties: unknown, report: Report): Value[] | undefined {
  if (!isObject(properties)) {
    report('properties', 'are missing');
    return undefined;
  }
  const unknown = Object.keys(properties).filter((name) => !COLUMNS.includes(name));
  for (const name of unknown)
    report(null, `unknown property ${quote(name)}; valid properties are ${COLUMNS.join(', ')}`);
  const read = table.columns.map((column) => readCell(column, cellOf(properties[column.name])));
  const bad = errorsOfRow(table, read);
  for (const { column, reason } of bad) report(column, reason);
  return bad.length === 0 && unknown.length === 0 ? (read as Value[]) : undefined;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? '(not a plain value)' : String(value);
}

function readGeometry(feature: Record<string, unknown>, report: Report): CheckedGeometry | undefined {
  const crs = crsName(feature.crs);
  if (crs !== undefined && !WGS_84.has(crs)) {
    report('crs', `${quote(crs)} is not WGS 84, longitude first`);
    return undefined;
  }
  try {
    return checkGeometry(feature.geometry);
  } catch (error) {
    if (!(error instanceof GeometryError)) throw error;
    report('geometry', error.message);
    return undefined;
  }
}

/** Returns the name of the coordinate system in a `crs` member (GeoJSON of 2008); undefined without such a member. */
export function crsName(crs: unknown): string | undefined {
  if (crs === undefined || crs === null) return undefined;
  const name = isObject(crs) && isObject(crs.properties) ? crs.properties.name : undefined;
  return typeof name === 'string' ? name : 'a coordinate system without a name';
}
