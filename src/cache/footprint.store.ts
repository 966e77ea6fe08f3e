import { sql } from 'kysely';
import { type DataState, dataState } from '../database/data-version.ts';
import type { Database } from '../database/database.ts';
import type { Point } from '../districts/districts.store.ts';

/**
 * The data that a response about a point depends on: the data version, and the boundaries of all periods that cover the
 * point.
 */
export interface Footing extends Pick<DataState, 'state' | 'isStandby'> {
  /** The sorted ids of the boundaries as text: equal if the sets are equal. */
  readonly boundaries: string;
  /**
   * Whether exactly the same boundaries cover the whole tile of the point, without parts of others; false if not
   * requested.
   */
  readonly holdsInSquare: boolean;
}

/**
 * Request for the boundaries that cover a point and, with `withSquare`, for whether its whole tile has the same ones.
 */
export interface Look extends Point {
  readonly withSquare: boolean;
}

/**
 * The side of a tile in degrees: half a kilometre or less, so that most tiles are not crossed by a boundary. A power of
 * two: the edges are exact binary numbers, so PostgreSQL and JavaScript agree on which tile contains a point.
 */
const SIDE = 1 / 256;

/** The map tile that contains a point, identified by its south-west corner. Its edges belong to it. */
export interface Square {
  readonly south: number;
  readonly west: number;
}

export function squareOf({ latitude, longitude }: Point): Square {
  return { south: Math.floor(latitude / SIDE) * SIDE, west: Math.floor(longitude / SIDE) * SIDE };
}

/** Reads what cached responses depend on from the database. */
export interface Ground {
  state(): Promise<Pick<DataState, 'state' | 'isStandby'>>;
  /**
   * Reads the boundaries of points in one statement. Returns one result for each point, in their order; undefined if
   * the database has never contained data.
   */
  footings(looks: readonly Look[]): Promise<readonly (Footing | undefined)[]>;
}

export function groundOf(db: Database): Ground {
  return { state: () => dataState(db), footings: (looks) => footingsOf(db, looks) };
}

/**
 * Reads the boundaries that cover points. A tile certainly lies within a boundary if one of the boundary's pieces
 * covers it. A tile that only several pieces together cover is treated as crossed by the boundary, so that each point
 * in it requires a lookup.
 */
async function footingsOf(db: Database, looks: readonly Look[]): Promise<(Footing | undefined)[]> {
  const squares = looks.map((look) => (look.withSquare ? squareOf(look) : undefined));
  const found = await sql<Footing & { index: number }>`
    /* answers.footingsOf */
    select asked.index::int, data_version.state, pg_is_in_recovery() as "isStandby", array(
      select distinct piece.boundary_id from boundary_pieces piece
      where ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(asked.longitude, asked.latitude), 4326))
      order by piece.boundary_id)::text as boundaries,
      asked.west is not null and not exists (
        select from boundary_pieces piece
        where ST_Intersects(piece.geometry, square.outline) and not ST_Covers(piece.geometry, square.outline)
      ) as "holdsInSquare"
    from data_version, unnest(${looks.map((look) => look.longitude)}::float8[], ${looks.map((look) => look.latitude)}::float8[],
      ${squares.map((square) => square?.west)}::float8[], ${squares.map((square) => square?.south)}::float8[])
      with ordinality as asked(longitude, latitude, west, south, index),
      ST_MakeEnvelope(asked.west, asked.south, asked.west + ${SIDE}::float8, asked.south + ${SIDE}::float8, 4326) as square(outline)`.execute(
    db,
  );
  const answers: (Footing | undefined)[] = looks.map(() => undefined);
  for (const { index, ...footing } of found.rows) answers[index - 1] = footing;
  return answers;
}
