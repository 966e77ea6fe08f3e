import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { FileSummary } from '../../exchange/load-summary.ts';
import type { Report } from '../../exchange/report.ts';
import { repairGeometries } from '../../load/settle/geometry-repair.ts';
import { insertRows } from '../../load/stage/insert-rows.ts';
import { affected } from '../../load/write/write-changes.ts';

/** A ZIP area as its file has it. */
export interface StagedZipArea {
  readonly record: string;
  readonly code: string;
  /** The state of which this is the part of the area; empty for a whole area. */
  readonly part: string;
  readonly ewkb: Buffer;
  readonly wraps: boolean;
  readonly points: number;
  readonly digest: string;
}

/** The maximum number of vertices per piece, as for boundaries. */
const MOST_VERTICES = 128;
/** The relative rounding error allowed between the area of a polygon and the sum of its pieces. */
const ROUNDING = 1e-9;
/** The approximate number of points in the areas that one statement processes. */
const POINTS_OF_A_BATCH = 30_000;

const COLUMNS = [
  { name: 'line', sqlType: 'integer' },
  { name: 'origin', sqlType: 'text' },
  { name: 'code', sqlType: 'text' },
  { name: 'part', sqlType: 'text' },
  { name: 'digest', sqlType: 'text' },
  { name: 'wraps', sqlType: 'boolean' },
  { name: 'batch', sqlType: 'integer' },
  { name: 'geometry', sqlType: 'geometry(MultiPolygon, 4326)' },
] as const;

/** Writes ZIP areas in batches, so that a file of any size needs little memory. */
export class ZipAreaWriter {
  readonly #db: Database;
  readonly #report: Report;
  readonly #sourceId: number;
  #waiting: StagedZipArea[] = [];
  #points = 0;
  #inserted = 0;
  #updated = 0;
  #unchanged = 0;
  #removed = 0;
  #repaired = 0;

  constructor(db: Database, report: Report, sourceId: number) {
    this.#db = db;
    this.#report = report;
    this.#sourceId = sourceId;
  }

  async create(): Promise<void> {
    const columns = COLUMNS.map(({ name, sqlType }) => sql`${sql.ref(name)} ${sql.raw(sqlType)}`);
    await sql`/* import.stage */
      create temp table stage_zip_areas (${sql.join(columns)}) on commit drop`.execute(this.#db);
  }

  async add(area: StagedZipArea): Promise<void> {
    this.#waiting.push(area);
    this.#points += area.points;
    if (this.#points >= POINTS_OF_A_BATCH) await this.#flush();
  }

  /** Writes the rest; returns what changed. */
  async complete(): Promise<FileSummary> {
    await this.#flush();
    await sql`/* import.analyze */ analyze zip_areas, zip_area_pieces`.execute(this.#db);
    await sql`/* import.outlines */ select ballotgraph_measure_outlines(array['ZIP'])`.execute(this.#db);
    return {
      file: 'ZIP areas',
      inserted: this.#inserted,
      updated: this.#updated,
      unchanged: this.#unchanged,
      removed: this.#removed,
      repaired: this.#repaired,
    };
  }

  async #flush(): Promise<void> {
    const areas = this.#waiting;
    this.#waiting = [];
    this.#points = 0;
    if (areas.length === 0) return;
    const known = await this.#known(areas);
    const changed = areas.filter(({ code, part, digest }) => known.get(`${code} ${part}`) !== digest);
    this.#unchanged += areas.length - changed.length;
    if (changed.length === 0) return;
    const rows = changed.map(({ record, code, part, digest, wraps, ewkb }, index) => [
      index,
      record,
      code,
      part,
      digest,
      wraps,
      0,
      ewkb.toString('hex'),
    ]);
    await insertRows(this.#db, 'stage_zip_areas', COLUMNS, rows);
    await this.#repair();
    await this.#write();
    await sql`/* import.stage */ truncate stage_zip_areas`.execute(this.#db);
  }

  /** Returns the digests of the stored areas of the same edition, by code and part. */
  async #known(areas: readonly StagedZipArea[]): Promise<Map<string, string>> {
    const codes = areas.map(({ code }) => code);
    const { rows } = await sql<{ key: string; digest: string }>`/* import.zip-digests */
      select code || ' ' || part as key, digest from zip_areas
      where code = any(${codes}::text[]) and source_id = ${this.#sourceId}`.execute(this.#db);
    return new Map(rows.map(({ key, digest }) => [key, digest]));
  }

  async #repair(): Promise<void> {
    const { repaired, findings } = await repairGeometries(this.#db, () => undefined, 'stage_zip_areas');
    this.#repaired += repaired;
    for (const { file, column, reason } of findings) this.#report.add(file, 'left-out', `${column}: ${reason}`);
    const lines = findings.map(({ stageLine }) => stageLine);
    await sql`/* import.leave-out */
      delete from stage_zip_areas where line = any(${lines}::int[])`.execute(this.#db);
  }

  async #write(): Promise<void> {
    // A whole area replaces the parts of it, and a part replaces the whole.
    this.#removed += await affected(
      this.#db,
      sql`/* import.replaced-zip-areas */
        delete from zip_areas as a using stage_zip_areas as s
        where a.code = s.code and (a.part = '') <> (s.part = '')`,
    );
    const { rows } = await sql<{ id: number; is_new: boolean }>`/* import.zip-areas */
      insert into zip_areas as a (code, part, geometry, digest, source_id)
      select code, part, geometry, digest, ${this.#sourceId} from stage_zip_areas order by line
      on conflict (code, part) do update
      set geometry = excluded.geometry, digest = excluded.digest, source_id = excluded.source_id,
        updated_at = update_time()
      returning id, xmax = 0 as is_new`.execute(this.#db);
    for (const { is_new } of rows) {
      if (is_new) this.#inserted++;
      else this.#updated++;
    }
    await this.#subdivide(rows.map(({ id }) => id));
  }

  /** Subdivides areas as boundaries are; a polygon whose pieces are invalid or do not add up stays whole. */
  async #subdivide(ids: readonly number[]): Promise<void> {
    await sql`/* import.stale-zip-pieces */
      delete from zip_area_pieces where zip_area_id = any(${ids}::int[])`.execute(this.#db);
    await sql`/* import.zip-pieces */
      with whole as materialized (
        select a.id, d.path[1] as part, d.geom from zip_areas as a cross join lateral ST_Dump(a.geometry) as d
        where a.id = any(${ids}::int[])
      ), piece as materialized (
        select w.id, w.part, d.geom from whole as w
        cross join lateral ST_Subdivide(w.geom, ${MOST_VERTICES}) as s cross join lateral ST_Dump(s) as d
        where ST_Dimension(d.geom) = 2
      ), good as materialized (
        select p.id, p.part from piece as p join whole as w on w.id = p.id and w.part = p.part
        group by p.id, p.part
        having bool_and(ST_IsValid(p.geom))
          and abs(sum(ST_Area(p.geom)) - max(ST_Area(w.geom))) <= ${ROUNDING} * max(ST_Area(w.geom))
      )
      insert into zip_area_pieces (zip_area_id, geometry)
      select id, geom from piece where (id, part) in (select id, part from good)
      union all
      select id, geom from whole where (id, part) not in (select id, part from good)`.execute(this.#db);
  }
}
