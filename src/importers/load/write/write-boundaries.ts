import { type RawBuilder, sql } from 'kysely';
import { codeOf } from '../../../base/errors.ts';
import type { Database } from '../../../store/sql/database.ts';
import { tableOf } from '../../exchange/format.ts';
import type { Changes } from '../../exchange/load-summary.ts';
import { affected, type WriteSettings } from './write-changes.ts';

/** The maximum number of vertices per piece: a point lookup tests one or a few pieces. */
const MOST_VERTICES = 128;
/** The relative rounding error allowed between the area of a polygon and the sum of its pieces. */
const ROUNDING = 1e-9;

const table = tableOf('boundaries');

/**
 * Writes the staged boundaries by district and start date, and the pieces of new geometries. A geometry that the
 * database already has is neither staged nor touched.
 */
export async function writeBoundaries(db: Database, settings: WriteSettings): Promise<Changes> {
  const removed = settings.replace ? await removeBoundaries(db) : 0;
  const wasEmpty = await isEmpty(db);
  await sql`/* import.pieces */
    create temp table stage_pieces (
      boundary_id integer, part integer, geometry geometry(Polygon, 4326)
    ) on commit drop`.execute(db);
  await sql`/* import.pieces */
    create temp table stage_changed (boundary_id integer primary key, batch integer) on commit drop`.execute(db);
  await storeShares(db, 'later');
  const updated = await update(db);
  const { rows: batches } = await sql<{ batch: number; rows: number }>`/* import.batches */
    select batch, count(*) as rows from stage_boundaries group by batch order by batch`.execute(db);
  const total = settings.staged('boundaries');
  let inserted = 0;
  let done = 0;
  for (const { batch, rows } of batches) {
    inserted += await insert(db, batch);
    await subdivide(db, batch);
    done += rows;
    settings.onProgress(table, done, total);
  }
  if (wasEmpty) await sql`/* import.cluster */ cluster boundary_pieces`.execute(db);
  await sql`/* import.shares */
    select ballotgraph_store_boundary_shares(array(select boundary_id from stage_changed)),
      ballotgraph_measure_outlines(array(select distinct d.type::text from stage_changed c
        join boundaries b on b.id = c.boundary_id join districts d on d.id = b.district_id))`.execute(db);
  await storeShares(db, 'at once');
  await sql`/* import.compared-maps */
    select ballotgraph_compare_maps(array(select distinct district_id from stage_boundaries))`.execute(db);
  await sql`/* import.loaded-maps */ delete from newer_maps where id in (select id from loaded_newer_maps())`.execute(
    db,
  );
  await confirm(db);
  return { inserted, updated, unchanged: total - inserted - updated, removed };
}

/** Sets whether the triggers of the pieces store what follows from them (migrations 0035 and 0059), in this transaction. */
async function storeShares(db: Database, when: 'at once' | 'later'): Promise<void> {
  await sql`/* import.shares */ select set_config('ballotgraph.boundary_shares', ${when}, true)`.execute(db);
}

/**
 * Returns whether the database has no boundaries yet: then locking the pieces to cluster them blocks no reader. Later,
 * the operator clusters them at a time when a lock of a few seconds is acceptable.
 */
async function isEmpty(db: Database): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`/* import.pieces */
    select not exists (select from boundary_pieces) as empty`.execute(db);
  return rows[0]?.empty ?? false;
}

/**
 * Checks that every staged boundary was written, in pieces: the embedded database is known to drop rows without an
 * error.
 */
async function confirm(db: Database): Promise<void> {
  const { rows } = await sql<{ line: number }>`/* import.confirm */
    select s.line from stage_boundaries as s
    left join boundaries as b on b.district_id = s.district_id and b.start_date = s.start_date
    where b.digest is distinct from s.digest or not exists (select from boundary_pieces as p where p.boundary_id = b.id)
    order by s.line limit 1`.execute(db);
  const [lost] = rows;
  if (lost)
    throw new Error(`The database lost the boundary of line ${lost.line} without an error; nothing was changed`);
}

function removeBoundaries(db: Database): Promise<number> {
  return affected(
    db,
    sql`/* import.remove-boundaries */
      delete from boundaries as b
      where not exists (
        select from stage_boundaries as s where s.district_id = b.district_id and s.start_date = b.start_date)`,
  );
}

/** Runs all updates before any insert: a period that is closed makes room for the next one. */
async function update(db: Database): Promise<number> {
  await sql`/* import.changed-boundaries */
    insert into stage_changed
    select b.id, s.batch from stage_boundaries as s
    join boundaries as b on b.district_id = s.district_id and b.start_date = s.start_date
    where s.geometry is not null`.execute(db);
  await sql`/* import.stale-pieces */
    delete from boundary_pieces as p using stage_changed as c where p.boundary_id = c.boundary_id`.execute(db);
  return affected(
    db,
    sql`/* import.update-boundaries */
      update boundaries as b
      set end_date = s.end_date, precise = s.precise, digest = s.digest, geometry = coalesce(s.geometry, b.geometry)
      from stage_boundaries as s
      where b.district_id = s.district_id and b.start_date = s.start_date
        and row(b.end_date, b.precise, b.digest) is distinct from row(s.end_date, s.precise, s.digest)`,
  );
}

function insert(db: Database, batch: number): Promise<number> {
  return affected(
    db,
    sql`/* import.insert-boundaries */
      with added as (
        insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
        select district_id, start_date, end_date, precise, geometry, digest
        from stage_boundaries as s
        where batch = ${batch} and not exists (
          select from boundaries as b where b.district_id = s.district_id and b.start_date = s.start_date)
        order by line
        returning id
      )
      insert into stage_changed select id, ${batch} from added`,
  );
}

/**
 * Subdivides the new geometries of a batch, each polygon separately, so that no piece spans two islands. A polygon
 * whose pieces do not add up to its area stays whole, and so does one with an invalid piece: the pieces cover the
 * boundary in any case.
 */
async function subdivide(db: Database, batch: number): Promise<void> {
  await sql`/* import.subdivide */
    insert into stage_pieces
    select c.boundary_id, whole.path[1], piece.geom
    from stage_changed as c
    join boundaries as b on b.id = c.boundary_id
    cross join lateral ST_Dump(b.geometry) as whole
    cross join lateral ST_Subdivide(whole.geom, ${MOST_VERTICES}) as part
    cross join lateral ST_Dump(part) as piece
    where c.batch = ${batch} and ST_Dimension(piece.geom) = 2`.execute(db);
  const fits = sql`abs(sum(ST_Area(p.geometry)) - max(w.area)) <= ${ROUNDING} * max(w.area)`;
  await keepWhole(db, batch, fits);
  await sql`savepoint pieces`.execute(db);
  try {
    await insertPieces(db);
  } catch (error) {
    // The table accepts valid polygons only. An invalid one is so rare that it is searched for only after a failure.
    if (codeOf(error) !== CHECK_VIOLATION) throw error;
    await sql`rollback to savepoint pieces`.execute(db);
    await keepWhole(db, batch, sql`bool_and(ST_IsValid(p.geometry))`);
    await insertPieces(db);
  }
  await sql`release savepoint pieces`.execute(db);
  await sql`/* import.pieces */ truncate stage_pieces`.execute(db);
}

/** Replaces the pieces of a polygon by the whole polygon if they fail the check, or if there are none. */
async function keepWhole(db: Database, batch: number, passes: RawBuilder<unknown>): Promise<void> {
  await sql`/* import.keep-whole */
    with whole as (
      select c.boundary_id, d.path[1] as part, ST_Area(d.geom) as area
      from stage_changed as c join boundaries as b on b.id = c.boundary_id
      cross join lateral ST_Dump(b.geometry) as d
      where c.batch = ${batch}
    ), bad as (
      select w.boundary_id, w.part
      from whole as w left join stage_pieces as p on p.boundary_id = w.boundary_id and p.part = w.part
      group by w.boundary_id, w.part
      having (${passes}) is not true
    ), gone as (
      delete from stage_pieces as p using bad where p.boundary_id = bad.boundary_id and p.part = bad.part
    )
    insert into stage_pieces
    select boundary_id, part, ST_GeometryN(b.geometry, part)
    from bad join boundaries as b on b.id = bad.boundary_id`.execute(db);
}

async function insertPieces(db: Database): Promise<void> {
  await sql`/* import.insert-pieces */
    insert into boundary_pieces (boundary_id, geometry)
    select boundary_id, geometry from stage_pieces order by geometry`.execute(db);
}

const CHECK_VIOLATION = '23514';
