import { sql } from 'kysely';
import type { Point } from '../districts/districts.store.ts';
import { type DataState, dataState } from '../store/data-state.ts';
import type { Database } from '../store/database.ts';

/** What answers about a point hang on: the state of the data, and the boundaries of all periods that cover it. */
export interface Footing extends Pick<DataState, 'state' | 'isStandby'> {
  /** The ids of the boundaries, as one text: equal where the sets are. */
  readonly boundaries: string;
  /** Whether the same boundaries, and no part of others, cover the whole square of the point; false when not asked. */
  readonly holdsInSquare: boolean;
}

/** What is to be found out about a point: what it stands on, and whether all of its square does. */
export interface Look extends Point {
  readonly withSquare: boolean;
}

/**
 * The side of a square in degrees: half a kilometre or less, so that most have no boundary across them. A power of two:
 * the edges are exact numbers, and a point lies in its square for the store as it does here.
 */
const SIDE = 1 / 256;

/** The square of the map in which a point lies, by its corner in the south-west. Its edges belong to it. */
export interface Square {
  readonly south: number;
  readonly west: number;
}

export function squareOf({ latitude, longitude }: Point): Square {
  return { south: Math.floor(latitude / SIDE) * SIDE, west: Math.floor(longitude / SIDE) * SIDE };
}

/** Where it is looked up what answers hang on. */
export interface Ground {
  state(): Promise<Pick<DataState, 'state' | 'isStandby'>>;
  /** One for each point, in their order, all seen at once; undefined for a store that has never had data. */
  footings(looks: readonly Look[]): Promise<readonly (Footing | undefined)[]>;
}

export function groundOf(db: Database): Ground {
  return { state: () => dataState(db), footings: (looks) => footingsOf(db, looks) };
}

/**
 * A boundary covers a whole square for certain when one of its pieces does. Where several do so together it counts as
 * crossing it, which costs a look at each of the points there.
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
